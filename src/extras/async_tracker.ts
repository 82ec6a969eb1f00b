/**
 * Tracks whether the initial list has been handled if items are handled concurrently and finish in any order:
 * client-go's `synctrack.AsyncTracker`. The tracker stores the keys of unfinished items.
 *
 * @typeParam K The type of the keys.
 *
 * @example
 * ```ts
 * import { AsyncTracker } from "@kubeloop/controller/extras";
 * import { assertEquals } from "@std/assert";
 *
 * const tracker = new AsyncTracker<string>(() => true);
 * tracker.start("a");
 * tracker.start("b");
 * tracker.finished("b");
 * assertEquals(tracker.hasSynced(), false);
 * tracker.finished("a");
 * assertEquals(tracker.hasSynced(), true);
 * ```
 */
export class AsyncTracker<K> {
  readonly #upstreamHasSynced: () => boolean;
  readonly #waiting = new Set<K>();
  #hasSynced = false;

  /**
   * Creates a tracker for the items of a source. `upstreamHasSynced` must not return true before the source has
   * delivered the last item of the initial list and {@linkcode AsyncTracker.start} has been called for that item.
   */
  constructor(upstreamHasSynced: () => boolean) {
    this.#upstreamHasSynced = upstreamHasSynced;
  }

  /** Marks an item of the initial list as being handled. A tracker that has synced stays synced. */
  start(key: K): void {
    this.#waiting.add(key);
  }

  /**
   * Marks an item as handled. Ignored if the item was not started, such as an item that is not part of the initial
   * list.
   */
  finished(key: K): void {
    // Evaluate now: items that start later must not delay the sync.
    if (this.#waiting.delete(key)) this.hasSynced();
  }

  /**
   * Reports whether the source has delivered the whole initial list and all of its items have been handled.
   *
   * @returns Whether the tracker has synced. Once true, the result stays true.
   */
  hasSynced(): boolean {
    this.#hasSynced ||= this.#upstreamHasSynced() && this.#waiting.size === 0;
    return this.#hasSynced;
  }
}
