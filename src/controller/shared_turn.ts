import { type Clock, delay } from "../base/mod.ts";

/** Work of this length in one turn delays a timer or a socket by no more than is noticed. */
const MAX_BUSY_MS = 10;
/** Bounds a turn also where each piece of work is too short to be measured, or the clock stands still. */
const MAX_PIECES = 1000;

/**
 * Shares the event loop between the workers of a controller, for which there may always be work, and everything else: it
 * says when all of them have to pause until the loop has turned.
 */
export class SharedTurn {
  readonly #clock: Clock;
  #busyMs = 0;
  #pieces = 0;
  #turn: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one piece of work that has kept the event loop busy for `busyMs` milliseconds. */
  spend(busyMs: number): void {
    this.#busyMs += busyMs;
    this.#pieces++;
  }

  /** Undefined while there is time left; otherwise what to wait for. */
  pause(): Promise<void> | undefined {
    if (this.#turn === undefined) {
      if (this.#busyMs < MAX_BUSY_MS && this.#pieces < MAX_PIECES) return undefined;
      this.#turn = this.#nextTurn();
    }
    return this.#turn;
  }

  async #nextTurn(): Promise<void> {
    await delay(0, { clock: this.#clock });
    this.#turn = undefined;
    this.#busyMs = 0;
    this.#pieces = 0;
  }
}
