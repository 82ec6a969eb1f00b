import type { Deliveries } from "../compact/mod.ts";
import { type DeletedFinalStateUnknown, resourceVersionOf } from "../store/mod.ts";
import type { Notification } from "./notification.ts";
import type { ProcessorListener } from "./processor_listener.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** The handlers of one informer. It is itself a handler, which passes each notification on to all of them. */
export class SharedProcessor<T> implements Deliveries, Required<ResourceEventHandler<T>> {
  lastIndex = 0;
  readonly #listeners = new Set<ProcessorListener<T>>();
  /** Removed handlers whose last call may not have finished. */
  readonly #leaving = new Set<ProcessorListener<T>>();
  #started = false;

  /** The listeners of the handlers, in the order in which they were added. */
  get listeners(): Iterable<ProcessorListener<T>> {
    return this.#listeners;
  }

  /** Adds the listener of a handler, which is notified from now on. */
  add(listener: ProcessorListener<T>): void {
    this.#listeners.add(listener);
    if (this.#started) listener.start();
  }

  /** Removes a listener and drops its pending notifications. Returns false if the listener is not known. */
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

  /** Starts delivery to all handlers. */
  start(): void {
    this.#started = true;
    for (const listener of this.#listeners) listener.start();
  }

  /** Stops delivery to all handlers and drops their pending notifications. */
  stop(): void {
    for (const listener of this.#listeners) listener.stop();
  }

  /** Resolves when the last calls of all handlers have finished, removed ones included. */
  async finished(): Promise<void> {
    for (const listener of [...this.#listeners, ...this.#leaving]) await listener.finished;
  }

  /** Reports whether a resync of any handler is due, and updates `isSyncing` of each listener. */
  shouldResync(nowMs: number): boolean {
    let isDue = false;
    for (const listener of this.#listeners) {
      if (listener.shouldResync(nowMs)) isDue = true;
    }
    return isDue;
  }

  /** Notifies all handlers, or for a replay only those that are due for a resync. */
  #distribute(notification: Notification<T>, isReplay: boolean): void {
    for (const listener of this.#listeners) {
      if (!isReplay || listener.isSyncing) listener.push(notification);
    }
  }
}
