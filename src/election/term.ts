import { LinkedAbort, type Logger, toError } from "../base/mod.ts";
import type { LeadershipLostError } from "./leadership_lost_error.ts";

/** One term of a leader: from the acquisition of the Lease until the function has settled. */
export class Term {
  readonly #abort: LinkedAbort;
  readonly #logger: Logger;
  readonly #name: string;
  #lost: LeadershipLostError | undefined;
  #outcome: { readonly error?: unknown; readonly isFailure: boolean } | undefined;

  /** Calls `lead` with a signal that aborts with `stop`. Calls `onSettled` when its promise has settled. */
  constructor(
    lead: (signal: AbortSignal) => unknown,
    options: {
      readonly name: string;
      readonly logger: Logger;
      readonly stop: AbortSignal | undefined;
      readonly onSettled: () => void;
    },
  ) {
    this.#logger = options.logger;
    this.#name = options.name;
    this.#abort = new LinkedAbort(options.stop);
    void this.#run(lead, options.onSettled);
  }

  /** The signal that the function gets. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the function has settled. */
  get hasSettled(): boolean {
    return this.#outcome !== undefined;
  }

  /** Whether the Lease was lost in this term. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Aborts the signal of the function with the loss of the Lease. */
  lose(error: LeadershipLostError): void {
    this.#lost = error;
    this.#abort.abort(error);
  }

  /**
   * Returns if the function finished; throws if the Lease was lost or the function failed.
   *
   * @throws {LeadershipLostError} If the Lease was lost before the leader was stopped.
   * @throws The error of the function.
   */
  end(): void {
    const { signal } = this.#abort;
    const isReason = signal.aborted && this.#outcome?.error === signal.reason;
    const failure = this.#outcome?.isFailure === true && !isReason ? this.#outcome : undefined;
    if (this.#lost !== undefined && signal.reason === this.#lost) {
      if (failure !== undefined) {
        const { message } = toError(failure.error);
        this.#logger.error(`${this.#name}: the leader failed while it stopped: ${message}`);
      }
      throw this.#lost;
    }
    if (failure !== undefined) throw failure.error;
  }

  async #run(lead: (signal: AbortSignal) => unknown, onSettled: () => void): Promise<void> {
    try {
      await lead(this.#abort.signal);
      this.#outcome = { isFailure: false };
    } catch (error) {
      this.#outcome = { isFailure: true, error };
    }
    this.#abort.release();
    onSettled();
  }
}
