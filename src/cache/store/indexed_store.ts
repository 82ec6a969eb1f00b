import { deletionKey } from "./deletion_key.ts";
import { Index } from "./index.ts";
import { resourceVersionOf } from "./resource_version.ts";
import type { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";
import type { Indexer, Indexers } from "./indexer.ts";
import { computeKey } from "./key_error.ts";
import type { KeyFunc } from "./keys.ts";

/**
 * The store behind {@linkcode newStore} and {@linkcode newIndexer}: a map and its indices.
 *
 * Every write is done wholly or not at all. The key and the index values are computed first; when a key or index
 * function throws, that reaches the caller and neither content, nor indices, nor resource version have changed.
 * (client-go panics there.) A removal runs no index function, so it cannot fail on one.
 *
 * Reads and writes by key take constant time, an index update time in proportion to the values of the object, and none
 * of its sets when they are as they were.
 *
 * @typeParam T The type of the objects.
 *
 * @example An index that comes late
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
  #resourceVersion = "";

  /** An empty store under the keys of `keyFunc`, with the indices of `indexers`. */
  constructor(keyFunc: KeyFunc<T>, indexers: Indexers<T> = {}) {
    this.#keyFunc = keyFunc;
    this.addIndexers(indexers);
  }

  /** How many objects it holds. */
  get size(): number {
    return this.#items.size;
  }

  /** Puts `obj` in place of the one that has its key, or adds it. */
  add(obj: T): void {
    this.exchange(obj);
  }

  /** The same as {@linkcode IndexedStore.add}. */
  update(obj: T): void {
    this.exchange(obj);
  }

  /**
   * {@linkcode IndexedStore.add} that returns what `obj` was put in place of; undefined when nothing was there.
   *
   * @throws {KeyError} When it has no key; nothing is changed then.
   */
  exchange(obj: T): T | undefined {
    const key = computeKey(this.#keyFunc, obj);
    if (this.#indices.length > 0) this.#reindex(key, obj);
    const old = this.#items.get(key);
    this.#items.set(key, obj);
    this.#resourceVersion = resourceVersionOf(obj) ?? this.#resourceVersion;
    return old;
  }

  /** Removes the object that has the key of `obj`, which may be a tombstone; harmless when there is none. */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    const key = deletionKey(this.#keyFunc, obj);
    if (this.#items.delete(key)) {
      for (const index of this.#indices) index.delete(key);
    }
    // The deletion itself has a version, which the object of a DELETED event carries; a tombstone knows none.
    this.#resourceVersion = resourceVersionOf(obj) ?? this.#resourceVersion;
  }

  /** All objects, in an array of the caller's own. */
  list(): T[] {
    return Array.from(this.#items.values());
  }

  /** The keys of all objects. */
  listKeys(): string[] {
    return Array.from(this.#items.keys());
  }

  /** The stored object that has the key of `obj`; undefined when none has. */
  get(obj: T): T | undefined {
    return this.#items.get(computeKey(this.#keyFunc, obj));
  }

  /** The object that has `key`; undefined when none has. */
  getByKey(key: string): T | undefined {
    return this.#items.get(key);
  }

  /** Makes `items` the whole content, as of `resourceVersion`. */
  replace(items: readonly T[], resourceVersion: string): void {
    const replacement = new Map<string, T>();
    for (const obj of items) replacement.set(computeKey(this.#keyFunc, obj), obj);

    const indices = this.#indices.map((index) => fill(index.emptied(), replacement));
    this.#items = replacement;
    this.#indices = indices;
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

  /** The objects that share a value of index `name` with `obj`, which need not be stored; each once. */
  index(name: string, obj: T): T[] {
    const index = this.#indexNamed(name);
    const values = index.valuesOf(obj, "the object asked for");
    if (values.length === 1) return this.#objectsOf(index.keys(values[0] as string));
    const keys = new Set<string>();
    for (const value of values) {
      for (const key of index.keys(value) ?? []) keys.add(key);
    }
    return this.#objectsOf(keys);
  }

  /** The sorted keys of the objects that index `name` files under `value`. */
  indexKeys(name: string, value: string): string[] {
    return [...this.#indexNamed(name).keys(value) ?? []].sort();
  }

  /** The values that index `name` has objects under; none when there is no such index. */
  listIndexFuncValues(name: string): string[] {
    return this.#findIndex(name)?.values() ?? [];
  }

  /** The objects that index `name` files under `value`. */
  byIndex(name: string, value: string): T[] {
    return this.#objectsOf(this.#indexNamed(name).keys(value));
  }

  /** The index functions, by name. */
  getIndexers(): Indexers<T> {
    return Object.fromEntries(this.#indices.map((index) => [index.name, index.indexFunc]));
  }

  /** Adds indices, at any time: what is stored is indexed at once. */
  addIndexers(indexers: Indexers<T>): void {
    const names = Object.keys(indexers);
    const taken = names.filter((name) => this.#findIndex(name) !== undefined);
    if (taken.length > 0) {
      throw new Error(
        `indexer conflict: ${taken.join(", ")}: an index of that name exists, choose another`,
      );
    }
    const added = Object.entries(indexers).map(([name, indexFunc]) =>
      fill(new Index(name, indexFunc), this.#items)
    );
    this.#indices = [...this.#indices, ...added];
  }

  #reindex(key: string, obj: T): void {
    // All values before the first change: any of these calls may throw.
    const indices = this.#indices;
    const values = new Array<readonly string[]>(indices.length);
    for (let i = 0; i < values.length; i++) values[i] = (indices[i] as Index<T>).valuesOf(obj, key);
    for (let i = 0; i < values.length; i++) {
      (indices[i] as Index<T>).set(key, values[i] as readonly string[]);
    }
  }

  #findIndex(name: string): Index<T> | undefined {
    return this.#indices.find((index) => index.name === name);
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

/** Files all of `items` in `index`. */
function fill<T>(index: Index<T>, items: ReadonlyMap<string, T>): Index<T> {
  for (const [key, obj] of items) index.set(key, index.valuesOf(obj, key));
  return index;
}
