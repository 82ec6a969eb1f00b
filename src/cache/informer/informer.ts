import {
  type Clock,
  type Counter,
  delay,
  describeError,
  type Environment,
  type Gauge,
  type Histogram,
  inherit,
  isPromiseLike,
  LinkedAbort,
  type Logger,
  noopMetrics,
  onAbort,
  realClock,
  safeLogger,
  TurnBudget,
} from "../../base/mod.ts";
import type { KubeObject, ListerWatcher, ResourceDescriptor } from "../../types/mod.ts";
import { QueueFeed } from "./queue_feed.ts";
import { StoreVersion } from "./store_version.ts";
import type { DeltaFIFO, Deltas, PopProcessFunc } from "../queue/mod.ts";
import {
  Reflector,
  type ReflectorSnapshot,
  type ReflectorTuning,
  resourceVersionMetric,
  type WatchErrorHandler,
} from "../reflector/mod.ts";

/** The pause after a process that failed, doubled while nothing succeeds, so that retries cannot spin. */
const RETRY_PAUSE_MS = 10;
const MAX_RETRY_PAUSE_MS = 1_000;
const LATENCY_BUCKETS: readonly number[] = [0.000_01, 0.000_1, 0.001, 0.01, 0.1, 1];

/**
 * What an {@linkcode Informer} is made of: client-go's `cache.Config`.
 *
 * @typeParam T The interface of the objects.
 */
export interface InformerConfig<T extends KubeObject> extends Environment, ReflectorTuning {
  /** Where the reflector puts what happened, and `process` takes it from. */
  readonly queue: DeltaFIFO<T>;
  /** Where the objects come from. */
  readonly listerWatcher: ListerWatcher<T>;
  /**
   * Handles the changes of one object, synchronously. What it throws is reported; a promise it returns is not waited for,
   * but its rejection is reported too.
   */
  readonly process: PopProcessFunc<T>;
  /**
   * Whether changes that `process` threw on are put back, at the end of the queue, unless something newer is queued for
   * the object by then. While nothing but failures happens, there is a growing pause between tries, of 10 ms to one
   * second. Default false.
   */
  readonly retryOnError?: boolean | undefined;
  /** What is listed. Default: anything. */
  readonly resource?: ResourceDescriptor | undefined;
  /** What log lines and metrics call it. Default: the resource's name. */
  readonly name?: string | undefined;
  /** How often the queue replays the known objects, in milliseconds. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /** Asked at the end of each period whether to replay. Default: always. */
  readonly shouldResync?: (() => boolean) | undefined;
  /** Learns of failed lists and watches. Default: a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
}

/** What an {@linkcode Informer} is doing and how it has fared. */
export interface InformerSnapshot extends ReflectorSnapshot {
  /** Whether the first list has been processed. */
  readonly hasSynced: boolean;
  /** How many objects have changes in the queue. */
  readonly queuedItems: number;
  /** How often `process` failed. */
  readonly processErrors: number;
}

/**
 * A reflector that fills a queue, and a loop that takes from it and calls `process`: client-go's `cache.Controller`, the
 * machine under every informer. {@linkcode newInformer} makes one that keeps a store, `SharedInformer` one that many
 * handlers share.
 *
 * It takes changes in bounded batches and lets the event loop turn between them. An error of `process` is logged and
 * counted, and ends nothing.
 *
 * @typeParam T The interface of the objects.
 *
 * @example Delete everything that comes in
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
  /** Undefined when nobody collects metrics, since it takes two readings of the clock per object. */
  readonly #latency: Histogram | undefined;
  #started = false;
  #processErrors = 0;
  /** The pause after the last failure; 0 after a success. */
  #retryPauseMs = 0;
  /** The deltas being processed, so that they can be put back. */
  #current: Deltas<T> = [];
  #isProcessing = false;

