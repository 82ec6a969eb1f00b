// Time would pass while the tables were loaded, when an informer first needs one.
import "@kubeloop/controller/internal/protobuf";
import {
  type Clock,
  delay,
  Heap,
  type HeapItem,
  requireCount,
  requireDelay,
  requireFinite,
  requireFunctions,
  requireMethods,
  requireTimeLimit,
  requireTimerDelay,
  type Timer,
} from "@kubeloop/controller/internal/base";
import { nextTurn } from "./next_turn.ts";
import { Standstill, StandstillError } from "./standstill.ts";
import { TurnQueue } from "./turn_queue.ts";

/**
 * The real milliseconds that a promise may take if no timer can settle it, because it waits for a file or for a module that
 * is loaded when it is first used.
 */
const MAX_WAITS = 1_000;

/** The default of {@linkcode VirtualClockOptions.standstillLimit}. */
const STANDSTILL_LIMIT = 250_000;

class VirtualTimer implements Timer, HeapItem {
  heapIndex = -1;
  readonly callback: () => void;
  readonly dueMs: number;
  /** Breaks ties: timers that are due at the same time fire in the order in which they were set. */
  readonly sequence: number;
  /** Where it was set, if that is recorded. */
  readonly origin: string | undefined;
  readonly #heap: Heap<VirtualTimer>;

  constructor(
    heap: Heap<VirtualTimer>,
    set: Pick<VirtualTimer, "callback" | "dueMs" | "sequence" | "origin">,
  ) {
    this.#heap = heap;
    this.callback = set.callback;
    this.dueMs = set.dueMs;
    this.sequence = set.sequence;
    this.origin = set.origin;
  }

  cancel(): void {
    if (this.heapIndex >= 0) this.#heap.remove(this);
  }
}

/** Options of a {@linkcode VirtualClock}. */
export interface VirtualClockOptions {
  /** The wall time to start at, in milliseconds since the Unix epoch. Default: 2026-01-01T00:00:00Z. */
  readonly wallStartMs?: number;
  /**
   * The number of timers and turns that may fire while the time stands still, before the clock reports an endless loop.
   * Every request to an `ApiServer`, and every event of a watch, takes one turn. Default: 250,000.
   */
  readonly standstillLimit?: number;
}

/**
 * A clock whose time only passes when a test moves it. Hours of retries take milliseconds, and every run has the same
 * order of events, on every runtime.
 *
 * Timers with a delay of 0 and {@linkcode VirtualClock.queueTurn queued turns} fire without moving the clock, one per
 * turn of the event loop. All other timers fire when the clock is moved. Between two of them, the clock lets everything
 * run that is ready: all promises, and streams within this process. The clock does not wait for sockets or files.
 *
 * Only one call can move the clock at a time: {@linkcode VirtualClock.advance}, {@linkcode VirtualClock.run} and
 * {@linkcode VirtualClock.settle} refuse to start while another one is pending.
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
 *
 * @example A loop that takes no time is an error, which says where it is
 * ```ts
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertRejects } from "@std/assert";
 *
 * const clock = new VirtualClock({ standstillLimit: 1000 });
 * const again = () => void clock.setTimer(again, 0);
 * again();
 * await assertRejects(() => clock.advance(1), Error, "stands still at 0 ms");
 * ```
 */
