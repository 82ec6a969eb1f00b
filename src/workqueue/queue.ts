/**
 * Where a {@linkcode WorkQueue} keeps the items that wait for a worker: client-go's `Queue`. It sets the order of the
 * work, and is never given an item twice before that item has been popped.
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
 * @typeParam T What the items are.
 */
export interface Queue<T> {
  /** How many items wait. */
  readonly length: number;
  /** Takes in an item that does not wait yet. */
  push(item: T): unknown;
  /** Gives out the item whose turn it is. Only called while `length` is above 0. */
  pop(): T | undefined;
  /** Told that an item was added again while it waits, in case that changes its turn. */
  touch?(item: T): void;
}
