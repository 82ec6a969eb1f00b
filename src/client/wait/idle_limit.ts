import { type Clock, LinkedAbort, type Timer } from "../../base/mod.ts";

/** A signal that aborts with its parent, and when something takes too long. */
export class IdleLimit {
  readonly #clock: Clock;
  readonly #link: LinkedAbort;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(clock: Clock, parent: AbortSignal) {
    this.#clock = clock;
    this.#link = new LinkedAbort(parent);
  }

  /** The signal. */
  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** Whether the limit was exceeded. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Starts the limit, or replaces the running one. */
  start(limitMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(() => {
      this.#isOver = true;
      this.#link.abort(new Error(`The server has sent nothing for ${limitMs} ms`));
    }, limitMs);
  }

  /** Cancels the limit, and removes the listener from the parent. */
  stop(): void {
    this.#timer?.cancel();
    this.#link.release();
  }
}
