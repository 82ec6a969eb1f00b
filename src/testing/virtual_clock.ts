import {
  type Clock,
  Heap,
  type HeapItem,
  requireTimerDelay,
  type Timer,
} from "@kubeloop/controller/base";

class VirtualTimer implements Timer, HeapItem {
  heapIndex = -1;
  readonly callback: () => void;
  readonly dueMs: number;
  /** Breaks ties: timers that are due at the same time fire in the order in which they were set. */
  readonly sequence: number;
  readonly #heap: Heap<VirtualTimer>;

  constructor(
    heap: Heap<VirtualTimer>,
    callback: () => void,
    dueMs: number,
    sequence: number,
  ) {
    this.#heap = heap;
    this.callback = callback;
    this.dueMs = dueMs;
    this.sequence = sequence;
  }

  cancel(): void {
    if (this.heapIndex >= 0) this.#heap.remove(this);
  }
}

/** Options of a {@linkcode VirtualClock}. */
export interface VirtualClockOptions {
  /** The wall time to start at, in milliseconds since the Unix epoch. Default: 2026-01-01T00:00:00Z. */
  readonly wallStartMs?: number;
}

/**
 * A clock whose time only passes when a test moves it. Hours of retries take milliseconds, and every run has the same
 * order of events.
 *
 * Timers with a delay of 0 fire without moving the clock, one per turn of the event loop. All other timers fire when
 * the clock is moved. Between two timers, the clock lets everything run that is ready: all promises, and streams within
 * this process. The clock does not wait for sockets or files.
 *
 * @example Ten minutes pass in an instant
 * ```ts
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * let rang = 0;
 * clock.setTimer(() => rang++, 600_000);
 * await clock.advance(599_999);
 * assertEquals(rang, 0);
 * await clock.advance(1);
 * assertEquals(rang, 1);
 * ```
 */
export class VirtualClock implements Clock {
  readonly #timers = new Heap<VirtualTimer>((a, b) =>
    a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence)
  );
  readonly #wallStartMs: number;
  #nowMs = 0;
  #sequence = 0;
  /** The number of pending calls of `advance` and `run`. */
  #movers = 0;
  #isFiringDue = false;

  /** Creates a clock at 0 milliseconds. */
  constructor(options: VirtualClockOptions = {}) {
    this.#wallStartMs = options.wallStartMs ?? Date.UTC(2026, 0, 1);
  }

  /** Returns the virtual time since the clock was created, in milliseconds. */
  now(): number {
    return this.#nowMs;
  }

  /** Returns the virtual wall time, in milliseconds since the Unix epoch. */
  wallNow(): number {
    return this.#wallStartMs + this.#nowMs;
  }

  /**
   * Calls `callback` when the clock has been moved by `delayMs` milliseconds. With 0 or less, the clock need not be
   * moved.
   */
  setTimer(callback: () => void, delayMs: number): Timer {
    requireTimerDelay(delayMs);
    const dueMs = this.#nowMs + Math.max(0, delayMs);
    const timer = new VirtualTimer(this.#timers, callback, dueMs, this.#sequence++);
    this.#timers.push(timer);
    if (delayMs <= 0 && this.#movers === 0) void this.#fireDue();
    return timer;
  }

  /** The number of timers that are set. */
  get pendingTimers(): number {
    return this.#timers.length;
  }

  /** Lets everything run that is ready, without moving the clock. */
  settle(): Promise<void> {
    return this.advance(0);
  }

  /**
   * Moves the clock by `ms` milliseconds. Fires the timers that become due, in order, and lets everything settle after
   * each of them. Timers that are set in the meantime fire as well if they become due.
   */
  async advance(ms: number): Promise<void> {
    const targetMs = this.#nowMs + ms;
    await this.#move(async () => {
      while (this.#fireNext(targetMs)) await hop();
      this.#nowMs = Math.max(this.#nowMs, targetMs);
    });
  }

  /**
   * Moves the clock until `promise` settles, and returns its result or throws its error.
   *
   * @throws {Error} When no timer is left that could settle the promise, or when `limitMs` have passed (default: one
   * day).
   */
  async run<T>(promise: Promise<T>, limitMs = 86_400_000): Promise<T> {
    const targetMs = this.#nowMs + limitMs;
    let settled = false;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    await this.#move(async () => {
      while (!settled) {
        if (!this.#fireNext(targetMs)) throw this.#cannotSettle(limitMs);
        await hop();
      }
    });
    return promise;
  }

  #cannotSettle(limitMs: number): Error {
    return new Error(
      this.#timers.length === 0
        ? "The promise is pending and no timer is set that could settle it"
        : `The promise is still pending after ${limitMs} ms`,
    );
  }

  /** Fires the timers that are due now, one per turn, until a call moves the clock; that call fires the rest. */
  async #fireDue(): Promise<void> {
    if (this.#isFiringDue) return;
    this.#isFiringDue = true;
    await hop();
    while (this.#movers === 0 && this.#fireNext(this.#nowMs)) await hop();
    this.#isFiringDue = false;
  }

  async #move(move: () => Promise<void>): Promise<void> {
    this.#movers++;
    try {
      await hop();
      await move();
    } finally {
      this.#movers--;
      // A timer that was set at the last moment may be due as well.
      if (this.#isDue) void this.#fireDue();
    }
  }

  get #isDue(): boolean {
    return (this.#timers.peek()?.dueMs ?? Infinity) <= this.#nowMs;
  }

  #fireNext(limitMs: number): boolean {
    const timer = this.#timers.peek();
    if (timer === undefined || timer.dueMs > limitMs) return false;
    this.#timers.remove(timer);
    this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
    timer.callback();
    return true;
  }
}

/**
 * Waits for one turn of the event loop, after which every promise that can settle has settled. A microtask is not
 * enough, since streams chain many of them. `setTimeout(0)` would work as well, but takes ten times as long.
 */
function hop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      port2.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
