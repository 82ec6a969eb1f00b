import { DeletedFinalStateUnknown } from "../store/mod.ts";
import type { Delta, PopProcessFunc } from "../queue/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** The store that deltas are applied to. `IndexedStore` implements it. */
export interface DeltaTarget<T> {
  /** Deletes `obj`, whose key is `key`. */
  delete(obj: T | DeletedFinalStateUnknown<T>, key: string): void;
  /** Stores `obj` under `key` and returns the object that it replaces; undefined if the key is new. */
  exchange(obj: T, key: string): T | undefined;
}

/**
 * Returns a function that does the work of `processDeltas` with a single lookup per delta, because every event passes
 * through it.
 */
export function applyDeltas<T>(
  handler: ResourceEventHandler<T>,
  target: DeltaTarget<T>,
): PopProcessFunc<T> {
  const apply = ({ type, object }: Delta<T>, isInInitialList: boolean, key: string): void => {
    if (type === "Deleted") {
      target.delete(object, key);
      handler.onDelete?.(object);
      return;
    }
    if (DeletedFinalStateUnknown.is(object)) {
      throw new TypeError(
        `Delta "${type}" of "${object.key}" holds a tombstone, must hold an object`,
      );
    }
    const old = target.exchange(object, key);
    if (old === undefined) handler.onAdd?.(object, isInInitialList);
    else handler.onUpdate?.(old, object);
  };
  return (deltas, isInInitialList, key) => {
    let failures: unknown[] | undefined;
    for (const delta of deltas) {
      try {
        apply(delta, isInInitialList, key);
      } catch (thrown) {
        (failures ??= []).push(thrown);
      }
    }
    if (failures === undefined) return;
    if (failures.length === 1) throw failures[0];
    throw new AggregateError(failures, `${failures.length} deltas of one object failed`);
  };
}
