const MIN_CAPACITY = 16;

/**
 * A first-in, first-out buffer in one array: push and shift in amortised constant time, growing by doubling and
 * shrinking by halves when less than a quarter is used, so that memory returns after a burst.
 */
export class RingBuffer<T> {
  /** Its length is a power of two; slots outside [head, head + length) are undefined, so nothing is retained. */
  #slots: (T | undefined)[] = new Array(MIN_CAPACITY);
  #head = 0;
  #length = 0;

  /** How many elements it holds. */
  get length(): number {
    return this.#length;
  }

  /** Adds `value` at the tail. */
  push(value: T): void {
    if (this.#length === this.#slots.length) this.#resize(this.#slots.length * 2);
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = value;
    this.#length++;
  }

  /** Takes the element at the head; undefined when empty. */
  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const value = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#slots.length - 1);
    this.#length--;
    if (this.#slots.length > MIN_CAPACITY && this.#length < this.#slots.length / 4) {
      this.#resize(this.#slots.length / 2);
    }
    return value;
  }

  /** The element at the head, left where it is; undefined when empty. */
  peek(): T | undefined {
    return this.#length === 0 ? undefined : this.#slots[this.#head];
  }

  /** Drops everything. */
  clear(): void {
    this.#slots = new Array(MIN_CAPACITY);
    this.#head = 0;
    this.#length = 0;
  }

  /** The elements from head to tail, which stay where they are. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let i = 0; i < this.#length; i++) {
      yield this.#slots[(this.#head + i) & (this.#slots.length - 1)] as T;
    }
  }

  #resize(capacity: number): void {
    const slots: (T | undefined)[] = new Array(capacity);
    for (let i = 0; i < this.#length; i++) {
      slots[i] = this.#slots[(this.#head + i) & (this.#slots.length - 1)];
    }
    this.#slots = slots;
    this.#head = 0;
  }
}
