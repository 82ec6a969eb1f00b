import {
  type Clock,
  type Counter,
  describeError,
  Heap,
  type HeapItem,
  type Logger,
  PacedLogger,
  realClock,
  requireFinite,
  safeLogger,
  type Timer,
  TurnBudget,
} from "../base/mod.ts";
import { metricsTarget } from "./queue_metrics.ts";
import { requireItem } from "./require_item.ts";
import { WorkQueue, type WorkQueueOptions } from "./work_queue.ts";

/** The pause before an item is added again that the user's `Queue` has refused, in milliseconds. */
const RETRY_MS = 1_000;

class WaitingEntry<T> implements HeapItem {
  heapIndex = -1;
  readonly item: T;
  readyAtMs: number;
  /** Breaks ties: entries that are ready at the same time are added in the order in which they were created. */
  readonly sequence: number;

  constructor(item: T, readyAtMs: number, sequence: number) {
    this.item = item;
    this.readyAtMs = readyAtMs;
    this.sequence = sequence;
  }
}

/**
 * A {@linkcode WorkQueue} that can also add items after a delay: client-go's delaying queue. Delays keep failing items
 * from being retried in a hot loop.
 *
 * An item has at most one pending delay. As in client-go, {@linkcode WorkQueue.add} does not cancel that delay, so the
 * item is added again when the delay has passed. Unlike client-go's queue, this queue has no heartbeat: it sets one
 * timer, for the earliest item. When very many items are ready at once, they are added over several turns of the event
 * loop.
 *
 * @example Add an item again after a minute
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
 * @typeParam T The type of the items; `undefined` is not a valid item.
 */
export class DelayingQueue<T = string> extends WorkQueue<T> {
  readonly #clock: Clock;
  readonly #retries: Counter | undefined;
  #waiting = new Heap<WaitingEntry<T>>(isEarlier);
  readonly #entries = new Map<T, WaitingEntry<T>>();
  /** A queue has no logger of its own: this one writes what the user's `Queue` does wrong. */
  readonly #logger: Logger;
  #sequence = 0;
  #timer: Timer | undefined;
  /** The time for which `#timer` is set. Only valid while `#timer` is set. */
  #timerAtMs = 0;

  /**
   * Creates an empty queue. Its metrics include `workqueue_retries_total`, which counts the calls of `addAfter`.
   *
   * @param options The name, the metrics, the clock and the order of the queue.
   */
  constructor(options: WorkQueueOptions<T> = {}) {
    super(options);
    this.#clock = options.clock ?? realClock;
    this.#logger = new PacedLogger(safeLogger(), this.#clock);
    const target = metricsTarget(options.name, options.metrics);
    this.#retries = target?.provider.counter("workqueue_retries_total", { name: target.name });
  }

  /** The number of items that are delayed: those whose delay has passed count until they are added. */
  get waitingLength(): number {
    return this.#waiting.length;
  }

  /**
   * Adds an item after `delayMs` milliseconds, or at once if `delayMs` is 0 or less. If the item is already delayed,
   * the earlier of the two times applies. After the queue is shut down, the call is ignored.
   *
   * @param item The item.
   * @param delayMs The delay, in milliseconds.
   * @throws {RangeError} When `delayMs` is NaN or infinite.
   * @throws {TypeError} When `item` is undefined.
   */
  addAfter(item: T, delayMs: number): void {
    requireItem(item);
    requireFinite("delayMs", delayMs);
    if (this.shuttingDown()) return;
    this.#retries?.inc();
    if (delayMs <= 0) {
      this.add(item);
      return;
    }
    this.#wait(item, this.#clock.now() + delayMs);
    this.#arm();
  }

  /** Shuts the queue down as {@linkcode WorkQueue.shutDown} does. Delayed items are dropped. */
  override shutDown(): void {
    super.shutDown();
    this.#dropWaiting();
  }

  /**
   * Shuts the queue down as {@linkcode WorkQueue.shutDownWithDrain} does. Delayed items are dropped.
   *
   * @returns Resolves when no item is being processed.
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

  /** Sets the timer for the earliest item, unless it is already set for that time. */
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
    const budget = new TurnBudget(this.#clock);
    let entry = this.#waiting.peek();
    // A timer may fire slightly early. Entries that are not ready by the clock wait for the next timer. So do entries
    // for which this turn has no time: that timer fires in the next turn.
    while (entry !== undefined && entry.readyAtMs <= now && !budget.isSpent()) {
      const { item } = entry;
      this.#waiting.remove(entry);
      this.#entries.delete(item);
      try {
        this.add(item);
      } catch (error) {
        // An error in a timer would end the process, and the item must not be lost.
        this.#logger.error(
          `A delayed item cannot be queued, trying again: ${describeError(error)}`,
        );
        this.#wait(item, now + RETRY_MS);
      }
      entry = this.#waiting.peek();
    }
  }

  #dropWaiting(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#entries.clear();
    // A new heap, because popping a million entries takes a second.
    this.#waiting = new Heap<WaitingEntry<T>>(isEarlier);
  }
}

function isEarlier(a: WaitingEntry<unknown>, b: WaitingEntry<unknown>): boolean {
  return a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.sequence < b.sequence);
}
