import { requireRuntime } from "./require_runtime.ts";

// In this file, because nearly everything needs a clock: bundlers drop unused modules.
requireRuntime();

/** A timer that was set by {@linkcode Clock.setTimer}. */
export interface Timer {
  /** Cancels the timer, so that it does not fire. Has no effect if it has fired or is cancelled already. */
  cancel(): void;
}

/**
 * The source of time: every duration, deadline and timestamp of the library comes from a clock. Inject a virtual clock
 * to make a program deterministic.
 *
 * @example A clock that stands still
 * ```ts
 * import type { Clock } from "@kubeloop/controller";
 *
 * const frozen: Clock = {
 *   now: () => 0,
 *   wallNow: () => Date.UTC(2026, 0, 1),
 *   setTimer: () => ({ cancel() {} }),
 * };
 * frozen.now();
 * ```
 */
export interface Clock {
  /** Returns monotonic milliseconds since an arbitrary start: for durations and deadlines. They never go back. */
  now(): number;
  /** Returns the milliseconds since the Unix epoch: for timestamps only, because they may jump. */
  wallNow(): number;
  /**
   * Calls `callback` once, after `delayMs` milliseconds, and never before `setTimer` has returned.
   *
   * @param delayMs The delay; `Infinity` never ends.
   * @throws {RangeError} If the delay is not a number. A timer of NaN would fire at once, or never.
   */
  setTimer(callback: () => void, delayMs: number): Timer;
}

/** The longest timeout that runtimes support. Longer ones fire immediately, so long timers are set in several parts. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The part of the global scope that is used and that Deno's types lack. */
interface Immediates {
  setImmediate(callback: () => void): unknown;
  clearImmediate(immediate: unknown): void;
}

/**
 * The timers of Node and Bun that fire after one turn of the event loop, where `setTimeout` takes a millisecond. On
 * Deno, a chain of them lets hardly any socket be read.
 */
const immediates = "Deno" in globalThis || !("setImmediate" in globalThis)
  ? undefined
  : globalThis as unknown as Immediates;

/**
 * Checks the delay of a timer.
 *
 * @throws {RangeError} If `delayMs` is not a number.
 */
export function requireTimerDelay(delayMs: number): void {
  if (typeof delayMs === "number" && !Number.isNaN(delayMs)) return;
  throw new RangeError(
    `The delay of a timer must be a number of milliseconds: received ${
      typeof delayMs === "number" ? "NaN" : `a value of type ${typeof delayMs}`
    }`,
  );
}

class RealTimer implements Timer {
  readonly #callback: () => void;
  readonly #deadline: number;
  #id: ReturnType<typeof setTimeout>;

  constructor(callback: () => void, delayMs: number) {
    this.#callback = callback;
    this.#deadline = performance.now() + delayMs;
    this.#id = this.#arm(delayMs);
  }

  #arm(delayMs: number): ReturnType<typeof setTimeout> {
    // A deadline that has just passed gives a negative delay, and Node and Bun warn about negative delays.
    if (delayMs <= MAX_TIMEOUT_MS) return setTimeout(this.#callback, Math.max(0, delayMs));
    return setTimeout(() => {
      this.#id = this.#arm(this.#deadline - performance.now());
    }, MAX_TIMEOUT_MS);
  }

  cancel(): void {
    clearTimeout(this.#id);
  }
}

/** The clock of the machine: the default wherever a {@linkcode Clock} is an option. */
export const realClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimer(callback, delayMs) {
    requireTimerDelay(delayMs);
    if (delayMs > 0 || immediates === undefined) return new RealTimer(callback, delayMs);
    const immediate = immediates.setImmediate(callback);
    return { cancel: () => immediates.clearImmediate(immediate) };
  },
};
