import type { KubeObject } from "../../types/mod.ts";
import type { CompactStore } from "./compact_store.ts";
import type { RefReader } from "./ref_reader.ts";
import {
  DeletedFinalStateUnknown,
  type Indexer,
  type Indexers,
  type IndexFunc,
  metaNamespaceIndexFunc,
} from "../store/mod.ts";
import type { ObjectRef } from "./object_ref.ts";
import { readsPath } from "./path_funcs.ts";

const LABELS = ["metadata", "labels"];

/** The indexer of a compact cache: parses an object anew for each read. */
export class ParsedIndexer<T extends KubeObject> implements Indexer<T> {
  readonly #store: CompactStore<T>;
  readonly #reader: RefReader<T>;
  #indexers: Indexers<T> = {};

  constructor(store: CompactStore<T>, reader: RefReader<T>) {
    this.#store = store;
    this.#reader = reader;
  }

  get size(): number {
    return this.#store.size;
  }

  add(obj: T): void {
    this.#store.add(this.#reader.refTo(obj));
  }

  update(obj: T): void {
    this.add(obj);
  }

  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#store.delete(
      DeletedFinalStateUnknown.is(obj)
        ? new DeletedFinalStateUnknown<ObjectRef<T>>(obj.key)
        : this.#reader.refTo(obj),
    );
  }

  list(): T[] {
    return this.#store.list().map(parse);
  }

  listKeys(): string[] {
    return this.#store.listKeys();
  }

  get(obj: T): T | undefined {
    return this.#store.get(this.#reader.refTo(obj))?.object();
  }

  getByKey(key: string): T | undefined {
    return this.#store.getByKey(key)?.object();
  }

  /** Returns the labels of an object without parsing the rest of the object. Listers select objects by them. */
  labelsOf(key: string): Readonly<Record<string, string>> | undefined {
    const labels = this.#store.getByKey(key)?.valueAt(LABELS);
    return labels as Readonly<Record<string, string>> | undefined;
  }

  replace(items: readonly T[], resourceVersion: string): void {
    this.#store.replace(items.map((item) => this.#reader.refTo(item)), resourceVersion);
  }

  resync(): void {}

  bookmark(resourceVersion: string): void {
    this.#store.bookmark(resourceVersion);
  }

  lastStoreSyncResourceVersion(): string {
    return this.#store.lastStoreSyncResourceVersion();
  }

  index(name: string, obj: T): T[] {
    return this.#store.index(name, this.#reader.refTo(obj)).map(parse);
  }

  indexKeys(name: string, value: string): string[] {
    return this.#store.indexKeys(name, value);
  }

  listIndexFuncValues(name: string): string[] {
    return this.#store.listIndexFuncValues(name);
  }

  byIndex(name: string, value: string): T[] {
    return this.#store.byIndex(name, value).map(parse);
  }

  getIndexers(): Indexers<T> {
    return this.#indexers;
  }

  addIndexers(indexers: Indexers<T>): void {
    const entries = Object.entries(indexers);
    this.#store.addIndexers(Object.fromEntries(entries.map(([name, f]) => [name, ofRefs(f)])));
    this.#indexers = { ...this.#indexers, ...indexers };
  }
}

function parse<T>(ref: ObjectRef<T>): T {
  return ref.object();
}

/** Adapts an index function of objects to references. Only a function that does not declare its path costs a parse. */
function ofRefs<T extends KubeObject>(indexFunc: IndexFunc<T>): IndexFunc<ObjectRef<T>> {
  if (readsPath(indexFunc)) return indexFunc;
  if (indexFunc === metaNamespaceIndexFunc) return metaNamespaceIndexFunc;
  return (ref) => indexFunc(ref.object());
}
