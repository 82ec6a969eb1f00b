import { onAbort } from "./abort.ts";

/** The callers that wait for an event. Each is woken once: by the event or by its own signal, whichever comes first. */
export class Waiters {
  readonly #wakeUps = new Set<() => void>();

  /** The number of callers that wait. */
  get size(): number {
    return this.#wakeUps.size;
  }

  /**
   * Waits for the next {@linkcode Waiters.wakeAll}.
   *
   * @throws `signal.reason`, if `signal` aborts first. The caller is then forgotten.
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

  /** Wakes all callers that wait now. */
  wakeAll(): void {
    if (this.size === 0) return;
    const wakeUps = [...this.#wakeUps];
    this.#wakeUps.clear();
    for (const wakeUp of wakeUps) wakeUp();
  }
}
