import { isConnectionRefused, networkFailure } from "../../base/mod.ts";
import {
  isExpired,
  isInternalError,
  isTooLargeResourceVersion,
  isTooManyRequests,
  StatusError,
} from "../../types/mod.ts";

/** A watch that is over sooner than this, and without an event, counts as failed (client-go). */
export const VERY_SHORT_WATCH_MS = 1_000;
/**
 * How many watches in a row may each end within a second of their start and be reopened at once, because they brought
 * events. client-go sets no limit, and spins when a proxy cuts every watch after its first event.
 */
export const FREE_QUICK_REWATCHES = 3;
/** How many streaming lists may end before their bookmark until the reflector falls back to a plain list. */
export const MAX_EARLY_ENDS = 3;

/** How a stream of watch events came to its end. */
export type StreamEnd =
  /** The server closed it, or the connection broke: what follows can be asked for from the last version. */
  | { readonly kind: "closed" }
  /** It was silent for too long, or outlived its timeout, and was dropped. */
  | { readonly kind: "silent"; readonly reason: string }
  /** An ERROR event, or something on the stream that is no event. */
  | { readonly kind: "error"; readonly error: unknown }
  /** The consumer has seen enough; the stream is still open. */
  | { readonly kind: "paused" }
  /** The reflector is being stopped. */
  | { readonly kind: "stopped" };

/**
 * What the error means that the iteration of a watch threw: a broken connection counts as a closed one; everything else, an
 * error in the code of a lister-watcher too, as a failure of the watch.
 */
export function endOfThrown(error: unknown): StreamEnd {
  const isBroken = !StatusError.is(error) && networkFailure(error) !== undefined;
  return isBroken ? { kind: "closed" } : { kind: "error", error };
}

/** What is known of a watch that has ended. */
export interface WatchReport {
  /** How it ended. */
  readonly end: StreamEnd;
  /** How many events and bookmarks were handled. */
  readonly eventCount: number;
  /** From the request to the end, in milliseconds. */
  readonly durationMs: number;
  /** How many watches before it, in a row, were over within a second. */
  readonly quickWatches: number;
  /** Whether the time for retries of internal errors has not run out. */
  readonly retryInternalErrors: boolean;
}

/** What follows a watch. */
export type AfterWatch =
  /** Watch on at once, from the last version. */
  | "rewatch"
  /** Watch on from the last version after a short pause. */
  | "rewatch-paced"
  /** Watch on from the last version after the backoff. */
  | "rewatch-backoff"
  /** List anew after the backoff. */
  | "relist"
  /** Nothing. */
  | "stop";

/** Decides what follows a watch. */
export function afterWatch(report: WatchReport): AfterWatch {
  const { end, eventCount, durationMs } = report;
  switch (end.kind) {
    case "stopped":
    case "paused":
      return "stop";
    case "silent":
      return "rewatch";
    case "error":
      if (isTooManyRequests(end.error)) return "rewatch-backoff";
      if (report.retryInternalErrors && isInternal(end.error)) return again(report);
      return "relist";
    case "closed":
      if (isVeryShort(eventCount, durationMs)) return "relist";
      return again(report);
  }
}

function again({ durationMs, quickWatches }: WatchReport): AfterWatch {
  const quick = durationMs < VERY_SHORT_WATCH_MS;
  return quick && quickWatches >= FREE_QUICK_REWATCHES ? "rewatch-paced" : "rewatch";
}

/** A line that cannot be decoded reaches client-go as an InternalError event. */
export function isInternal(error: unknown): boolean {
  return isInternalError(error) || !StatusError.is(error);
}

/** Whether a watch was over before it could be of any use. */
export function isVeryShort(eventCount: number, durationMs: number): boolean {
  return eventCount === 0 && durationMs < VERY_SHORT_WATCH_MS;
}

/**
 * What follows a watch that could not be established: only these two failures say nothing of the resource version. What a
 * server says of a connection that was refused behind it does not count.
 */
export function isWatchRetriable(error: unknown): boolean {
  return StatusError.is(error) ? isTooManyRequests(error) : isConnectionRefused(error);
}

/** Whether the version that was asked for is not to be had: too old, or newer than the server is. */
export function isVersionUnavailable(error: unknown): boolean {
  return isExpired(error) || isTooLargeResourceVersion(error);
}

/** What follows a streaming list that ended before its bookmark. */
export type AfterWatchList =
  /** Start over after the backoff, with nothing kept. */
  | "retry-backoff"
  /** Start over at once, and ask for the newest version. */
  | "retry-newest"
  /** Fall back to a plain list. */
  | "fall-back"
  /** Nothing. */
  | "stop";

/** What is known of a streaming list that ended before its bookmark. */
export interface WatchListReport {
  /** How it ended; an attempt that could not be established is an "error". */
  readonly end: StreamEnd;
  /** How many events were handled. */
  readonly eventCount: number;
  /** From the request to the end, in milliseconds. */
  readonly durationMs: number;
  /** How many attempts before it ended early without an error. */
  readonly earlyEnds: number;
  /** Whether the newest version was asked for already because an older one was not to be had. */
  readonly askedForNewest: boolean;
}

/** Decides what follows a streaming list that ended before its bookmark. */
export function afterWatchList(report: WatchListReport): AfterWatchList {
  const { end } = report;
  switch (end.kind) {
    case "stopped":
    case "paused":
      return "stop";
    case "silent":
      return "fall-back";
    case "error":
      if (isWatchRetriable(end.error)) return "retry-backoff";
      if (!isVersionUnavailable(end.error)) return "fall-back";
      return report.askedForNewest ? "fall-back" : "retry-newest";
    case "closed":
      if (isVeryShort(report.eventCount, report.durationMs)) return "fall-back";
      return report.earlyEnds >= MAX_EARLY_ENDS ? "fall-back" : "retry-backoff";
  }
}
