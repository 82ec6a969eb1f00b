import {
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type Named,
  waitForCacheSync,
} from "../cache/mod.ts";
import {
  type Cleanup,
  type Clock,
  type Environment,
  inherit,
  noopMetrics,
  onAbort,
  realClock,
  requireCount,
  requireDelay,
  requireEach,
  safeLogger,
} from "../base/mod.ts";
import {
  defaultControllerRateLimiter,
  type RateLimiter,
  RateLimitingQueue,
} from "../workqueue/mod.ts";
import type { ControllerInformer, SyncedInformer } from "./controller_informer.ts";
import type { Reconcile } from "./reconcile.ts";
import { ReconcileMetrics } from "./reconcile_metrics.ts";
import type { ReconcileQueue } from "./reconcile_queue.ts";
import { Workers } from "./workers.ts";

/** Options of a {@linkcode Controller}. What it is not given of the environment, it inherits from its informer. */
export interface ControllerOptions extends Environment {
  /** The informer whose objects are reconciled. The controller runs it, unless somebody else does. */
  readonly informer: ControllerInformer;
  /** Makes the observed state equal to the desired state of one object. */
  readonly reconcile: Reconcile;
  /**
   * Other informers whose caches `reconcile` reads. The controller runs them, unless somebody else does, and waits until they
   * have synced before the first reconcile. Their handlers call {@linkcode Controller.enqueue}. Default: none.
   */
  readonly waitFor?: readonly SyncedInformer[] | undefined;
  /** The name of the controller in log lines, and the label of its metrics and those of its queue. Default: its informer's. */
  readonly name?: string | undefined;
  /**
   * How many times a key that fails is retried before the controller gives up on it; 0 gives up at once. A later change of
   * the object starts afresh. The rate limiter counts the failures: with one that does not, such as a bare bucket, no key is
   * given up. Default `Infinity`: keys are retried for ever, with the delays of the rate limiter, as by controller-runtime.
   */
  readonly maxRetries?: number | undefined;
  /** Decides when a key that failed is retried. Default: `defaultControllerRateLimiter()`, from 5 ms up to 1000 s. */
  readonly rateLimiter?: RateLimiter<string> | undefined;
  /** The queue, in place of a `RateLimitingQueue` with `rateLimiter`. The controller shuts it down. */
  readonly queue?: ReconcileQueue | undefined;
  /**
   * Called with a key that the controller gives up on, and the last error: because it failed with a `TerminalError`, or more
   * than `maxRetries` times. The error has been logged before. It is not awaited, and what it throws is logged.
   */
  readonly onGiveUp?: ((key: string, error: unknown) => unknown) | undefined;
  /** Makes `run` reject when the caches have not synced after this many milliseconds. Default: it waits for ever. */
  readonly cacheSyncTimeoutMs?: number | undefined;
}

/** Options of {@linkcode Controller.run}. */
export interface ControllerRunOptions {
  /** How many keys are reconciled at the same time. Default 1. */
  readonly workers?: number | undefined;
  /** Stops the controller. */
  readonly signal?: AbortSignal | undefined;
}

/** The state of a {@linkcode Controller}. */
export interface ControllerSnapshot {
  /** How many workers are reconciling a key. */
  readonly activeWorkers: number;
  /** How many keys wait for a worker. */
  readonly queueLength: number;
  /** How many reconciles have ended. */
  readonly reconciles: number;
  /** How many of them failed. */
  readonly errors: number;
  /** How many failures were followed by a retry. */
  readonly retries: number;
  /** How many keys were given up. */
  readonly givenUp: number;
  /** How many keys were found to be reconciled again and again without any event, and were slowed down. */
  readonly hotLoops: number;
}

