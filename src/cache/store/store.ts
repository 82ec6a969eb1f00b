import type { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";

/** What a queue asks of the store behind it: which objects are known. */
export interface KeyListerGetter<T> {
  /** The keys of all objects. */
  listKeys(): string[];
  /** The object that has `key`; undefined when none has. */
  getByKey(key: string): T | undefined;
}

/**
 * Objects by key.
 *
 * What it is given it keeps and hands out again, uncopied: treat the objects as read-only.
 *
 * @typeParam T The type of the objects.
 */
export interface Store<T> extends KeyListerGetter<T> {
  /** How many objects it holds. */
  readonly size: number;
  /**
   * Puts `obj` in place of the one that has its key, or adds it.
   *
   * @throws {KeyError} When it has no key; nothing is changed then.
   */
  add(obj: T): void;
  /**
   * The same as {@linkcode Store.add}.
   *
   * @throws {KeyError} When it has no key; nothing is changed then.
   */
  update(obj: T): void;
  /**
   * Removes the object that has the key of `obj`, which may be a tombstone; harmless when there is none.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  delete(obj: T | DeletedFinalStateUnknown<T>): void;
  /** All objects, in no promised order, in an array of the caller's own. */
  list(): T[];
  /** The keys of all objects, in no promised order. */
  listKeys(): string[];
  /**
   * The stored object that has the key of `obj`; undefined when none has.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  get(obj: T): T | undefined;
  /** The object that has `key`; undefined when none has. */
  getByKey(key: string): T | undefined;
  /**
   * Makes `items` the whole content, as of `resourceVersion`. Of two that have one key, the later stays.
   *
   * @throws {KeyError} When one has no key; nothing is changed then.
   */
  replace(items: readonly T[], resourceVersion: string): void;
  /** Nothing; stores that replay their content do it here. */
  resync(): void;
  /** Notes that the content is up to date as of `resourceVersion`. */
  bookmark(resourceVersion: string): void;
  /**
   * The resource version of the latest change: of the object last written or deleted, of the last bookmark, or of the
   * last replacement. Verbatim, so it can go back. Empty when there was none.
   */
  lastStoreSyncResourceVersion(): string;
}
