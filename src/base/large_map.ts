/** The number of entries up to which one Map holds all. Dividing them takes a few milliseconds. */
const MAX_UNDIVIDED = 2 ** 14;
const PARTS = 64;

/**
 * A Map without long pauses. A Map of the runtimes grows by copying all its entries at once: at a million entries that
 * takes 25 to 100 ms. So a large map is divided into parts by a hash of the key, and each part grows by itself: up to
 * two million entries, that takes a few milliseconds.
 *
 * Only keys that are strings are divided. The order of the entries is not kept.
 */
export class LargeMap<K, V> {
  #first = new Map<K, V>();
  /** All parts, `#first` included; undefined while `#first` holds all entries. */
  #parts: readonly Map<K, V>[] | undefined;

  /** The number of entries. */
  get size(): number {
    return this.#all().reduce((size, part) => size + part.size, 0);
  }

  /** Returns the value of a key. */
  get(key: K): V | undefined {
    return this.#part(key).get(key);
  }

  /** Sets the value of a key. */
  set(key: K, value: V): void {
    if (this.#parts === undefined && this.#first.size >= MAX_UNDIVIDED) this.#divide();
    this.#part(key).set(key, value);
  }

  /** Removes a key. */
  delete(key: K): void {
    this.#part(key).delete(key);
  }

  /** Removes all keys. */
  clear(): void {
    this.#first = new Map();
    this.#parts = undefined;
  }

  /** Returns the keys, in no particular order. */
  keys(): K[] {
    return this.#all().flatMap((part) => [...part.keys()]);
  }

  #all(): readonly Map<K, V>[] {
    return this.#parts ?? [this.#first];
  }

  #part(key: K): Map<K, V> {
    if (this.#parts === undefined || typeof key !== "string") return this.#first;
    return this.#parts[partOf(key)] as Map<K, V>;
  }

  #divide(): void {
    const entries = this.#first;
    this.#first = new Map();
    this.#parts = Array.from(
      { length: PARTS },
      (_, i) => i === 0 ? this.#first : new Map(),
    );
    for (const [key, value] of entries) this.#part(key).set(key, value);
  }
}

/**
 * Returns the index of the part for a key. The largest parts get twice as many keys as the smallest ones: equal parts
 * would all grow at the same moment.
 */
function partOf(key: string): number {
  let hash = 0;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x9e3779b1);
  const fraction = (hash >>> 0) / 2 ** 32;
  return Math.trunc(PARTS * fraction * (fraction + 2) / 3);
}
