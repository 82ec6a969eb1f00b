const PERIOD_MS = 5;

/** Measures how long the event loop was blocked at most: by how much a short timer was late. */
export class StallProbe {
  #longestMs = 0;
  #lastAtMs: number = performance.now();
  readonly #timer = setInterval(() => this.#tick(), PERIOD_MS);

  /** Ends the measurement. */
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
