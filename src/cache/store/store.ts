import type { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";

/** The objects that a queue considers known: usually the store that its deltas are applied to. */
export interface KeyListerGetter<T> {
  /** Returns the keys of all objects. */
  listKeys(): string[];
  /** Returns the object with `key`; undefined if it does not exist. */
  getByKey(key: string): T | undefined;
}

/**
 * Reads objects by key. Treat the objects as read-only: most stores share them between all readers.
 *
 * @typeParam T The type of the objects.
 */
export interface ReadonlyStore<T> extends KeyListerGetter<T> {
  /** The number of objects. */
  readonly size: number;
  /** Returns all objects in a new array, in no particular order. */
  list(): T[];
  /** Returns the keys of all objects, in no particular order. */
  listKeys(): string[];
  /**
   * Returns the stored object with the key of `obj`; undefined if the store has none.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  get(obj: T): T | undefined;
  /** Returns the object with `key`; undefined if the store has none. */
  getByKey(key: string): T | undefined;
  /**
   * Returns the resource version that the content of the store corresponds to.
   *
   * A plain store returns the version of its latest change verbatim: the version of the object last written or deleted,
   * of the last bookmark, or of the last replacement. This version can go back.
   *
   * The cache of an informer returns a version up to which the cache holds every change, and which never goes back.
   * Compare it with the version of a write to find out whether the write has reached the cache. The version is empty
   * before the first list, and while the cache cannot guarantee that it holds every change up to some version.
   *
   * @returns The resource version; empty if the store knows none.
   */
  lastStoreSyncResourceVersion(): string;
}

/**
 * Stores objects by key. It keeps the objects that it is given and returns the same objects, not copies. The cache of an
 * informer may keep their JSON instead, and return a new copy from each read.
 *
 * @typeParam T The type of the objects.
 */
export interface Store<T> extends ReadonlyStore<T> {
  /**
   * Adds `obj`, or replaces the object with the same key.
   *
   * @throws {KeyError} When `obj` has no key; nothing is changed then.
   */
  add(obj: T): void;
  /**
   * The same as {@linkcode Store.add}.
   *
   * @throws {KeyError} When `obj` has no key; nothing is changed then.
   */
  update(obj: T): void;
  /**
   * Removes the object with the key of `obj`, which may be a tombstone. Does nothing if the store has no such object.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  delete(obj: T | DeletedFinalStateUnknown<T>): void;
  /**
   * Replaces the whole content with `items`, the state as of `resourceVersion`. If two items have the same key, the
   * later one is kept.
   *
   * @throws {KeyError} When an item has no key; nothing is changed then.
   */
  replace(items: readonly T[], resourceVersion: string): void;
  /** Replays the content, in stores that support this. The others do nothing. */
  resync(): void;
  /** Records that the content is up to date as of `resourceVersion`. */
  bookmark(resourceVersion: string): void;
}
