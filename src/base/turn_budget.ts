import { delay } from "./abort.ts";
import type { Clock } from "./clock.ts";

/** The limits of one turn of the event loop. The first limit that is reached ends the turn. */
const MAX_STEPS = 500;
const MAX_MS = 10;
/**
 * The number of steps until the next reading of the clock if the last one found that less than `NO_TIME_MS` had passed:
 * reading the clock takes longer than a fast step.
 */
const FAST_STEPS = 8;
const NO_TIME_MS = 1;

/** A limit on the work that is done in one turn of the event loop, so that other tasks get their turn too. */
export class TurnBudget {
  readonly #clock: Clock;
  #endAtMs = 0;
  #readAtMs = 0;
  #steps = 0;
  #nextReading = 1;

  /** Creates a full budget. The turn starts now. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.restart();
  }

  /**
   * Reports whether the next step must wait for another turn. Call it before each step. The first step of a turn never
   * has to wait.
   *
   * @param steps The number of steps that the caller does next. Default 1.
   */
  isSpent(steps = 1): boolean {
    const before = this.#steps;
    this.#steps += steps;
    if (before >= MAX_STEPS) return true;
    if (before < this.#nextReading) return false;
    const nowMs = this.#clock.now();
    this.#nextReading = before + (nowMs - this.#readAtMs < NO_TIME_MS ? FAST_STEPS : 1);
    this.#readAtMs = nowMs;
    return nowMs >= this.#endAtMs;
  }

  /** Fills the budget again. Call it when the event loop has turned. */
  restart(): void {
    this.#readAtMs = this.#clock.now();
    this.#endAtMs = this.#readAtMs + MAX_MS;
    this.#steps = 0;
    this.#nextReading = 1;
  }

  /**
   * Waits for one turn of the event loop, and fills the budget again.
   *
   * @param signal Stops the wait.
   * @throws `signal.reason`, if `signal` aborts.
   */
  async renew(signal?: AbortSignal): Promise<void> {
    await delay(0, { clock: this.#clock, signal });
    this.restart();
  }
}
