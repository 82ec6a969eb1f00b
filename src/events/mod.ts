/**
 * Events about objects, for `kubectl describe` and `kubectl events`.
 *
 * {@linkcode EventRecorder} takes reports synchronously, and writes them as Events of events.k8s.io/v1.
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
