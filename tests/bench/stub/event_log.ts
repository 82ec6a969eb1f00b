/** The number of published events, and their send times. All watches follow it. */
export class EventLog {
  /** The number of published events, which are 0 … `count` - 1. */
  count = 0;
  #listeners = new Set<() => void>();
  /** The number of the first paced event; `#sentAtUs` has the send times from there on. */
  #pacedFrom = 0;
  #sentAtUs: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `listener` when there are more events; returns a function that removes it. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Publishes `count` more events at once. */
  flood(count: number): void {
    this.#advance(this.count + count);
  }

  /** Publishes `count` more events at `rate` per second, and records the send time of each. */
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

  /** Returns the send time of an event, in µs since 1970; 0 for events of a flood. */
  readonly sentAtUs = (event: number): number => this.#sentAtUs[event - this.#pacedFrom] ?? 0;

  /** Discards all events. */
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
