import type { Clock, Timer } from "../../base/mod.ts";

/**
 * Calls a function if it is not fed for a given time. Feeding sets no timer, so that it is cheap enough for every
 * event.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #onSilence: () => void;
  #fedAtMs: number;
  #timer: Timer;

  constructor(clock: Clock, limitMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#onSilence = onSilence;
    this.#fedAtMs = clock.now();
    this.#timer = clock.setTimer(this.#look, limitMs);
  }

  /** Notes a sign of life. */
  feed(): void {
    this.#fedAtMs = this.#clock.now();
  }

  /** Cancels the timer. */
  stop(): void {
    this.#timer.cancel();
  }

  readonly #look = (): void => {
    const remainingMs = this.#fedAtMs + this.#limitMs - this.#clock.now();
    if (remainingMs <= 0) this.#onSilence();
    else this.#timer = this.#clock.setTimer(this.#look, remainingMs);
  };
}
