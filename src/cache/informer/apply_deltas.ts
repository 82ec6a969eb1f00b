import { DeletedFinalStateUnknown } from "../store/mod.ts";
import type { Delta, Deltas } from "../queue/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** The store that deltas are applied to. `IndexedStore` implements it. */
export interface DeltaTarget<T> {
  /** Deletes the object with the key of `obj`. */
  delete(obj: T | DeletedFinalStateUnknown<T>): void;
  /** Stores `obj` and returns the object that it replaces; undefined if its key is new. */
  exchange(obj: T): T | undefined;
}

/** Does the work of `processDeltas` with a single lookup per delta, because every event passes through here. */
export function applyDeltas<T>(
  handler: ResourceEventHandler<T>,
  target: DeltaTarget<T>,
  deltas: Deltas<T>,
  isInInitialList: boolean,
): void {
  let failures: unknown[] | undefined;
  for (const delta of deltas) {
    try {
      applyDelta(handler, target, delta, isInInitialList);
    } catch (thrown) {
      (failures ??= []).push(thrown);
    }
  }
  if (failures === undefined) return;
  if (failures.length === 1) throw failures[0];
  throw new AggregateError(failures, `${failures.length} deltas of one object failed`);
}

function applyDelta<T>(
  handler: ResourceEventHandler<T>,
  target: DeltaTarget<T>,
  { type, object }: Delta<T>,
  isInInitialList: boolean,
): void {
  if (type === "Deleted") {
    target.delete(object);
    handler.onDelete?.(object);
    return;
  }
  if (DeletedFinalStateUnknown.is(object)) {
    throw new TypeError(
      `Delta "${type}" of "${object.key}" holds a tombstone, must hold an object`,
    );
  }
  const old = target.exchange(object);
  if (old === undefined) handler.onAdd?.(object, isInInitialList);
  else handler.onUpdate?.(old, object);
}
