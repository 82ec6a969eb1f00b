import type { Clock } from "../base/mod.ts";

/** How much is done in one turn of the event loop, whichever limit comes first. */
const MAX_STEPS = 500;
const MAX_MS = 10;

/** Counts the steps of one turn, so that a long row of them lets everything else run in between. */
export class TurnBudget {
  readonly #clock: Clock;
  readonly #endAtMs: number;
  #steps = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#endAtMs = clock.now() + MAX_MS;
  }

  /** Whether the next step belongs into another turn; asked before each. The first never does. */
  isSpent(): boolean {
    const steps = this.#steps++;
    return steps >= MAX_STEPS || (steps > 0 && this.#clock.now() >= this.#endAtMs);
  }
}
