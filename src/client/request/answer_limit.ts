import type { Clock, Timer } from "../../base/mod.ts";

/**
 * How long the server may take to answer, in milliseconds. An API server ends a request after 60 s by itself
 * (`--request-timeout`), so a later answer was lost.
 */
const LIMIT_MS = 90_000;

/** The slowest answer that is still read: each of these bytes extends the limit by a millisecond (4 kB/s). */
const BYTES_PER_MS = 4;

/** The time limit of one answer. It is extended while the server sends. */
export class AnswerLimit {
  readonly #clock: Clock;
  readonly #what: string;
  readonly #late: (error: DOMException) => void;
  #timer: Timer | undefined;
  #startedMs = 0;
  #bytes = 0;
  #isOver = false;

  /**
   * Creates a limit that has not started.
   *
   * @param clock The clock that measures the time.
   * @param what The request, as in `GET /api/v1/pods`, for the message of the error.
   * @param late Receives a `TimeoutError` when the time is up.
   */
  constructor(clock: Clock, what: string, late: (error: DOMException) => void) {
    this.#clock = clock;
    this.#what = what;
    this.#late = late;
  }

  /** Starts the limit, from the beginning if it runs already. Does nothing once the request is over. */
  start(): void {
    this.pause();
    if (this.#isOver) return;
    this.#startedMs = this.#clock.now();
    this.#bytes = 0;
    this.#arm(LIMIT_MS);
  }

  /** Notes that bytes of the answer have arrived. */
  received(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Stops the limit until it is started again. */
  pause(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Ends the limit for good: a middleware or a credential may be so late that the request is sent when it is over. */
  end(): void {
    this.pause();
    this.#isOver = true;
  }

  #arm(delayMs: number): void {
    this.#timer = this.#clock.setTimer(() => this.#look(), delayMs);
  }

  #look(): void {
    const takenMs = this.#clock.now() - this.#startedMs;
    const leftMs = LIMIT_MS + this.#bytes / BYTES_PER_MS - takenMs;
    if (leftMs > 0) return this.#arm(leftMs);
    const seconds = Math.round(takenMs / 1000);
    const got = this.#bytes === 0
      ? `no answer within ${seconds} s`
      : `only ${this.#bytes} bytes of the answer within ${seconds} s`;
    const unknown = this.#what.startsWith("GET ")
      ? ""
      : ", so it is not known whether the server has carried it out";
    this.#late(new DOMException(`${this.#what} timed out: ${got}${unknown}`, "TimeoutError"));
  }
}
