import {
  type Clock,
  ENVIRONMENT_CHECKS,
  isDelay,
  isFunction,
  type OptionChecks,
  realClock,
  requireOptions,
  requireSync,
  RingBuffer,
} from "../base/mod.ts";
import type { Queue } from "./queue.ts";

/** Options of a {@linkcode PriorityQueue}. */
export interface PriorityQueueOptions<T> {
  /**
   * Returns the priority of an item: higher ones are taken first. Called when the item is added, and when it is added
   * again while it waits. controller-runtime uses 0, and -100 for the objects of the initial list. Use few
   * distinct priorities: taking an item takes time proportional to their number.
   */
  readonly priorityOf: (item: T) => number;
  /**
   * The wait that outweighs one point of priority, in milliseconds. Default 300: an item of priority -100 that has
   * waited for 30 s is taken before a new item of priority 0, so that no item waits for ever.
   */
  readonly ageingMsPerPoint?: number | undefined;
  /** The clock that measures how long items wait. Default: the real clock. */
  readonly clock?: Clock | undefined;
}

const CHECKS: OptionChecks<PriorityQueueOptions<never>> = {
  priorityOf: isFunction,
  ageingMsPerPoint: isDelay,
  clock: ENVIRONMENT_CHECKS.clock,
};

interface Entry<T> {
  readonly item: T;
  /** The time at which the item would have been added if its priority were 0. */
  readonly rankMs: number;
  readonly sequence: number;
  /** False after the item has moved to another priority: the entry is then skipped. */
  isCurrent: boolean;
}

/**
 * Orders the items of a `WorkQueue` by priority: controller-runtime's priority queue. Items of one priority are taken in
 * the order in which they were added. Unlike controller-runtime's, items age: however many urgent items are added,
 * others are taken in the end.
 *
 * An item that is added again while it waits moves up if its priority is higher by then, and keeps its turn otherwise.
 *
 * @example Changes by users come before the objects of the initial list
 * ```ts
 * import { PriorityQueue, WorkQueue } from "@kubeloop/controller/workqueue";
 * import { assertEquals } from "@std/assert";
 *
 * const changed = new Set<string>();
 * const queue = new PriorityQueue<string>({ priorityOf: (key) => changed.has(key) ? 0 : -100 });
 * const work = new WorkQueue({ queue });
 * for (const key of ["a", "b", "c"]) work.add(key);
 * changed.add("c");
 * work.add("c");
 * assertEquals([work.tryGet(), work.tryGet(), work.tryGet()], ["c", "a", "b"]);
 * ```
 *
 * @typeParam T The type of the items.
 */
export class PriorityQueue<T = string> implements Queue<T> {
  readonly #priorityOf: (item: T) => number;
  readonly #ageingMsPerPoint: number;
  readonly #clock: Clock;
  /** The waiting entries of each priority, in the order of `rankMs`. */
  readonly #levels = new Map<number, RingBuffer<Entry<T>>>();
  readonly #entries = new Map<T, Entry<T>>();
  #sequence = 0;

  /**
   * Creates an empty queue.
   *
   * @param options The priorities, the ageing and the clock.
   * @throws {TypeError} When `priorityOf` is not a function.
   * @throws {RangeError} When `ageingMsPerPoint` is negative or not a number.
   */
  constructor(options: PriorityQueueOptions<T>) {
    requireOptions("PriorityQueue", options, CHECKS as OptionChecks<PriorityQueueOptions<T>>);
    const { priorityOf, ageingMsPerPoint = 300, clock = realClock } = options;
    if (priorityOf === undefined) throw new TypeError("PriorityQueue needs a priorityOf function");
    this.#priorityOf = priorityOf;
    this.#ageingMsPerPoint = ageingMsPerPoint;
    this.#clock = clock;
  }

  /** The number of stored items. */
  get length(): number {
    return this.#entries.size;
  }

  /** Stores an item. */
  push(item: T): void {
    this.#store(item, this.#priority(item));
  }

  /** Moves an item up if its priority is higher than when it was stored. */
  touch(item: T): void {
    const entry = this.#entries.get(item);
    if (entry === undefined) return;
    const priority = this.#priority(item);
    // An item that has waited for long may be due already.
    if (this.#rankMs(priority) >= entry.rankMs) return;
    entry.isCurrent = false;
    this.#store(item, priority);
  }

  /** Removes the next item and returns it. */
  pop(): T | undefined {
    let best: RingBuffer<Entry<T>> | undefined;
    let next: Entry<T> | undefined;
    for (const [priority, entries] of this.#levels) {
      let head = entries.peek();
      while (head !== undefined && !head.isCurrent) {
        entries.shift();
        head = entries.peek();
      }
      if (head === undefined) {
        this.#levels.delete(priority);
      } else if (next === undefined || precedes(head, next)) {
        best = entries;
        next = head;
      }
    }
    if (best === undefined || next === undefined) return undefined;
    best.shift();
    this.#entries.delete(next.item);
    return next.item;
  }

  #store(item: T, priority: number): void {
    const rankMs = this.#rankMs(priority);
    const entry = { item, rankMs, sequence: this.#sequence++, isCurrent: true };
    this.#entries.set(item, entry);
    this.#level(priority).push(entry);
  }

  #rankMs(priority: number): number {
    return this.#clock.now() - priority * this.#ageingMsPerPoint;
  }

  #level(priority: number): RingBuffer<Entry<T>> {
    const known = this.#levels.get(priority);
    if (known !== undefined) return known;
    const entries = new RingBuffer<Entry<T>>();
    this.#levels.set(priority, entries);
    return entries;
  }

  #priority(item: T): number {
    const priority = requireSync("priorityOf()", this.#priorityOf(item));
    if (Number.isFinite(priority)) return priority;
    throw new RangeError(
      `priorityOf() returned ${String(priority)} for an item: expected a finite number`,
    );
  }
}

/** Reports whether `a` is to be taken before `b`. */
function precedes<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.rankMs < b.rankMs || (a.rankMs === b.rankMs && a.sequence < b.sequence);
}
