import {
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  waitForCacheSync,
} from "../cache/mod.ts";
import {
  type Cleanup,
  type Clock,
  type Logger,
  type MetricsProvider,
  onAbort,
  realClock,
  safeLogger,
} from "../base/mod.ts";
import type { KubeObject } from "../types/mod.ts";
import {
  defaultControllerRateLimiter,
  type RateLimiter,
  RateLimitingQueue,
} from "../workqueue/mod.ts";
import { Reconciler } from "./worker.ts";
import { ReconcileMetrics } from "./reconcile_metrics.ts";
import type { ControllerInformer, SyncedInformer } from "./controller_informer.ts";
import type { Reconcile } from "./reconcile.ts";
import type { ReconcileQueue } from "./reconcile_queue.ts";

/**
 * Options of a {@linkcode Controller}.
 *
 * @typeParam T The interface of the informer's objects.
 */
export interface ControllerOptions<T extends KubeObject = KubeObject> {
  /** Whose objects are reconciled. It is run by the controller, unless somebody has. */
  readonly informer: ControllerInformer<T>;
  /** Brings the world in line with what one object asks for. */
  readonly reconcile: Reconcile;
  /**
   * Other informers whose caches `reconcile` reads: run unless somebody has, and in sync before it is first called. What
   * their handlers find goes to {@linkcode Controller.enqueue}. Default: none.
   */
  readonly waitFor?: readonly SyncedInformer[];
  /**
   * Where metrics go that are the controller's (`controller_runtime_reconcile_total` and others) and its queue's
   * (`workqueue_depth` and others), with `name` as their label. Default: nowhere.
   */
  readonly metrics?: MetricsProvider | undefined;
  /** The label of the metrics; without it there are none. */
  readonly name?: string | undefined;
  /**
   * How many times a key that fails is tried again before it is given up; 0 gives up at once, `Infinity` never. A later
   * change of the object starts afresh. It is the rate limiter that counts: one that does not, such as a bare bucket,
   * never gives up. Default 5.
   */
  readonly maxRetries?: number | undefined;
  /** Decides when a key that failed is tried again. Default: `defaultControllerRateLimiter()`. */
  readonly rateLimiter?: RateLimiter<string> | undefined;
  /** A queue of your own, in place of a `RateLimitingQueue` with `rateLimiter`. The controller shuts it down. */
  readonly queue?: ReconcileQueue | undefined;
  /**
   * Is told of a key that is given up, with the last error: once, after the logger. It is not waited for, and what it
   * throws is logged.
   */
  readonly handleError?: (error: unknown, key: string) => unknown;
  /** Makes `run` reject when the caches are not in sync after this many milliseconds. Default: it waits for ever. */
  readonly cacheSyncTimeoutMs?: number | undefined;
  /** Where the time comes from. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Where failures go: those that are retried as warnings, keys given up as errors. Default: the console. */
  readonly logger?: Logger | undefined;
}

/** Options of {@linkcode Controller.run}. */
export interface ControllerRunOptions {
  /** How many keys are reconciled at once. Default 1. */
  readonly workers?: number | undefined;
  /** Stops the controller. */
  readonly signal?: AbortSignal | undefined;
}

/** What a {@linkcode Controller} is doing and how it has fared. */
export interface ControllerSnapshot {
  /** How many workers are reconciling a key. */
  readonly activeWorkers: number;
  /** How many keys wait for a worker. */
  readonly queueLength: number;
  /** How many reconciles have ended. */
  readonly reconciles: number;
  /** How many of them failed. */
  readonly errors: number;
  /** How many failures were followed by another try. */
  readonly retries: number;
  /** How many keys were given up. */
  readonly dropped: number;
}

/**
 * Reconciles the objects of an informer: each one that appears, changes or goes puts its key on a queue, and workers take
 * the keys from there.
 *
 * - A key is never reconciled twice at once, whatever the number of workers; changes meanwhile make for one more
 *   reconcile afterwards.
 * - No reconcile starts before the caches are in sync.
 * - A key that fails is tried again, later each time, and given up after `maxRetries` tries more; a reconcile that
 *   succeeds ends the counting.
 * - Nothing that `reconcile` does ends the controller: throw, reject, or answer nonsense. Nor does a logger that throws.
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
 *
 * @typeParam T The interface of the informer's objects.
 */
