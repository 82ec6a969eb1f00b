import { DeletedFinalStateUnknown } from "../store/mod.ts";
import type { Delta, Deltas } from "../queue/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** What changes are applied to; an `IndexedStore` fits it. */
export interface DeltaTarget<T> {
  delete(obj: T | DeletedFinalStateUnknown<T>): void;
  /** Puts `obj` in place of the one that has its key, and returns that one. */
  exchange(obj: T): T | undefined;
}

/** What `processDeltas` says, where one look-up is enough: every event comes through here. */
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
  throw new AggregateError(failures, `${failures.length} changes of one object failed`);
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
