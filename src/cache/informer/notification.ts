import type { KubeObject } from "../../types/mod.ts";
import { type Item, PackedObject } from "../packed/mod.ts";
import { DeletedFinalStateUnknown } from "../store/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/**
 * One notification, shared by all handlers and observers.
 *
 * @internal
 */
export interface Notification<T> {
  readonly type: "Added" | "Updated" | "Deleted";
  /** The object after the change; for a deletion, its last state or a tombstone. */
  readonly item: Item<T> | DeletedFinalStateUnknown<Item<T>>;
  /** The object before an update. */
  readonly old: Item<T> | undefined;
  readonly isInInitialList: boolean;
}

/**
 * Receives each change at once, while both versions can be read: afterwards, a cache that keeps bytes reuses the bytes of the
 * old version.
 *
 * @internal
 */
export type ChangeObserver<T> = (change: Notification<T>) => void;

/**
 * Calls the method of a handler that fits the notification.
 *
 * @param read Returns the object of an item.
 * @returns The result, which may be a promise.
 */
export function notify<T extends KubeObject>(
  handler: ResourceEventHandler<T>,
  { type, item, old, isInInitialList }: Notification<T>,
  read: (item: Item<T>) => T,
): unknown {
  if (DeletedFinalStateUnknown.is(item)) {
    const { key, obj } = item;
    return handler.onDelete?.(
      obj instanceof PackedObject
        ? new DeletedFinalStateUnknown(key, read(obj))
        : item as DeletedFinalStateUnknown<T>,
    );
  }
  const object = read(item);
  if (type === "Added") return handler.onAdd?.(object, isInInitialList);
  if (type === "Updated") return handler.onUpdate?.(read(old as Item<T>), object);
  return handler.onDelete?.(object);
}
