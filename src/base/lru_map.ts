/** A map of bounded size. It removes the entry that has not been set for the longest time. */
export class LruMap<K, V> {
  readonly #maxSize: number;
  readonly #entries = new Map<K, V>();

  /** Creates an empty map of at most `maxSize` entries. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Reports whether there is an entry for a key. */
  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Returns the value of a key. */
  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Sets an entry as the newest. Returns the value of the entry that was removed; undefined if there was room. */
  set(key: K, value: V): V | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maxSize) return undefined;
    const [oldestKey, oldest] = this.#entries.entries().next().value as [K, V];
    this.#entries.delete(oldestKey);
    return oldest;
  }

  /** Removes the entry of a key. */
  delete(key: K): void {
    this.#entries.delete(key);
  }

  /** The value of the oldest entry. */
  oldest(): V | undefined {
    return this.#entries.values().next().value;
  }

  /** The keys, the oldest first. */
  keys(): IterableIterator<K> {
    return this.#entries.keys();
  }

  /** The values, the oldest first. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  /** The entries, the oldest first. */
  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }
}
