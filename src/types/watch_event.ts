import type { KubeObject, ObjectMeta } from "./meta.ts";
import type { Status } from "./status.ts";

/** The object of a bookmark: a resource version and nothing else. */
export interface Bookmark {
  /** Group and version of the watched kind. */
  apiVersion?: string;
  /** The watched kind. */
  kind?: string;
  /** The resource version reached. On the bookmark that ends the initial events, the annotation that says so. */
  metadata: ObjectMeta & { resourceVersion: string };
}

/** The annotation that marks the bookmark after the initial events of a streaming list. */
export const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/**
 * One event of a watch. A failure of the watch is no event: it is thrown as a `StatusError`.
 *
 * @typeParam T The interface of the objects.
 */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | {
    /** What happened to the object. */
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    /** The object after the change; a deleted object in its last state. */
    readonly object: T;
  }
  | {
    /** Nothing has changed up to the resource version of the bookmark. */
    readonly type: "BOOKMARK";
    /** The bookmark. */
    readonly object: Bookmark;
  };

/**
 * One line of a watch as the server sends it: an event, or the failure that ends the watch.
 *
 * @typeParam T The interface of the objects.
 */
export type WatchLine<T extends KubeObject = KubeObject> =
  | WatchEvent<T>
  | {
    /** The watch failed and ends. */
    readonly type: "ERROR";
    /** The reason. */
    readonly object: Status;
  };
