import { type Clock, Heap, type HeapItem, type Timer } from "@kubeloop/controller/base";

class VirtualTimer implements Timer, HeapItem {
  heapIndex = -1;
  readonly callback: () => void;
  readonly dueMs: number;
  /** Timers due at the same time fire in the order they were set in. */
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
 * A clock that stands still until it is told to move. With it, hours of retries pass in milliseconds, and every run has the
 * same order of events.
 *
 * What is due now happens without being told: timers with a delay of 0 fire by themselves, one a turn of the event loop. To
 * get further, move the clock: between two timers it lets everything run that is ready, all promises, and streams that are in
 * this process. It does not wait for sockets or files.
 *
 * @example Ten minutes in no time
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
  /** How many calls of `advance` and `run` are under way. */
  #movers = 0;
  #isFiringDue = false;

  /** Makes a clock at 0 milliseconds. */
  constructor(options: VirtualClockOptions = {}) {
    this.#wallStartMs = options.wallStartMs ?? Date.UTC(2026, 0, 1);
  }

  /** Returns the milliseconds since the clock was made. */
  now(): number {
    return this.#nowMs;
  }

  /** Returns the wall time that has been reached, in milliseconds since the Unix epoch. */
  wallNow(): number {
    return this.#wallStartMs + this.#nowMs;
  }

  /** Calls `callback` when the clock has been moved `delayMs` milliseconds on; by itself when that is 0. */
  setTimer(callback: () => void, delayMs: number): Timer {
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

  /** Lets everything run that is ready now, without moving the time. */
  settle(): Promise<void> {
    return this.advance(0);
  }

  /**
   * Moves the time on by `ms` milliseconds, fires the timers that are due on the way, in order, and lets everything settle
   * after each. Timers that are set meanwhile fire too, if they are due in time.
   */
  async advance(ms: number): Promise<void> {
    const targetMs = this.#nowMs + ms;
    await this.#move(async () => {
      while (this.#fireNext(targetMs)) await hop();
      this.#nowMs = Math.max(this.#nowMs, targetMs);
    });
  }

  /**
   * Moves the time on until `promise` has settled, and settles as it does.
   *
   * @throws {Error} When no timer is left that could settle it, or `limitMs` have passed (default: one day).
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

  /** Fires the timers that are due now, one a turn, until somebody moves the clock, who fires the rest. */
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
      // A timer that was set in the last moment is due, too.
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
 * One turn of the event loop: every promise that can settle has, afterwards. A microtask is not enough, since streams
 * chain many of them; `setTimeout(0)` does it too, ten times slower.
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
