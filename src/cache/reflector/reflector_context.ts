import {
  type Clock,
  delay,
  describeError,
  forkRandom,
  inherit,
  type Logger,
  noopMetrics,
  PacedLogger,
  type Random,
  realClock,
  realRandom,
  requireDelay,
  requireOptions,
  safeLogger,
  TurnBudget,
  WATCH_PACE,
  watchTimeoutSeconds,
} from "../../base/mod.ts";
import {
  compareResourceVersions,
  type KubeObject,
  type ListerWatcher,
  type ListOptions,
  requireListerWatcher,
  resourceName,
  retryAfterOf,
} from "../../types/mod.ts";
import { ReflectorPosition } from "./reflector_position.ts";
import { ReflectorStatus } from "./reflector_status.ts";
import { RequestPacer } from "./request_pacer.ts";
import { logWatchError } from "./watch_error.ts";
import { WatchSession } from "./watch_session.ts";
import { backoffOf, defaultReflectorBackoff, type ReflectorBackoff } from "./reflector_backoff.ts";
import {
  type ObservedReflector,
  REFLECTOR_CHECKS,
  type ReflectorOptions,
  type WatchErrorHandler,
} from "./reflector_options.ts";
import type { ReflectorStore } from "./reflector_store.ts";

/** Servers end a watch within 50 ms of its timeout. A watch that is still open 5 s after it is considered dead. */
const WATCH_TIMEOUT_GRACE_MS = 5_000;

/** The state that the lists, streaming lists and watches of one reflector share. Only one of them runs at a time. */
export class ReflectorContext<T extends KubeObject> {
  readonly name: string;
  /** The kind of the listed objects, for error messages. */
  readonly kind: string;
  readonly listerWatcher: ListerWatcher<T>;
  readonly store: ReflectorStore<T>;
  readonly options: ReflectorOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The logger for lines about single events. */
  readonly eventLogger: Logger;
  readonly position: ReflectorPosition;
  readonly pacer: RequestPacer;
  readonly status: ReflectorStatus;
  readonly #reflector: ObservedReflector;
  readonly #watchErrorHandler: WatchErrorHandler;
  readonly #random: Random;
  readonly #defaultBackoff: ReflectorBackoff;
  readonly #backoff: ReflectorBackoff;
  #backoffIsBroken = false;

