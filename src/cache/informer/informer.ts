import {
  type Clock,
  type Counter,
  delay,
  describeError,
  type Environment,
  type Gauge,
  type Histogram,
  isPromiseLike,
  LinkedAbort,
  type Logger,
  noopMetrics,
  onAbort,
  realClock,
  safeLogger,
} from "../../base/mod.ts";
import type { KubeObject, ListerWatcher, ResourceDescriptor } from "../../types/mod.ts";
import { TurnBudget } from "./turn_budget.ts";
import type { DeltaFIFO, Deltas, PopProcessFunc } from "../queue/mod.ts";
import {
  Reflector,
  type ReflectorSnapshot,
  type ReflectorTuning,
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
  readonly retryOnError?: boolean;
  /** What is listed. Default: anything. */
  readonly resource?: ResourceDescriptor;
  /** What log lines and metrics call it. Default: the resource's name. */
  readonly name?: string;
  /** How often the queue replays the known objects, in milliseconds. Default 0: never. */
  readonly resyncPeriodMs?: number;
  /** Asked at the end of each period whether to replay. Default: always. */
  readonly shouldResync?: () => boolean;
  /** Learns of failed lists and watches. Default: a log line. */
  readonly watchErrorHandler?: WatchErrorHandler;
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
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #queuedItems: Gauge;
  readonly #errorsTotal: Counter;
  /** Undefined when nobody wants to know, since it costs two looks at the clock for each object. */
  readonly #latency: Histogram | undefined;
  #started = false;
  #processErrors = 0;
  /** The pause that the last failure asked for; 0 after a success. */
  #retryPauseMs = 0;
  /** What is being processed, so that it can be put back. */
  #current: Deltas<T> = [];

  /**
   * An informer that does nothing until it is run.
   *
   * @param config Its parts.
   */
  constructor(config: InformerConfig<T>) {
    const { metrics = noopMetrics } = config;
    this.#config = config;
    this.#clock = config.clock ?? realClock;
    this.#logger = safeLogger(config.logger);
    this.#reflector = new Reflector(config.listerWatcher, config.queue, {
      ...config,
    });
    const labels = { name: this.name };
    this.#queuedItems = metrics.gauge("informer_queued_items", labels);
    this.#errorsTotal = metrics.counter("informer_process_errors_total", labels);
    this.#latency = config.metrics?.histogram(
      "informer_processing_latency_seconds",
      labels,
      LATENCY_BUCKETS,
    );
  }

  /** What log lines and metrics call it. */
  get name(): string {
    return this.#reflector.name;
  }

  /**
   * Whether the first list has been taken from the queue.
   *
   * @returns True from then on.
   */
  hasSynced(): boolean {
    return this.#config.queue.hasSynced();
  }

  /**
   * Waits for {@linkcode Informer.hasSynced}.
   *
   * @param call Its `signal` ends the waiting.
   * @throws `call.signal.reason` on abort.
   */
  whenSynced(call: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return this.#config.queue.whenSynced(call);
  }

  /**
   * The version of the last list, event or bookmark.
   *
   * @returns The version; empty before the first list.
   */
  lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion();
  }

  /**
   * What it is doing and how it has fared.
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
   * then is not processed.
   *
   * @param call Its `signal` is the way to stop.
   * @throws {Error} When it was run before.
   */
  async run(call: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#started) {
      throw new Error(`Cannot run the informer of ${this.name}: it was run before`);
    }
    this.#started = true;
    const link = new LinkedAbort(call.signal);
    const { queue } = this.#config;
    const release = onAbort(link.signal, () => queue.close());
    const reflecting = this.#reflector.run({ signal: link.signal });
    await this.#processLoop(link.signal);
    link.abort();
    await reflecting;
    release();
  }

  async #processLoop(signal: AbortSignal): Promise<void> {
    const { queue } = this.#config;
    while (!signal.aborted) {
      try {
        await queue.wait();
      } catch (error) {
        if (!signal.aborted) this.#logger.error(`${this.name}: stopped: ${describeError(error)}`);
        return;
      }
      this.#popBatch(signal);
      this.#queuedItems.set(queue.length);
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

  /** Made once, so that taking from the queue costs no closure. */
  readonly #process = (deltas: Deltas<T>, isInInitialList: boolean): void => {
    this.#current = deltas;
    const startedAtMs = this.#latency === undefined ? 0 : this.#clock.now();
    const result: unknown = this.#config.process(deltas, isInInitialList);
    this.#latency?.observe((this.#clock.now() - startedAtMs) / 1000);
    if (isPromiseLike(result)) result.then(undefined, (error) => this.#failed(error));
  };

  #failed(error: unknown): void {
    this.#processErrors++;
    this.#errorsTotal.inc();
    this.#logger.error(`${this.name}: processing a change failed: ${describeError(error)}`);
  }
}
