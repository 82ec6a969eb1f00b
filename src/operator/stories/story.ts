import type { Cause } from "./cause.ts";

/** How a reconcile ended; `running` if it has not. */
export type StoryResult =
  | "running"
  | "success"
  | "requeue"
  | "requeue_after"
  | "error"
  | "terminal"
  | "aborted";

/** A request that a reconcile has sent. */
export interface StoryRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The status code; absent if there was no answer. */
  readonly code?: number | undefined;
  /** What went wrong, on one line; absent if there was an answer. */
  readonly error?: string | undefined;
  /** The time until the answer, in milliseconds. */
  readonly durationMs: number;
  /** Whether a write has changed the object, if known. */
  readonly changed?: boolean | undefined;
}

/** One reconcile: why it happened, what it did, and how it ended. Plain data, which JSON keeps. */
export interface Story {
  /** The name of the controller. */
  readonly controller: string;
  /** The key of the object. */
  readonly key: string;
  /** The UID of the object, if it exists. */
  readonly uid?: string | undefined;
  /** 1, and one more for each failure in a row before. */
  readonly attempt: number;
  /** All causes: also those that came while the key was already in the queue. */
  readonly causes: readonly Cause[];
  /** The number of further causes, if there were too many. */
  readonly moreCauses?: number | undefined;
  /** When the reconcile started (RFC 3339). */
  readonly startedAt: string;
  /** How long the key has waited since its first cause, in milliseconds. */
  readonly queuedMs: number;
  /** How long the reconcile took, in milliseconds; of a running one, how long so far. */
  readonly durationMs: number;
  /** The requests, in the order of their ends. */
  readonly requests: readonly StoryRequest[];
  /** The number of further requests, if there were too many. */
  readonly moreRequests?: number | undefined;
  /** The number of writes that were not sent because they would have changed nothing. */
  readonly skippedWrites: number;
  /** How the reconcile ended. */
  readonly result: StoryResult;
  /** The delay that the reconcile has asked for, in milliseconds. */
  readonly requeueAfterMs?: number | undefined;
  /** The error, on one line and without credentials. */
  readonly error?: string | undefined;
  /** In a stream of stories: the number of stories before this one that the reader was too slow for. */
  readonly missed?: number | undefined;
}
