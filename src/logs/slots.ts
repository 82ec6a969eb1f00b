import { onAbort } from "../base/mod.ts";

/** A limited number of slots. Callers that find none free wait in a line. */
export class Slots {
  #free: number;
  /** In the order of the calls. */
  readonly #waiting = new Set<() => void>();

  /** @param count The number of slots. */
  constructor(count: number) {
    this.#free = count;
  }

  /** Whether the next caller has to wait. */
  get areTaken(): boolean {
    return this.#free === 0;
  }

  /** The number of callers that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a slot. Returns a function that gives it back.
   *
   * @throws `signal.reason`, as soon as `signal` aborts. The caller is then forgotten.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return () => {
      const [next] = this.#waiting;
      if (next === undefined) this.#free++;
      // The slot is handed on, and is never free in between.
      else next();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        this.#waiting.delete(enter);
        release();
        resolve();
      };
      const release = onAbort(signal, (reason) => {
        this.#waiting.delete(enter);
        reject(reason);
      });
      this.#waiting.add(enter);
    });
  }
}
