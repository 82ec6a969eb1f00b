import { type Clock, LruMap } from "../base/mod.ts";

interface Entry<V> {
  readonly value: V;
  readonly expiresAt: number;
}

/**
 * A map with a bounded number of values that expire. When the map is full, the least recently used value is removed.
 */
export class LRUExpireCache<V> {
  readonly #ttlMs: number;
  readonly #clock: Clock;
  /** The entries, least recently used first. */
  readonly #entries: LruMap<string, Entry<V>>;

  constructor(options: { maxSize: number; ttlMs: number; clock: Clock }) {
    this.#entries = new LruMap(options.maxSize);
    this.#ttlMs = options.ttlMs;
    this.#clock = options.clock;
  }

  set(key: string, value: V): void {
    this.#entries.set(key, { value, expiresAt: this.#clock.now() + this.#ttlMs });
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (this.#clock.now() >= entry.expiresAt) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Returns the keys, least recently used first, including expired ones. */
  keys(): string[] {
    return Array.from(this.#entries.keys());
  }
}
