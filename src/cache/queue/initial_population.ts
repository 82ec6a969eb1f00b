import { Waiters } from "../../base/mod.ts";

/**
 * When a queue counts as synced: once everything that its first replacement brought has been taken out; at once when the
 * first thing that happened to it was something else.
 */
export class InitialPopulation {
  #begun = false;
  #remaining = 0;
  readonly #waiters = new Waiters();

  /** Something other than a replacement came. If it is the first, there is no initial list to wait for. */
  begin(): void {
    if (!this.#begun) this.beginWith(0);
  }

  /** A replacement came, which left `count` keys to take. Only the first thing that happens counts. */
  beginWith(count: number): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#remaining = count;
    if (count === 0) this.#waiters.wakeAll();
  }

  /** One key was taken; returns whether it counts as part of the initial list. */
  popped(): boolean {
    if (this.#remaining === 0) return false;
    this.#remaining--;
    if (this.#remaining === 0) this.#waiters.wakeAll();
    return true;
  }

  /** Whether all of the initial list has been taken. */
  get hasSynced(): boolean {
    return this.#begun && this.#remaining === 0;
  }

  /** Resolves once {@linkcode InitialPopulation.hasSynced}; rejects with `signal.reason` when aborted before. */
  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.hasSynced ? Promise.resolve() : this.#waiters.wait(signal);
  }
}
