/**
 * Tracks whether all items of an initial list have been handled, for a consumer that handles one item at a time:
 * client-go's `synctrack.SingleFileTracker`. It only counts the items.
 *
 * @example
 * ```ts
 * import { SingleFileTracker } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * const tracker = new SingleFileTracker(() => true);
 * tracker.start();
 * assertEquals(tracker.hasSynced(), false);
 * tracker.finished();
 * assertEquals(tracker.hasSynced(), true);
 * ```
 */
export class SingleFileTracker {
  readonly #upstreamHasSynced: () => boolean;
  #count = 0;
  #hasSynced = false;

  /**
   * Creates a tracker of the items of a source. `upstreamHasSynced` must not return true before the source has
   * delivered the last item of the list and {@linkcode SingleFileTracker.start} has been called for that item.
   */
  constructor(upstreamHasSynced: () => boolean) {
    this.#upstreamHasSynced = upstreamHasSynced;
  }

  /** Notes that an item of the initial list is about to be handled. Once synced, the tracker stays synced. */
  start(): void {
    this.#count++;
  }

  /**
   * Notes that an item of the initial list has been handled.
   *
   * @throws {RangeError} If no item was started: {@linkcode SingleFileTracker.hasSynced} may have been true too early.
   */
  finished(): void {
    this.#count--;
    // Stores the result now, so that an item that starts later does not undo it.
    this.hasSynced();
    if (this.#count < 0) {
      throw new RangeError(
        "SingleFileTracker has a negative counter: call start() once before each finished()",
      );
    }
  }

  /**
   * Reports whether the source has delivered the whole list and all its items have been handled.
   *
   * @returns True from the sync on.
   */
  hasSynced(): boolean {
    this.#hasSynced ||= this.#upstreamHasSynced() && this.#count <= 0;
    return this.#hasSynced;
  }
}
