import { compareResourceVersions } from "../../types/mod.ts";

/**
 * Knows the resource version up to which a cache holds every change: behind a queue of keys, the version of the last event
 * is ahead of the cache.
 *
 * The queue pops keys in the order in which they were added. So when it held `n` keys as some version was reached, all
 * changes up to that version are in the cache after `n` more pops.
 */
export class StoreVersion {
  /** The newest version that the cache was ever known to hold. */
  #newest = "";
  /** What the cache holds; empty while that is older than `#newest`, since the answer must not go back. */
  #current = "";
  /** Whether every change has arrived in the cache, or waits in the queue. */
  #isComplete = true;
  /** Whether the changes of a list, which makes the cache complete again, wait in the queue. */
  #isRepairing = false;
  #checkpoint = "";
  #popsToCheckpoint = 0;

  /**
   * Notes that one key was popped and its changes applied.
   *
   * @param queued How many keys the queue holds.
   * @param reached The version of the last event, list or bookmark that was put into the queue.
   */
  popped(queued: number, reached: string): void {
    if (--this.#popsToCheckpoint > 0) return;
    this.#pass(this.#checkpoint);
    this.#checkpoint = reached;
    this.#popsToCheckpoint = queued;
  }

  /** Notes that a change will never arrive in the cache: the queue or the cache refused it. */
  lost(): void {
    this.#isComplete = false;
    this.#isRepairing = false;
  }

  /**
   * Notes that a list was put into the queue.
   *
   * @param queued How many keys the queue holds.
   * @param listed The version of the list.
   */
  listed(queued: number, listed: string): void {
    this.#isRepairing = true;
    this.#checkpoint = listed;
    this.#popsToCheckpoint = queued;
  }

  /**
   * Returns the version that the cache holds.
   *
   * @param queued How many keys the queue holds.
   * @param reached The version of the last event, list or bookmark that was put into the queue.
   * @returns The version; empty when the cache cannot vouch for one.
   */
  read(queued: number, reached: string): string {
    if (queued === 0) this.#pass(reached);
    return this.#isComplete ? this.#current : "";
  }

  #pass(version: string): void {
    if (this.#isRepairing) {
      this.#isComplete = true;
      this.#isRepairing = false;
    }
    if (!this.#isComplete || version === "") return;
    const order = this.#newest === "" ? 1 : compareResourceVersions(version, this.#newest);
    const isNewest = order !== undefined && order >= 0;
    if (isNewest) this.#newest = version;
    this.#current = isNewest ? version : "";
  }
}
