const MIN_CAPACITY = 16;

/**
 * A first-in, first-out buffer in one array. Push and shift take amortized constant time. The array doubles when it is
 * full, and halves when less than a quarter of it is used, so that memory is freed after a burst.
 */
export class RingBuffer<T> {
  /** The length is a power of two. Slots outside [head, head + length) are undefined, so that they retain nothing. */
  #slots: (T | undefined)[] = new Array(MIN_CAPACITY);
  #head = 0;
  #length = 0;

  /** The number of elements. */
  get length(): number {
    return this.#length;
  }

  /** Adds `value` at the tail. */
  push(value: T): void {
    if (this.#length === this.#slots.length) this.#resize(this.#slots.length * 2);
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = value;
    this.#length++;
  }

  /** Removes and returns the element at the head; undefined if the buffer is empty. */
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

  /** Returns the element at the head without removing it; undefined if the buffer is empty. */
  peek(): T | undefined {
    return this.#length === 0 ? undefined : this.#slots[this.#head];
  }

  /** Removes all elements. */
  clear(): void {
    this.#slots = new Array(MIN_CAPACITY);
    this.#head = 0;
    this.#length = 0;
  }

  /** Iterates over the elements from head to tail without removing them. */
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
