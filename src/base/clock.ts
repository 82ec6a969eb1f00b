/** A timer that has been set and not yet fired or cancelled. */
export interface Timer {
  /** Stops the timer; it will not fire. Harmless when it has fired or was cancelled before. */
  cancel(): void;
}

/**
 * Where every duration, deadline and timestamp of the library comes from. Inject a virtual one to make a program
 * deterministic.
 *
 * @example A clock of your own
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
  /** Monotonic milliseconds from an arbitrary start: for durations and deadlines. It never goes back. */
  now(): number;
  /** Milliseconds since the Unix epoch: for timestamps only, since it may jump. */
  wallNow(): number;
  /** Calls `callback` once, `delayMs` milliseconds from now, never from within this call. */
  setTimer(callback: () => void, delayMs: number): Timer;
}

/** The longest delay that runtimes take; past it they fire at once, so longer timers are set in hops. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

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
    // A deadline that has just passed makes a negative delay, which Node and Bun warn of.
    if (delayMs <= MAX_TIMEOUT_MS) return setTimeout(this.#callback, Math.max(0, delayMs));
    return setTimeout(() => {
      this.#id = this.#arm(this.#deadline - performance.now());
    }, MAX_TIMEOUT_MS);
  }

  cancel(): void {
    clearTimeout(this.#id);
  }
}

/** The machine's own clock: the default wherever a {@linkcode Clock} is taken. */
export const realClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimer: (callback, delayMs) => new RealTimer(callback, delayMs),
};
