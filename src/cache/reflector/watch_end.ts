import { isConnectionRefused, networkFailure, TerminalError, WATCH_PACE } from "../../base/mod.ts";
import {
  isExpired,
  isInternalError,
  isTooLargeResourceVersion,
  isTooManyRequests,
  StatusError,
} from "../../types/mod.ts";

/**
 * The number of watches in a row that may end within a second of their start, after an event, and still be reopened at
 * once. client-go has no such limit, and loops without a pause if a proxy cuts every watch after its first event.
 */
export const FREE_QUICK_REWATCHES = 3;
/** The number of streaming lists that may end before their bookmark. After the next one, a plain list follows. */
export const MAX_EARLY_ENDS = 3;

/** The way in which a stream of watch events ended. */
export type StreamEnd =
  /** The server closed the stream, or the connection broke. A watch from the last resource version can continue. */
  | { readonly kind: "closed" }
  /** The stream was dropped: it was silent for too long, or still open after its timeout. */
  | { readonly kind: "silent"; readonly reason: string }
  /** The server sent an ERROR event, or the stream threw an error. */
  | { readonly kind: "error"; readonly error: unknown }
  /** The consumer wants no further events; the stream is still open. */
  | { readonly kind: "paused" }
  /** The reflector is being stopped. */
  | { readonly kind: "stopped" };

/**
 * Classifies an error that the iteration of a watch threw. A broken connection counts as a closed watch. Everything
 * else, a bug in a lister-watcher included, counts as a failure of the watch.
 */
export function endOfThrown(error: unknown): StreamEnd {
  const isBroken = !StatusError.is(error) && networkFailure(error) !== undefined;
  return isBroken ? { kind: "closed" } : { kind: "error", error };
}

/** The facts about a watch that has ended. */
export interface WatchReport {
  /** The way in which the watch ended. */
  readonly end: StreamEnd;
  /** The number of events and bookmarks handled. */
  readonly eventCount: number;
  /** The time from the request to the end, in milliseconds. */
  readonly durationMs: number;
  /** The number of preceding watches, in a row, that ended within a second. */
  readonly quickWatches: number;
  /** The number of watches in a row, this one included, that were dropped without having received anything. */
  readonly silentWatches: number;
  /** Whether a watch from the last resource version continues this one without a gap. */
  readonly isResumable: boolean;
  /** Whether internal errors may still be retried without a list. */
  readonly retryInternalErrors: boolean;
}

/** The next step after a watch. */
export type AfterWatch =
  /** Watch again at once, from the last resource version. */
  | "rewatch"
  /** Watch again from the last resource version, after a short pause. */
  | "rewatch-paced"
  /** Watch again from the last resource version, after the backoff delay. */
  | "rewatch-backoff"
  /** List again, after the backoff delay. */
  | "relist"
  /** List again at the newest version, after the backoff delay: the server does not serve the last one. */
  | "relist-newest"
  /** End the reflector with the error: another request would fail too. */
  | "fail"
  /** Do nothing more. */
  | "stop";

/** Decides the next step after a watch. */
export function afterWatch(report: WatchReport): AfterWatch {
  const next = afterResumableWatch(report);
  return report.isResumable || !next.startsWith("rewatch") ? next : "relist";
}

function afterResumableWatch(report: WatchReport): AfterWatch {
  const { end, eventCount, durationMs } = report;
  switch (end.kind) {
    case "stopped":
    case "paused":
      return "stop";
    case "silent":
      return report.silentWatches >= WATCH_PACE.maxSilent ? "relist-newest" : "rewatch";
    case "error":
      if (TerminalError.is(end.error)) return "fail";
      if (isTooManyRequests(end.error)) return "rewatch-backoff";
      if (report.retryInternalErrors && isInternal(end.error)) return again(report);
      return "relist";
    case "closed":
      if (isVeryShort(eventCount, durationMs)) return "relist";
      return again(report);
  }
}

