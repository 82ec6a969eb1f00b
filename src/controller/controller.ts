import { waitForCacheSync } from "../cache/mod.ts";
import {
  abortable,
  type Cleanup,
  type Clock,
  describeValue,
  type Environment,
  ENVIRONMENT_CHECKS,
  hasMethods,
  inherit,
  isCount,
  isDelay,
  isFunction,
  isSignal,
  isText,
  type Logger,
  noopMetrics,
  onAbort,
  type OptionCheck,
  type OptionChecks,
  realClock,
  requireMethods,
  requireOptions,
  safeLogger,
  untilStopped,
} from "../base/mod.ts";
import {
  defaultControllerRateLimiter,
  type RateLimiter,
  RateLimitingQueue,
} from "../workqueue/mod.ts";
import type { KeySource, SyncedInformer } from "./key_source.ts";
import type { Reconcile, ReconcileContext } from "./reconcile.ts";
import { ReconcileMetrics } from "./reconcile_metrics.ts";
import type { ReconcileQueue } from "./reconcile_queue.ts";
import { Workers } from "./workers.ts";

/**
 * Options of a {@linkcode Controller}. Missing fields of the environment are inherited from the controller's informer.
 */
export interface ControllerOptions extends Environment {
  /** The informer whose objects are reconciled. The controller runs the informer, unless it is run elsewhere. */
  readonly informer: KeySource;
  /** Makes the observed state equal to the desired state of one object. */
  readonly reconcile: Reconcile;
  /**
   * Other informers whose caches `reconcile` reads. The controller runs them, unless they are run elsewhere, and waits
   * until they have synced before the first reconcile. Their handlers call {@linkcode Controller.enqueue}. Default:
   * none.
   */
  readonly waitFor?: readonly SyncedInformer[] | undefined;
  /**
   * The name of the controller in log lines, and the label of its metrics and of its queue's metrics. Default: the name
   * of the informer.
   */
  readonly name?: string | undefined;
  /**
   * How many times a failing key is retried before the controller gives up on it; 0 gives up after the first failure.
   * After that, a change of the object starts a new count. The rate limiter counts the failures: with a limiter that
   * does not count, such as a bare bucket, no key is given up. Default `Infinity`: keys are retried for ever, with the
   * delays of the rate limiter, as in controller-runtime.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Decides when a failed key is retried. Default: `defaultControllerRateLimiter()`, with delays from 5 ms to 1000 s.
   */
  readonly rateLimiter?: RateLimiter<string> | undefined;
  /** The queue. The controller shuts it down. Default: a `RateLimitingQueue` that uses `rateLimiter`. */
  readonly queue?: ReconcileQueue | undefined;
  /**
   * Called with the key and the last error when the controller gives up on a key: after a `TerminalError`, after more
   * than `maxRetries` failures, or when the rate limiter itself fails. The error has been logged by then. The result is
   * not awaited, and an error of this function is logged.
   */
  readonly onGiveUp?: ((key: string, error: unknown) => unknown) | undefined;
  /** How long `run` waits for the caches to sync, in milliseconds, before it rejects. Default: no limit. */
  readonly cacheSyncTimeoutMs?: number | undefined;
}

/** Options of {@linkcode Controller.run}. */
export interface ControllerRunOptions {
  /** The number of workers, which is the number of keys that are reconciled at the same time. Default 1. */
  readonly workers?: number | undefined;
  /** Stops the controller. */
  readonly signal?: AbortSignal | undefined;
}

/** The state of a {@linkcode Controller}. */
export interface ControllerSnapshot {
  /** The number of workers that are reconciling a key. */
  readonly activeWorkers: number;
  /** The number of keys that wait for a worker. */
  readonly queueLength: number;
  /** The number of finished reconciles. */
  readonly reconciles: number;
  /** The number of failed reconciles. */
  readonly errors: number;
  /** The number of failures that were followed by a retry. */
  readonly retries: number;
  /** The number of times that the controller gave up on a key. */
  readonly givenUp: number;
  /**
   * The number of detected hot loops: keys that were reconciled again and again without any event, and were slowed
   * down.
   */
  readonly hotLoops: number;
}

