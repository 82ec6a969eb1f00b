import {
  type Cleanup,
  type Clock,
  type Deferred,
  deferred,
  type MetricsProvider,
  onAbort,
  realClock,
  RingBuffer,
} from "../base/mod.ts";
import { metricsTarget, QueueMetrics } from "./queue_metrics.ts";
import { requireItem } from "./require_item.ts";
import type { Queue } from "./queue.ts";

/** Options of a {@linkcode WorkQueue}. */
export interface WorkQueueOptions<T> {
  /** The `name` label of the queue's metrics. Default: none, and a queue without a name reports no metrics. */
  readonly name?: string | undefined;
  /**
   * Where the metrics go: `workqueue_depth`, `_adds_total`, `_queue_duration_seconds`, `_work_duration_seconds`,
   * `_unfinished_work_seconds` and `_longest_running_processor_seconds`. Each queue is given its own; there is no
   * process-wide provider as client-go's `SetProvider` sets. Default: nowhere.
   */
  readonly metrics?: MetricsProvider | undefined;
  /** Where the time comes from. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Where the items wait, which decides their order. Default: first in, first out. */
  readonly queue?: Queue<T> | undefined;
}

/** What {@linkcode WorkQueue.get} answers: an item to work on, or word that there will be no more. */
export type GetResult<T> =
  | { readonly item: T; readonly shutdown: false }
  | { readonly item: undefined; readonly shutdown: true };

/**
 * Where an item is. An item the queue does not know has no state; "dirty" is client-go's word for "needs (more) work".
 * One map of these numbers does what client-go's `dirty` and `processing` sets do, with fewer look-ups.
 */
type ItemState = typeof QUEUED | typeof PROCESSING | typeof PROCESSING_DIRTY;
/** Dirty, and in the queue. */
const QUEUED = 1;
/** With a worker. */
const PROCESSING = 2;
/** With a worker and dirty: goes to the queue when the worker is done. */
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
 * A queue of work: client-go's `workqueue`. It is
 *
 * - fair: items come out in the order in which they were added;
 * - stingy: an item that is added several times before a worker takes it comes out once;
 * - safe for many workers: an item is never with two of them, and one that is added while a worker has it comes out once
 *   more after that worker's {@linkcode WorkQueue.done};
 * - able to stop: after {@linkcode WorkQueue.shutDown} what is queued still comes out, and then word that it is over.
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
 * @typeParam T What the items are: anything but `undefined`.
 */
export class WorkQueue<T = string> implements AsyncDisposable {
  /** Holds exactly the items whose state is QUEUED. */
  readonly #queue: Queue<T>;
  readonly #states = new Map<T, ItemState>();
  readonly #metrics: QueueMetrics<T> | undefined;
  /** In the order in which they came; a Set, so that one that gives up leaves in constant time. */
  readonly #waiters = new Set<Waiter<T>>();
  /** How many items are with a worker. */
  #processing = 0;
  #shuttingDown = false;
  #drained: Deferred<void> | undefined;
  #settleScheduled = false;

  /**
   * An empty queue.
   *
   * @param options Its name, its metrics and where it keeps its items.
   */
  constructor(options: WorkQueueOptions<T> = {}) {
    const { name, metrics, clock = realClock, queue = new FifoQueue<T>() } = options;
    this.#queue = queue;
    const target = metricsTarget(name, metrics);
    this.#metrics = target && new QueueMetrics<T>(target, clock);
  }

  /** How many items wait for a worker: not those with a worker, even if added again, nor those added for later. */
  get length(): number {
    return this.#queue.length;
  }

  /**
   * The same as {@linkcode WorkQueue.length}, by client-go's name.
   *
   * @returns How many items wait for a worker.
   */
  len(): number {
    return this.#queue.length;
  }

  /** Whether the queue has been shut down and takes nothing in any more. */
  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /**
   * Marks an item as needing work: it is queued, unless it is already, or after the worker that has it is done. Ignored
   * once the queue is shut down.
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
      return;
    }
    this.#metrics?.add(item);
    if (state === PROCESSING) {
      this.#states.set(item, PROCESSING_DIRTY);
    } else {
      this.#enqueue(item);
    }
  }

  /**
   * Takes the next item, if one is queued. Call {@linkcode WorkQueue.done} with it when it has been worked on.
   *
   * @returns The item, or undefined when none is queued.
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
   * Takes the next item, waiting in line for it if need be. Call {@linkcode WorkQueue.done} with it when it has been
   * worked on.
   *
   * @param options Its `signal` ends the waiting.
   * @returns The item; or `shutdown`, when the queue is shut down and empty: the worker should end.
   * @throws `signal.reason` when `signal` aborts before there is an answer; no item is lost by that.
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
   * Ends the work on an item. If it was added meanwhile, it goes to the end of the queue.
   *
   * @param item The item.
   * @throws {Error} When the item is not with a worker: client-go would go on with the item queued twice.
   */
  done(item: T): void {
    const state = this.#states.get(item);
    if (state !== PROCESSING && state !== PROCESSING_DIRTY) {
      const name = typeof item === "string" ? `Item "${item}"` : "Item";
      throw new Error(
        `${name} is not being processed: call done() once for each item that get() gave out`,
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
   * Takes nothing in from now on. What is queued, and what was added while a worker has it, still comes out. Ends the
   * wait of an earlier {@linkcode WorkQueue.shutDownWithDrain}.
   */
  shutDown(): void {
    this.#close();
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  /**
   * Shuts down and resolves when no item is with a worker, at once if none is: it does not wait for queued items that
   * no worker has taken. A worker that never calls {@linkcode WorkQueue.done} keeps it waiting until
   * {@linkcode WorkQueue.shutDown}.
   *
   * @returns Resolves when no item is with a worker.
   */
  shutDownWithDrain(): Promise<void> {
    if (this.#processing > 0) this.#drained ??= deferred();
    const drained = this.#drained?.promise ?? Promise.resolve();
    this.#close();
    return drained;
  }

  /** Shuts down. It does not wait for workers, whose items are not the queue's to wait for. */
  [Symbol.asyncDispose](): Promise<void> {
    this.shutDown();
    return Promise.resolve();
  }

  #close(): void {
    this.#shuttingDown = true;
    this.#metrics?.stop();
    this.#settle();
  }

  #enqueue(item: T): void {
    this.#states.set(item, QUEUED);
    this.#queue.push(item);
    if (this.#waiters.size > 0) this.#scheduleSettle();
  }

  /**
   * Those who wait are served in a microtask: the items that are added until then coalesce, and a worker that takes its
   * next item right after its last is still at work in the eyes of a drain.
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
