import {
  type Cleanup,
  type Clock,
  ENVIRONMENT_CHECKS,
  hasMethods,
  isText,
  type MetricsProvider,
  onAbort,
  type OptionChecks,
  realClock,
  requireOptions,
  RingBuffer,
} from "../base/mod.ts";
import { Delays } from "./delays.ts";
import type { Queue } from "./queue.ts";
import { metricsTarget, QueueMetrics } from "./queue_metrics.ts";

/** Options of a {@linkcode WorkQueue}. */
export interface WorkQueueOptions<T> {
  /** The value of the `name` label of the queue's metrics. Default: none. A queue without a name reports no metrics. */
  readonly name?: string | undefined;
  /**
   * Receives the metrics `workqueue_depth`, `_adds_total`, `_queue_duration_seconds`, `_work_duration_seconds`,
   * `_unfinished_work_seconds` and `_longest_running_processor_seconds`. Each queue gets its own provider; unlike
   * client-go with `SetProvider`, there is no process-wide one. Default: no metrics are recorded.
   */
  readonly metrics?: MetricsProvider | undefined;
  /** The clock. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Stores the items that wait for a worker and decides their order. Default: first in, first out. */
  readonly queue?: Queue<T> | undefined;
}

const CHECKS: OptionChecks<WorkQueueOptions<never>> = {
  name: isText,
  metrics: ENVIRONMENT_CHECKS.metrics,
  clock: ENVIRONMENT_CHECKS.clock,
  queue: hasMethods("a Queue", "push", "pop"),
};

/** The result of {@linkcode WorkQueue.get}: an item to process, or the notice that the queue is shut down and empty. */
export type GetResult<T> =
  | { readonly item: T; readonly shutdown: false }
  | { readonly item: undefined; readonly shutdown: true };

/**
 * The state of an item. Unknown items have no state; "dirty" is client-go's word for "needs to be processed (again)".
 * One map of these numbers replaces client-go's `dirty` and `processing` sets and needs fewer look-ups.
 */
type ItemState = typeof QUEUED | typeof PROCESSING | typeof PROCESSING_DIRTY;
/** Dirty, and in the queue. */
const QUEUED = 1;
/** Being processed by a worker. */
const PROCESSING = 2;
/** Being processed and dirty: added to the queue when the worker calls `done`. */
const PROCESSING_DIRTY = 3;

interface Waiter<T> {
  resolve(result: GetResult<T>): void;
  release: Cleanup;
}

const SHUTDOWN: GetResult<never> = { item: undefined, shutdown: true };

class FifoQueue<T> extends RingBuffer<T> implements Queue<T> {
  pop(): T | undefined {
    return this.shift();
  }
}

/**
 * A queue of items to process: client-go's `workqueue`. The queue is
 *
 * - fair: items are processed in the order in which they were added;
 * - stingy: an item that is added several times before a worker takes it is processed once;
 * - safe for many workers: an item is never processed by two workers at the same time. An item that is added while it
 *   is being processed is processed once more after {@linkcode WorkQueue.done};
 * - able to shut down: after {@linkcode WorkQueue.shutDown} the remaining items are still handed out, then workers are
 *   told to stop.
 *
 * Every operation is synchronous and takes constant time; only waiting is asynchronous. Items are compared as a `Map`
 * compares its keys, so use strings.
 *
 * @example One worker
 * ```ts
 * import { WorkQueue } from "@kubeloop/controller/workqueue";
 * import { assertEquals } from "@std/assert";
 *
 * const queue = new WorkQueue<string>();
 * queue.add("default/web");
 * queue.add("default/db");
 * queue.add("default/web");
 * queue.shutDown();
 *
 * const worked: string[] = [];
 * while (true) {
 *   const { item, shutdown } = await queue.get();
 *   if (shutdown) break;
 *   try {
 *     worked.push(item);
 *   } finally {
 *     queue.done(item);
 *   }
 * }
 * assertEquals(worked, ["default/web", "default/db"]);
 * ```
 *
 * @typeParam T The type of the items; `undefined` is not a valid item.
 */
