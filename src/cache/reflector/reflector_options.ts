import {
  type Environment,
  ENVIRONMENT_CHECKS,
  isCount,
  isDelay,
  isFlag,
  isFunction,
  isObject,
  isText,
  isTimeLimit,
  type OptionCheck,
  type OptionChecks,
  requireOptions,
} from "../../base/mod.ts";
import type { ResourceDescriptor } from "../../types/mod.ts";
import {
  BACKOFF_CHECKS,
  backoffOf,
  type ReflectorBackoff,
  type ReflectorBackoffOptions,
} from "./reflector_backoff.ts";
import type { ReflectorSnapshot } from "./reflector_status.ts";

/** A reflector whose request failed, as a {@linkcode WatchErrorHandler} sees it. */
export interface ObservedReflector {
  /** The name of the reflector in log lines and metrics. */
  readonly name: string;
  /** Returns the resource version of the last list, event or bookmark; empty before the first list. */
  lastSyncResourceVersion(): string;
  /** Returns the phase, the counters and the last error of the reflector. */
  snapshot(): ReflectorSnapshot;
}

/**
 * Called when a list failed or a watch could not be established, once per failure. The reflector retries by itself.
 *
 * As in client-go, two failures of a watch are not reported here, but appear in the log, the metrics and the snapshot:
 * an ERROR event, and a watch that could not be opened because the connection was refused or there were too many
 * requests. A streaming list that a plain list replaces is not reported either.
 */
export type WatchErrorHandler = (reflector: ObservedReflector, error: unknown) => void;

/** The tuning options of a reflector: how it lists and watches. */
export interface ReflectorTuning {
  /**
   * Whether to request the initial objects as a stream of watch events (WatchList). If the server does not support
   * that, the reflector falls back to a plain list. Default true, as in client-go since 0.35.
   */
  readonly useWatchList?: boolean | undefined;
  /**
   * Whether the first list shows the newest state, even where the server does not support streaming lists. A plain
   * first list is otherwise at version `"0"`: the API server answers it from its watch cache, which may be behind, so
   * that a restarted process may see a state older than the state that it has acted on. With true, that list is at no
   * version, which costs the server a read from etcd, in pages. A list after the first one is never older than the
   * cache. Default false, as in client-go.
   */
  readonly consistentStart?: boolean | undefined;
  /**
   * How long a streaming list may send nothing before the reflector uses only plain lists from then on, in
   * milliseconds. The whole streaming list may last twelve times as long. Default 10 s: a kube-apiserver starts to send
   * within three seconds. client-go waits until the watch times out, after five to ten minutes.
   */
  readonly watchListTimeoutMs?: number | undefined;
  /**
   * The number of items per page of a plain list. Default 0: 500 items, or one page with all of them where the server
   * answers only unpaged lists from its watch cache.
   */
  readonly watchListPageSize?: number | undefined;
  /**
   * How long the server may take to answer one page of a list before the list fails, in milliseconds. Default 90 s,
   * since a kube-apiserver gives up after 60 s. client-go leaves this limit to the transport.
   */
  readonly listTimeoutMs?: number | undefined;
  /**
   * How long the server may take to answer a watch request before the watch fails, in milliseconds. Default 30 s: a
   * server answers at once, before the first event, unless it queues the request.
   */
  readonly watchOpenTimeoutMs?: number | undefined;
  /**
   * The minimum of the timeout that a watch is requested with, in milliseconds. The timeout is random, up to twice the
   * minimum. Default 5 minutes; lower values count as 5 minutes. A watch that the server has not ended 5 s after its
   * timeout is dropped and resumed.
   */
  readonly minWatchTimeoutMs?: number | undefined;
  /**
   * How long a watch may deliver neither an event nor a bookmark before it is dropped and resumed from the last
   * resource version, in milliseconds; `Infinity` for no limit except the timeout of the watch. Default 65 s, since
   * bookmarks come about once a minute. The limit is needed because no runtime detects a half-open connection by
   * itself. If nothing changes at all, no bookmark comes, and the watch is reopened about once a minute, without a
   * list.
   */
  readonly watchIdleLimitMs?: number | undefined;
  /**
   * How long a watch that the server ends with internal errors is reopened without a list, in milliseconds from the
   * first of these errors. Default 0: never.
   */
  readonly maxInternalErrorRetryDurationMs?: number | undefined;
  /**
   * The delays after failures, shared by all retries of one reflector: their numbers, or an object with a `step`
   * method, which all informers of a factory then share. Default: {@linkcode defaultReflectorBackoff}.
   */
  readonly backoff?: ReflectorBackoff | ReflectorBackoffOptions | undefined;
}

/** Options of a {@linkcode Reflector}. */
export interface ReflectorOptions extends Environment, ReflectorTuning {
  /** The name of the reflector in log lines and metrics. Default: the name of the resource, as in `pods`. */
  readonly name?: string | undefined;
  /** The listed resource; events of another kind are skipped. Default: events of every kind are accepted. */
  readonly resource?: ResourceDescriptor | undefined;
  /** The period after which the store replays its content, without a request, in milliseconds. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /** Called at the end of each resync period; returns whether to replay. Default: always. */
  readonly shouldResync?: (() => boolean) | undefined;
  /**
   * Called with the error of a failed list or watch. A `TerminalError` ends the reflector instead.
   * Default: writes a log line.
   */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
}

const isBackoff: OptionCheck = (name, value): void => {
  isObject(name, value);
  if (typeof (value as Partial<ReflectorBackoff>).step === "function") return;
  requireOptions(name, value, BACKOFF_CHECKS);
  backoffOf(value, {});
};

/** The checks of the options that all informers take. */
export const TUNING_CHECKS: OptionChecks<ReflectorTuning> = {
  useWatchList: isFlag,
  consistentStart: isFlag,
  watchListTimeoutMs: isTimeLimit,
  watchListPageSize: isCount(0),
  listTimeoutMs: isTimeLimit,
  watchOpenTimeoutMs: isTimeLimit,
  minWatchTimeoutMs: isDelay,
  watchIdleLimitMs: isTimeLimit,
  maxInternalErrorRetryDurationMs: isDelay,
  backoff: isBackoff,
};

/** The checks of the options of a {@linkcode Reflector}. */
export const REFLECTOR_CHECKS: OptionChecks<ReflectorOptions> = {
  ...ENVIRONMENT_CHECKS,
  ...TUNING_CHECKS,
  name: isText,
  resource: isObject,
  resyncPeriodMs: isDelay,
  shouldResync: isFunction,
  watchErrorHandler: isFunction,
};
