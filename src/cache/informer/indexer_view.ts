import type { Indexers, ReadonlyIndexer } from "../store/mod.ts";

/**
 * The read-only view of an informer's cache for its users. Its resource version is the informer's: the cache holds every
 * change up to that version.
 */
export class IndexerView<T> implements ReadonlyIndexer<T> {
  readonly #store: ReadonlyIndexer<T>;
  readonly #version: () => string;

  /** @param version Returns a resource version up to which the store holds every change; empty if no version is known. */
  constructor(store: ReadonlyIndexer<T>, version: () => string) {
    this.#store = store;
    this.#version = version;
  }

  get size(): number {
    return this.#store.size;
  }

  list(): T[] {
    return this.#store.list();
  }

  listKeys(): string[] {
    return this.#store.listKeys();
  }

  get(obj: T): T | undefined {
    return this.#store.get(obj);
  }

  getByKey(key: string): T | undefined {
    return this.#store.getByKey(key);
  }

  lastStoreSyncResourceVersion(): string {
    return this.#version();
  }

  index(name: string, obj: T): T[] {
    return this.#store.index(name, obj);
  }

  indexKeys(name: string, value: string): string[] {
    return this.#store.indexKeys(name, value);
  }

  listIndexFuncValues(name: string): string[] {
    return this.#store.listIndexFuncValues(name);
  }

  byIndex(name: string, value: string): T[] {
    return this.#store.byIndex(name, value);
  }

  getIndexers(): Indexers<T> {
    return this.#store.getIndexers();
  }
}
