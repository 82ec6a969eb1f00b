/** How many events are out, and since when: all watches follow it. */
export class EventLog {
  /** Events 0 … `count` - 1 are out. */
  count = 0;
  #listeners = new Set<() => void>();
  /** The send times of paced events, from `#pacedFrom` on. */
  #pacedFrom = 0;
  #sentAtUs: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `listener` whenever there are more events, until it is removed. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lets `count` more events out at once. */
  flood(count: number): void {
    this.#advance(this.count + count);
  }

  /** Lets `count` more events out, `rate` a second; each knows when it was due to leave. */
  pace(count: number, rate: number): void {
    const startedAt = performance.now();
    const from = this.count;
    this.#pacedFrom = from;
    this.#sentAtUs = [];
    const tick = () => {
      const due = Math.min(count, Math.floor((performance.now() - startedAt) * rate / 1000));
      const nowUs = Math.round((performance.timeOrigin + performance.now()) * 1000);
      while (this.#sentAtUs.length < due) this.#sentAtUs.push(nowUs);
      this.#advance(from + due);
      this.#timer = due < count ? setTimeout(tick, 1) : undefined;
    };
    tick();
  }

  /** When the event was sent, in µs since 1970; 0 for those of a flood. */
  readonly sentAtUs = (event: number): number => this.#sentAtUs[event - this.#pacedFrom] ?? 0;

  /** As if no event had been sent yet. */
  reset(): void {
    clearTimeout(this.#timer);
    this.count = 0;
    this.#sentAtUs = [];
  }

  #advance(count: number): void {
    if (count === this.count) return;
    this.count = count;
    for (const listener of this.#listeners) listener();
  }
}
