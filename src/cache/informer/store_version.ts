import { compareResourceVersions, type KubeObject } from "../../types/mod.ts";
import type { DeltaFIFO } from "../queue/mod.ts";
import type { ReflectorStore } from "../reflector/mod.ts";

/**
 * Tracks the resource version up to which a cache holds every change. The version of the last event is ahead of the
 * cache, since the changes of some keys may still be in the queue.
 *
 * The queue pops keys in the order in which they were added. If the queue holds `n` keys when a version is reached, all
 * changes up to that version are in the cache after `n` more pops.
 */
export class StoreVersion {
  /** The newest version that the cache has held so far. */
  #newest = "";
  /** The version that the cache holds; empty while it is older than `#newest`, since the result must not go back. */
  #current = "";
  /** Whether every change is in the cache or in the queue. */
  #isComplete = true;
  /** Whether the changes of a list are in the queue. Once they are applied, the cache is complete again. */
  #isRepairing = false;
  /** The version that the cache holds after `#popsToCheckpoint` more pops. */
  #checkpoint = "";
  #popsToCheckpoint = 0;
  #losses = 0;

  /**
   * Notes that one key was popped and its changes were applied.
   *
   * @param queued The number of keys in the queue.
   * @param reached The version of the last event, list or bookmark that was added to the queue.
   */
  popped(queued: number, reached: string): void {
    if (--this.#popsToCheckpoint > 0) return;
    this.#pass(this.#checkpoint);
    this.#checkpoint = reached;
    this.#popsToCheckpoint = queued;
  }

  /** The number of changes that never reached the cache. */
  get losses(): number {
    return this.#losses;
  }

  /** Notes that a change never reaches the cache, because the queue or the cache refused it. */
  lost(): void {
    this.#losses++;
    this.#isComplete = false;
    this.#isRepairing = false;
  }

  /**
   * Notes that a list was added to the queue.
   *
   * @param queued The number of keys in the queue.
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
   * @param queued The number of keys in the queue.
   * @param reached The version of the last event, list or bookmark that was added to the queue.
   * @returns The version; empty if there is no version up to which the cache holds every change.
   */
  read(queued: number, reached: string): string {
    if (queued === 0) {
      this.#checkpoint = reached;
      this.#popsToCheckpoint = 0;
      this.#pass(reached);
    }
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

/**
 * Passes the changes of a Reflector to the queue of an informer, and notes lists and refused changes in a
 * {@linkcode StoreVersion}.
 */
export class QueueFeed<T extends KubeObject> implements ReflectorStore<T> {
  readonly #queue: DeltaFIFO<T>;
  readonly #version: StoreVersion;
  readonly #onListed: () => void;

  /** @param onListed Called after each list: all its changes may have been popped by then. */
  constructor(queue: DeltaFIFO<T>, version: StoreVersion, onListed: () => void) {
    this.#queue = queue;
    this.#version = version;
    this.#onListed = onListed;
  }

  get transformer(): ((obj: T) => T) | undefined {
    return this.#queue.transformer;
  }

  add(obj: T): void {
    this.#put("add", obj);
  }

  update(obj: T): void {
    this.#put("update", obj);
  }

  delete(obj: T): void {
    this.#put("delete", obj);
  }

  replace(items: readonly T[], resourceVersion: string): void {
    for (const _step of this.replaceInSteps(items, resourceVersion));
  }

  *replaceInSteps(items: readonly T[], resourceVersion: string): Generator<void, void, void> {
    const { losses } = this.#version;
    yield* this.#queue.replaceInSteps(items);
    this.#version.listed(this.#queue.length, resourceVersion);
    // A change that was lost meanwhile may be of this list.
    if (this.#version.losses > losses) this.#version.lost();
    this.#onListed();
  }

  resync(): void {
    this.#queue.resync();
  }

  #put(change: "add" | "update" | "delete", obj: T): void {
    try {
      this.#queue[change](obj);
    } catch (error) {
      this.#version.lost();
      throw error;
    }
  }
}