  constructor(
    listerWatcher: ListerWatcher<T>,
    store: ReflectorStore<T>,
    options: ReflectorOptions,
    reflector: ObservedReflector,
  ) {
    requireListerWatcher(listerWatcher);
    requireOptions("Reflector", options, REFLECTOR_CHECKS);
    const environment = inherit(options, listerWatcher.environment);
    const { resource } = options;
    this.name = options.name ?? (resource === undefined ? "<unspecified>" : resourceName(resource));
    this.kind = resource?.kind ?? this.name;
    this.listerWatcher = listerWatcher;
    this.store = store;
    this.options = options;
    this.clock = environment.clock ?? realClock;
    this.logger = safeLogger(environment.logger);
    this.eventLogger = new PacedLogger(this.logger, this.clock);
    this.#reflector = reflector;
    this.#watchErrorHandler = options.watchErrorHandler ?? logWatchError(this.logger);
    // Another reflector of the same client must not change the timing of this one.
    this.#random = forkRandom(environment.random ?? realRandom, `reflector ${this.name}`);
    const sources = { clock: this.clock, random: this.#random };
    this.#defaultBackoff = backoffOf(defaultReflectorBackoff, sources);
    this.#backoff = backoffOf(options.backoff ?? this.#defaultBackoff, sources);
    this.position = new ReflectorPosition(
      options.watchListPageSize ?? 0,
      options.consistentStart === true,
    );
    this.pacer = new RequestPacer(this.clock);
    this.status = new ReflectorStatus(this.name, this.clock, environment.metrics ?? noopMetrics);
  }

  /** Opens a watch with a random timeout. */
  async open(options: ListOptions, signal: AbortSignal): Promise<WatchSession<T>> {
    const timeoutSeconds = watchTimeoutSeconds(this.#random, this.options.minWatchTimeoutMs);
    try {
      return await WatchSession.open(this.listerWatcher, {
        ...options,
        timeoutSeconds,
        allowWatchBookmarks: true,
      }, {
        clock: this.clock,
        signal,
        limits: {
          openMs: this.options.watchOpenTimeoutMs ?? WATCH_PACE.openMs,
          totalMs: timeoutSeconds * 1000 + WATCH_TIMEOUT_GRACE_MS,
          idleMs: this.options.watchIdleLimitMs ?? WATCH_PACE.idleMs,
        },
      });
    } catch (error) {
      this.pacer.noteFailure(error);
      throw error;
    }
  }

  /**
   * Replaces the content of the store with a list, over several turns of the event loop if the list is long and the
   * store has steps.
   *
   * @throws {Error} If the store refuses the list; `signal.reason` on abort.
   */
  async replace(items: readonly T[], resourceVersion: string, signal: AbortSignal): Promise<void> {
    const { store } = this;
    try {
      if (store.replaceInSteps === undefined) store.replace(items, resourceVersion);
      else {
        const budget = new TurnBudget(this.clock);
        for (const _step of store.replaceInSteps(items, resourceVersion)) {
          if (budget.isSpent()) await budget.renew(signal);
        }
      }
    } catch (error) {
      if (signal.aborted) throw error;
      this.status.counters.storeErrors++;
      throw new Error(`Cannot put the list of ${this.name} into the store`, { cause: error });
    }
    if (this.position.isUnavailable) {
      this.#noteStepBack(this.position.resourceVersion, resourceVersion);
    }
    this.position.listed(resourceVersion);
    this.#noteReached(resourceVersion);
  }

  /** Logs that the newest version is older than the last one. The reflector itself never compares versions. */
  #noteStepBack(before: string, now: string): void {
    const order = compareResourceVersions(now, before);
    if (order === undefined || order >= 0) return;
    this.logger.warn(
      `${this.name}: the server's resource version went back from ${before} to ${now}, ` +
        "as after a restored backup; the cache has followed it",
    );
  }

  /** Notes that an event or a bookmark has been handled. It is a property, so that it can be passed as a callback. */
  readonly advance = (resourceVersion: string): void => {
    this.position.advance(resourceVersion);
    this.#noteReached(resourceVersion);
  };

  /** Calls the watchErrorHandler, and logs what it throws. */
  report(error: unknown): void {
    try {
      this.#watchErrorHandler(this.#reflector, error);
    } catch (thrown) {
      this.logger.error(
        `${this.name}: the watchErrorHandler threw: ${describeError(thrown)}`,
        thrown,
      );
    }
  }

  /** Waits for the request pacer, if it demands a wait. */
  async paced(waiting: Promise<void> | undefined): Promise<void> {
    if (waiting === undefined) return;
    this.status.phase = "backing-off";
    await waiting;
  }

  /**
   * Waits for the next delay of the backoff, or longer if `failure` has a longer `Retry-After`. An abort ends the wait
   * without an error.
   */
  backOff(signal: AbortSignal, failure?: unknown): Promise<void> {
    return this.#wait(Math.max(this.#nextDelayMs(), retryAfterOf(failure)), signal);
  }

  /** Waits for a random time between `leastMs` and twice that. An abort ends the wait without an error. */
  pause(leastMs: number, signal: AbortSignal): Promise<void> {
    return this.#wait(leastMs * (1 + this.#random.next()), signal);
  }

  /**
   * Returns the next delay. If the user's backoff throws or returns an invalid delay, the default one replaces it for
   * good.
   */
  #nextDelayMs(): number {
    if (this.#backoffIsBroken) return this.#defaultBackoff.step();
    try {
      const delayMs = this.#backoff.step();
      requireDelay("The delay of the backoff", delayMs);
      return delayMs;
    } catch (error) {
      this.#backoffIsBroken = true;
      this.logger.error(
        `${this.name}: the backoff failed, using the default one from now on: ${
          describeError(error)
        }`,
        error,
      );
      return this.#defaultBackoff.step();
    }
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
      // Aborted: the caller checks the signal next.
    }
  }
}
