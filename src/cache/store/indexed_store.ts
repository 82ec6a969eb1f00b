import { requireFunctions } from "../../base/mod.ts";
import { Index } from "./index.ts";
import { metaNamespaceIndexFunc } from "./index_funcs.ts";
import { resourceVersionOf } from "./resource_version.ts";
import type { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";
import type { Indexer, Indexers } from "./indexer.ts";
import { computeKey, deletionKey } from "./key_error.ts";
import type { KeyFunc } from "./keys.ts";

/**
 * The store behind {@linkcode newStore} and {@linkcode newIndexer}: a map with indices.
 *
 * Every write is atomic. The store computes the key and the index values first. If a key or index function throws, the
 * error reaches the caller, and the content, the indices and the resource version stay as they were. (client-go panics
 * if an index function fails.) A removal runs no index function, so it cannot fail because of one.
 *
 * Reads and writes by key take constant time. Updating an index takes time proportional to the number of index values
 * of the object, and leaves the sets of keys alone if the values have not changed.
 *
 * @typeParam T The type of the objects.
 *
 * @example An index added to a filled store
 * ```ts
 * import { IndexedStore, metaNamespaceIndexFunc, metaNamespaceKeyFunc } from "@kubeloop/controller/cache";
 * import type { KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const store = new IndexedStore<KubeObject>(metaNamespaceKeyFunc);
 * store.replace([{ metadata: { namespace: "x", name: "a" } }, { metadata: { name: "b" } }], "42");
 * store.addIndexers({ namespace: metaNamespaceIndexFunc });
 * assertEquals(store.indexKeys("namespace", "x"), ["x/a"]);
 * assertEquals(store.indexKeys("namespace", ""), ["b"]);
 * ```
 */
export class IndexedStore<T> implements Indexer<T> {
  readonly #keyFunc: KeyFunc<T>;
  #items = new Map<string, T>();
  #indices: readonly Index<T>[] = [];
  /**
   * Indices by namespace that have not been used yet. Informers have one by default, and most programs never read it, so
   * it is filled at the first use.
   */
  #idle: readonly Index<T>[] = [];
  #resourceVersion = "";

  /** Creates an empty store that computes keys with `keyFunc` and has the indices of `indexers`. */
  constructor(keyFunc: KeyFunc<T>, indexers: Indexers<T> = {}) {
    this.#keyFunc = keyFunc;
    this.addIndexers(indexers);
  }

  /** The number of objects. */
  get size(): number {
    return this.#items.size;
  }

  /** Adds `obj`, or replaces the object with the same key. */
  add(obj: T): void {
    this.exchange(obj);
  }

  /** The same as {@linkcode IndexedStore.add}. */
  update(obj: T): void {
    this.exchange(obj);
  }

  /**
   * Adds `obj` like {@linkcode IndexedStore.add} and returns the object that it replaces; undefined if there was none.
   *
   * @param key The key of `obj`. Default: what the key function returns.
   * @throws {KeyError} When `obj` has no key; nothing is changed then.
   */
  exchange(obj: T, key: string = computeKey(this.#keyFunc, obj)): T | undefined {
    if (this.#indices.length > 0) this.#reindex(key, obj);
    const old = this.#items.get(key);
    this.#items.set(key, obj);
    this.#resourceVersion = resourceVersionOf(obj) ?? this.#resourceVersion;
    return old;
  }

  /**
   * Removes the object with the key of `obj`, which may be a tombstone. Does nothing if the store has no such object.
   *
   * @param key The key of `obj`. Default: what the key function returns.
   */
  delete(
    obj: T | DeletedFinalStateUnknown<T>,
    key: string = deletionKey(this.#keyFunc, obj),
  ): void {
    if (this.#items.delete(key)) {
      for (const index of this.#indices) index.delete(key);
    }
    // A deletion has a resource version of its own, which the object of a DELETED event carries. A tombstone has none.
    this.#resourceVersion = resourceVersionOf(obj) ?? this.#resourceVersion;
  }

  /** Returns all objects in a new array. */
  list(): T[] {
    return Array.from(this.#items.values());
  }

  /** Returns the keys of all objects. */
  listKeys(): string[] {
    return Array.from(this.#items.keys());
  }

  /** Returns the stored object with the key of `obj`; undefined if the store has none. */
  get(obj: T): T | undefined {
    return this.#items.get(computeKey(this.#keyFunc, obj));
  }

  /** Returns the object with `key`; undefined if the store has none. */
  getByKey(key: string): T | undefined {
    return this.#items.get(key);
  }

  /** Replaces the whole content with `items`, the state as of `resourceVersion`. */
  replace(items: readonly T[], resourceVersion: string): void {
    const replacement = new Map<string, T>();
    for (const obj of items) replacement.set(computeKey(this.#keyFunc, obj), obj);

    const indices = this.#indices.map((index) => fill(index.emptied(), replacement));
    this.#items = replacement;
    this.#indices = indices;
    this.#resourceVersion = resourceVersion;
  }

  /** Does nothing: a plain store has no handlers. */
  resync(): void {}

  /** Records that the content is up to date as of `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
  }

  /** Returns the resource version of the latest change, verbatim; empty before the first change. */
  lastStoreSyncResourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Returns each object that shares a value of index `name` with `obj`, once. `obj` need not be stored. */
  index(name: string, obj: T): T[] {
    const index = this.#indexNamed(name);
    const values = index.valuesOf(obj, "the given object");
    if (values.length === 1) return this.#objectsOf(index.keys(values[0] as string));
    const keys = new Set<string>();
    for (const value of values) {
      for (const key of index.keys(value) ?? []) keys.add(key);
    }
    return this.#objectsOf(keys);
  }

  /** Returns the sorted keys of the objects that have `value` in index `name`. */
  indexKeys(name: string, value: string): string[] {
    return [...this.#indexNamed(name).keys(value) ?? []].sort();
  }

  /** Returns the values that objects have in index `name`; an empty array if the index does not exist. */
  listIndexFuncValues(name: string): string[] {
    return this.#findIndex(name)?.values() ?? [];
  }

  /** Returns the objects that have `value` in index `name`. */
  byIndex(name: string, value: string): T[] {
    return this.#objectsOf(this.#indexNamed(name).keys(value));
  }

  /** Returns the index functions by the name of their index. */
  getIndexers(): Indexers<T> {
    const all = [...this.#idle, ...this.#indices];
    return Object.fromEntries(all.map((index) => [index.name, index.indexFunc]));
  }

  /** Adds indices, at any time: stored objects are indexed at once. */
  addIndexers(indexers: Indexers<T>): void {
    requireFunctions(indexers);
    const names = Object.keys(indexers);
    const known = [...this.#idle, ...this.#indices].map(({ name }) => name);
    const taken = names.filter((name) => known.includes(name));
    if (taken.length > 0) {
      throw new Error(
        `indexer conflict: ${taken.join(", ")}: an index of that name exists, choose another`,
      );
    }
    const added = Object.entries(indexers).map(([name, indexFunc]) => new Index(name, indexFunc));
    const isIdle = ({ indexFunc }: Index<T>) => indexFunc === metaNamespaceIndexFunc;
    const filled = added.filter((index) => !isIdle(index)).map((index) => fill(index, this.#items));
    this.#idle = [...this.#idle, ...added.filter(isIdle)];
    this.#indices = [...this.#indices, ...filled];
  }

  #reindex(key: string, obj: T): void {
    // Computes all values before the first change, because any of these calls may throw.
    const indices = this.#indices;
    const values = new Array<readonly string[]>(indices.length);
    for (let i = 0; i < values.length; i++) values[i] = (indices[i] as Index<T>).valuesOf(obj, key);
    for (let i = 0; i < values.length; i++) {
      (indices[i] as Index<T>).set(key, values[i] as readonly string[]);
    }
  }

  #findIndex(name: string): Index<T> | undefined {
    const known = this.#indices.find((index) => index.name === name);
    if (known !== undefined) return known;
    const idle = this.#idle.find((index) => index.name === name);
    if (idle === undefined) return undefined;
    this.#indices = [...this.#indices, fill(idle, this.#items)];
    this.#idle = this.#idle.filter((index) => index !== idle);
    return idle;
  }

  #indexNamed(name: string): Index<T> {
    const index = this.#findIndex(name);
    if (index === undefined) throw new Error(`Index with name ${name} does not exist`);
    return index;
  }

  #objectsOf(keys: ReadonlySet<string> | undefined): T[] {
    const objects: T[] = [];
    for (const key of keys ?? []) objects.push(this.#items.get(key) as T);
    return objects;
  }
}

/** Adds all of `items` to `index`, and returns it. */
function fill<T>(index: Index<T>, items: ReadonlyMap<string, T>): Index<T> {
  for (const [key, obj] of items) index.set(key, index.valuesOf(obj, key));
  return index;
}
