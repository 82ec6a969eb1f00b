import type { KubeObject } from "@kubeloop/controller/types";
import type { FieldError, JsonObject } from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import { toCoreEvent, toEventsEvent } from "../events/event_view.ts";
import type { KindRecord } from "../kind_record.ts";
import { NOT_COUNTED } from "../quota/quota_rules.ts";
import {
  validateEvent,
  validateNewStyleEvent,
  validateNewStyleEventUpdate,
} from "../validation/event.ts";
import { validateMeta, validateMetaUpdate } from "../validation/object_meta.ts";
import { EVENT_FIELDS } from "./event_fields.ts";
import { EVENT_TABLE } from "./event_table.ts";

/** Events of events.k8s.io/v1: the same objects as those of core/v1, in which they are stored. */
export const EVENT: KindRecord = defineKind("events.k8s.io/v1", "events", "Event", {
  shortNames: ["ev"],
  quota: NOT_COUNTED,
  uncached: true,
  ignoresPropagation: true,
  stored: {
    group: "",
    version: "v1",
    conversion: { fromStorage: toEventsEvent, toStorage: toCoreEvent },
  },
  allowCreateOnUpdate: true,
  validateWhole: validateNewEvent,
  errorGroup: "",
  fields: EVENT_FIELDS,
  table: EVENT_TABLE,
});

function validateNewEvent(next: JsonObject, old: JsonObject | undefined): FieldError[] {
  const event = inCore(next);
  const errors = validateEvent(event, true);
  if (old === undefined) {
    return [
      ...errors,
      ...validateMeta(event, true, "subdomain", "qualified"),
      ...validateNewStyleEvent(event),
    ];
  }
  const before = inCore(old);
  return [
    ...errors,
    ...validateMetaUpdate(event, before, "qualified"),
    ...validateNewStyleEventUpdate(event, before),
  ];
}

function inCore(event: JsonObject): JsonObject {
  return toCoreEvent(event as unknown as KubeObject) as unknown as JsonObject;
}
