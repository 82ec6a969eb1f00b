import {
  type Clock,
  type Counter,
  Heap,
  type HeapItem,
  realClock,
  requireFinite,
  type Timer,
} from "../base/mod.ts";
import { metricsTarget } from "./queue_metrics.ts";
import { requireItem } from "./require_item.ts";
import { WorkQueue, type WorkQueueOptions } from "./work_queue.ts";

class WaitingEntry<T> implements HeapItem {
  heapIndex = -1;
  readonly item: T;
  readyAtMs: number;
  /** Entries that are ready at the same time come out in the order in which they were made. */
  readonly sequence: number;

  constructor(item: T, readyAtMs: number, sequence: number) {
    this.item = item;
    this.readyAtMs = readyAtMs;
    this.sequence = sequence;
  }
}

/**
 * A {@linkcode WorkQueue} that also takes items for later: client-go's delaying queue, and what keeps retries from
 * looping hot.
 *
 * An item waits at most once. Adding it for now does not take it off the wait: it then comes out again when its delay is
 * over, as in client-go. Unlike client-go's, it has no heartbeat: there is one timer, set for the earliest item.
 *
 * @example Look again in a minute
 * ```ts
 * import { DelayingQueue } from "@kubeloop/controller/workqueue";
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using queue = new DelayingQueue<string>({ clock });
 * queue.addAfter("default/web", 60_000);
 * await clock.advance(59_999);
 * assertEquals(queue.tryGet(), undefined);
 * await clock.advance(1);
 * assertEquals(queue.tryGet(), "default/web");
 * ```
 *
 * @typeParam T What the items are: anything but `undefined`.
 */
export class DelayingQueue<T = string> extends WorkQueue<T> {
  readonly #clock: Clock;
  readonly #retries: Counter | undefined;
  readonly #waiting = new Heap<WaitingEntry<T>>((a, b) =>
    a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.sequence < b.sequence)
  );
  readonly #entries = new Map<T, WaitingEntry<T>>();
  #sequence = 0;
  #timer: Timer | undefined;
  /** What the timer is set for; meaningless without one. */
  #timerAtMs = 0;

  /**
   * An empty queue. Its metrics have `workqueue_retries_total` too, which counts calls of `addAfter`.
   *
   * @param options Its name, its metrics, its clock and where it keeps its items.
   */
  constructor(options: WorkQueueOptions<T> = {}) {
    super(options);
    this.#clock = options.clock ?? realClock;
    const target = metricsTarget(options.name, options.metrics);
    this.#retries = target?.provider.counter("workqueue_retries_total", { name: target.name });
  }

  /** How many items wait for their time to come. */
  get waitingLength(): number {
    return this.#waiting.length;
  }

  /**
   * Adds an item when `delayMs` milliseconds have passed, at once when that is 0 or less. If the item waits already, the
   * earlier time counts. Ignored once the queue is shut down.
   *
   * @param item The item.
   * @param delayMs How long to wait, in milliseconds.
   * @throws {RangeError} When `delayMs` is NaN or infinite.
   * @throws {TypeError} When `item` is undefined.
   */
  addAfter(item: T, delayMs: number): void {
    requireItem(item);
    requireFinite("delayMs", delayMs);
    if (this.shuttingDown) return;
    this.#retries?.inc();
    if (delayMs <= 0) {
      this.add(item);
      return;
    }
    this.#wait(item, this.#clock.now() + delayMs);
    this.#arm();
  }

  /** Shuts down as {@linkcode WorkQueue.shutDown} does. Items whose time has not come are dropped. */
  override shutDown(): void {
    super.shutDown();
    this.#dropWaiting();
  }

  /**
   * Shuts down as {@linkcode WorkQueue.shutDownWithDrain} does. Items whose time has not come are dropped.
   *
   * @returns Resolves when no item is with a worker.
   */
  override shutDownWithDrain(): Promise<void> {
    const drained = super.shutDownWithDrain();
    this.#dropWaiting();
    return drained;
  }

  #wait(item: T, readyAtMs: number): void {
    const waiting = this.#entries.get(item);
    if (waiting === undefined) {
      const entry = new WaitingEntry(item, readyAtMs, this.#sequence++);
      this.#entries.set(item, entry);
      this.#waiting.push(entry);
    } else if (readyAtMs < waiting.readyAtMs) {
      waiting.readyAtMs = readyAtMs;
      this.#waiting.fix(waiting);
    }
  }

  /** Sees to it that the timer is set for the earliest item. */
  #arm(): void {
    const earliest = this.#waiting.peek();
    if (earliest === undefined) return;
    if (this.#timer !== undefined) {
      if (this.#timerAtMs <= earliest.readyAtMs) return;
      this.#timer.cancel();
    }
    this.#timerAtMs = earliest.readyAtMs;
    this.#timer = this.#clock.setTimer(() => {
      this.#timer = undefined;
      this.#addReady();
      this.#arm();
    }, earliest.readyAtMs - this.#clock.now());
  }

  #addReady(): void {
    const now = this.#clock.now();
    let entry = this.#waiting.peek();
    // A timer may fire a little early; what is not ready by the clock waits for the next one.
    while (entry !== undefined && entry.readyAtMs <= now) {
      this.#waiting.remove(entry);
      this.#entries.delete(entry.item);
      this.add(entry.item);
      entry = this.#waiting.peek();
    }
  }

  #dropWaiting(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#entries.clear();
    while (this.#waiting.pop() !== undefined);
  }
}