  /**
   * Makes an informer, which does nothing until it is run.
   *
   * @param config Its parts.
   * @throws {RangeError} When a number of the config is out of its range.
   */
  constructor(config: InformerConfig<T>) {
    const environment = inherit(config, config.listerWatcher.environment);
    const { metrics = noopMetrics } = environment;
    this.#config = config;
    this.#clock = environment.clock ?? realClock;
    this.#logger = safeLogger(environment.logger);
    this.#reflector = new Reflector(
      config.listerWatcher,
      new QueueFeed(config.queue, this.#version),
      { ...config, ...environment },
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

  /** Its name in log lines and metrics. */
  get name(): string {
    return this.#reflector.name;
  }

  /**
   * Reports whether the first list has been popped and processed.
   *
   * @returns True from then on.
   */
  hasSynced(): boolean {
    return this.#config.queue.hasSynced();
  }

  /**
   * Waits for {@linkcode Informer.hasSynced}.
   *
   * @param call Its `signal` ends the wait.
   * @throws `call.signal.reason` on abort.
   */
  whenSynced(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#config.queue.whenSynced(call);
  }

  /**
   * Returns the resource version of the last list, event or bookmark. What `process` has not been called with yet is included:
   * see {@linkcode Informer.lastStoreSyncResourceVersion}.
   *
   * @returns The version; empty before the first list.
   */
  lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion();
  }

  /**
   * Returns a resource version up to which `process` has been called with every change: safe to ask "is my write in the
   * cache yet?".
   *
   * The version never goes back. It may be older than necessary while changes are queued.
   *
   * @returns The version; empty before the first list was processed, after a change that the queue refused or `process` threw
   * on until the next list, and after the versions of the server have gone back until they are newer than ever.
   */
  lastStoreSyncResourceVersion(): string {
    // Deltas that are being processed have left the queue, but are not all in the store.
    const queued = this.#config.queue.length + (this.#isProcessing ? 1 : 0);
    return this.#version.read(queued, this.lastSyncResourceVersion());
  }

  /**
   * Reports what it is doing, and how often what has happened to it.
   *
   * @returns A copy of its state.
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
   * Runs until the signal aborts, or somebody closes the queue. Resolves once everything has stopped; what is still queued
   * then is not processed. It runs once: a second call logs a warning and returns at once.
   *
   * @param call Its `signal` stops the informer.
   * @throws {TerminalError} When a request fails with one, as those of a closed client do.
   */
  async run(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#started) {
      this.#logger.warn(`${this.name}: the informer was run before and cannot be run twice`);
      return;
    }
    this.#started = true;
    const { queue } = this.#config;
    const link = new LinkedAbort(call.signal);
    const release = onAbort(link.signal, () => queue.close());
    const reflecting = this.#reflector.run({ signal: link.signal });
    // Without a Reflector nothing is added to the queue any more.
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
      this.#queuedItems.set(queue.length);
      const version = resourceVersionMetric(this.lastStoreSyncResourceVersion());
      if (version !== undefined) this.#storeVersion.set(version);
      if (queue.length > 0) await this.#turn(signal);
    }
  }

  #popBatch(signal: AbortSignal): void {
    const { queue, retryOnError } = this.#config;
    const budget = new TurnBudget(this.#clock);
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
      // Stopped: the loop looks at the signal next.
    }
  }

  /** Made once, so that a pop costs no closure. */
  readonly #process = (deltas: Deltas<T>, isInInitialList: boolean): void => {
    this.#current = deltas;
    this.#isProcessing = true;
    const startedAtMs = this.#latency === undefined ? 0 : this.#clock.now();
    const result: unknown = this.#config.process(deltas, isInInitialList);
    this.#latency?.observe((this.#clock.now() - startedAtMs) / 1000);
    if (isPromiseLike(result)) result.then(undefined, (error) => this.#failed(error));
  };

  #failed(error: unknown): void {
    this.#version.lost();
    this.#processErrors++;
    this.#errorsTotal.inc();
    this.#logger.error(`${this.name}: processing a change failed: ${describeError(error)}`, error);
  }
}
