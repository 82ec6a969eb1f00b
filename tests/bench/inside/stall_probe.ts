const PERIOD_MS = 5;

/** Measures the longest block of the event loop, as the delay of a short timer. */
export class StallProbe {
  #longestMs = 0;
  #lastAtMs: number = performance.now();
  readonly #timer = setInterval(() => this.#tick(), PERIOD_MS);

  /** Ends the measurement and returns the longest stall. */
  stop(): number {
    this.#tick();
    clearInterval(this.#timer);
    return this.#longestMs;
  }

  #tick(): void {
    const now = performance.now();
    this.#longestMs = Math.max(this.#longestMs, now - this.#lastAtMs - PERIOD_MS);
    this.#lastAtMs = now;
  }
}
