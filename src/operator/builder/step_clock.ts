import type { Clock, Timer } from "../../base/mod.ts";

/**
 * A clock that is read once per short step. Reading the clock is a measurable part of the cost per key.
 */
export class StepClock implements Clock {
  readonly #clock: Clock;
  #isHeld = false;
  #heldMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Begins a step, which must be short and must not run code of users. Returns false within another step.
   */
  hold(): boolean {
    if (this.#isHeld) return false;
    this.#heldMs = this.#clock.now();
    this.#isHeld = true;
    return true;
  }

  /** Ends the step. */
  release(): void {
    this.#isHeld = false;
  }

  now(): number {
    return this.#isHeld ? this.#heldMs : this.#clock.now();
  }

  wallNow(): number {
    return this.#clock.wallNow();
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    return this.#clock.setTimer(callback, delayMs);
  }
}
