import type { ReadonlyStore, Store } from "./store.ts";

/** Returns the values that an object is found by: none, one or many. They must depend on nothing but the object. */
export type IndexFunc<T> = (obj: T) => readonly string[];

/** Index functions by the name of their index. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>;

/**
 * A {@linkcode ReadonlyStore} that also finds objects by the values that index functions give them.
 *
 * @typeParam T The type of the objects.
 */
export interface ReadonlyIndexer<T> extends ReadonlyStore<T> {
  /**
   * Returns the objects that share a value of index `name` with `obj`, which need not be stored; each once.
   *
   * @throws {Error} When there is no such index, or its function throws.
   */
  index(name: string, obj: T): T[];
  /**
   * Returns the sorted keys of the objects that have `value` in index `name`.
   *
   * @throws {Error} When there is no such index.
   */
  indexKeys(name: string, value: string): string[];
  /** Returns the values that objects have in index `name`, in no particular order; none when there is no such index. */
  listIndexFuncValues(name: string): string[];
  /**
   * Returns the objects that have `value` in index `name`.
   *
   * @throws {Error} When there is no such index.
   */
  byIndex(name: string, value: string): T[];
  /** Returns the index functions, by name. */
  getIndexers(): Indexers<T>;
}

/**
 * A {@linkcode Store} that also finds objects by the values that index functions give them.
 *
 * @typeParam T The type of the objects.
 */
export interface Indexer<T> extends Store<T>, ReadonlyIndexer<T> {
  /**
   * Adds indices, at any time: the objects that are stored are indexed at once.
   *
   * @throws {Error} When a name is taken or a function throws; nothing is added then.
   */
  addIndexers(indexers: Indexers<T>): void;
}
