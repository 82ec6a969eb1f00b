import type { Clock } from "../../base/mod.ts";

/** Errors that come this long after one another belong to different troubles (client-go's `minResetPeriod`). */
const MIN_RESET_PERIOD_MS = 60_000;

/** Allows retries for some time after the first of a series of errors (client-go's `retry_with_deadline.go`). */
export class RetryWithDeadline {
  readonly #clock: Clock;
  readonly #maxDurationMs: number;
  #firstErrorAtMs = -Infinity;
  #lastErrorAtMs = -Infinity;

  /** @param maxDurationMs For how long retries are allowed, 0 for never. */
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

  /** Whether another retry is allowed. */
  shouldRetry(): boolean {
    return this.#maxDurationMs > 0 &&
      this.#clock.now() - this.#firstErrorAtMs <= this.#maxDurationMs;
  }
}
