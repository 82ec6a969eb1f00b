import { type Clock, type Logger, realClock, safeLogger } from "../base/mod.ts";
import { compareResourceVersions, type KubeObject } from "../types/mod.ts";
import { LRUExpireCache } from "./lru_expire_cache.ts";
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type Indexer,
  type KeyListerGetter,
} from "../cache/store/mod.ts";

/** How many mutations are remembered: client-go's number. */
const MAX_MUTATIONS = 100;
const DEFAULT_TTL_MS = 5 * 60_000;

/** Options of a {@linkcode MutationCache}. */
export interface MutationCacheOptions<T> {
  /** The cache that follows the API server, most often an informer's. */
  readonly backingCache: KeyListerGetter<T>;
  /** The same as an indexer, for {@linkcode MutationCache.byIndex}. Default: none. */
  readonly indexer?: Indexer<T> | undefined;
  /** How long a mutation is remembered, in milliseconds. Default: five minutes. */
  readonly ttlMs?: number | undefined;
  /**
   * Whether an object that the backing cache does not have is found when it was just written. It may have been deleted
   * since: without {@linkcode MutationCache.onDelete} that cannot be told. Default: false.
   */
  readonly includeAdds?: boolean | undefined;
  /** What mutations age by. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Told of objects that cannot be remembered. Default: warnings go to the console. */
  readonly logger?: Logger | undefined;
}

/** What is remembered under a key: an object as it was written, or that it was deleted. */
interface Mutation<T> {
  readonly object: T | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/**
 * Lets a controller read its own writes: it answers with the newer of what the backing cache has and what the controller
 * was given back when it wrote. The last 100 writes are remembered; it helps, but guarantees nothing.
 *
 * Resource versions are compared as KEP-5504 allows. Where they cannot be, the backing cache is believed. (client-go
 * panics.)
 *
 * @typeParam T The interface of the objects.
 *
 * @example
 * ```ts
 * import { metaNamespaceKeyFunc, newStore } from "@kubeloop/controller/cache";
 * import { MutationCache } from "@kubeloop/controller/extras";
 * import type { KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const store = newStore<KubeObject>(metaNamespaceKeyFunc);
 * const cache = new MutationCache({ backingCache: store });
 * store.add({ metadata: { name: "a", resourceVersion: "7" } });
 * cache.mutation({ metadata: { name: "a", resourceVersion: "9" } });
 * assertEquals(cache.getByKey("a")?.metadata.resourceVersion, "9");
 *
 * store.update({ metadata: { name: "a", resourceVersion: "10" } });
 * assertEquals(cache.getByKey("a")?.metadata.resourceVersion, "10");
 * ```
 */
export class MutationCache<T extends KubeObject> {
  readonly #backingCache: KeyListerGetter<T>;
  readonly #indexer: Indexer<T> | undefined;
  readonly #includeAdds: boolean;
  readonly #logger: Logger;
  readonly #mutations: LRUExpireCache<Mutation<T>>;

