/** A map of bounded size, which forgets the entry that has not been set for the longest time. */
export class LruMap<V> {
  readonly #maxSize: number;
  readonly #entries = new Map<string, V>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** Sets an entry as the newest. Returns the value of the entry that had to go, if there is one. */
  set(key: string, value: V): V | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maxSize) return undefined;
    const [oldestKey, oldest] = this.#entries.entries().next().value as [string, V];
    this.#entries.delete(oldestKey);
    return oldest;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** The value of the oldest entry. */
  oldest(): V | undefined {
    return this.#entries.values().next().value;
  }

  /** The values, the oldest first. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }
}
