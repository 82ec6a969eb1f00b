import {
  type Clock,
  type Counter,
  delay,
  describeError,
  type Environment,
  type Gauge,
  hasMethods,
  type Histogram,
  inherit,
  isFlag,
  isFunction,
  isObject,
  isPromiseLike,
  LinkedAbort,
  type Logger,
  noopMetrics,
  onAbort,
  type OptionChecks,
  realClock,
  requireOptions,
  safeLogger,
  TurnBudget,
} from "../../base/mod.ts";
import type { KubeObject, ListerWatcher, ResourceDescriptor } from "../../types/mod.ts";
import { QueueFeed, StoreVersion } from "./store_version.ts";
import type { DeltaFIFO, Deltas, PopProcessFunc } from "../queue/mod.ts";
import {
  Reflector,
  REFLECTOR_CHECKS,
  type ReflectorSnapshot,
  type ReflectorTuning,
  resourceVersionMetric,
  type WatchErrorHandler,
} from "../reflector/mod.ts";

/** The pause after `process` failed. It doubles until a call succeeds, so that retries do not loop without a pause. */
const RETRY_PAUSE_MS = 10;
const MAX_RETRY_PAUSE_MS = 1_000;
const LATENCY_BUCKETS: readonly number[] = [0.000_01, 0.000_1, 0.001, 0.01, 0.1, 1];

/**
 * The configuration of an {@linkcode Informer}: client-go's `cache.Config`.
 *
 * @typeParam T The interface of the objects.
 */
export interface InformerConfig<T extends KubeObject> extends Environment, ReflectorTuning {
  /** The queue that the reflector adds deltas to and `process` is called from. */
  readonly queue: DeltaFIFO<T>;
  /** Lists and watches the objects. */
  readonly listerWatcher: ListerWatcher<T>;
  /**
   * Processes the deltas of one object, synchronously. An error that it throws is logged and counted. A promise that it
   * returns is not awaited, but a rejection is logged and counted too.
   */
  readonly process: PopProcessFunc<T>;
  /**
   * Whether deltas on which `process` threw go back to the end of the queue, unless newer deltas of the object are
   * queued by then. While every call fails, the pause between calls grows from 10 ms to one second. Default false.
   */
  readonly retryOnError?: boolean | undefined;
  /** The listed resource; events of another kind are skipped. Default: events of every kind are accepted. */
  readonly resource?: ResourceDescriptor | undefined;
  /** The name of the informer in log lines and metrics. Default: the name of the resource. */
  readonly name?: string | undefined;
  /** The period after which the queue replays the known objects, in milliseconds. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /** Called at the end of each resync period; returns whether to replay. Default: always. */
  readonly shouldResync?: (() => boolean) | undefined;
  /** Called with failed lists and watches. Default: writes a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
}

const CONFIG_CHECKS: OptionChecks<InformerConfig<KubeObject>> = {
  ...REFLECTOR_CHECKS,
  queue: hasMethods("a DeltaFIFO", "pop", "replace"),
  listerWatcher: isObject,
  process: isFunction,
  retryOnError: isFlag,
};

/** The state of an {@linkcode Informer}. */
export interface InformerSnapshot extends ReflectorSnapshot {
  /** Whether the first list has been processed. */
  readonly hasSynced: boolean;
  /** The number of objects that have deltas in the queue. */
  readonly queuedItems: number;
  /** The number of calls of `process` that threw or rejected. */
  readonly processErrors: number;
}

/**
 * A reflector that fills a queue, and a loop that pops the queue and calls `process`: client-go's `cache.Controller`,
 * on which all informers are built. {@linkcode newInformer} creates one with a store and one handler; a
 * `SharedInformer` has a store and any number of handlers.
 *
 * The loop pops in bounded batches and lets the event loop turn between them. If `process` throws, the error is logged
 * and counted, and the loop continues.
 *
 * @typeParam T The interface of the objects.
 *
 * @example Delete every object that is added
 * ```ts
 * import {
 *   DeltaFIFO,
 *   Informer,
 *   metaNamespaceKeyFunc,
 *   newStore,
 * } from "@kubeloop/controller/cache";
 * import { FakeControllerSource, VirtualClock } from "@kubeloop/testing";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const source = new FakeControllerSource<Pod>();
 * const downstream = newStore<Pod>(metaNamespaceKeyFunc);
 * const deleted: string[] = [];
 * const informer = new Informer<Pod>({
 *   clock,
 *   listerWatcher: source,
 *   queue: new DeltaFIFO<Pod>({ knownObjects: downstream }),
 *   process(deltas) {
 *     for (const { type, object } of deltas) {
 *       if (type === "Deleted") {
 *         downstream.delete(object);
 *         deleted.push(metaNamespaceKeyFunc(object as Pod));
 *       } else {
 *         downstream.add(object as Pod);
 *         source.delete(object as Pod);
 *       }
 *     }
 *   },
 * });
 *
 * const stop = new AbortController();
 * const running = informer.run({ signal: stop.signal });
 * source.add({ metadata: { name: "b" } });
 * source.add({ metadata: { name: "a" } });
 * await clock.advance(10);
 * stop.abort();
 * await clock.run(running);
 * assertEquals(deleted.sort(), ["a", "b"]);
 * ```
 */
export class Informer<T extends KubeObject = KubeObject> {
  readonly #config: InformerConfig<T>;
  readonly #reflector: Reflector<T>;
  readonly #version = new StoreVersion();
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #queuedItems: Gauge;
  readonly #storeVersion: Gauge;
  readonly #errorsTotal: Counter;
  /** Undefined without a metrics provider, since the measurement reads the clock for each object. */
  readonly #latency: Histogram | undefined;
  #started = false;
  #processErrors = 0;
  /** The pause before the next batch; 0 if the last call of `process` succeeded. */
  #retryPauseMs = 0;
  /** The deltas that are being processed, for `retryOnError`. */
  #current: Deltas<T> = [];
  #isProcessing = false;
  #isReporting = false;
  /** The time at which the previous object of the batch was done. Only for `#latency`. */
  #beforeMs = 0;