  /** A cache on top of another. */
  constructor(options: MutationCacheOptions<T>) {
    this.#backingCache = options.backingCache;
    this.#indexer = options.indexer;
    this.#includeAdds = options.includeAdds ?? false;
    this.#logger = safeLogger(options.logger);
    this.#mutations = new LRUExpireCache({
      maxSize: MAX_MUTATIONS,
      ttlMs: options.ttlMs ?? DEFAULT_TTL_MS,
      clock: options.clock ?? realClock,
    });
  }

  /** The newer of the cached and the written object; undefined when there is none. */
  getByKey(key: string): T | undefined {
    const cached = this.#backingCache.getByKey(key);
    if (cached !== undefined) return this.#newer(key, cached);
    return this.#includeAdds ? this.#mutations.get(key)?.object : undefined;
  }

  /**
   * The objects that index `name` files under `value`, each in its newer state.
   *
   * @throws {Error} When there is no indexer, or it has no such index.
   */
  byIndex(name: string, value: string): T[] {
    if (this.#indexer === undefined) {
      throw new TypeError(`Cannot look in index "${name}": give the MutationCache an indexer`);
    }
    const keys = this.#indexer.indexKeys(name, value);
    const objects: T[] = [];
    for (const key of keys) {
      const cached = this.#indexer.getByKey(key);
      if (cached !== undefined) objects.push(this.#newer(key, cached));
    }
    return this.#includeAdds ? objects.concat(this.#writtenUnder(name, value, keys)) : objects;
  }

  /** Remembers `obj` as the API server gave it back, unless what is remembered is newer, or its deletion. */
  mutation(obj: T): void {
    const key = this.#keyOf(obj);
    if (key === undefined) return;
    const known = this.#mutations.get(key);
    const { uid, resourceVersion } = obj.metadata;
    if (known !== undefined && isLate(known, { object: obj, uid, resourceVersion })) return;
    this.#mutations.set(key, { object: obj, uid, resourceVersion });
  }

  /**
   * Learns from a handler that an object was deleted. What is written of it late, with its `uid` or an older version, is
   * not taken for a new object then. What was written since of a new object with its name stays remembered.
   */
  onDelete(obj: T | DeletedFinalStateUnknown<T>): void {
    const key = this.#keyOf(obj);
    if (key === undefined) return;
    const metadata = DeletedFinalStateUnknown.lastKnownState(obj)?.metadata;
    const deletion = {
      object: undefined,
      uid: metadata?.uid,
      resourceVersion: metadata?.resourceVersion,
    };
    const known = this.#mutations.get(key);
    if (known !== undefined && isOfSuccessor(known, deletion)) return;
    this.#mutations.set(key, deletion);
  }

  #keyOf(obj: T | DeletedFinalStateUnknown<T>): string | undefined {
    try {
      return deletionHandlingMetaNamespaceKeyFunc(obj);
    } catch (error) {
      // A cache of one's own writes is a help; its failure must not fail the write.
      this.#logger.warn(`A mutation is not remembered: ${(error as Error).message}`);
      return undefined;
    }
  }

  #newer(key: string, cached: T): T {
    const written = this.#mutations.get(key);
    if (written?.object === undefined) return cached;
    const { resourceVersion } = cached.metadata;
    if (compareVersions(resourceVersion, written.resourceVersion) < 0) return written.object;
    this.#mutations.delete(key);
    return cached;
  }

  /** What was written, is newer than what is cached, and would be filed under `value`. */
  #writtenUnder(name: string, value: string, except: readonly string[]): T[] {
    const indexFunc = this.#indexer?.getIndexers()[name];
    const known = new Set(except);
    const objects: T[] = [];
    for (const key of this.#mutations.keys()) {
      if (known.has(key)) continue;
      const written = this.#mutations.get(key)?.object;
      if (written === undefined || this.getByKey(key) !== written) continue;
      if (indexFunc?.(written).includes(value)) objects.push(written);
    }
    return objects;
  }
}

/** Whether `mutation` tells nothing new after `known`. */
function isLate<T>(known: Mutation<T>, mutation: Mutation<T>): boolean {
  const order = compareVersions(mutation.resourceVersion, known.resourceVersion);
  if (known.object !== undefined) return order < 0;
  // A deleted object does not come back; one with another uid and a later version is a new object of the same name.
  if (known.uid !== undefined && known.uid === mutation.uid) return true;
  return known.resourceVersion !== undefined && order <= 0;
}

/** Whether `known` is of an object that took the name after the deletion. */
function isOfSuccessor<T>(known: Mutation<T>, deletion: Mutation<T>): boolean {
  return known.object !== undefined && known.uid !== undefined && deletion.uid !== undefined &&
    known.uid !== deletion.uid &&
    compareVersions(known.resourceVersion, deletion.resourceVersion) > 0;
}

/** As integers, none being 0; what cannot be compared counts as equal. */
function compareVersions(a = "0", b = "0"): number {
  if (a === b) return 0;
  if (a === "0" || a === "") return -1;
  if (b === "0" || b === "") return 1;
  return compareResourceVersions(a, b) ?? 0;
}
