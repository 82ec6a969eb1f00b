import type { Deliveries } from "../compact/mod.ts";
import type { Notification } from "./notification.ts";
import type { ProcessorListener } from "./processor_listener.ts";

/** The handlers of one informer. */
export class SharedProcessor<T> implements Deliveries {
  lastIndex = 0;
  readonly #listeners = new Set<ProcessorListener<T>>();
  /** Those that were removed and may still be in their last call. */
  readonly #leaving = new Set<ProcessorListener<T>>();
  #started = false;

  /** Adds a handler, which is told from now on. */
  add(listener: ProcessorListener<T>): void {
    this.#listeners.add(listener);
    if (this.#started) listener.start();
  }

  /** Removes a handler and drops what is pending for it; false when it is none of these. */
  remove(listener: ProcessorListener<T>): boolean {
    if (!this.#listeners.delete(listener)) return false;
    listener.stop();
    this.#leaving.add(listener);
    listener.finished.then(() => this.#leaving.delete(listener));
    return true;
  }

  /** The number of a notification that is about to be distributed. */
  nextIndex(): number {
    return ++this.lastIndex;
  }

  oldestPending(): number {
    let oldest = Infinity;
    for (const listener of this.#listeners) oldest = Math.min(oldest, listener.oldestPending);
    for (const listener of this.#leaving) oldest = Math.min(oldest, listener.oldestPending);
    return oldest;
  }

  /** Tells all handlers; of a replay only those that want one at present. */
  distribute(notification: Notification<T>, isReplay: boolean): void {
    for (const listener of this.#listeners) {
      if (!isReplay || listener.isSyncing) listener.push(notification);
    }
  }

  /** Begins to deliver. */
  start(): void {
    this.#started = true;
    for (const listener of this.#listeners) listener.start();
  }

  /** Stops all handlers at once. */
  stop(): void {
    for (const listener of this.#listeners) listener.stop();
  }

  /** Resolves when the last calls have finished. */
  async finished(): Promise<void> {
    for (const listener of [...this.#listeners, ...this.#leaving]) await listener.finished;
  }

  /** Whether any handler's turn for a resync has come. */
  shouldResync(nowMs: number): boolean {
    let isDue = false;
    for (const listener of this.#listeners) {
      if (listener.shouldResync(nowMs)) isDue = true;
    }
    return isDue;
  }

  /** The handlers, in the order they were added in. */
  get listeners(): Iterable<ProcessorListener<T>> {
    return this.#listeners;
  }
}
