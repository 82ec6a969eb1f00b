/**
 * Tracks whether an initial list has been handled, where items are handled in any order: client-go's
 * `synctrack.AsyncTracker`. It keeps the keys of unfinished items.
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
   * Tracks the items of a source. `upstreamHasSynced` must not return true before the source has delivered the last item of
   * the list, and {@linkcode AsyncTracker.start} was called for it.
   */
  constructor(upstreamHasSynced: () => boolean) {
    this.#upstreamHasSynced = upstreamHasSynced;
  }

  /** Notes that an item of the initial list is about to be handled. Once synced, the tracker stays synced. */
  start(key: K): void {
    this.#waiting.add(key);
  }

  /** Notes that an item has been handled. Does nothing if it was not started, as items after the initial list are not. */
  finished(key: K): void {
    // Settled now, so that an item that starts later does not undo it.
    if (this.#waiting.delete(key)) this.hasSynced();
  }

  /**
   * Reports whether the source has delivered the whole list and all of it has been handled.
   *
   * @returns True from then on.
   */
  hasSynced(): boolean {
    this.#hasSynced ||= this.#upstreamHasSynced() && this.#waiting.size === 0;
    return this.#hasSynced;
  }
}
