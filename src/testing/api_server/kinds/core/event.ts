import { defineKind } from "../define_kind.ts";
import { CORE_EVENT_FIELDS } from "../events/event_fields.ts";
import { EVENT_TABLE } from "../events/event_table.ts";
import type { KindRecord } from "../kind_record.ts";
import { NOT_COUNTED } from "../quota/quota_rules.ts";
import { validateEvent } from "../validation/event.ts";

/** Events of core/v1. */
export const CORE_EVENT: KindRecord = defineKind("v1", "events", "Event", {
  shortNames: ["ev"],
  quota: NOT_COUNTED,
  uncached: true,
  ignoresPropagation: true,
  allowCreateOnUpdate: true,
  validateWhole: (event) => validateEvent(event, false),
  fields: CORE_EVENT_FIELDS,
  table: EVENT_TABLE,
});
