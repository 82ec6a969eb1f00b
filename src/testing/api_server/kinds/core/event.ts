import { defineKind, type KindRecord, NOT_COUNTED } from "../record/mod.ts";
import { CORE_EVENT_FIELDS, EVENT_TABLE, validateEvent } from "../events/mod.ts";

/** Events of core/v1. */
export const CORE_EVENT: KindRecord = defineKind("v1", "events", "Event", {
  shortNames: ["ev"],
  quota: NOT_COUNTED,
  uncached: true,
  deletion: { ignoresPropagation: true },
  allowCreateOnUpdate: true,
  validateWhole: (event) => validateEvent(event, false),
  fields: CORE_EVENT_FIELDS,
  table: EVENT_TABLE,
});
