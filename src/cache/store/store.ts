import type { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";

/** The objects that a queue takes as known: usually the store that its deltas are applied to. */
export interface KeyListerGetter<T> {
  /** Returns the keys of all objects. */
  listKeys(): string[];
  /** Returns the object that has `key`; undefined when there is none. */
  getByKey(key: string): T | undefined;
}

/**
 * Reads objects by key. What it returns is shared by everyone who reads it: treat the objects as read-only.
 *
 * @typeParam T The type of the objects.
 */
export interface ReadonlyStore<T> extends KeyListerGetter<T> {
  /** The number of objects. */
  readonly size: number;
  /** Returns all objects, in no particular order, in an array of the caller's own. */
  list(): T[];
  /** Returns the keys of all objects, in no particular order. */
  listKeys(): string[];
  /**
   * Returns the stored object that has the key of `obj`; undefined when there is none.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  get(obj: T): T | undefined;
  /** Returns the object that has `key`; undefined when there is none. */
  getByKey(key: string): T | undefined;
  /**
   * Returns a resource version that the store holds.
   *
   * A plain store answers with the version of its latest change, verbatim, so it can go back: that of the object last written
   * or deleted, of the last bookmark, or of the last replacement.
   *
   * The cache of an informer is safe to ask "is my write in the cache yet?": it answers with a version up to which it holds
   * every change, which never goes back. It is empty before the first list, and while the cache cannot vouch for any version.
   *
   * @returns The version; empty when there is none.
   */
  lastStoreSyncResourceVersion(): string;
}

/**
 * Keeps objects by key. It keeps the objects that it is given, and returns the same ones, without a copy.
 *
 * @typeParam T The type of the objects.
 */
export interface Store<T> extends ReadonlyStore<T> {
  /**
   * Adds `obj`, or replaces the object that has its key.
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
   * Removes the object that has the key of `obj`, which may be a tombstone. Does nothing when there is none.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  delete(obj: T | DeletedFinalStateUnknown<T>): void;
  /**
   * Replaces the whole content by `items`, as of `resourceVersion`. Of two items with one key, the later one is kept.
   *
   * @throws {KeyError} When an item has no key; nothing is changed then.
   */
  replace(items: readonly T[], resourceVersion: string): void;
  /** Does nothing. Stores that replay their content do it here. */
  resync(): void;
  /** Notes that the content is up to date as of `resourceVersion`. */
  bookmark(resourceVersion: string): void;
}
