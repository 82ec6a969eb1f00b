import { type Clock, realClock } from "../base/mod.ts";
import {
  computeKey,
  type DeletedFinalStateUnknown,
  deletionKey,
  type KeyFunc,
  resourceVersionOf,
  type Store,
} from "../cache/store/mod.ts";

interface Entry<T> {
  readonly object: T;
  readonly writtenAt: number;
}

/** Options of an {@linkcode ExpirationCache}. */
export interface ExpirationCacheOptions {
  /** How long an object stays after it was last written, in milliseconds; 0 or less: for ever. */
  readonly ttlMs: number;
  /** What tells the age. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/**
 * A {@linkcode Store} whose objects expire: one that is older than the time to live when it is read is removed and not
 * found. Writing it again makes it new.
 *
 * No timer runs. What is never read stays, and {@linkcode ExpirationCache.listKeys} and
 * {@linkcode ExpirationCache.size} count it.
 *
 * @typeParam T The type of the objects.
 *
 * @example
 * ```ts
 * import { ExpirationCache } from "@kubeloop/controller/extras";
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const cache = new ExpirationCache<string>((word) => word, { ttlMs: 1000, clock });
 * cache.add("a");
 * await clock.advance(1000);
 * assertEquals(cache.list(), ["a"]);
 * await clock.advance(1);
 * assertEquals(cache.list(), []);
 * ```
 */
export class ExpirationCache<T> implements Store<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #ttlMs: number;
  readonly #clock: Clock;
  #entries = new Map<string, Entry<T>>();
  #resourceVersion = "";

  /** An empty cache under the keys of `keyFunc`. */
  constructor(keyFunc: KeyFunc<T>, options: ExpirationCacheOptions) {
    this.#keyFunc = keyFunc;
    this.#ttlMs = options.ttlMs;
    this.#clock = options.clock ?? realClock;
  }

  /** How many objects it holds, with those that expired and were not read since. */
  get size(): number {
    return this.#entries.size;
  }

  /** Puts `obj` in place of the one that has its key, or adds it. */
  add(obj: T): void {
    const key = computeKey(this.#keyFunc, obj);
    this.#entries.set(key, { object: obj, writtenAt: this.#clock.now() });
    this.#resourceVersion = resourceVersionOf(obj) ?? this.#resourceVersion;
  }

  /** The same as {@linkcode ExpirationCache.add}. */
  update(obj: T): void {
    this.add(obj);
  }

  /** Removes the object that has the key of `obj`, which may be a tombstone; harmless when there is none. */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#entries.delete(deletionKey(this.#keyFunc, obj));
    this.#resourceVersion = resourceVersionOf(obj) ?? this.#resourceVersion;
  }

  /** The objects that have not expired; the others are removed. */
  list(): T[] {
    const objects: T[] = [];
    for (const key of this.#entries.keys()) {
      const entry = this.#getOrExpire(key);
      if (entry !== undefined) objects.push(entry.object);
    }
    return objects;
  }

  /** The keys of all objects, with those that expired and were not read since. */
  listKeys(): string[] {
    return Array.from(this.#entries.keys());
  }

  /** The stored object that has the key of `obj`; undefined when none has, or it expired. */
  get(obj: T): T | undefined {
    return this.getByKey(computeKey(this.#keyFunc, obj));
  }

  /** The object that has `key`; undefined when none has, or it expired. */
  getByKey(key: string): T | undefined {
    return this.#getOrExpire(key)?.object;
  }

  /** Makes `items` the whole content, all of it new, as of `resourceVersion`. */
  replace(items: readonly T[], resourceVersion: string): void {
    const writtenAt = this.#clock.now();
    const entries = new Map<string, Entry<T>>();
    for (const object of items) {
      entries.set(computeKey(this.#keyFunc, object), { object, writtenAt });
    }
    this.#entries = entries;
    this.#resourceVersion = resourceVersion;
  }

  /** Nothing: there is no one to replay to. */
  resync(): void {}

  /** Notes that the content is up to date as of `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
  }

  /** The resource version of the latest change, verbatim; empty when there was none. */
  lastStoreSyncResourceVersion(): string {
    return this.#resourceVersion;
  }

  #getOrExpire(key: string): Entry<T> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#ttlMs <= 0) return entry;
    if (this.#clock.now() - entry.writtenAt <= this.#ttlMs) return entry;
    this.#entries.delete(key);
    return undefined;
  }
}
