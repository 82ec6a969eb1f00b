import type { KubeObject } from "../../types/mod.ts";
import type { Item } from "../packed/mod.ts";
import { type DeletedFinalStateUnknown, resourceVersionOf } from "../store/mod.ts";
import type { ChangeObserver, Notification } from "./notification.ts";
import type { ProcessorListener } from "./processor_listener.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** The handlers and observers of one informer. Passes each notification to all of them. */
export class SharedProcessor<T extends KubeObject>
  implements Required<ResourceEventHandler<Item<T>>> {
  readonly #listeners = new Set<ProcessorListener<T>>();
  readonly #observers = new Set<ChangeObserver<T>>();
  /** Removed handlers whose last call may not have finished. */
  readonly #leaving = new Set<ProcessorListener<T>>();
  #unfinished: ProcessorListener<T> | undefined;
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

  /** Adds an observer. Returns a function that removes it. */
  observe(observer: ChangeObserver<T>): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Removes a listener and drops its pending notifications. Returns false if the listener is not known. */
  remove(listener: ProcessorListener<T>): boolean {
    if (!this.#listeners.delete(listener)) return false;
    listener.stop();
    this.#leaving.add(listener);
    listener.finished.then(() => this.#leaving.delete(listener));
    return true;
  }

  onAdd(item: Item<T>, isInInitialList: boolean): void {
    this.#distribute({ type: "Added", item, old: undefined, isInInitialList }, false);
  }

  onUpdate(old: Item<T>, item: Item<T>): void {
    const isReplay = resourceVersionOf(old) === resourceVersionOf(item);
    this.#distribute({ type: "Updated", item, old, isInInitialList: false }, isReplay);
  }

  onDelete(item: Item<T> | DeletedFinalStateUnknown<Item<T>>): void {
    this.#distribute({ type: "Deleted", item, old: undefined, isInInitialList: false }, false);
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
    for (const listener of [...this.#listeners, ...this.#leaving]) {
      this.#unfinished = listener;
      await listener.finished;
    }
  }

  /** The name of the handler that {@linkcode SharedProcessor.finished} waits for. */
  get unfinished(): string {
    return this.#unfinished?.name ?? "";
  }

  /** Reports whether a resync of any handler is due, and updates `getsReplays` of each listener. */
  shouldResync(nowMs: number): boolean {
    let isDue = false;
    for (const listener of this.#listeners) {
      if (listener.shouldResync(nowMs)) isDue = true;
    }
    return isDue;
  }

  /**
   * Notifies observers and handlers, all of them even if one fails. A replay reaches only the handlers that are due for a
   * resync.
   */
  #distribute(notification: Notification<T>, isReplay: boolean): void {
    let failure: { readonly error: unknown } | undefined;
    for (const observer of this.#observers) {
      try {
        observer(notification);
      } catch (error) {
        failure ??= { error };
      }
    }
    for (const listener of this.#listeners) {
      if (!isReplay || listener.getsReplays) listener.push(notification);
    }
    // The informer logs and counts it.
    if (failure !== undefined) throw failure.error;
  }
}
