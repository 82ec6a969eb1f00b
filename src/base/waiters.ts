import { onAbort } from "./abort.ts";

/** Those who wait for something to happen. Each is woken once, by what happens first: the event or its own signal. */
export class Waiters {
  readonly #wakeUps = new Set<() => void>();

  /** How many wait. */
  get size(): number {
    return this.#wakeUps.size;
  }

  /**
   * Resolves at the next {@linkcode Waiters.wakeAll}.
   *
   * @throws `signal.reason`, when `signal` aborts before; nothing of the waiter is kept then.
   */
  wait(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const wakeUp = () => {
        release();
        resolve();
      };
      const release = onAbort(signal, (reason) => {
        this.#wakeUps.delete(wakeUp);
        reject(reason);
      });
      this.#wakeUps.add(wakeUp);
    });
  }

  /** Wakes all who wait now. */
  wakeAll(): void {
    if (this.size === 0) return;
    const wakeUps = [...this.#wakeUps];
    this.#wakeUps.clear();
    for (const wakeUp of wakeUps) wakeUp();
  }
}
