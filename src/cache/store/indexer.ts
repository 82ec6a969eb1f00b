import type { Store } from "./store.ts";

/** The values under which an index files an object: none, one or many. It must depend on nothing but the object. */
export type IndexFunc<T> = (obj: T) => readonly string[];

/** Index functions by the name of their index. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>;

/**
 * A {@linkcode Store} that also finds objects by the values that index functions give them.
 *
 * @typeParam T The type of the objects.
 */
export interface Indexer<T> extends Store<T> {
  /**
   * The objects that share a value of index `name` with `obj`, which need not be stored; each once.
   *
   * @throws {Error} When there is no such index, or what its function throws.
   */
  index(name: string, obj: T): T[];
  /**
   * The sorted keys of the objects that index `name` files under `value`.
   *
   * @throws {Error} When there is no such index.
   */
  indexKeys(name: string, value: string): string[];
  /** The values that index `name` has objects under, in no promised order; none when there is no such index. */
  listIndexFuncValues(name: string): string[];
  /**
   * The objects that index `name` files under `value`.
   *
   * @throws {Error} When there is no such index.
   */
  byIndex(name: string, value: string): T[];
  /** The index functions, by name. */
  getIndexers(): Indexers<T>;
  /**
   * Adds indices, at any time: what is stored is indexed at once.
   *
   * @throws {Error} When a name is taken or a function throws; nothing is added then.
   */
  addIndexers(indexers: Indexers<T>): void;
}
