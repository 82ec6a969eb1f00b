import type { KubeObject, ObjectMeta, Status } from "./minimal/mod.ts";

/** The object of a bookmark event: a resource version and nothing else. */
export interface Bookmark {
  /** The API group and version of the watched kind. */
  apiVersion?: string;
  /** The watched kind. */
  kind?: string;
  /**
   * The resource version that the watch has reached. The bookmark that ends the initial events also has the annotation
   * `k8s.io/initial-events-end`.
   */
  metadata: ObjectMeta & { resourceVersion: string };
}

/** The annotation that marks the bookmark after the initial events of a streaming list. */
export const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/**
 * An event of a watch. The failure of a watch is not an event: it is thrown as a `StatusError`.
 *
 * @typeParam T The interface of the objects.
 */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | {
    /** The change of the object. */
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    /** The object after the change; for DELETED, the last state of the object. */
    readonly object: T;
  }
  | {
    /** The watch has delivered all changes up to the resource version of the bookmark. */
    readonly type: "BOOKMARK";
    /** The bookmark. */
    readonly object: Bookmark;
  };

/**
 * A line of a watch, as the server sends it: an event, or the failure that ends the watch.
 *
 * @typeParam T The interface of the objects.
 */
export type WatchLine<T extends KubeObject = KubeObject> =
  | WatchEvent<T>
  | {
    /** The watch has failed and ends. */
    readonly type: "ERROR";
    /** The reason for the failure. */
    readonly object: Status;
  };
