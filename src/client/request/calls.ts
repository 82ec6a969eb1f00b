import { abortable, type Clock, LinkedAbort, TerminalError, visibleText } from "../../base/mod.ts";
import type { CallOptions } from "./call_options.ts";

/** The longest description of a call in the error of a closed client, in characters. */
const MAX_CALL_LENGTH = 500;

/** A call of a client method, which may make several requests. */
export interface Call {
  /** Aborts when the caller's signal aborts, when the time is up, and when the client closes. */
  readonly signal: AbortSignal;
  /** Returns the remaining time in milliseconds, or undefined if the call has no time limit. */
  remainingMs(): number | undefined;
  /** Ends the call with an error when an answer takes too long; undefined if the caller has set the time limit. */
  readonly late: ((error: DOMException) => void) | undefined;
}

/** The limits of a {@linkcode Call}. */
export interface CallLimits extends Pick<CallOptions, "signal" | "timeoutMs"> {
  /** The description of the call in messages of errors, as in `GET /api/v1/pods`. */
  readonly what: string;
}

/** The running calls of a client. */
export class Calls {
  readonly #clock: Clock;
  /** The calls that have not ended, with their descriptions. */
  readonly #open = new Map<LinkedAbort, string | undefined>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Starts a call, which lasts until {@linkcode Calls.end}.
   *
   * @param what The description of the call in messages of errors.
   * @throws {TerminalError} If the client is closed.
   * @throws `signal.reason`, if `signal` is aborted.
   */
  begin(signal: AbortSignal | undefined, what: string | undefined): LinkedAbort {
    if (this.#isClosed) throw clientClosed(what);
    signal?.throwIfAborted();
    const link = new LinkedAbort(signal);
    this.#open.set(link, what);
    return link;
  }

  /** Ends a call, whether it succeeded or failed. */
  end(link: LinkedAbort): void {
    link.release();
    this.#open.delete(link);
  }

  /**
   * Runs `fn` as one call.
   *
   * @throws {DOMException} `TimeoutError`, when the time is up.
   * @throws {TerminalError} If the client is closed, or closes during the call.
   * @throws The error of `fn`, and `signal.reason` after an abort.
   */
  async run<R>(
    { signal, timeoutMs, what }: CallLimits,
    fn: (call: Call) => Promise<R>,
  ): Promise<R> {
    const clock = this.#clock;
    const link = this.begin(signal, what);
    const isLimited = timeoutMs !== undefined && timeoutMs !== Infinity;
    const deadlineMs = clock.now() + (timeoutMs ?? 0);
    const timer = isLimited
      ? clock.setTimer(() => {
        const message = `${what} timed out: it took longer than ${timeoutMs} ms`;
        link.abort(new DOMException(message, "TimeoutError"));
      }, timeoutMs)
      : undefined;
    const call: Call = {
      signal: link.signal,
      remainingMs: () => isLimited ? Math.max(0, deadlineMs - clock.now()) : undefined,
      late: timeoutMs === undefined ? (error) => link.abort(error) : undefined,
    };
    try {
      return await abortable(fn(call), link.signal);
    } finally {
      timer?.cancel();
      this.end(link);
    }
  }

  /** Ends all running calls with a `TerminalError`. Calls that start later throw one. */
  close(): void {
    this.#isClosed = true;
    for (const [link, what] of this.#open) link.abort(clientClosed(what));
    this.#open.clear();
  }
}

/**
 * Returns the error for calls of a closed client. It is terminal, because a retry cannot succeed.
 *
 * @param what The call, as in `GET /api/v1/pods`. A forgotten `await` is found by it.
 */
export function clientClosed(what?: string): TerminalError {
  const call = what === undefined ? "" : `, here ${visibleText(what, MAX_CALL_LENGTH)}`;
  return new TerminalError(
    `Client is closed: make a new one, or close it after its last call${call}`,
  );
}
