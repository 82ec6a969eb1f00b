import type { Clock } from "../../base/mod.ts";

/** How much is done in one turn of the event loop, whichever limit comes first. */
const MAX_STEPS = 500;
const MAX_MS = 10;
/** To look at the clock takes longer than a fast step: when no time has passed since the last look, so many go without. */
const FAST_STEPS = 8;
const NO_TIME_MS = 1;

/** Counts the steps of one turn, so that a long row of them lets everything else run in between. */
export class TurnBudget {
  readonly #clock: Clock;
  readonly #endAtMs: number;
  #lookedAtMs: number;
  #steps = 0;
  #nextLook = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lookedAtMs = clock.now();
    this.#endAtMs = this.#lookedAtMs + MAX_MS;
  }

  /** Whether the next step belongs into another turn; asked before each. The first never does. */
  isSpent(): boolean {
    const steps = this.#steps++;
    if (steps >= MAX_STEPS) return true;
    if (steps < this.#nextLook) return false;
    const nowMs = this.#clock.now();
    this.#nextLook = steps + (nowMs - this.#lookedAtMs < NO_TIME_MS ? FAST_STEPS : 1);
    this.#lookedAtMs = nowMs;
    return nowMs >= this.#endAtMs;
  }
}
