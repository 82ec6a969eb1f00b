import {
  type Clock,
  ENVIRONMENT_CHECKS,
  hasMethods,
  isFlag,
  isObject,
  isTimeLimit,
  type Logger,
  type OptionChecks,
  realClock,
  requireOptions,
  safeLogger,
} from "../base/mod.ts";
import { compareResourceVersions, type KubeObject } from "../types/mod.ts";
import { LRUExpireCache } from "./lru_expire_cache.ts";
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type Indexer,
  type KeyListerGetter,
} from "../cache/store/mod.ts";

/** The number of writes that are remembered, as in client-go. */
const MAX_MUTATIONS = 100;
const DEFAULT_TTL_MS = 5 * 60_000;

/** Options of a {@linkcode MutationCache}. */
export interface MutationCacheOptions<T> {
  /** The cache that follows the API server, usually the cache of an informer. */
  readonly backingCache: KeyListerGetter<T>;
  /** The backing cache as an indexer, for {@linkcode MutationCache.byIndex}. Default: none. */
  readonly indexer?: Indexer<T> | undefined;
  /** How long a write is remembered, in milliseconds. Default: five minutes. */
  readonly ttlMs?: number | undefined;
  /**
   * Whether an object that was just created is returned even if the backing cache does not have it. The object may have
   * been deleted since: call {@linkcode MutationCache.onDelete} to let the cache know of deletions. Default: false.
   */
  readonly includeAdds?: boolean | undefined;
  /** The clock that measures the age of writes. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /**
   * Receives a warning for each object without a key, which cannot be remembered. Default: warnings go to the console.
   */
  readonly logger?: Logger | undefined;
}

const CHECKS: OptionChecks<MutationCacheOptions<never>> = {
  backingCache: hasMethods("a store", "getByKey"),
  indexer: isObject,
  ttlMs: isTimeLimit,
  includeAdds: isFlag,
  clock: ENVIRONMENT_CHECKS.clock,
  logger: ENVIRONMENT_CHECKS.logger,
};

/** The entry of a key: the object as it was written, or the deletion of the object. */
interface Mutation<T> {
  readonly object: T | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/**
 * Lets a controller read its own writes. The cache returns the newer of two objects: the object in the backing cache,
 * and the object that the API server returned for the controller's last write. Only the last 100 writes are remembered,
 * so reading one's own writes is not guaranteed.
 *
 * Resource versions are compared as KEP-5504 allows. If two versions cannot be compared, the backing cache wins.
 * (client-go panics.)
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

  /** Creates a cache on top of the backing cache. */
  constructor(options: MutationCacheOptions<T>) {
    requireOptions<MutationCacheOptions<T>>("MutationCache", options, CHECKS);
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

  /** Returns the newer of the cached object and the written object; undefined if there is neither. */
  getByKey(key: string): T | undefined {
    const cached = this.#backingCache.getByKey(key);
    if (cached !== undefined) return this.#newer(key, cached);
    return this.#includeAdds ? this.#mutations.get(key)?.object : undefined;
  }

  /**
   * Returns the objects that index `name` has under `value`, each in its newer version.
   *
   * @throws {Error} When there is no indexer, or it has no such index.
   */
  byIndex(name: string, value: string): T[] {
    if (this.#indexer === undefined) {
      throw new TypeError(`Cannot search index "${name}": give the MutationCache an indexer`);
    }
    const keys = this.#indexer.indexKeys(name, value);
    const objects: T[] = [];
    for (const key of keys) {
      const cached = this.#indexer.getByKey(key);
      if (cached !== undefined) objects.push(this.#newer(key, cached));
    }
    return this.#includeAdds ? objects.concat(this.#writtenUnder(name, value, keys)) : objects;
  }

  /**
   * Remembers `obj`, the object that the API server returned for a write. Ignored if the cache already remembers a
   * newer version of the object, or its deletion.
   */
  mutation(obj: T): void {
    const key = this.#keyOf(obj);
    if (key === undefined) return;
    const known = this.#mutations.get(key);
    const { uid, resourceVersion } = obj.metadata;
    if (known !== undefined && isLate(known, { object: obj, uid, resourceVersion })) return;
    this.#mutations.set(key, { object: obj, uid, resourceVersion });
  }

  /**
   * Records the deletion of an object; call it from an event handler. Later writes with the same `uid`, or without a
   * newer resource version, are then not taken for a new object. A remembered write of a newer object with the same
   * name is kept.
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
      // The cache is an optimization: a failure to remember a write must not fail the write.
      this.#logger.warn(`Cannot remember a mutation: ${(error as Error).message}`);
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

  /** Returns the written objects that are newer than the cached ones and that the index has under `value`. */
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

/** Reports whether `mutation` is outdated by `known`. */
function isLate<T>(known: Mutation<T>, mutation: Mutation<T>): boolean {
  const order = compareVersions(mutation.resourceVersion, known.resourceVersion);
  if (known.object !== undefined) return order < 0;
  // A deleted object does not come back. A newer version with another uid is a new object of the same name.
  if (known.uid !== undefined && known.uid === mutation.uid) return true;
  return known.resourceVersion !== undefined && order <= 0;
}

/** Reports whether `known` is the write of a new object that took the name after the deletion. */
function isOfSuccessor<T>(known: Mutation<T>, deletion: Mutation<T>): boolean {
  return known.object !== undefined && known.uid !== undefined && deletion.uid !== undefined &&
    known.uid !== deletion.uid &&
    compareVersions(known.resourceVersion, deletion.resourceVersion) > 0;
}

/** Compares two versions as integers, where none counts as 0. Versions that cannot be compared count as equal. */
function compareVersions(a = "0", b = "0"): number {
  if (a === b) return 0;
  if (a === "0" || a === "") return -1;
  if (b === "0" || b === "") return 1;
  return compareResourceVersions(a, b) ?? 0;
}
