import {
  type Clock,
  describeError,
  Heap,
  type HeapItem,
  PacedLogger,
  safeLogger,
  type Timer,
  TurnBudget,
} from "../base/mod.ts";

/** The delay before an item is added again that the user's `Queue` has refused, in milliseconds. */
const RETRY_MS = 1_000;

class DelayedItem<T> implements HeapItem {
  heapIndex = -1;
  readonly item: T;
  readyAtMs: number;
  /** Breaks ties: items that are ready at the same time are added in the order in which they were delayed. */
  readonly sequence: number;

  constructor(item: T, readyAtMs: number, sequence: number) {
    this.item = item;
    this.readyAtMs = readyAtMs;
    this.sequence = sequence;
  }
}

/**
 * The delayed items of a queue. One timer is set, for the earliest item. When very many items are ready at once, they
 * are added over several turns of the event loop.
 *
 * @internal
 */
export class Delays<T> {
  readonly #clock: Clock;
  readonly #add: (item: T) => void;
  readonly #logger: PacedLogger;
  #heap = new Heap<DelayedItem<T>>(isEarlier);
  readonly #items = new Map<T, DelayedItem<T>>();
  #sequence = 0;
  #timer: Timer | undefined;
  /** The time for which `#timer` is set. Only valid while `#timer` is set. */
  #timerAtMs = 0;

  /** Creates an empty set of delays, which calls `add` with each item whose delay has passed. */
  constructor(clock: Clock, add: (item: T) => void) {
    this.#clock = clock;
    this.#add = add;
    this.#logger = new PacedLogger(safeLogger(), clock);
  }

  /** The number of delayed items. An item whose delay has passed counts until it is added. */
  get length(): number {
    return this.#heap.length;
  }

  /** Delays an item. An item that is delayed already keeps the earlier of the two times. */
  delay(item: T, delayMs: number): void {
    this.#wait(item, this.#clock.now() + delayMs);
    this.#arm();
  }

  /** Returns the time at which an item is ready; undefined if it is not delayed. */
  readyAtMs(item: T): number | undefined {
    return this.#items.get(item)?.readyAtMs;
  }

  /** Drops an item. */
  cancel(item: T): void {
    const delayed = this.#items.get(item);
    if (delayed === undefined) return;
    this.#heap.remove(delayed);
    this.#items.delete(item);
  }

  /** Drops all items. */
  clear(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#items.clear();
    // A new heap, because popping a million items takes a second.
    if (this.#heap.length > 0) this.#heap = new Heap<DelayedItem<T>>(isEarlier);
  }

  #wait(item: T, readyAtMs: number): void {
    const delayed = this.#items.get(item);
    if (delayed === undefined) {
      const added = new DelayedItem(item, readyAtMs, this.#sequence++);
      this.#items.set(item, added);
      this.#heap.push(added);
    } else if (readyAtMs < delayed.readyAtMs) {
      delayed.readyAtMs = readyAtMs;
      this.#heap.fix(delayed);
    }
  }

  /** Sets the timer for the earliest item, unless it is already set for that time. */
  #arm(): void {
    const earliest = this.#heap.peek();
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
    let earliest = this.#heap.peek();
    // A timer may fire slightly early. Items that are not ready by the clock wait for the next timer. So do items for
    // which this turn has no time: that timer fires in the next turn.
    while (earliest !== undefined && earliest.readyAtMs <= now && !budget.isSpent()) {
      const { item } = earliest;
      this.#heap.remove(earliest);
      this.#items.delete(item);
      try {
        this.#add(item);
      } catch (error) {
        // An error in a timer would end the process, and the item must not be lost.
        this.#logger.error(
          `A delayed item cannot be queued, trying again: ${describeError(error)}`,
        );
        this.#wait(item, now + RETRY_MS);
      }
      earliest = this.#heap.peek();
    }
  }
}

function isEarlier(a: DelayedItem<unknown>, b: DelayedItem<unknown>): boolean {
  return a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.sequence < b.sequence);
}
