import { abortable, type Clock, LinkedAbort, TerminalError } from "../../base/mod.ts";
import type { CallOptions } from "./call_options.ts";

/** A call of a client's method, which may make several requests. */
export interface Call {
  /** Aborts with the caller's signal, when the time is up, and when the client closes. */
  readonly signal: AbortSignal;
  /** Returns how many milliseconds the call may still take; undefined if it has no time limit. */
  remainingMs(): number | undefined;
}

/** The limits of a {@linkcode Call}. */
export interface CallLimits extends Pick<CallOptions, "signal" | "timeoutMs"> {
  /** The first words of the message of a `TimeoutError`, as in `GET /api/v1/pods`. */
  readonly what: string;
}

/** The calls of a client that are under way. */
export class Calls {
  readonly #clock: Clock;
  readonly #open = new Set<LinkedAbort>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Begins a call that lasts until {@linkcode Calls.end}.
   *
   * @throws {TerminalError} If the client is closed.
   * @throws `signal.reason`, if `signal` has aborted.
   */
  begin(signal: AbortSignal | undefined): LinkedAbort {
    if (this.#isClosed) throw clientClosed();
    signal?.throwIfAborted();
    const link = new LinkedAbort(signal);
    this.#open.add(link);
    return link;
  }

  /** Ends a call, however it went. */
  end(link: LinkedAbort): void {
    link.release();
    this.#open.delete(link);
  }

  /**
   * Runs `fn` as one call.
   *
   * @throws {DOMException} `TimeoutError`, when the time is up.
   * @throws {TerminalError} If the client is closed, or when it closes.
   * @throws What `fn` throws, and `signal.reason`.
   */
  async run<R>(
    { signal, timeoutMs, what }: CallLimits,
    fn: (call: Call) => Promise<R>,
  ): Promise<R> {
    const clock = this.#clock;
    const link = this.begin(signal);
    const deadlineMs = clock.now() + (timeoutMs ?? 0);
    const timer = timeoutMs === undefined ? undefined : clock.setTimer(() => {
      const message = `${what} timed out: it took longer than ${timeoutMs} ms`;
      link.abort(new DOMException(message, "TimeoutError"));
    }, timeoutMs);
    const call: Call = {
      signal: link.signal,
      remainingMs: () =>
        timeoutMs === undefined ? undefined : Math.max(0, deadlineMs - clock.now()),
    };
    try {
      return await abortable(fn(call), link.signal);
    } finally {
      timer?.cancel();
      this.end(link);
    }
  }

  /** Ends all calls with `reason`; those that begin later throw. */
  close(reason: TerminalError): void {
    this.#isClosed = true;
    for (const link of this.#open) link.abort(reason);
    this.#open.clear();
  }
}

/** The error of all calls of a client that is closed: no retry can mend it. */
export function clientClosed(): TerminalError {
  return new TerminalError("Client is closed: make a new one, or close it after its last call");
}
