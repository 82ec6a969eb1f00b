import { Waiters } from "../../base/mod.ts";

/**
 * Tracks whether a queue has synced. A queue is synced once all keys of its first replacement have been popped. If the
 * first operation is not a replacement, the queue is synced at once.
 */
export class InitialPopulation {
  #begun = false;
  #remaining = 0;
  readonly #waiters = new Waiters();

  /**
   * Records an operation other than a replacement. If it is the first operation, there is no initial list to wait for.
   */
  begin(): void {
    if (!this.#begun) this.beginWith(0);
  }

  /** Records a replacement that left `count` keys to pop. Only the first operation counts. */
  beginWith(count: number): void {
    this.beginReplacement();
    this.endReplacement(count);
  }

  /**
   * Records that a replacement begins, whose keys may be popped before it ends. If it is the first operation, the
   * initial list has no end until a replacement ends.
   */
  beginReplacement(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#remaining = Infinity;
  }

  /** Records that a replacement has ended and left `count` keys to pop. Only the first end counts. */
  endReplacement(count: number): void {
    if (this.#remaining !== Infinity) return;
    this.#remaining = count;
    if (count === 0) this.#waiters.wakeAll();
  }

  /** Records that a key was popped; returns whether the key counts as part of the initial list. */
  popped(): boolean {
    if (this.#remaining === 0) return false;
    this.#remaining--;
    if (this.#remaining === 0) this.#waiters.wakeAll();
    return true;
  }

  /** Whether the whole initial list has been popped. */
  get hasSynced(): boolean {
    return this.#begun && this.#remaining === 0;
  }

  /**
   * Resolves when {@linkcode InitialPopulation.hasSynced} becomes true; rejects with `signal.reason` if the signal
   * aborts first.
   */
  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.hasSynced ? Promise.resolve() : this.#waiters.wait(signal);
  }
}
