import { assert } from "./assert.ts";

/** What a {@linkcode Heap} holds: it keeps its own place, so that it can be moved or removed in O(log n). */
export interface HeapItem {
  /** Written by the heap alone; -1 while the item is in none. */
  heapIndex: number;
}

/** A binary heap: the item that is `less` than all others comes out first. */
export class Heap<T extends HeapItem> {
  readonly #items: T[] = [];
  readonly #less: (a: T, b: T) => boolean;

  /** An empty heap ordered by `less`. */
  constructor(less: (a: T, b: T) => boolean) {
    this.#less = less;
  }

  /** How many items it holds. */
  get length(): number {
    return this.#items.length;
  }

  /** The first item, left where it is. */
  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item. */
  push(item: T): void {
    item.heapIndex = this.#items.length;
    this.#items.push(item);
    this.#up(item.heapIndex);
  }

  /** Takes the first item. */
  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Puts an item back in order after what `less` looks at has changed. */
  fix(item: T): void {
    assert(this.#items[item.heapIndex] === item, "Heap.fix() of an item that is not in the heap");
    if (!this.#up(item.heapIndex)) this.#down(item.heapIndex);
  }

  /** Takes one item out. */
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
