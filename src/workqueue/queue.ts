/**
 * Stores the items of a {@linkcode WorkQueue} that wait for a worker, and decides their order: client-go's `Queue`. The
 * work queue never pushes an item that is already stored.
 *
 * @example Last in, first out
 * ```ts
 * import { type Queue, WorkQueue } from "@kubeloop/controller/workqueue";
 * import { assertEquals } from "@std/assert";
 *
 * const stack: string[] = [];
 * const queue: Queue<string> = stack;
 *
 * const work = new WorkQueue({ queue });
 * work.add("first");
 * work.add("second");
 * assertEquals(work.tryGet(), "second");
 * ```
 *
 * @typeParam T The type of the items.
 */
export interface Queue<T> {
  /** The number of stored items that a worker may take. A queue may hold an item back until it is added again. */
  readonly length: number;
  /** Stores an item that is not stored yet. */
  push(item: T): unknown;
  /** Removes the next item and returns it. Called only while `length` is above 0. */
  pop(): T | undefined;
  /** Called when a stored item is added again. The queue may move the item, or stop holding it back. */
  touch?(item: T): void;
}
