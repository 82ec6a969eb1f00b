import type { Clock } from "../../base/mod.ts";

/** An error this long after the previous one starts a new series (client-go's `minResetPeriod`). */
const MIN_RESET_PERIOD_MS = 60_000;

/** Allows retries until a deadline after the first error of a series (client-go's `retry_with_deadline.go`). */
export class RetryWithDeadline {
  readonly #clock: Clock;
  readonly #maxDurationMs: number;
  #firstErrorAtMs = -Infinity;
  #lastErrorAtMs = -Infinity;

  /** @param maxDurationMs How long retries are allowed after the first error, in milliseconds; 0 for no retries. */
  constructor(clock: Clock, maxDurationMs: number) {
    this.#clock = clock;
    this.#maxDurationMs = maxDurationMs;
  }

  /** Notes an error. */
  after(): void {
    const nowMs = this.#clock.now();
    if (nowMs - this.#lastErrorAtMs >= MIN_RESET_PERIOD_MS) this.#firstErrorAtMs = nowMs;
    this.#lastErrorAtMs = nowMs;
  }

  /** Reports whether another retry is allowed. */
  shouldRetry(): boolean {
    return this.#maxDurationMs > 0 &&
      this.#clock.now() - this.#firstErrorAtMs <= this.#maxDurationMs;
  }
}