/**
 * Reconciles the objects of an informer. Each event of an object adds the key of the object to a queue, and workers
 * take the keys from the queue.
 *
 * - A key is never reconciled twice at the same time, whatever the number of workers. Changes during a reconcile cause
 *   one more reconcile after it.
 * - No reconcile starts before the caches have synced, and none runs on a cache that is no longer updated: if an
 *   informer stops, `run` rejects with an error that names the informer.
 * - A failing key is retried with exponential backoff until it succeeds, or until `maxRetries` is reached. The
 *   `Retry-After` of a `StatusError` is honoured, up to a minute. A `TerminalError` is not retried.
 * - Neither an error nor an unexpected return value of `reconcile` stops the controller, nor does a logger that throws.
 * - A key that requeues itself more than 300 times within a second without any event is slowed down to one reconcile
 *   per second. The first such key is logged, all are counted.
 *
 * @example
 * ```ts
 * import { SharedInformer } from "@kubeloop/controller/cache";
 * import { Controller } from "@kubeloop/controller/controller";
 * import { FakeControllerSource, VirtualClock } from "@kubeloop/testing";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const source = new FakeControllerSource<Pod>();
 * source.add({ metadata: { namespace: "default", name: "web" } });
 * const pods = new SharedInformer<Pod>(source, { name: "pods", clock });
 *
 * const stop = new AbortController();
 * const seen: string[] = [];
 * const controller = new Controller({
 *   informer: pods,
 *   clock,
 *   reconcile(key) {
 *     const pod = pods.indexer.getByKey(key);
 *     seen.push(pod === undefined ? `${key} does not exist anymore` : `Sync for ${key}`);
 *   },
 * });
 * const running = controller.run({ workers: 2, signal: stop.signal });
 * await clock.advance(10);
 * source.delete({ metadata: { namespace: "default", name: "web" } });
 * await clock.advance(10);
 * stop.abort();
 * await clock.run(running);
 * assertEquals(seen, ["Sync for default/web", "default/web does not exist anymore"]);
 * ```
 */
