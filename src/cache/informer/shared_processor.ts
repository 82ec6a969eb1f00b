import type { Deliveries } from "../compact/mod.ts";
import { type DeletedFinalStateUnknown, resourceVersionOf } from "../store/mod.ts";
import type { Notification } from "./notification.ts";
import type { ProcessorListener } from "./processor_listener.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** The handlers of one informer, and the handler that distributes to all of them. */
export class SharedProcessor<T> implements Deliveries, Required<ResourceEventHandler<T>> {
  lastIndex = 0;
  readonly #listeners = new Set<ProcessorListener<T>>();
  /** Removed handlers whose last call may not have finished. */
  readonly #leaving = new Set<ProcessorListener<T>>();
  #started = false;

  /** The handlers, in the order in which they were added. */
  get listeners(): Iterable<ProcessorListener<T>> {
    return this.#listeners;
  }

  /** Adds a handler, which is notified from now on. */
  add(listener: ProcessorListener<T>): void {
    this.#listeners.add(listener);
    if (this.#started) listener.start();
  }

  /** Removes a handler and drops its pending notifications. Returns false if it is not one of these handlers. */
  remove(listener: ProcessorListener<T>): boolean {
    if (!this.#listeners.delete(listener)) return false;
    listener.stop();
    this.#leaving.add(listener);
    listener.finished.then(() => this.#leaving.delete(listener));
    return true;
  }

  oldestPending(): number {
    let oldest = Infinity;
    for (const listener of this.#listeners) oldest = Math.min(oldest, listener.oldestPending);
    for (const listener of this.#leaving) oldest = Math.min(oldest, listener.oldestPending);
    return oldest;
  }

  onAdd(obj: T, isInInitialList: boolean): void {
    this.#distribute({ kind: "add", obj, isInInitialList, index: ++this.lastIndex }, false);
  }

  onUpdate(old: T, obj: T): void {
    const isReplay = resourceVersionOf(old) === resourceVersionOf(obj);
    this.#distribute({ kind: "update", old, obj, index: ++this.lastIndex }, isReplay);
  }

  onDelete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#distribute({ kind: "delete", obj, index: ++this.lastIndex }, false);
  }

  /** Starts to deliver. */
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

  /** Reports whether a resync is due for any handler. */
  shouldResync(nowMs: number): boolean {
    let isDue = false;
    for (const listener of this.#listeners) {
      if (listener.shouldResync(nowMs)) isDue = true;
    }
    return isDue;
  }

  /** Notifies all handlers; of a replay only those that are due for one. */
  #distribute(notification: Notification<T>, isReplay: boolean): void {
    for (const listener of this.#listeners) {
      if (!isReplay || listener.isSyncing) listener.push(notification);
    }
  }
}
