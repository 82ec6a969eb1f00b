import type { DeletedFinalStateUnknown } from "../store/mod.ts";

/**
 * What happened to an object: `Added`, `Updated` and `Deleted` come from the watch; `Replaced` from a list, where a queue
 * was asked to tell it from `Sync`, which replays what is known.
 */
export type DeltaType = "Added" | "Updated" | "Deleted" | "Replaced" | "Sync";

/** One change of one object. */
export interface Delta<T> {
  /** What happened. */
  readonly type: DeltaType;
  /** The object afterwards; of a deletion its last state, or a tombstone. */
  readonly object: T | DeletedFinalStateUnknown<T>;
}

/** The changes of one object that were not processed yet, oldest first. */
export type Deltas<T> = readonly Delta<T>[];

/**
 * Processes the changes of one object.
 *
 * `isInInitialList` says whether they belong to the objects that the queue was first filled with.
 */
export type PopProcessFunc<T> = (deltas: Deltas<T>, isInInitialList: boolean) => void;

/**
 * Changes an object before it is queued, in most cases to drop what is not needed in the cache. It may be applied to its
 * own result, so applying it twice must be the same as once; and it must not change the object's key.
 */
export type TransformFunc<T> = (obj: T) => T;
