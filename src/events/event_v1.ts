import {
  defineResource,
  type KubeObject,
  type ObjectReference,
  type Resource,
} from "../types/mod.ts";

/** The repetitions of an event. */
export interface EventSeries {
  /** The number of occurrences, at least 2. */
  count: number;
  /** The time of the most recent occurrence (RFC 3339, with six fraction digits). */
  lastObservedTime: string;
}

/**
 * An Event of events.k8s.io/v1: a report about an object, for people. The API server also serves it as an Event of core/v1,
 * where some fields have other names.
 */
export interface EventV1 extends KubeObject {
  /** The time of the first occurrence (RFC 3339, with six fraction digits). */
  eventTime: string;
  /** The repetitions; missing after the first occurrence. */
  series?: EventSeries;
  /** The name of the controller that reports the event, such as `widgets.acme.io`. */
  reportingController: string;
  /** The ID of the controller instance that reports the event. */
  reportingInstance: string;
  /** The successful or failed action of the controller, a short CamelCase word. */
  action: string;
  /** The reason for the event, a short CamelCase word. */
  reason: string;
  /** The object that the event is about. */
  regarding: ObjectReference;
  /** The second object of the event, if there is one. */
  related?: ObjectReference;
  /** The description of the event, for people. At most 1,024 bytes. */
  note?: string;
  /** The severity: `Normal` or `Warning`. */
  type: "Normal" | "Warning";
}

/**
 * The namespace of Events about cluster-scoped objects: the server accepts no other.
 *
 * @internal
 */
export const CLUSTER_EVENTS_NAMESPACE = "default";

/** The resource `events.events.k8s.io`. */
export const EventsV1: Resource<EventV1> = defineResource<EventV1>({
  group: "events.k8s.io",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
});
