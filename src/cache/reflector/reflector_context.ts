import {
  type Clock,
  delay,
  type Logger,
  noopMetrics,
  type Random,
  realClock,
  realRandom,
  ResettingBackoff,
  safeLogger,
} from "../../base/mod.ts";
import {
  type KubeObject,
  type ListerWatcher,
  type ListOptions,
  resourceName,
  StatusError,
} from "../../types/mod.ts";
import { ReflectorPosition } from "./reflector_position.ts";
import { ReflectorStatus } from "./reflector_status.ts";
import { RequestPacer } from "./request_pacer.ts";
import { WatchSession } from "./watch_session.ts";

import type { ReflectorBackoff, ReflectorOptions } from "./reflector_options.ts";
import type { ReflectorStore } from "./reflector_store.ts";

/** client-go's numbers (`reflector.go`): the steps are as many as it takes to get from the first delay to the cap. */
const BACKOFF = { durationMs: 800, capMs: 30_000, factor: 2, jitter: 1, steps: 38 } as const;
const BACKOFF_RESET_MS = 120_000;
/** The longest `Retry-After` that is heeded: a server that names a day would otherwise be as good as gone. */
const MAX_RETRY_AFTER_MS = 60_000;
const MIN_WATCH_TIMEOUT_MS = 300_000;
/** A server ends a watch within 50 ms of its timeout; one that is still there after this does not do so any more. */
const WATCH_TIMEOUT_GRACE_MS = 5_000;
const WATCH_OPEN_TIMEOUT_MS = 30_000;
/** Servers send bookmarks about once a minute, where there is progress to tell of. */
const WATCH_IDLE_LIMIT_MS = 65_000;

/** What the parts of one reflector share: lists, streaming lists and watches take turns with it. */
export class ReflectorContext<T extends KubeObject> {
  readonly name: string;
  readonly listerWatcher: ListerWatcher<T>;
  readonly store: ReflectorStore<T>;
  readonly options: ReflectorOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly position: ReflectorPosition;
  readonly pacer: RequestPacer;
  readonly status: ReflectorStatus;
  /** Tells the watchErrorHandler. */
  readonly report: (error: unknown) => void;
  readonly #random: Random;
  readonly #backoff: ReflectorBackoff;

  constructor(
    listerWatcher: ListerWatcher<T>,
    store: ReflectorStore<T>,
    wiring: { readonly options: ReflectorOptions; readonly report: (error: unknown) => void },
  ) {
    const { options, report } = wiring;
    this.report = report;
    this.name = options.name ??
      (options.resource === undefined ? "<unspecified>" : resourceName(options.resource));
    this.listerWatcher = listerWatcher;
    this.store = store;
    this.options = options;
    this.clock = options.clock ?? realClock;
    this.logger = safeLogger(options.logger);
    this.#random = options.random ?? realRandom;
    this.#backoff = options.backoff ??
      new ResettingBackoff(BACKOFF, BACKOFF_RESET_MS, { clock: this.clock, random: this.#random });
    this.position = new ReflectorPosition(options.watchListPageSize ?? 0);
    this.pacer = new RequestPacer(this.clock);
    this.status = new ReflectorStatus(this.name, this.clock, options.metrics ?? noopMetrics);
  }

  /** Opens a watch of a random length. */
  async open(options: ListOptions, signal: AbortSignal): Promise<WatchSession<T>> {
    const leastMs = Math.max(this.options.minWatchTimeoutMs ?? 0, MIN_WATCH_TIMEOUT_MS);
    // Random, so that the watches of many clients do not all end and begin together.
    const timeoutSeconds = Math.floor(leastMs * (1 + this.#random.next()) / 1000);
    try {
      return await WatchSession.open(this.listerWatcher, {
        ...options,
        timeoutSeconds,
        allowWatchBookmarks: true,
      }, {
        clock: this.clock,
        signal,
        limits: {
          openMs: this.options.watchOpenTimeoutMs ?? WATCH_OPEN_TIMEOUT_MS,
          totalMs: timeoutSeconds * 1000 + WATCH_TIMEOUT_GRACE_MS,
          idleMs: this.options.watchIdleLimitMs ?? WATCH_IDLE_LIMIT_MS,
        },
      });
    } catch (error) {
      this.pacer.noteFailure(error);
      throw error;
    }
  }

  /**
   * Puts a whole list into the store.
   *
   * @throws {Error} When the store refuses it.
   */
  replace(items: readonly T[], resourceVersion: string): void {
    try {
      this.store.replace(items, resourceVersion);
    } catch (error) {
      this.status.counters.storeErrors++;
      throw new Error(`Cannot put the list of ${this.name} into the store`, { cause: error });
    }
    this.position.listed(resourceVersion);
    this.#noteReached(resourceVersion);
  }

  /** An event or bookmark has been handled. A function of its own, so that watches can pass it on. */
  readonly advance = (resourceVersion: string): void => {
    this.position.advance(resourceVersion);
    this.#noteReached(resourceVersion);
  };

  /** Waits for the pacer, if it says so. */
  async paced(waiting: Promise<void> | undefined): Promise<void> {
    if (waiting === undefined) return;
    this.status.phase = "backing-off";
    await waiting;
  }

  /**
   * Waits for the next delay of the backoff, or longer if the failure before it carries a `Retry-After`; an abort only
   * ends the waiting.
   */
  backOff(signal: AbortSignal, failure?: unknown): Promise<void> {
    const asked = StatusError.is(failure) ? failure.retryAfterMs ?? 0 : 0;
    return this.#wait(Math.max(this.#backoff.step(), Math.min(asked, MAX_RETRY_AFTER_MS)), signal);
  }

  /** Waits for `leastMs` to twice that; an abort only ends the waiting. */
  pause(leastMs: number, signal: AbortSignal): Promise<void> {
    return this.#wait(leastMs * (1 + this.#random.next()), signal);
  }

  #noteReached(resourceVersion: string): void {
    this.status.reached(resourceVersion);
    this.store.updateResourceVersion?.(resourceVersion);
  }

  async #wait(delayMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.status.phase = "backing-off";
    try {
      await delay(delayMs, { clock: this.clock, signal });
    } catch {
      // Stopped: the caller looks at the signal next.
    }
  }
}
