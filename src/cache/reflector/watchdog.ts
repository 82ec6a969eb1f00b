import type { Clock, Timer } from "../../base/mod.ts";

/** Calls back once nothing has been fed to it for a while. Feeding it sets no timer, so it can be done per event. */
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

  /** Something was heard. */
  feed(): void {
    this.#fedAtMs = this.#clock.now();
  }

  /** It is no longer needed. */
  stop(): void {
    this.#timer.cancel();
  }

  readonly #look = (): void => {
    const remainingMs = this.#fedAtMs + this.#limitMs - this.#clock.now();
    if (remainingMs <= 0) this.#onSilence();
    else this.#timer = this.#clock.setTimer(this.#look, remainingMs);
  };
}
