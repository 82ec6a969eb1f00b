import type { KubeObject, ObjectMeta } from "./meta.ts";
import type { Status } from "./status.ts";

/** The object of a bookmark: a resource version and nothing else. */
export interface Bookmark {
  /** Group and version of the watched kind. */
  apiVersion?: string;
  /** The watched kind. */
  kind?: string;
  /** The version reached, and on the end of the initial events the mark of it. */
  metadata: ObjectMeta & { resourceVersion: string };
}

/** The annotation that marks the bookmark after the initial events of a streaming list. */
export const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/** One line of a watch. */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | {
    /** What happened to the object; a DELETED one is in its last state. */
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    /** The object after (DELETED: before) the change. */
    readonly object: T;
  }
  | {
    /** Nothing changed, up to this version. */
    readonly type: "BOOKMARK";
    /** The version. */
    readonly object: Bookmark;
  }
  | {
    /** The watch failed and ends. */
    readonly type: "ERROR";
    /** Why. */
    readonly object: Status;
  };
