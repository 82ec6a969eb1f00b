import { assert } from "./assert.ts";

/** An item of a {@linkcode Heap}. It stores its own index, so that the heap can move or remove it in O(log n). */
export interface HeapItem {
  /** The index of the item in its heap, or -1 while it is in no heap. Only the heap writes it. */
  heapIndex: number;
}

/** A binary heap. The item that is `less` than all others comes out first. */
export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #less: (a: T, b: T) => boolean;

  /** Creates an empty heap that is ordered by `less`. */
  constructor(less: (a: T, b: T) => boolean) {
    this.#less = less;
  }

  /** The number of items. */
  get length(): number {
    return this.#items.length;
  }

  /** Returns the first item without removing it; undefined if the heap is empty. */
  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item. */
  push(item: T): void {
    item.heapIndex = this.#items.length;
    this.#items.push(item);
    this.#up(item.heapIndex);
  }

  /** Removes and returns the first item; undefined if the heap is empty. */
  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Restores the order after a change of an item that affects `less`. */
  fix(item: T): void {
    assert(this.#items[item.heapIndex] === item, "Heap.fix() of an item that is not in the heap");
    if (!this.#up(item.heapIndex)) this.#down(item.heapIndex);
  }

  /** Removes an item. */
  remove(item: T): void {
    const index = item.heapIndex;
    assert(this.#items[index] === item, "Heap.remove() of an item that is not in the heap");
    const last = this.#items.pop() as T;
    if (last !== item) {
      this.#place(last, index);
      if (!this.#up(index)) this.#down(index);
    }
    item.heapIndex = -1;
  }

  #place(item: T, index: number): void {
    this.#items[index] = item;
    item.heapIndex = index;
  }

  #up(start: number): boolean {
    const item = this.#items[start] as T;
    let index = start;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex] as T;
      if (!this.#less(item, parent)) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(item, index);
    return index !== start;
  }

  #down(start: number): void {
    const item = this.#items[start] as T;
    const { length } = this.#items;
    let index = start;
    while (true) {
      let childIndex = 2 * index + 1;
      if (childIndex >= length) break;
      const right = childIndex + 1;
      if (right < length && this.#less(this.#items[right] as T, this.#items[childIndex] as T)) {
        childIndex = right;
      }
      const child = this.#items[childIndex] as T;
      if (!this.#less(child, item)) break;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(item, index);
  }
}