function again({ durationMs, quickWatches }: WatchReport): AfterWatch {
  const quick = durationMs < WATCH_PACE.shortMs;
  return quick && quickWatches >= FREE_QUICK_REWATCHES ? "rewatch-paced" : "rewatch";
}

/**
 * Reports whether an error counts as an internal error of the server. Any error that is not a Status does, since
 * client-go sees a line that cannot be decoded as an InternalError event.
 */
export function isInternal(error: unknown): boolean {
  return isInternalError(error) || !StatusError.is(error);
}

/** Reports whether a watch ended so early, and without an event, that it counts as failed. */
export function isVeryShort(eventCount: number, durationMs: number): boolean {
  return eventCount === 0 && durationMs < WATCH_PACE.shortMs;
}

/**
 * Reports whether a watch that could not be established is retried without a list: after a 429, or if the connection
 * was refused. Only these two failures say nothing about the resource version. A Status whose message mentions a
 * connection that was refused behind the server does not count.
 */
export function isWatchRetriable(error: unknown): boolean {
  return StatusError.is(error) ? isTooManyRequests(error) : isConnectionRefused(error);
}

/** Reports whether the server cannot serve the requested resource version: it is too old, or newer than the server. */
export function isVersionUnavailable(error: unknown): boolean {
  return isExpired(error) || isTooLargeResourceVersion(error);
}

/** The codes with which servers reject the request itself; 400 also rejects a malformed resource version. */
const REFUSALS: readonly number[] = [400, 414, 422, 431];

/** Reports whether the server rejects the request itself, for example because of its resource version. */
export function isRefused(error: unknown): boolean {
  return StatusError.is(error) && REFUSALS.includes(error.code);
}

/** The codes of servers that are overloaded or unavailable, or of requests that are not allowed, at whatever version. */
const NOT_ABOUT_THE_VERSION: readonly number[] = [401, 403, 429, 502, 503, 504];

/** Reports whether the requested version may have caused an error. */
export function mayBeAboutVersion(error: unknown): boolean {
  return StatusError.is(error) && !NOT_ABOUT_THE_VERSION.includes(error.code);
}

/** The next step after a streaming list that ended before its bookmark. */
export type AfterWatchList =
  /** Discard the received objects and retry, after the backoff delay. */
  | "retry-backoff"
  /** Retry at once, at the newest resource version. */
  | "retry-newest"
  /** Fall back to a plain list. */
  | "fall-back"
  /** End the reflector with the error: another request would fail too. */
  | "fail"
  /** Do nothing more. */
  | "stop";

/** The facts about a streaming list that ended before its bookmark. */
export interface WatchListReport {
  /** The way in which the stream ended; "error" also if it could not be established. */
  readonly end: StreamEnd;
  /** The number of events handled. */
  readonly eventCount: number;
  /** The time from the request to the end, in milliseconds. */
  readonly durationMs: number;
  /** The number of preceding attempts that ended early without an error. */
  readonly earlyEnds: number;
  /** Whether this attempt already requested the newest version because the server could not serve an older one. */
  readonly askedForNewest: boolean;
}

/** Decides the next step after a streaming list that ended before its bookmark. */
export function afterWatchList(report: WatchListReport): AfterWatchList {
  const { end } = report;
  switch (end.kind) {
    case "stopped":
    case "paused":
      return "stop";
    case "silent":
      return "fall-back";
    case "error":
      if (TerminalError.is(end.error)) return "fail";
      if (isWatchRetriable(end.error)) return "retry-backoff";
      if (!isVersionUnavailable(end.error)) return "fall-back";
      return report.askedForNewest ? "fall-back" : "retry-newest";
    case "closed":
      if (isVeryShort(report.eventCount, report.durationMs)) return "fall-back";
      return report.earlyEnds >= MAX_EARLY_ENDS ? "fall-back" : "retry-backoff";
  }
}
