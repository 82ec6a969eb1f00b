import type { DeletedFinalStateUnknown } from "../store/mod.ts";

/**
 * The type of a change.
 *
 * - `Added`, `Updated` and `Deleted` report watch events. A list reports the objects that are missing from it as
 * `Deleted`.
 * - `Replaced` reports an object in a list, if the queue was created with `emitDeltaTypeReplaced`.
 * - `Sync` reports an object that a resync replays. Without `emitDeltaTypeReplaced`, it also reports an object in a
 * list.
 */
export type DeltaType = "Added" | "Updated" | "Deleted" | "Replaced" | "Sync";

/** One change of one object. */
export interface Delta<T> {
  /** The type of the change. */
  readonly type: DeltaType;
  /** The object after the change. For a deletion, this is its last state or a tombstone. */
  readonly object: T | DeletedFinalStateUnknown<T>;
}

/** The changes of one object that are not processed yet, oldest first. */
export type Deltas<T> = readonly Delta<T>[];

/**
 * Processes the pending changes of one object.
 *
 * `isInInitialList` reports whether the changes belong to the initial list: the first content of the queue. `key` is
 * the key of the object.
 */
export type PopProcessFunc<T> = (
  deltas: Deltas<T>,
  isInInitialList: boolean,
  key: string,
) => void;

/**
 * Transforms an object before it is queued, typically to drop fields that the cache does not need. The function must be
 * idempotent, because it may be applied to its own result, and it must not change the key of the object.
 */
export type TransformFunc<T> = (obj: T) => T;
