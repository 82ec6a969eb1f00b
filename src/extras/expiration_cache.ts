import {
  checkedElsewhere,
  type Clock,
  ENVIRONMENT_CHECKS,
  type OptionChecks,
  realClock,
  requireOptions,
} from "../base/mod.ts";
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
  /** The time to live of an object after its last write, in milliseconds. With 0 or less, objects never expire. */
  readonly ttlMs: number;
  /** The clock that measures the age of objects. Default: the real clock. */
  readonly clock?: Clock | undefined;
}

const CHECKS: OptionChecks<ExpirationCacheOptions> = {
  ttlMs: checkedElsewhere,
  clock: ENVIRONMENT_CHECKS.clock,
};

/**
 * A {@linkcode Store} whose objects expire. An object that is older than the time to live is removed when it is read,
 * and counts as not found. A write resets the age of the object.
 *
 * No timer runs: an expired object stays in memory until it is read, and {@linkcode ExpirationCache.listKeys} and
 * {@linkcode ExpirationCache.size} include it until then.
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

  /** Creates an empty cache that stores objects under the keys of `keyFunc`. */
  constructor(keyFunc: KeyFunc<T>, options: ExpirationCacheOptions) {
    requireOptions("ExpirationCache", options, CHECKS);
    this.#keyFunc = keyFunc;
    this.#ttlMs = options.ttlMs;
    this.#clock = options.clock ?? realClock;
  }

  /** The number of objects, including expired objects that have not been read since. */
  get size(): number {
    return this.#entries.size;
  }

  /** Adds `obj`, or replaces the object that has its key. */
  add(obj: T): void {
    const key = computeKey(this.#keyFunc, obj);
    this.#entries.set(key, { object: obj, writtenAt: this.#clock.now() });
    this.#resourceVersion = resourceVersionOf(obj) ?? this.#resourceVersion;
  }

  /** The same as {@linkcode ExpirationCache.add}. */
  update(obj: T): void {
    this.add(obj);
  }

  /** Removes the object that has the key of `obj`, if there is one. `obj` may be a tombstone. */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#entries.delete(deletionKey(this.#keyFunc, obj));
    this.#resourceVersion = resourceVersionOf(obj) ?? this.#resourceVersion;
  }

  /** Returns the objects that have not expired, and removes the expired ones. */
  list(): T[] {
    const objects: T[] = [];
    for (const key of this.#entries.keys()) {
      const entry = this.#getOrExpire(key);
      if (entry !== undefined) objects.push(entry.object);
    }
    return objects;
  }

  /** Returns the keys of all objects, including expired objects that have not been read since. */
  listKeys(): string[] {
    return Array.from(this.#entries.keys());
  }

  /** Returns the stored object that has the key of `obj`; undefined if there is none or it has expired. */
  get(obj: T): T | undefined {
    return this.getByKey(computeKey(this.#keyFunc, obj));
  }

  /** Returns the object that has `key`; undefined if there is none or it has expired. */
  getByKey(key: string): T | undefined {
    return this.#getOrExpire(key)?.object;
  }

  /** Replaces the whole content with `items`, as of `resourceVersion`. The age of all items starts at 0. */
  replace(items: readonly T[], resourceVersion: string): void {
    const writtenAt = this.#clock.now();
    const entries = new Map<string, Entry<T>>();
    for (const object of items) {
      entries.set(computeKey(this.#keyFunc, object), { object, writtenAt });
    }
    this.#entries = entries;
    this.#resourceVersion = resourceVersion;
  }

  /** Does nothing: this store has no handlers to replay objects to. */
  resync(): void {}

  /** Records that the content is up to date as of `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
  }

  /** Returns the resource version of the last change or bookmark, verbatim; empty before the first one. */
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