export class WorkQueue<T = string> implements AsyncDisposable {
  /** Holds exactly the items whose state is QUEUED. */
  readonly #queue: Queue<T>;
  readonly #states = new Map<T, ItemState>();
  readonly #metrics: QueueMetrics<T> | undefined;
  /** The waiting calls of `get`, oldest first. A Set, so that an aborted call is removed in constant time. */
  readonly #waiters = new Set<Waiter<T>>();
  /** The number of items that are being processed. */
  #processing = 0;
  #shuttingDown = false;
  #drained: PromiseWithResolvers<void> | undefined;
  #settleScheduled = false;
  readonly #delays: Delays<T>;

  /**
   * Creates an empty queue.
   *
   * @param options The name, the metrics, the clock and the order of the queue.
   */
  constructor(options: WorkQueueOptions<T> = {}) {
    requireOptions("WorkQueue", options, CHECKS as OptionChecks<WorkQueueOptions<T>>);
    const { name, metrics, clock = realClock, queue = new FifoQueue<T>() } = options;
    this.#queue = queue;
    const target = metricsTarget(name, metrics);
    this.#metrics = target && new QueueMetrics<T>(target, clock);
    this.#delays = new Delays<T>(clock, (item) => this.add(item));
  }

  /** The number of items that wait for a worker. Items that are being processed or delayed do not count. */
  get length(): number {
    return this.#queue.length;
  }

