import { type KeepsFieldsOf, SlabStore } from "../../bytes/mod.ts";
import type { KubeObject, Selector } from "../../types/mod.ts";
import {
  deepFreeze,
  DeletedFinalStateUnknown,
  IndexedStore,
  type Indexers,
  metaNamespaceKeyFunc,
  NAMESPACE_INDEX,
  type SelectingIndexer,
} from "../store/mod.ts";
import { type Item, keyOf, PackedObject } from "./packed_object.ts";
import { indexFuncOfItems } from "./path_index_func.ts";
import { ReadCosts } from "./read_costs.ts";

type Labels = Readonly<Record<string, string>>;

const LABELS = ["metadata", "labels"];

/** Options of an {@linkcode ObjectCache}. */
export interface ObjectCacheOptions {
  /** Whether the cache begins by keeping bytes. */
  readonly keepsBytes: boolean;
  /** Whether the objects that are handed out are frozen. */
  readonly freezes: boolean;
  /** Tells whose field sets are kept. Default: the managed fields are kept as they are. */
  readonly keepsFieldsOf?: KeepsFieldsOf | undefined;
  /** Called once if keeping parsed objects would have cost much less, with the numbers. */
  readonly onCostlyReads: (message: string) => void;
}

/**
 * The objects of an informer, in one of two states:
 *
 * - It keeps bytes: arriving objects are not parsed, and each read parses a copy. The copies die young, so this costs
 *   the least as long as few objects are read.
 * - It keeps parsed objects, which handlers and readers share.
 *
 * It begins in one of the states, and changes from the first to the second at most once. Objects that it
 * holds as bytes then are parsed when they are needed, or by {@linkcode ObjectCache.unpack}. Users cannot tell the states
 * apart.
 */
export class ObjectCache<T extends KubeObject> implements SelectingIndexer<T> {
  /** The items of the cache. */
  readonly items: IndexedStore<Item<T>> = new IndexedStore<Item<T>>(keyOf);
  readonly #slabs = new SlabStore();
  readonly #costs: ReadCosts;
  readonly #freezes: boolean;
  readonly keepsFieldsOf: KeepsFieldsOf | undefined;
  /** Whether the versions that a change takes away can be read until {@linkcode ObjectCache.settle} is called. */
  showsOld = false;
  #keepsBytes: boolean;
  #indexers: Indexers<T> = {};
  /** The versions that the last change has taken away. */
  readonly #leaving: Item<T>[] = [];
  /** The bytes of the version that the last change has replaced. */
  #replaced = new Uint8Array(0);

  constructor({ keepsBytes, freezes, keepsFieldsOf, onCostlyReads }: ObjectCacheOptions) {
    this.#keepsBytes = keepsBytes;
    this.keepsFieldsOf = keepsFieldsOf;
    this.#freezes = freezes;
    this.#costs = new ReadCosts(onCostlyReads);
  }

  /** Whether objects are kept as bytes. */
  get keepsBytes(): boolean {
    return this.#keepsBytes;
  }

  /** The number of bytes that the objects take that are kept as bytes. */
  get objectBytes(): number {
    return this.#slabs.usage.live;
  }

  /** Keeps parsed objects from now on. */
  keepParsed(): void {
    this.#keepsBytes = false;
  }

  /**
   * Stores an item under `key`. Call {@linkcode ObjectCache.settle} when the change has been reported.
   *
   * @returns The replaced item; undefined if the key is new.
   */
  exchange(item: Item<T>, key: string): Item<T> | undefined {
    // A resync replays the items themselves.
    if (this.items.getByKey(key) === item) return item;
    this.#costs.arrived();
    const packed = this.#keepsBytes && item instanceof PackedObject ? item : undefined;
    if (packed === undefined) this.#share(this.#withoutForeignFields(item));
    const old = this.items.exchange(item, key);
    if (packed === undefined) this.#leave(old);
    else if (old instanceof PackedObject) this.#replace(old, packed);
    else this.#slabs.keep(packed);
    return old;
  }

  /** Deletes `obj`, whose key is `key`. Call {@linkcode ObjectCache.settle} when the change has been reported. */
  delete(obj: Item<T> | DeletedFinalStateUnknown<Item<T>>, key: string): void {
    const old = this.items.getByKey(key);
    this.items.delete(obj, key);
    this.#leave(old);
    this.#leave(DeletedFinalStateUnknown.lastKnownState(obj));
  }

  /** Frees the versions that the last change has taken away. */
  settle(): void {
    for (let item = this.#leaving.pop(); item !== undefined; item = this.#leaving.pop()) {
      this.#discard(item);
    }
  }