export class Controller<T extends KubeObject = KubeObject> implements AsyncDisposable {
  /** The keys to reconcile. Handlers of any informer may add to it. */
  readonly queue: ReconcileQueue;
  readonly #informer: ControllerInformer<T>;
  readonly #waitFor: readonly SyncedInformer[];
  readonly #reconciler: Reconciler;
  readonly #cacheSyncTimeoutMs: number | undefined;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  /**
   * A controller that does nothing until it is run.
   *
   * @param options Its informer, what it does, and how.
   * @throws {RangeError} When `maxRetries` or `cacheSyncTimeoutMs` is negative or not a number.
   * @throws {TypeError} When there is both a `queue` and a `rateLimiter`, which would go unused.
   */
  constructor(options: ControllerOptions<T>) {
    const { clock = realClock, metrics, name, maxRetries = 5 } = options;
    if (!(maxRetries >= 0)) {
      throw new RangeError(`maxRetries must be a number of at least 0: received ${maxRetries}`);
    }
    const { cacheSyncTimeoutMs } = options;
    if (cacheSyncTimeoutMs !== undefined && !(cacheSyncTimeoutMs >= 0)) {
      throw new RangeError(
        `cacheSyncTimeoutMs must be a number of at least 0: received ${cacheSyncTimeoutMs}`,
      );
    }
    if (options.queue !== undefined && options.rateLimiter !== undefined) {
      throw new TypeError("Cannot use both a queue and a rateLimiter: give the queue the limiter");
    }
    this.#informer = options.informer;
    this.#waitFor = options.waitFor ?? [];
    this.#cacheSyncTimeoutMs = cacheSyncTimeoutMs;
    this.#clock = clock;
    this.queue = options.queue ??
      new RateLimitingQueue(
        options.rateLimiter ?? defaultControllerRateLimiter<string>({ clock }),
        { clock, metrics, name },
      );
    this.#reconciler = new Reconciler({
      queue: this.queue,
      // Called as a method of the options: they may be an object of a class that has `reconcile`.
      reconcile: (key, context) => options.reconcile(key, context),
      handleError: options.handleError,
      maxRetries,
      clock,
      logger: safeLogger(options.logger),
      metrics: name && metrics ? new ReconcileMetrics(name, metrics) : undefined,
    });
  }

  /**
   * Wants a key reconciled: for what an informer other than the controller's own, or no informer at all, has found.
   *
   * @param key The key, as in `namespace/name`.
   */
  enqueue(key: string): void {
    this.queue.add(key);
  }

  /**
   * What the controller is doing and how it has fared, now.
   *
   * @returns A copy of its state.
   */
  snapshot(): ControllerSnapshot {
    return { ...this.#reconciler.counters, queueLength: this.queue.length };
  }

  /**
   * Runs the informers that nobody has run, waits for their caches and reconciles until `signal` aborts.
   *
   * Then no further reconcile is started (client-go's workers would first empty the queue), those under way see their
   * own signal abort and are waited for, and it resolves once all is quiet: the queue is shut down, the handler off the
   * informer, and the informers it has run have stopped. Shutting the {@linkcode Controller.queue} down ends it as well,
   * after what is queued.
   *
   * @param options How many workers it has, and the signal that stops it.
   * @throws {Error} When the controller has been run before, an informer stops by itself, or the caches are not in sync
   * after `cacheSyncTimeoutMs`: the message names those that are not and says why.
   * @throws {RangeError} When `workers` is not a whole number above 0.
   */
  run(options: ControllerRunOptions = {}): Promise<void> {
    const { workers = 1, signal } = options;
    if (!Number.isInteger(workers) || workers < 1) {
      return Promise.reject(
        new RangeError(`workers must be a whole number of at least 1: received ${workers}`),
      );
    }
    if (this.#running !== undefined) {
      return Promise.reject(
        new Error("Controller has been run already: make another one to run again"),
      );
    }
    this.#running = this.#run(workers, signal);
    return this.#running;
  }

  /** Stops the controller, if it runs, and resolves once all is quiet. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.queue.shutDown();
    // Whoever called run() is told how it ended.
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
      for (const informer of informers) {
        if (!informer.hasStarted) running.push(this.#runInformer(informer, fail));
      }
      await this.#waitForSync(informers);
      const context = { signal: stop.signal };
      const working = Array.from({ length: workers }, () => this.#reconciler.work(context));
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
    const enqueue = (obj: T | DeletedFinalStateUnknown<T>) =>
      this.queue.add(deletionHandlingMetaNamespaceKeyFunc(obj));
    const registration = this.#informer.addEventHandler({
      onAdd: enqueue,
      onUpdate: (_old, obj) => enqueue(obj),
      onDelete: enqueue,
    });
    return () => this.#informer.removeEventHandler(registration);
  }

  async #runInformer(informer: SyncedInformer, fail: (error: unknown) => void): Promise<void> {
    try {
      await informer.run({ signal: this.#stop.signal });
      fail(
        new Error(
          `Informer ${informer.name} has stopped by itself: its cache would never change again`,
        ),
      );
    } catch (error) {
      fail(error);
    }
  }

  #waitForSync(informers: readonly SyncedInformer[]): Promise<void> {
    const timeoutMs = this.#cacheSyncTimeoutMs;
    const { signal } = this.#stop;
    return waitForCacheSync(
      { signal, clock: this.#clock, ...(timeoutMs !== undefined && { timeoutMs }) },
      ...informers,
    );
  }
}