/**
 * Reconciles the objects of an informer: each object that is added, changed or deleted puts its key on a queue, and workers
 * take the keys from there.
 *
 * - A key is never reconciled twice at the same time, whatever the number of workers. Changes during a reconcile cause one
 *   more reconcile after it.
 * - No reconcile starts before the caches have synced, and none runs on a cache that is no longer updated: if an informer
 *   stops, `run` rejects with an error that names it.
 * - A key that fails is retried with exponential backoff until it succeeds, or as often as `maxRetries` says. A `StatusError`
 *   with a `Retry-After` is retried not before that, up to a minute. A `TerminalError` is not retried.
 * - Nothing that `reconcile` does ends the controller: neither an error nor a return value that makes no sense. Nor does a
 *   logger that throws.
 * - A key that comes back by itself more than 300 times within a second, without any event, is slowed down to one reconcile a
 *   second, logged once and counted.
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
  /** The keys to reconcile. */
  readonly queue: ReconcileQueue;
  readonly #informer: ControllerInformer;
  readonly #waitFor: readonly SyncedInformer[];
  readonly #workers: Workers;
  readonly #cacheSyncTimeoutMs: number | undefined;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /**
   * Makes a controller, which does nothing until it is run.
   *
   * @param options Its informer, its reconcile function, and more.
   * @throws {RangeError} When `maxRetries` or `cacheSyncTimeoutMs` is negative or not a number.
   * @throws {TypeError} When there is no informer or no `reconcile`; or both a `queue` and a `rateLimiter`, which would not be
   * used.
   */
  constructor(options: ControllerOptions) {
    requireOptions(options);
    const { informer, maxRetries = Infinity } = options;
    const environment = inherit(options, informer.environment);
    const { clock = realClock, metrics = noopMetrics } = environment;
    const logger = safeLogger(environment.logger);
    this.name = options.name ?? informer.name;
    this.#informer = informer;
    this.#waitFor = options.waitFor ?? [];
    this.#cacheSyncTimeoutMs = options.cacheSyncTimeoutMs;
    this.#clock = clock;
    this.#warn = (message) => logger.warn(message);
    this.queue = options.queue ??
      new RateLimitingQueue(
        options.rateLimiter ?? defaultControllerRateLimiter<string>({ clock }),
        { clock, metrics: environment.metrics, name: this.name },
      );
    this.#workers = new Workers({
      name: this.name,
      queue: this.queue,
      // Called as a method of the options: they may be an object of a class that has `reconcile`.
      reconcile: (key, context) => options.reconcile(key, context),
      onGiveUp: options.onGiveUp,
      maxRetries,
      clock,
      logger,
      metrics: new ReconcileMetrics(this.name, metrics),
    });
  }

  /**
   * Adds a key to reconcile: for handlers of other informers than the controller's own, and for anything else that knows of
   * work.
   *
   * @param key The key, as in `namespace/name`.
   */
  enqueue(key: string): void {
    this.#workers.enqueue(key);
  }

  /**
   * Reports what the controller is doing, and how often what has happened to it.
   *
   * @returns A copy of its state.
   */
  snapshot(): ControllerSnapshot {
    return { ...this.#workers.counters, queueLength: this.queue.length };
  }

  /**
   * Runs the informers that nobody else runs, waits for their caches, and reconciles until `signal` aborts.
   *
   * After the abort no reconcile starts (client-go's workers would first empty the queue). Reconciles under way see their own
   * signal abort and are waited for. Then it resolves: the queue is shut down, the handler is removed from the informer, and
   * the informers that nobody else uses have stopped. Shutting down {@linkcode Controller.queue} ends it as well, after the
   * keys that are queued.
   *
   * It runs once: a second call logs a warning and returns at once.
   *
   * @param options The number of workers, and the signal that stops the controller.
   * @throws {Error} When an informer stops before the controller does, or the caches have not synced after
   * `cacheSyncTimeoutMs`. The message names the informers and gives the reasons.
   * @throws {RangeError} When `workers` is not a whole number above 0.
   */
  async run(options: ControllerRunOptions = {}): Promise<void> {
    const { workers = 1, signal } = options;
    requireCount("workers", workers, 1);
    if (this.#running !== undefined) {
      this.#warn(`${this.name}: the controller was run before and cannot be run twice`);
      return;
    }
    this.#running = this.#run(workers, signal);
    await this.#running;
  }

  /** Stops the controller if it runs, and resolves when everything it started has stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.queue.shutDown();
    // The caller of run() learns how it ended.
    await this.#running?.catch(() => {});
  }

  async #run(workers: number, signal: AbortSignal | undefined): Promise<void> {
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
      await Promise.all(working);
    } catch (error) {
      fail(error);
    } finally {
      stop.abort();
      for (const release of releases) release();
      await Promise.allSettled(running);
    }
    if (failure !== undefined) throw failure.error;
  }

  #addHandler(): Cleanup {
    const enqueue = (obj: Named | DeletedFinalStateUnknown<Named>) =>
      this.#workers.event(deletionHandlingMetaNamespaceKeyFunc(obj));
    const registration = this.#informer.addEventHandler({
      onAdd: enqueue,
      onUpdate: (_old, obj) => enqueue(obj),
      onDelete: enqueue,
    });
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
      clock: this.#clock,
      timeoutMs: this.#cacheSyncTimeoutMs,
    }, ...informers);
  }
}

function requireOptions(options: ControllerOptions): void {
  const { informer, reconcile, maxRetries, cacheSyncTimeoutMs } = options;
  if (typeof informer?.runShared !== "function") {
    throw new TypeError("Controller needs an informer: pass a SharedInformer");
  }
  if (typeof reconcile !== "function") {
    throw new TypeError(`Controller needs a reconcile function: received ${typeof reconcile}`);
  }
  if (maxRetries !== undefined && !(typeof maxRetries === "number" && maxRetries >= 0)) {
    throw new RangeError(`maxRetries must be a number of at least 0: received ${maxRetries}`);
  }
  requireEach(requireDelay, { cacheSyncTimeoutMs });
  if (options.queue !== undefined && options.rateLimiter !== undefined) {
    throw new TypeError("Cannot use both a queue and a rateLimiter: give the queue the limiter");
  }
}