  /**
   * Creates an informer, which does nothing until it is run.
   *
   * @param config The configuration.
   * @throws {RangeError} If a number in the configuration is out of range.
   */
  constructor(config: InformerConfig<T>) {
    requireOptions<InformerConfig<T>>("Informer", config, CONFIG_CHECKS);
    const { queue, listerWatcher, process: _process, retryOnError: _retry, ...options } = config;
    const environment = inherit(config, listerWatcher.environment);
    const { metrics = noopMetrics } = environment;
    this.#config = config;
    this.#clock = environment.clock ?? realClock;
    this.#logger = safeLogger(environment.logger);
    this.#reflector = new Reflector(
      listerWatcher,
      new QueueFeed(queue, this.#version, this.#reportSoon),
      { ...options, ...environment },
    );
    const labels = { name: this.name };
    this.#queuedItems = metrics.gauge("informer_queued_items", labels);
    this.#storeVersion = metrics.gauge("informer_store_resource_version", labels);
    this.#errorsTotal = metrics.counter("informer_process_errors_total", labels);
    this.#latency = environment.metrics?.histogram(
      "informer_processing_latency_seconds",
      labels,
      LATENCY_BUCKETS,
    );
  }

  /** The name of the informer in log lines and metrics. */
  get name(): string {
    return this.#reflector.name;
  }

  /**
   * Reports whether the first list has been processed. This is already true while `process` is called with the last
   * object.
   *
   * @returns True from the sync on.
   */
  hasSynced(): boolean {
    return this.#config.queue.hasSynced();
  }

  /**
   * Waits until {@linkcode Informer.hasSynced} is true.
   *
   * @param call The `signal` ends the wait.
   * @throws `call.signal.reason` on abort.
   */
  whenSynced(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#config.queue.whenSynced(call);
  }

