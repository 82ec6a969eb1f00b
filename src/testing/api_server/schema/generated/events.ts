// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `events`. */
export const EVENTS: StructTable = {
  "events.Event": `
    @object; metadata meta.ObjectMeta!; eventTime microTime!*; series events.EventSeries?;
    reportingController string; reportingInstance string; action string; reason string;
    regarding core.ObjectReference!; related core.ObjectReference?; note string; type string;
    deprecatedSource core.EventSource!; deprecatedFirstTimestamp time!;
    deprecatedLastTimestamp time!; deprecatedCount int32
  `,
  "events.EventList": "@object; metadata meta.ListMeta!; items []events.Event!*",
  "events.EventSeries": "count int32!*; lastObservedTime microTime!*",
};
