import type { KubeObject } from "./meta.ts";

/** A reference to an object, or to a part of it. */
export interface ObjectReference {
  /** The API version of the object. */
  apiVersion?: string;
  /** The kind of the object. */
  kind?: string;
  /** The name of the object. */
  name?: string;
  /** The namespace of the object. */
  namespace?: string;
  /** The UID of the object. */
  uid?: string;
  /** The resource version to which the reference refers. */
  resourceVersion?: string;
  /** The part of the object to which the reference refers, such as `spec.containers{main}`. */
  fieldPath?: string;
}

/** An Event of core/v1: a report of something that happened to an object, for people to read. */
export interface Event extends KubeObject {
  /** The object that the event is about. */
  involvedObject: ObjectReference;
  /** The reason for the event, as a short CamelCase word. */
  reason?: string;
  /** The description of the event, for people. */
  message?: string;
  /** The severity: `Normal` or `Warning`. */
  type?: "Normal" | "Warning";
  /** The number of times that the event has occurred. */
  count?: number;
  /** The time of the first occurrence (RFC 3339). */
  firstTimestamp?: string | null;
  /** The time of the most recent occurrence (RFC 3339). */
  lastTimestamp?: string | null;
  /** The time at which the event was first observed, with six fraction digits. */
  eventTime?: string | null;
  /** The component that reports the event, and the host that it runs on. */
  source?: { component?: string; host?: string };
  /** The name of the controller that reported the event, such as `kubernetes.io/kubelet`. */
  reportingComponent?: string;
  /** The ID of the controller instance that reported the event. */
  reportingInstance?: string;
  /** The action that the reporting controller took, or that failed. */
  action?: string;
}
