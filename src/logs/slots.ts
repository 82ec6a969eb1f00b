import { RingBuffer } from "../base/mod.ts";

/** Lets at most so many hold a slot at the same time. The others wait in a line. */
export class Slots {
  #free: number;
  readonly #waiting = new RingBuffer<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Whether the next one has to wait. */
  get areTaken(): boolean {
    return this.#free === 0;
  }

  /**
   * Waits for a slot. Returns a function that gives it back.
   *
   * @throws `signal.reason`, if `signal` aborts.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    // Whoever gives a slot back hands it on.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const give = () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
    if (!signal.aborted) return give;
    give();
    throw signal.reason;
  }
}