  /**
   * Returns the resource version of the last list, event or bookmark that was received. `process` may not have been
   * called with all of these changes yet: see {@linkcode Informer.lastStoreSyncResourceVersion}.
   *
   * @returns The resource version; empty before the first list.
   */
  lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion();
  }

  /**
   * Returns a resource version up to which `process` has been called with every change. A caller can compare it with
   * the version of its own write, to know whether the write is in the cache.
   *
   * The version never goes back. While deltas are queued, it may be older than what has been processed.
   *
   * The version is empty while no version is safe: until the first list has been processed; after the queue refused a
   * change or `process` failed on one, until the next list has been processed; and if the versions of the server have
   * gone back, until they are newer than before.
   *
   * @returns The resource version; empty if no version is safe.
   */
  lastStoreSyncResourceVersion(): string {
    // Deltas that are being processed have left the queue, but are not all in the store.
    const queued = this.#config.queue.length + (this.#isProcessing ? 1 : 0);
    return this.#version.read(queued, this.lastSyncResourceVersion());
  }

  /**
   * Returns the state of the informer and its reflector.
   *
   * @returns A copy of the state.
   */
  snapshot(): InformerSnapshot {
    return {
      ...this.#reflector.snapshot(),
      hasSynced: this.hasSynced(),
      queuedItems: this.#config.queue.length,
      processErrors: this.#processErrors,
    };
  }

  /**
   * Runs until the signal aborts or the queue is closed. Resolves once everything has stopped; after an abort, queued
   * deltas are not processed any more. An informer runs once: a second call logs a warning and returns at once.
   *
   * @param call The `signal` stops the informer.
   * @throws {TerminalError} If a request fails with a `TerminalError`, as the requests of a closed client do.
   */
  async run(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#started) {
      this.#logger.warn(`${this.name}: the informer was run before and cannot be run twice`);
      return;
    }
    this.#started = true;
    const { queue } = this.#config;
    const link = new LinkedAbort(call.signal);
    const release = onAbort(link.signal, () => {
      queue.passTo(undefined);
      queue.close();
    });
    // Failed deltas are retried behind other keys, so with retryOnError all deltas go through the queue.
    if (!link.signal.aborted && !this.#config.retryOnError) queue.passTo(this.#consume);
    const reflecting = this.#reflector.run({ signal: link.signal });
    // Nothing is added to the queue after the reflector has ended, so the loop must end too.
    const closing = reflecting.then(() => queue.close(), () => queue.close());
    try {
      await this.#processLoop(link.signal);
    } finally {
      link.abort();
      await closing;
      release();
    }
    await reflecting;
  }

  async #processLoop(signal: AbortSignal): Promise<void> {
    const { queue } = this.#config;
    while (!signal.aborted) {
      try {
        await queue.wait();
      } catch {
        // The queue is closed and empty.
        return;
      }
      this.#popBatch(signal);
      this.#report();
      if (queue.length > 0) await this.#turn(signal);
    }
  }

  /** Updates the metrics of the queue and the store. */
  readonly #report = (): void => {
    this.#isReporting = false;
    this.#queuedItems.set(this.#config.queue.length);
    const version = resourceVersionMetric(this.lastStoreSyncResourceVersion());
    if (version !== undefined) this.#storeVersion.set(version);
  };

  /** Updates the metrics once for all changes that have arrived together. */
  readonly #reportSoon = (): void => {
    if (this.#isReporting) return;
    this.#isReporting = true;
    queueMicrotask(this.#report);
  };

  /** Processes a change that was not queued. */
  readonly #consume = (deltas: Deltas<T>, isInInitialList: boolean, key: string): void => {
    if (this.#latency !== undefined) this.#beforeMs = this.#clock.now();
    // The queue is empty, so all changes before this one are in the store.
    this.#version.read(0, this.lastSyncResourceVersion());
    try {
      this.#process(deltas, isInInitialList, key);
    } catch (error) {
      this.#failed(error);
    }
    this.#isProcessing = false;
    this.#reportSoon();
  };

  #popBatch(signal: AbortSignal): void {
    const { queue, retryOnError } = this.#config;
    const budget = new TurnBudget(this.#clock);
    if (this.#latency !== undefined) this.#beforeMs = this.#clock.now();
    while (!signal.aborted && !budget.isSpent()) {
      try {
        if (!queue.tryPop(this.#process)) return;
        this.#retryPauseMs = 0;
      } catch (error) {
        this.#failed(error);
        if (!retryOnError) continue;
        this.#retryPauseMs = Math.min(
          Math.max(RETRY_PAUSE_MS, 2 * this.#retryPauseMs),
          MAX_RETRY_PAUSE_MS,
        );
        queue.addIfNotPresent(this.#current);
        return;
      } finally {
        this.#isProcessing = false;
        this.#version.popped(queue.length, this.lastSyncResourceVersion());
      }
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    try {
      await delay(this.#retryPauseMs, { clock: this.#clock, signal });
    } catch {
      // Aborted: the loop checks the signal next.
    }
  }

  /** Calls `process`. It is created once, so that a pop does not create a closure. */
  readonly #process = (deltas: Deltas<T>, isInInitialList: boolean, key: string): void => {
    this.#current = deltas;
    this.#isProcessing = true;
    const result: unknown = this.#config.process(deltas, isInInitialList, key);
    if (this.#latency !== undefined) {
      const now = this.#clock.now();
      this.#latency.observe((now - this.#beforeMs) / 1000);
      this.#beforeMs = now;
    }
    if (isPromiseLike(result)) result.then(undefined, (error) => this.#failed(error));
  };

  #failed(error: unknown): void {
    this.#version.lost();
    this.#processErrors++;
    this.#errorsTotal.inc();
    this.#logger.error(`${this.name}: processing a change failed: ${describeError(error)}`, error);
  }
}
