/**
 * Knows when an initial list has been handled, where items are handled one after another: client-go's
 * `synctrack.SingleFileTracker`. It counts.
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

  /**
   * Tracks what comes from a source. `upstreamHasSynced` must not be true before the source has delivered the last item of
   * the list, and {@linkcode SingleFileTracker.start} was called for it.
   */
  constructor(upstreamHasSynced: () => boolean) {
    this.#upstreamHasSynced = upstreamHasSynced;
  }

  /** An item of the initial list is about to be handled. */
  start(): void {
    this.#count++;
  }

  /**
   * An item of the initial list has been handled.
   *
   * @throws {RangeError} When no item was: {@linkcode SingleFileTracker.hasSynced} may have been true too early.
   */
  finished(): void {
    this.#count--;
    if (this.#count < 0) {
      throw new RangeError(
        "SingleFileTracker has a negative counter: call start() once before each finished()",
      );
    }
  }

  /** Whether the source has delivered everything and all of it has been handled. */
  hasSynced(): boolean {
    return this.#upstreamHasSynced() && this.#count <= 0;
  }
}
