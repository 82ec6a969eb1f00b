import type { ReadonlyStore, Store } from "./store.ts";

/** Returns the index values of an object: none, one or many. They must depend on nothing but the object. */
export type IndexFunc<T> = (obj: T) => readonly string[];

/** Index functions by the name of their index. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>;

/**
 * A {@linkcode ReadonlyStore} that also finds objects by their index values.
 *
 * @typeParam T The type of the objects.
 */
export interface ReadonlyIndexer<T> extends ReadonlyStore<T> {
  /**
   * Returns each object that shares a value of index `name` with `obj`, once. `obj` need not be stored.
   *
   * @throws {Error} When the index does not exist, or its function throws.
   */
  index(name: string, obj: T): T[];
  /**
   * Returns the sorted keys of the objects that have `value` in index `name`.
   *
   * @throws {Error} When the index does not exist.
   */
  indexKeys(name: string, value: string): string[];
  /**
   * Returns the values that objects have in index `name`, in no particular order; an empty array if the index does not
   * exist.
   */
  listIndexFuncValues(name: string): string[];
  /**
   * Returns the objects that have `value` in index `name`.
   *
   * @throws {Error} When the index does not exist.
   */
  byIndex(name: string, value: string): T[];
  /** Returns the index functions by the name of their index. */
  getIndexers(): Indexers<T>;
}

/**
 * A {@linkcode Store} that also finds objects by their index values.
 *
 * @typeParam T The type of the objects.
 */
export interface Indexer<T> extends Store<T>, ReadonlyIndexer<T> {
  /**
   * Adds indices, at any time: stored objects are indexed at once.
   *
   * @throws {Error} When an index with one of the names exists, or an index function throws; nothing is added then.
   */
  addIndexers(indexers: Indexers<T>): void;
}