export class Controller implements AsyncDisposable {
  /** The name of the controller in log lines and metrics. */
  readonly name: string;
  /** The queue of the keys to reconcile. */
  readonly queue: ReconcileQueue;
  readonly #informer: KeySource;
  readonly #waitFor: readonly SyncedInformer[];
  readonly #workers: Workers;
  readonly #cacheSyncTimeoutMs: number | undefined;
  /**
   * The clock of the controller.
   *
   * @internal
   */
  readonly clock: Clock;
  readonly #options: ControllerOptions;
  readonly #logger: Logger;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /**
   * Creates a controller. The controller does nothing until it is run.
   *
   * @param options The informer, the reconcile function, and further options.
   * @throws {RangeError} When `maxRetries` or `cacheSyncTimeoutMs` is negative or not a number.
   * @throws {TypeError} When the informer or `reconcile` is missing, or when both `queue` and `rateLimiter` are given:
   * the controller would not use the limiter.
   */
  constructor(options: ControllerOptions) {
    requireControllerOptions(options);
    const { informer, maxRetries = Infinity } = options;
    const environment = inherit(options, informer.environment);
    const { clock = realClock, metrics = noopMetrics } = environment;
    const logger = this.#logger = safeLogger(environment.logger);
    this.name = options.name ?? informer.name;
    this.#informer = informer;
    this.#waitFor = options.waitFor ?? [];
    this.#cacheSyncTimeoutMs = options.cacheSyncTimeoutMs;
    this.clock = clock;
    this.#options = options;
    this.queue = options.queue ??
      new RateLimitingQueue(
        options.rateLimiter ?? defaultControllerRateLimiter<string>({ clock }),
        { clock, metrics: environment.metrics, name: this.name },
      );
    this.#workers = new Workers({
      name: this.name,
      queue: this.queue,
      reconcile: (key, context) => this.callReconcile(key, context),
      onGiveUp: options.onGiveUp,
      maxRetries,
      clock,
      logger,
      metrics: new ReconcileMetrics(this.name, metrics),
    });
  }

  /**
   * Adds a key to reconcile. Call it from the handlers of other informers, and wherever else work for a key arises.
   *
   * @param key The key, as in `namespace/name`.
   */
  enqueue(key: string): void {
    this.#workers.enqueue(key);
  }

  /**
   * Calls the `reconcile` function of the options. A simulation replaces this method, so that it knows what each reconcile
   * reads and sends.
   *
   * @internal
   */
  callReconcile(key: string, context: ReconcileContext): ReturnType<Reconcile> {
    // As a method of the options, which may be an instance of a class that has it.
    return this.#options.reconcile(key, context);
  }

  /**
   * Returns the state of the controller and the counts of what happened so far.
   *
   * @returns A copy of the state.
   */
  snapshot(): ControllerSnapshot {
    return { ...this.#workers.counters, queueLength: this.queue.length };
  }

  /**
   * Runs the informers that are not run elsewhere, waits for their caches to sync, and reconciles until `signal`
   * aborts.
   *
   * After the abort, no reconcile starts (client-go's workers would first drain the queue). The signals of running
   * reconciles abort, and the controller waits for these reconciles. Then `run` resolves: the queue is shut down, the
   * handler is removed from the informer, and informers without other users have stopped. Shutting down
   * {@linkcode Controller.queue} also ends `run`, after the queued keys have been reconciled. If a reconcile ignores its
   * signal, a line of the log names its key after 20 s.
   *
   * A controller runs once.
   *
   * @param options The number of workers, and the signal that stops the controller.
   * @throws {Error} When the controller was run before; when an informer stops before the controller does, or when the caches have not synced within
   * `cacheSyncTimeoutMs`. The message names the informers and gives the reasons.
   * @throws {RangeError} When `workers` is not a whole number above 0.
   */
  async run(options: ControllerRunOptions = {}): Promise<void> {
    await this.#begin(options, false);
  }

  /**
   * Runs the controller like {@linkcode Controller.run}, for an owner that limits the stop, names the reconciles that
   * have not ended, and slows down hot loops.
   *
   * @internal
   */
  async runOwned(options: ControllerRunOptions): Promise<void> {
    await this.#begin(options, true);
  }

  async #begin(options: ControllerRunOptions, isOwned: boolean): Promise<void> {
    requireOptions("run()", options, RUN_CHECKS);
    const { workers = 1, signal } = options;
    if (this.#running !== undefined) {
      throw new Error(
        `${this.name}: the controller was run before and cannot be run twice: make a new one`,
      );
    }
    this.#workers.slowsHotLoops = !isOwned;
    this.#running = this.#run(workers, signal, isOwned);
    await this.#running;
  }

  /** Stops the controller if it is running. Resolves when everything that the controller started has stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.queue.shutDown();
    // Only the caller of run() gets the error.
    await this.#running?.catch(() => {});
  }

  async #run(
    workers: number,
    signal: AbortSignal | undefined,
    isOwned: boolean,
  ): Promise<void> {
    const stop = this.#stop;
    const informers = [this.#informer, ...this.#waitFor];
    const running: Promise<void>[] = [];
    let failure: { readonly error: unknown } | undefined;
    const fail = (error: unknown) => {
      if (stop.signal.aborted) return;
      failure = { error };
      stop.abort(error);
    };
    const releases = [
      onAbort(stop.signal, () => this.queue.shutDown()),
      onAbort(signal, (reason) => stop.abort(reason)),
    ];
    try {
      if (stop.signal.aborted) return;
      releases.push(this.#addHandler());
      for (const informer of informers) running.push(this.#useInformer(informer, fail));
      await this.#waitForSync(informers);
      const context = { signal: stop.signal };
      const working = Array.from({ length: workers }, () => this.#workers.work(context));
      running.push(...working);
      await abortable(Promise.all(working), stop.signal);
    } catch (error) {
      fail(error);
    } finally {
      stop.abort();
      for (const release of releases) release();
      const ended = Promise.allSettled(running);
      await (isOwned ? ended : untilStopped(ended, {
        clock: this.clock,
        logger: this.#logger,
        what: () => `${this.name}: stopping, but ${this.#workers.unfinished}`,
      }));
    }
    if (failure !== undefined) throw failure.error;
  }

  #addHandler(): Cleanup {
    const registration = this.#informer.addChangeHandler(({ key }) => this.#workers.event(key));
    return () => this.#informer.removeEventHandler(registration);
  }

  async #useInformer(informer: SyncedInformer, fail: (error: unknown) => void): Promise<void> {
    try {
      await informer.runShared({ signal: this.#stop.signal });
      fail(
        new Error(`Informer ${informer.name} has stopped, so its cache is no longer updated`),
      );
    } catch (error) {
      fail(error);
    }
  }

  #waitForSync(informers: readonly SyncedInformer[]): Promise<void> {
    return waitForCacheSync({
      signal: this.#stop.signal,
      clock: this.clock,
      timeoutMs: this.#cacheSyncTimeoutMs,
    }, ...informers);
  }
}

const areInformers: OptionCheck = (name, value): void => {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be an array of informers`);
  for (const informer of value) {
    requireMethods(`${name} to hold informers, such as a SharedInformer`, informer, "runShared");
  }
};

const areRetries: OptionCheck = (name, value): void => {
  if (typeof value === "number" && value >= 0) return;
  throw new RangeError(`${name} must be a number of at least 0: received ${describeValue(value)}`);
};

const CHECKS: OptionChecks<ControllerOptions> = {
  ...ENVIRONMENT_CHECKS,
  informer: hasMethods("an informer, such as a SharedInformer", "runShared", "addChangeHandler"),
  reconcile: isFunction,
  waitFor: areInformers,
  name: isText,
  maxRetries: areRetries,
  rateLimiter: hasMethods("a rate limiter", "when", "forget", "numRequeues"),
  queue: hasMethods("a queue", "get", "done"),
  onGiveUp: isFunction,
  cacheSyncTimeoutMs: isDelay,
};

const RUN_CHECKS: OptionChecks<ControllerRunOptions> = { workers: isCount(1), signal: isSignal };

function requireControllerOptions(options: ControllerOptions): void {
  requireMethods("options with a reconcile function", options, "reconcile");
  CHECKS.informer("informer", options.informer);
  requireOptions("Controller", options, CHECKS);
  if (options.queue !== undefined && options.rateLimiter !== undefined) {
    throw new TypeError("Cannot use both a queue and a rateLimiter: give the queue the limiter");
  }
}
