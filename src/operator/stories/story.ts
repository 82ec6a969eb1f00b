import type { Cause } from "./cause.ts";

/**
 * The result of a reconcile; `running` until it ends. `paused`: the object is paused, so `reconcile` was not called, or was
 * ended. `superseded`: a newer generation of the object has ended it. `aborted`: the controller has stopped.
 */
export type StoryResult =
  | "running"
  | "success"
  | "requeue"
  | "requeue_after"
  | "error"
  | "terminal"
  | "paused"
  | "superseded"
  | "aborted";

/** The fields that a write has sent. */
export interface SentFields {
  /** The paths of the fields, as in `spec.replicas`; at most sixteen. */
  readonly fields: readonly string[];
  /** The number of further fields. */
  readonly moreFields?: number | undefined;
  /**
   * The sent body, with masks in place of what looks like a credential. Only with `recordObjects`, and on a page of
   * `Manager.see` since one was opened; absent if it is long.
   */
  readonly values?: unknown;
}

/** A write that was not sent, because it would have changed nothing. */
export interface SkippedWrite {
  /** The kind of the write. */
  readonly write: "apply" | "status";
  /** The path of the request. */
  readonly path: string;
}

/** How long a key has waited before its reconcile started, in milliseconds. */
export interface StoryWaits {
  /** The time in the queue, from the first cause on, without the time at the gate. */
  readonly queueMs: number;
  /** The time until the caches showed the writes of the reconcile before. */
  readonly gateMs: number;
  /** The delay after the failure of the reconcile before. */
  readonly backoffMs: number;
}

/** A request of a reconcile. */
export interface StoryRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The status code; absent if there was no response. */
  readonly code?: number | undefined;
  /** The error, on one line; absent if there was a response. */
  readonly error?: string | undefined;
  /** The time until the response, in milliseconds. */
  readonly durationMs: number;
  /** Whether the write has changed the object, if known. */
  readonly changed?: boolean | undefined;
  /** The `Audit-Id` of the answer, which names the request in the audit log of the server; absent without one. */
  readonly auditId?: string | undefined;
  /** The fields that a write has sent; absent for reads, and for kinds whose objects hold credentials, such as Secrets. */
  readonly sent?: SentFields | undefined;
}

/** One reconcile as plain data: its causes, its requests and its result. */
export interface Story {
  /** The name of the controller. */
  readonly controller: string;
  /** The key of the object. */
  readonly key: string;
  /** The UID of the object, if it exists. */
  readonly uid?: string | undefined;
  /** The number of the attempt: 1, plus the number of failures in a row before. */
  readonly attempt: number;
  /** All causes, including the ones while the key was already queued. */
  readonly causes: readonly Cause[];
  /** The number of causes beyond the limit of sixteen. */
  readonly moreCauses?: number | undefined;
  /** The start of the reconcile (RFC 3339). */
  readonly startedAt: string;
  /** The time from the first cause to the start, in milliseconds. */
  readonly queuedMs: number;
  /** The parts of the wait; absent if the key waited for neither a gate nor a backoff. */
  readonly waits?: StoryWaits | undefined;
  /** The duration of the reconcile until its end, or until now, in milliseconds. */
  readonly durationMs: number;
  /** The requests, in the order in which they ended. */
  readonly requests: readonly StoryRequest[];
  /** The number of requests beyond the limit of 100. */
  readonly moreRequests?: number | undefined;
  /** The number of writes that were not sent because they would have changed nothing. */
  readonly skippedWrites: number;
  /** The first eight of the skipped writes, if known. */
  readonly skipped?: readonly SkippedWrite[] | undefined;
  /** The result. */
  readonly result: StoryResult;
  /** The generation of the object that has ended a `superseded` reconcile. */
  readonly supersededBy?: number | undefined;
  /** The requested delay until the next reconcile, in milliseconds. */
  readonly requeueAfterMs?: number | undefined;
  /** The error, on one line and without credentials. */
  readonly error?: string | undefined;
  /** The number of stories that a stream dropped before this one, because its reader was too slow. */
  readonly missed?: number | undefined;
}
