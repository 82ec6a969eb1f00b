/**
 * Tracks whether an initial list has been handled, where items are handled one after another: client-go's
 * `synctrack.SingleFileTracker`. It counts the items.
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
   * Tracks the items of a source. `upstreamHasSynced` must not return true before the source has delivered the last item of
   * the list, and {@linkcode SingleFileTracker.start} was called for it.
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
   * @throws {RangeError} When no item was started: {@linkcode SingleFileTracker.hasSynced} may have been true too early.
   */
  finished(): void {
    this.#count--;
    // Settled now, so that an item that starts later does not undo it.
    this.hasSynced();
    if (this.#count < 0) {
      throw new RangeError(
        "SingleFileTracker has a negative counter: call start() once before each finished()",
      );
    }
  }

  /**
   * Reports whether the source has delivered the whole list and all of it has been handled.
   *
   * @returns True from then on.
   */
  hasSynced(): boolean {
    this.#hasSynced ||= this.#upstreamHasSynced() && this.#count <= 0;
    return this.#hasSynced;
  }
}
