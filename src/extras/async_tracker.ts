/**
 * Knows when an initial list has been handled, where items are handled in any order: client-go's
 * `synctrack.AsyncTracker`. It keeps the keys that are not done.
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

  /**
   * Tracks what comes from a source. `upstreamHasSynced` must not be true before the source has delivered the last item of
   * the list, and {@linkcode AsyncTracker.start} was called for it.
   */
  constructor(upstreamHasSynced: () => boolean) {
    this.#upstreamHasSynced = upstreamHasSynced;
  }

  /** An item of the initial list is about to be handled. */
  start(key: K): void {
    this.#waiting.add(key);
  }

  /** An item has been handled. Harmless when it was not started, as those after the initial list are not. */
  finished(key: K): void {
    this.#waiting.delete(key);
  }

  /** Whether the source has delivered everything and all of it has been handled. */
  hasSynced(): boolean {
    return this.#upstreamHasSynced() && this.#waiting.size === 0;
  }
}