  /**
   * Reports whether the queue has been shut down and ignores new items.
   *
   * @returns True from then on.
   */
  shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /**
   * Marks an item as needing to be processed. The item is queued unless it is queued already; an item that is being
   * processed is queued when its worker calls {@linkcode WorkQueue.done}. After the queue is shut down, the call is
   * ignored.
   *
   * @param item The item.
   * @throws {TypeError} When `item` is undefined.
   */
  add(item: T): void {
    requireItem(item);
    if (this.#shuttingDown) return;
    const state = this.#states.get(item);
    if (state === PROCESSING_DIRTY) return;
    if (state === QUEUED) {
      this.#queue.touch?.(item);
      // The queue may have held the item back until now.
      if (this.#waiters.size > 0) this.#scheduleSettle();
      return;
    }
    if (state === PROCESSING) this.#states.set(item, PROCESSING_DIRTY);
    else this.#enqueue(item);
    this.#metrics?.add(item);
  }

  /**
   * Takes the next item without waiting. Call {@linkcode WorkQueue.done} when the item has been processed.
   *
   * @returns The item, or undefined if the queue is empty.
   */
  tryGet(): T | undefined {
    if (this.#queue.length === 0) return undefined;
    const item = this.#queue.pop() as T;
    this.#states.set(item, PROCESSING);
    this.#processing++;
    this.#metrics?.get(item);
    return item;
  }

  /**
   * Takes the next item, and waits for one if the queue is empty. Waiting calls are served in order. Call
   * {@linkcode WorkQueue.done} when the item has been processed.
   *
   * @param options A `signal` that ends the wait.
   * @returns The item; or `shutdown` if the queue is shut down and empty, upon which the worker should stop.
   * @throws `signal.reason` when `signal` aborts before the call is served; no item is lost.
   */
  get(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<GetResult<T>> {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#waiters.size === 0) {
      if (this.#queue.length > 0) {
        return Promise.resolve({ item: this.tryGet() as T, shutdown: false });
      }
      if (this.#shuttingDown) return Promise.resolve(SHUTDOWN);
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter<T> = { resolve, release: () => {} };
      this.#waiters.add(waiter);
      waiter.release = onAbort(signal, (reason) => {
        this.#waiters.delete(waiter);
        reject(reason);
      });
    });
  }

  /**
   * Marks an item as processed. If the item was added in the meantime, it is queued again, at the end.
   *
   * @param item The item.
   * @throws {Error} When the item is not being processed: client-go would continue with the item queued twice.
   */
  done(item: T): void {
    const state = this.#states.get(item);
    if (state !== PROCESSING && state !== PROCESSING_DIRTY) {
      const name = typeof item === "string" ? `Item "${item}"` : "Item";
      throw new Error(
        `${name} is not being processed: call done() once for each item that get() returned`,
      );
    }
    this.#metrics?.done(item);
    this.#processing--;
    if (state === PROCESSING_DIRTY) {
      this.#enqueue(item);
    } else {
      this.#states.delete(item);
    }
    if (this.#processing === 0 && this.#drained !== undefined) this.#scheduleSettle();
  }

  /**
   * Shuts the queue down: new items are ignored. Queued items, and items that were added again while being processed,
   * are still handed out. A pending {@linkcode WorkQueue.shutDownWithDrain} resolves.
   */
  shutDown(): void {
    this.#close();
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  /**
   * Shuts the queue down and waits until no item is being processed. Queued items that no worker has taken are not
   * waited for. If a worker never calls {@linkcode WorkQueue.done}, the wait lasts until
   * {@linkcode WorkQueue.shutDown}.
   *
   * @returns Resolves when no item is being processed.
   */
  shutDownWithDrain(): Promise<void> {
    const { promise } = this.#drained ??= Promise.withResolvers<void>();
    this.#close();
    return promise;
  }

  /** Shuts the queue down, without waiting for the items that are being processed. */
  [Symbol.asyncDispose](): Promise<void> {
    this.shutDown();
    return Promise.resolve();
  }

  /** The number of delayed items, for a {@linkcode DelayingQueue}. */
  protected get delayedLength(): number {
    return this.#delays.length;
  }

  /** Returns the time at which a delayed item is added, for a {@linkcode DelayingQueue}; undefined if it is not delayed. */
  protected readyAtMs(item: T): number | undefined {
    return this.#delays.readyAtMs(item);
  }

  /** Adds an item after `delayMs` milliseconds, for a {@linkcode DelayingQueue}. */
  protected addDelayed(item: T, delayMs: number): void {
    this.#delays.delay(item, delayMs);
  }

  #close(): void {
    this.#shuttingDown = true;
    this.#delays.clear();
    this.#metrics?.stop();
    this.#settle();
  }

  #enqueue(item: T): void {
    this.#states.set(item, QUEUED);
    try {
      this.#queue.push(item);
    } catch (error) {
      // The user's queue has refused the item, which can be added again.
      this.#states.delete(item);
      throw error;
    }
    if (this.#waiters.size > 0) this.#scheduleSettle();
  }

  /**
   * Serves the waiting calls in a microtask. Items that are added until then coalesce, and a worker that takes its next
   * item right after `done` keeps a pending drain waiting.
   */
  #scheduleSettle(): void {
    if (this.#settleScheduled) return;
    this.#settleScheduled = true;
    queueMicrotask(() => {
      this.#settleScheduled = false;
      this.#settle();
    });
  }

  #settle(): void {
    for (const waiter of this.#waiters) {
      if (this.#queue.length > 0) {
        this.#dismiss(waiter, { item: this.tryGet() as T, shutdown: false });
      } else if (this.#shuttingDown) {
        this.#dismiss(waiter, SHUTDOWN);
      } else {
        break;
      }
    }
    if (this.#processing === 0) {
      this.#drained?.resolve();
      this.#drained = undefined;
    }
  }

  #dismiss(waiter: Waiter<T>, result: GetResult<T>): void {
    this.#waiters.delete(waiter);
    waiter.release();
    waiter.resolve(result);
  }
}

/** Throws if `item` is undefined: the queues return `undefined` when they have no item. */
export function requireItem(item: unknown): void {
  if (item === undefined) {
    throw new TypeError("Item is undefined: add a key, for example a string");
  }
}
