import type { Environment } from "../../base/mod.ts";
import type { ResourceDescriptor } from "../../types/mod.ts";
import type { ReflectorSnapshot } from "./reflector_snapshot.ts";

/** The delays between tries; a ResettingBackoff of this package fits it. */
export interface ReflectorBackoff {
  /** The next delay in milliseconds. */
  step(): number;
}

/** What a {@linkcode WatchErrorHandler} sees of the reflector that failed. */
export interface ObservedReflector {
  /** What log lines and metrics call it. */
  readonly name: string;
  /** The version of the last list, event or bookmark; empty before the first list. */
  lastSyncResourceVersion(): string;
  /** What it is doing and how it has fared. */
  snapshot(): ReflectorSnapshot;
}

/**
 * Learns that a list failed or a watch could not be established, once per failure. The reflector tries again by itself.
 *
 * A watch that ends with an ERROR event is not reported here, as in client-go; it shows in the log, the metrics and the
 * snapshot.
 */
export type WatchErrorHandler = (reflector: ObservedReflector, error: unknown) => void;

/** How a reflector lists and watches. */
export interface ReflectorTuning {
  /**
   * Whether to read the initial state as a stream of events (WatchList), falling back to a plain list where the server
   * does not do that. Default true, as in client-go since 0.35.
   */
  readonly useWatchList?: boolean | undefined;
  /**
   * How long a streaming list may bring nothing before the reflector falls back to a plain list for the rest of its life,
   * in milliseconds; twelve times as long it may last altogether. Default 10 s: a kube-apiserver begins within three.
   * client-go waits until the watch times out, five to ten minutes.
   */
  readonly watchListTimeoutMs?: number | undefined;
  /** Items per page of a plain list. Default 0: 500, or one page where only that is served from the server's cache. */
  readonly watchListPageSize?: number | undefined;
  /**
   * How long a page of a list may take before it counts as failed, in milliseconds. Default 90 s; a kube-apiserver
   * gives up after 60. client-go leaves it to the transport.
   */
  readonly listTimeoutMs?: number | undefined;
  /**
   * How long a watch may take to be answered before it counts as failed, in milliseconds. Default 30 s: a server answers
   * at once, before the first event, unless it queues the request.
   */
  readonly watchOpenTimeoutMs?: number | undefined;
  /**
   * The shortest time a watch is asked to last, in milliseconds; each is asked for a random one up to twice as long.
   * Default, and least, 5 minutes. A watch that the server has not ended 5 s after its time is dropped and resumed.
   */
  readonly minWatchTimeoutMs?: number | undefined;
  /**
   * How long a watch may bring neither event nor bookmark before it is dropped and resumed from the last version, in
   * milliseconds; `Infinity` for no limit but the watch's own timeout. Default 65 s, since bookmarks come about once a
   * minute: no runtime notices a half-open connection by itself. Where nothing at all changes no bookmark comes, and the
   * watch is then reopened about once a minute, without a list.
   */
  readonly watchIdleLimitMs?: number | undefined;
  /** For how long a watch that the server ended with an internal error is reopened without a list. Default 0: never. */
  readonly maxInternalErrorRetryDurationMs?: number | undefined;
  /**
   * The delays after failures, shared by all retries of one reflector. Default: 800 ms, doubled each time up to 30 s, each
   * made up to twice as long at random, started afresh every two minutes (client-go).
   */
  readonly backoff?: ReflectorBackoff | undefined;
}

/** Options of a {@linkcode Reflector}. */
export interface ReflectorOptions extends Environment, ReflectorTuning {
  /** What log lines and metrics call it. Default: the resource's name, as in `pods`. */
  readonly name?: string | undefined;
  /** What is listed; events of another kind are skipped. Default: anything. */
  readonly resource?: ResourceDescriptor | undefined;
  /** How often the store replays its content, in milliseconds; the server is not asked. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /** Asked at the end of each period whether to replay. Default: always. */
  readonly shouldResync?: (() => boolean) | undefined;
  /** Learns of failed lists and watches. Default: a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
}
