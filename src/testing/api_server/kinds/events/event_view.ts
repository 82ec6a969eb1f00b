import type { KubeObject } from "@kubeloop/controller/types";
import { canonical, SCHEMAS } from "../../schema/mod.ts";
import { getOwn, type JsonObject } from "../../../values/mod.ts";

/** The names of the Event fields that differ between core/v1 and events.k8s.io/v1. */
const NAMES: readonly (readonly [core: string, events: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];

/** Converts an Event to core/v1. Returns a core/v1 Event unchanged. */
export function toCoreEvent<T extends KubeObject>(event: T): T {
  return event.apiVersion === "v1" ? event : rename(event, "v1", "core.Event", 1, 0);
}

/** Converts an Event to events.k8s.io/v1. Returns an events.k8s.io/v1 Event unchanged. */
export function toEventsEvent<T extends KubeObject>(event: T): T {
  const apiVersion = "events.k8s.io/v1";
  return event.apiVersion === apiVersion ? event : rename(event, apiVersion, "events.Event", 0, 1);
}

function rename<T extends KubeObject>(
  event: T,
  apiVersion: string,
  struct: string,
  from: 0 | 1,
  to: 0 | 1,
): T {
  const result: JsonObject = { ...event as unknown as JsonObject };
  for (const names of NAMES) {
    const value = getOwn(result, names[from]);
    delete result[names[from]];
    if (value !== undefined) result[names[to]] = value;
  }
  result["kind"] = "Event";
  result["apiVersion"] = apiVersion;
  return canonical(result, SCHEMAS.struct(struct)) as unknown as T;
}
