// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `events/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { EventSource, ObjectReference } from "../core/types.ts";
import type { MicroTime, Time } from "../scalars.ts";

/** An Event of `events.k8s.io/v1`. */
export interface Event extends KubeObject {
  /** The `eventTime` of an Event. */
  eventTime: MicroTime;
  /** The `series` of an Event. */
  series?: EventSeries;
  /** The `reportingController` of an Event. */
  reportingController?: string;
  /** The `reportingInstance` of an Event. */
  reportingInstance?: string;
  /** The `action` of an Event. */
  action?: string;
  /** The `reason` of an Event. */
  reason?: string;
  /** The `regarding` of an Event. */
  regarding?: ObjectReference;
  /** The `related` of an Event. */
  related?: ObjectReference;
  /** The `note` of an Event. */
  note?: string;
  /** The `type` of an Event. */
  type?: string;
  /** The `deprecatedSource` of an Event. */
  deprecatedSource?: EventSource;
  /** The `deprecatedFirstTimestamp` of an Event. */
  deprecatedFirstTimestamp?: Time | null;
  /** The `deprecatedLastTimestamp` of an Event. */
  deprecatedLastTimestamp?: Time | null;
  /** The `deprecatedCount` of an Event. */
  deprecatedCount?: number;
}

/** A list of Events. */
export type EventList = KubeList<Event>;

/** The `series` of an Event. */
export type EventSeries = {
  count: number;
  lastObservedTime: MicroTime;
};

/** The resource `events.events.k8s.io`. */
export const Events: Resource<Event> = /* @__PURE__ */ builtinResource({
  group: "events.k8s.io",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
});
