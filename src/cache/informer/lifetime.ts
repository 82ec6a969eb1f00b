import { abortable } from "../../base/mod.ts";

/** The one run of something that either an owner runs, or several users run together until the last one is done. */
export class Lifetime {
  readonly #run: (signal: AbortSignal) => Promise<void>;
  #running: Promise<void> | undefined;
  #users = 0;
  /** Set when users run it: aborts after the last one is done. */
  #lastUserDone: AbortController | undefined;

  /** @param run Runs until the signal aborts; called once. */
  constructor(run: (signal: AbortSignal) => Promise<void>) {
    this.#run = run;
  }

  /** Whether it was started, by an owner or by users. */
  get hasStarted(): boolean {
    return this.#running !== undefined;
  }

  /** Runs for an owner, whose signal ends it for everyone. Settles as the run does. */
  own(signal: AbortSignal): Promise<void> {
    this.#running = this.#run(signal);
    return this.#running;
  }

  /**
   * Runs for one of several users. Resolves after the user's signal aborts; for the last user, when the run has ended.
   *
   * @returns False when the run ended although this user was not done.
   */
  async share(signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted) return true;
    if (this.#running === undefined) {
      this.#lastUserDone = new AbortController();
      this.#running = this.#run(this.#lastUserDone.signal);
    }
    const ended = this.#running.catch(() => {});
    this.#users++;
    await abortable(ended, signal).catch(() => {});
    this.#users--;
    if (!signal?.aborted) return false;
    if (this.#users > 0 || this.#lastUserDone === undefined) return true;
    this.#lastUserDone.abort(signal.reason);
    await ended;
    return true;
  }
}
