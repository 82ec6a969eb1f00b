import type { KubeObject } from "@kubeloop/controller/types";
import type { FieldError, JsonObject } from "../../../values/mod.ts";
import { defineKind, type KindRecord, NOT_COUNTED } from "../record/mod.ts";
import type { Release } from "../../release/mod.ts";
import { validateMeta, validateMetaUpdate } from "../shared/mod.ts";
import { EVENT_FIELDS } from "./event_fields.ts";
import { EVENT_TABLE } from "./event_table.ts";
import {
  validateEvent,
  validateNewStyleEvent,
  validateNewStyleEventUpdate,
} from "./event_validation.ts";
import { toCoreEvent, toEventsEvent } from "./event_view.ts";

/** Events of events.k8s.io/v1: another view of Events of core/v1, which is the storage version. */
export const EVENT: KindRecord = defineKind("events.k8s.io/v1", "events", "Event", {
  shortNames: ["ev"],
  quota: NOT_COUNTED,
  uncached: true,
  deletion: { ignoresPropagation: true },
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

function validateNewEvent(
  next: JsonObject,
  old: JsonObject | undefined,
  _: string,
  release: Release,
): FieldError[] {
  const rule = { namespaced: true, names: "subdomain", finalizers: "qualified", release } as const;
  const event = inCore(next);
  const errors = validateEvent(event, true);
  if (old === undefined) {
    return [
      ...errors,
      ...validateMeta(event, rule),
      ...validateNewStyleEvent(event),
    ];
  }
  const before = inCore(old);
  return [
    ...errors,
    ...validateMetaUpdate(event, before, rule),
    ...validateNewStyleEventUpdate(event, before),
  ];
}

function inCore(event: JsonObject): JsonObject {
  return toCoreEvent(event as unknown as KubeObject) as unknown as JsonObject;
}
