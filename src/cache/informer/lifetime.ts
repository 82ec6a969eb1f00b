import { abortable } from "../../base/mod.ts";

/**
 * The single run of an informer, either for one owner or for several users together, until the last of them is done.
 */
export class Lifetime {
  readonly #run: (signal: AbortSignal) => Promise<void>;
  #running: Promise<void> | undefined;
  #users = 0;
  /** Stops a run that users started, after the last of them is done. Undefined if an owner started the run. */
  #lastUserDone: AbortController | undefined;

  /** @param run Runs until the signal aborts. Called once. */
  constructor(run: (signal: AbortSignal) => Promise<void>) {
    this.#run = run;
  }

  /** Whether an owner or a user has started the run. */
  get hasStarted(): boolean {
    return this.#running !== undefined;
  }

  /** Starts the run for an owner, whose signal ends it for everyone. Settles when the run does. */
  own(signal: AbortSignal): Promise<void> {
    this.#running = this.#run(signal);
    return this.#running;
  }

  /**
   * Joins the run as one of several users, and starts it if necessary. Resolves after the user's signal aborts; for the
   * last user of a run without an owner, when the run has ended.
   *
   * @returns False if the run ended before the user's signal aborted.
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
