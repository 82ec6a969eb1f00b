import type { Clock, Timer } from "../../base/mod.ts";

/**
 * A clock that is read once for a step of work that takes no time: reading the time is among the dearest things that
 * happen to a key.
 */
export class StepClock implements Clock {
  readonly #clock: Clock;
  #isHeld = false;
  #heldMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Begins a step, which must be short and without code of users. Returns false within another one, which then has to end
   * it.
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
