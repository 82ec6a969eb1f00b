import { delay } from "./abort.ts";
import type { Clock } from "./clock.ts";

/** How much is done in one turn of the event loop, whichever limit is reached first. */
const MAX_STEPS = 500;
const MAX_MS = 10;
/** Reading the clock takes longer than a fast step: if no time has passed since the last reading, so many steps skip it. */
const FAST_STEPS = 8;
const NO_TIME_MS = 1;

/** Bounds the work that is done in one turn of the event loop, so that everything else gets its turn too. */
export class TurnBudget {
  readonly #clock: Clock;
  #endAtMs = 0;
  #readAtMs = 0;
  #steps = 0;
  #nextReading = 1;

  /** A full budget; the turn starts now. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.restart();
  }

  /**
   * Reports whether the next step belongs into another turn. Call it before each step; the first step never does.
   *
   * @param steps How many steps follow. Default 1.
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

  /** Notes that the event loop has turned: the budget is full again. */
  restart(): void {
    this.#readAtMs = this.#clock.now();
    this.#endAtMs = this.#readAtMs + MAX_MS;
    this.#steps = 0;
    this.#nextReading = 1;
  }

  /**
   * Lets the event loop turn, and fills the budget again.
   *
   * @param signal Ends the wait.
   * @throws `signal.reason` on abort.
   */
  async renew(signal?: AbortSignal): Promise<void> {
    await delay(0, { clock: this.#clock, signal });
    this.restart();
  }
}
