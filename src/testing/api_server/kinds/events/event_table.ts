import type { KubeObject } from "@kubeloop/controller/types";
import { getPath, getString, humanAge, type Json, type JsonObject } from "../../../values/mod.ts";
import type { KindRecord } from "../record/mod.ts";
import { column, getNumber, NAME } from "../shared/mod.ts";
import { toCoreEvent } from "./event_view.ts";

/** The columns of Events, and their row. */
export const EVENT_TABLE: NonNullable<KindRecord["table"]> = {
  columns: [
    column("Last Seen", "The time at which the most recent occurrence of this event was recorded."),
    column("Type", "Type of this event (Normal, Warning), new types could be added in the future"),
    column(
      "Reason",
      "This should be a short, machine understandable string that gives the reason for the transition into the object's current status.",
    ),
    column("Object", "The object that this event is about."),
    column(
      "Subobject",
      'If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access statement, such as desiredState.manifest.containers[2]. For example, if the object reference is to a container within a pod, this would take on a value like: "spec.containers{name}" (where "name" refers to the name of the container that triggered the event) or if no container name is specified "spec.containers[2]" (container with index 2 in this pod). This syntax is chosen only to have some well-defined way of referencing a part of an object.',
      1,
    ),
    column(
      "Source",
      "The component reporting this event. Should be a short machine understandable string.",
      1,
    ),
    column("Message", "A human-readable description of the status of this operation."),
    column(
      "First Seen",
      "The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)",
      1,
    ),
    column("Count", "The number of times this event has occurred.", 1),
    { ...NAME, priority: 1 },
  ],
  row: eventRow,
};

function eventRow(object: JsonObject, nowMs: number): Json[] {
  const event = toCoreEvent(object as unknown as KubeObject) as unknown as JsonObject;
  const text = (...path: string[]) => getString(event, ...path);
  const age = (time: string) => humanAge(time, nowMs);
  const first = age(text("firstTimestamp") || text("eventTime"));
  const series = getPath(event, "series");
  const last = series === undefined
    ? text("lastTimestamp") === "" ? first : age(text("lastTimestamp"))
    : age(text("series", "lastObservedTime"));
  const count = series === undefined ? getNumber(event, "count") || 1 : getNumber(series, "count");
  const kind = text("involvedObject", "kind").toLowerCase();
  const name = text("involvedObject", "name");
  const component = text("source", "component") || text("reportingComponent");
  const instance = text("source", "host") || text("reportingInstance");
  return [
    last,
    text("type"),
    text("reason"),
    name === "" ? kind : `${kind}/${name}`,
    text("involvedObject", "fieldPath"),
    instance === "" ? component : `${component}, ${instance}`,
    text("message").trim(),
    first,
    count,
    text("metadata", "name"),
  ];
}