export class VirtualClock implements Clock {
  readonly #timers = new Heap<VirtualTimer>((a, b) =>
    a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence)
  );
  readonly #turns = new TurnQueue();
  /** The work of the runtime that the clock waits for. */
  readonly #held = new Set<Promise<void>>();
  readonly #standstill: Standstill;
  readonly #wallStartMs: number;
  #nowMs = 0;
  #sequence = 0;
  /** The pending call that moves the clock, for messages. */
  #mover: string | undefined;
  #isFiringDue = false;
  /** Why the clock has stopped to fire by itself. The next call that moves it throws this. */
  #stopped: Error | undefined;

  /**
   * Creates a clock at 0 milliseconds.
   *
   * @throws {RangeError} If an option is not a number in its range.
   */
  constructor(options: VirtualClockOptions = {}) {
    const { wallStartMs = Date.UTC(2026, 0, 1), standstillLimit = STANDSTILL_LIMIT } = options;
    requireFinite("wallStartMs", wallStartMs);
    requireCount("standstillLimit", standstillLimit, 1);
    this.#wallStartMs = wallStartMs;
    this.#standstill = new Standstill(standstillLimit);
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
   *
   * @throws {RangeError} If `delayMs` is not a number.
   */
  setTimer(callback: () => void, delayMs: number): Timer {
    requireTimerDelay(delayMs);
    const timer = new VirtualTimer(this.#timers, {
      callback,
      dueMs: this.#nowMs + Math.max(0, delayMs),
      sequence: this.#sequence++,
      origin: this.#standstill.origin(this.setTimer),
    });
    this.#timers.push(timer);
    if (delayMs <= 0) this.#wake();
    return timer;
  }

  /**
   * Calls `callback` in a turn of the event loop of its own, without moving the clock. All queued turns come before the
   * next timer.
   *
   * Use it to make concurrent work repeatable: what two promise chains do within one turn of the event loop has another
   * order on each runtime, as soon as requests, responses or streams are involved. Turns are first in, first out; callbacks
   * that were queued within one turn of the event loop are sorted.
   *
   * @param callback Called once, never before `queueTurn` has returned.
   * @param order Sorts the callbacks that are queued in the same turn of the event loop. Equal ones keep the order of their
   * calls. It must not depend on the runtime. Default: empty.
   * @throws {TypeError} If `callback` is not a function, or `order` is not a string.
   *
   * @example
   * ```ts
   * import { VirtualClock } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * const clock = new VirtualClock();
   * const seen: string[] = [];
   * clock.setTimer(() => seen.push("timer"), 0);
   * clock.queueTurn(() => seen.push("GET /b"), "GET /b");
   * clock.queueTurn(() => seen.push("GET /a"), "GET /a");
   * await clock.settle();
   * assertEquals(seen, ["GET /a", "GET /b", "timer"]);
   * ```
   */
  queueTurn(callback: () => void, order = ""): void {
    requireFunctions({ callback: callback ?? null });
    if (typeof order !== "string") {
      throw new TypeError(`order must be a string: received a value of type ${typeof order}`);
    }
    this.#turns.push({ callback, order, origin: this.#standstill.origin(this.queueTurn, order) });
    this.#wake();
  }

  /** The number of timers that are set. */
  get pendingTimers(): number {
    return this.#timers.length;
  }

  /**
   * Lets everything run that is ready, without moving the clock.
   *
   * @throws {Error} As {@linkcode VirtualClock.advance} does.
   */
  async settle(): Promise<void> {
    await this.#move("settle()", () => this.#fireUntil(this.#nowMs));
  }

  /**
   * Moves the clock by `ms` milliseconds. Fires the timers that become due, in order, and lets everything settle after
   * each of them. Timers that are set in the meantime fire as well if they become due.
   *
   * @throws {RangeError} If `ms` is not a finite number of at least 0.
   * @throws {Error} If another call is still moving the clock, or if so much fires without progress of the time that it
   * looks endless, see {@linkcode VirtualClockOptions.standstillLimit}.
   */
  async advance(ms: number): Promise<void> {
    requireDelay("ms", ms);
    const targetMs = this.#nowMs + ms;
    await this.#move(`advance(${ms})`, async () => {
      await this.#fireUntil(targetMs);
      this.#setNow(targetMs);
    });
  }

  /**
   * Moves the clock until `promise` settles, and returns its result or throws its error.
   *
   * @param promise The promise. Code that it waits for must not move the clock itself.
   * @param limitMs The longest time to move the clock by; `Infinity` for no limit. Default: one day.
   * @throws {TypeError} If `promise` is not a promise.
   * @throws {RangeError} If `limitMs` is not a number above 0.
   * @throws {Error} If no timer is left that could settle the promise, or when `limitMs` have passed. Also as
   * {@linkcode VirtualClock.advance} does.
   */
  async run<T>(promise: Promise<T>, limitMs = 86_400_000): Promise<T> {
    requireMethods("a promise that run() can wait for", promise, "then");
    requireTimeLimit("limitMs", limitMs);
    const targetMs = this.#nowMs + limitMs;
    let settled = false;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    await this.#move("run()", async () => {
      for (let waits = 0; !settled;) {
        if (this.#fireNext(targetMs)) {
          waits = 0;
          await this.#hop();
        } else if (this.#timers.length > 0 || ++waits > MAX_WAITS) {
          throw this.#cannotSettle(limitMs);
        } else await delay(1);
      }
    });
    return promise;
  }

  /**
   * Lets the clock stand still until `work` has settled: work of the runtime that takes no virtual time, such as a hash that
   * is computed on another thread. What follows from it then happens at the same virtual time in each run.
   *
   * @param work The work. That it fails is not an error of the clock.
   *
   * @example
   * ```ts
   * import { VirtualClock } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * const clock = new VirtualClock();
   * const hash = crypto.subtle.digest("SHA-256", new Uint8Array());
   * let hashedMs: number | undefined;
   * void hash.then(() => hashedMs = clock.now());
   * clock.hold(hash);
   * await clock.advance(1000);
   * assertEquals(hashedMs, 0);
   * ```
   */
  hold(work: Promise<unknown>): void {
    const ended = work.then(() => {}, () => {}).then(() => void this.#held.delete(ended));
    this.#held.add(ended);
  }

  #cannotSettle(limitMs: number): Error {
    return new Error(
      this.#timers.length === 0
        ? "The promise is pending and no timer is set that could settle it"
        : `The promise is still pending after ${limitMs} ms`,
    );
  }

  async #fireUntil(targetMs: number): Promise<void> {
    while (this.#fireNext(targetMs)) await this.#hop();
  }

  /** Starts to fire what is due now, unless a call moves the clock; that call fires it then. */
  #wake(): void {
    if (this.#mover !== undefined || this.#isFiringDue || this.#stopped !== undefined) return;
    this.#isFiringDue = true;
    void this.#fireDue();
  }

  async #fireDue(): Promise<void> {
    try {
      do await this.#hop(); while (this.#mover === undefined && this.#fireNext(this.#nowMs));
    } catch (error) {
      if (!(error instanceof StandstillError)) throw error;
      this.#stopped = error;
    } finally {
      this.#isFiringDue = false;
      this.#wakeIfDue();
    }
  }

  async #move(call: string, move: () => Promise<void>): Promise<void> {
    if (this.#mover !== undefined) {
      throw new Error(
        `Cannot call ${call}: ${this.#mover} is still moving the clock. Await that call first. ` +
          "Code that runs while the clock moves, such as a reconcile or a timer, must not move it; " +
          "to wait for several promises, pass Promise.all([…]) to run()",
      );
    }
    this.#mover = call;
    try {
      await this.#hop();
      const stopped = this.#stopped;
      this.#stopped = undefined;
      if (stopped !== undefined) throw stopped;
      await move();
    } finally {
      this.#mover = undefined;
      // A timer that was set at the last moment may be due as well.
      this.#wakeIfDue();
    }
  }

  #wakeIfDue(): void {
    if (this.#turns.length > 0 || (this.#timers.peek()?.dueMs ?? Infinity) <= this.#nowMs) {
      this.#wake();
    }
  }

  async #hop(): Promise<void> {
    await nextTurn(() => this.#turns.turned());
    while (this.#held.size > 0) {
      await Promise.all(this.#held);
      await nextTurn(() => this.#turns.turned());
    }
  }

  /** Fires the next turn, or else the next timer that is due by `limitMs`. Returns whether there was one. */
  #fireNext(limitMs: number): boolean {
    const turn = this.#turns.peek();
    if (turn !== undefined) {
      this.#standstill.count(turn.origin, this.#nowMs);
      this.#turns.shift();
      turn.callback();
      return true;
    }
    const timer = this.#timers.peek();
    if (timer === undefined || timer.dueMs > limitMs || timer.dueMs === Infinity) return false;
    this.#setNow(timer.dueMs);
    this.#standstill.count(timer.origin, this.#nowMs);
    this.#timers.remove(timer);
    timer.callback();
    return true;
  }

  #setNow(ms: number): void {
    if (ms <= this.#nowMs) return;
    this.#nowMs = ms;
    this.#standstill.reset();
  }
}
