/**
 * Events: what a controller tells people about an object, as `kubectl describe` and `kubectl events` show it.
 *
 * In come reports of a reconcile, synchronously; out go events.k8s.io/v1 Events, through a client. Nothing else enters.
 *
 * @module
 */

export { CLUSTER_EVENTS_NAMESPACE, type EventSeries, EventsV1, type EventV1 } from "./event_v1.ts";
export type { EventReport } from "./event_report.ts";
export {
  type DropReason,
  type EventClient,
  EventRecorder,
  type EventRecorderOptions,
  type EventRecorderSnapshot,
  requireReportingController,
} from "./event_recorder.ts";