  /** Returns the object of an item. */
  read(item: Item<T>): T {
    if (!this.#keepsBytes) return this.#share(item);
    if (!(item instanceof PackedObject)) return item;
    this.#costs.read();
    const object = item.object();
    return this.#freezes ? deepFreeze(object) : object;
  }

  /**
   * Returns a function that returns the object of an item, as it is now, even after the cache has another version. Parses
   * nothing before it is called.
   */
  hold(item: Item<T>): () => T {
    if (!this.#keepsBytes || !(item instanceof PackedObject)) return () => this.read(item);
    const bytes = new Uint8Array(item.size);
    item.copyTo(bytes, 0);
    return () => {
      this.#costs.read();
      const object = item.parse(bytes, 0, bytes.length);
      return this.#freezes ? deepFreeze(object) : object;
    };
  }

  /** Returns the object of an item that is not stored yet, which its receiver may change. */
  take(item: Item<T>): T {
    if (!(item instanceof PackedObject)) return item;
    const object = item.unpack();
    this.#slabs.release(item);
    return object;
  }

  /** Parses one of the objects that are still bytes, so that its bytes are no longer needed. */
  unpack(key: string): void {
    const item = this.items.getByKey(key);
    if (item !== undefined) this.#share(item);
  }

  get size(): number {
    return this.items.size;
  }

  list(): T[] {
    return this.#readAll(this.items.list());
  }

  listKeys(): string[] {
    return this.items.listKeys();
  }

  get(obj: T): T | undefined {
    return this.getByKey(metaNamespaceKeyFunc(obj));
  }

  getByKey(key: string): T | undefined {
    const item = this.items.getByKey(key);
    return item === undefined ? undefined : this.read(item);
  }

  /** Returns the objects whose labels match, of a namespace or of all. Parses no others. */
  select(selector: Selector, namespace?: string): T[] {
    const items = namespace === undefined
      ? this.items.list()
      : this.items.byIndex(NAMESPACE_INDEX, namespace);
    return this.#readAll(items.filter((item) => selector.matches(labelsOf(item))));
  }

  lastStoreSyncResourceVersion(): string {
    return this.items.lastStoreSyncResourceVersion();
  }

  index(name: string, obj: T): T[] {
    return this.#readAll(this.items.index(name, obj));
  }

  indexKeys(name: string, value: string): string[] {
    return this.items.indexKeys(name, value);
  }

  listIndexFuncValues(name: string): string[] {
    return this.items.listIndexFuncValues(name);
  }

  byIndex(name: string, value: string): T[] {
    return this.#readAll(this.items.byIndex(name, value));
  }

  getIndexers(): Indexers<T> {
    return this.#indexers;
  }

  /** Adds indices. Call {@linkcode ObjectCache.keepParsed} first unless all index functions are paths. */
  addIndexers(indexers: Indexers<T>): void {
    const read = (item: Item<T>) => this.read(item);
    const entries = Object.entries(indexers);
    this.items.addIndexers(
      Object.fromEntries(entries.map(([name, f]) => [name, indexFuncOfItems(f, read)])),
    );
    this.#indexers = { ...this.#indexers, ...indexers };
  }

  #readAll(items: readonly Item<T>[]): T[] {
    return items.map((item) => this.read(item));
  }

  /** Returns the object that all users share. */
  #share(item: Item<T>): T {
    const object = this.take(item);
    return this.#freezes ? deepFreeze(object) : object;
  }

  /** Stores the bytes of a version in the place of those of the version before. */
  #replace(old: PackedObject<T>, packed: PackedObject<T>): void {
    if (!this.showsOld) return this.#slabs.replace(old, packed);
    const { size } = old;
    if (this.#replaced.length < size) this.#replaced = new Uint8Array(2 * size);
    old.copyTo(this.#replaced, 0);
    this.#slabs.replace(old, packed);
    old.bytes = this.#replaced;
    old.end = size;
    this.#leaving.push(old);
  }

  #leave(item: Item<T> | undefined): void {
    if (item !== undefined) this.#leaving.push(item);
  }

  /** Frees the bytes of a version that has left the cache. Handlers may receive that version later. */
  #discard(item: Item<T>): void {
    if (this.#keepsBytes && item instanceof PackedObject) this.#slabs.release(item);
    else this.#share(item);
  }

  /** Removes the field sets that are not kept from an object that will be kept parsed. */
  #withoutForeignFields(item: Item<T>): T {
    const object = this.take(item);
    const keeps = this.keepsFieldsOf;
    const entries = object.metadata.managedFields;
    if (keeps === undefined || !Array.isArray(entries)) return object;
    if (entries.some((entry) => keeps(entry?.manager ?? ""))) return object;
    (object.metadata as { managedFields: unknown }).managedFields = entries.map((entry) => {
      const { fieldsType: _, fieldsV1: __, ...rest } = entry ?? {};
      return rest;
    });
    return object;
  }
}

function labelsOf<T extends KubeObject>(item: Item<T>): Labels | undefined {
  return item instanceof PackedObject ? item.valueAt(LABELS) as Labels : item.metadata.labels;
}
