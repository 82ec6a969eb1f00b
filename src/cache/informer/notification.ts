import type { DeletedFinalStateUnknown } from "../store/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/**
 * One notification, shared by all handlers. `index` numbers the notifications of an informer from 1. The initial
 * additions for a handler that is added late have the number of the last notification.
 */
export type Notification<T> =
  & { readonly index: number }
  & (
    | { readonly kind: "add"; readonly obj: T; readonly isInInitialList: boolean }
    | { readonly kind: "update"; readonly old: T; readonly obj: T }
    | { readonly kind: "delete"; readonly obj: T | DeletedFinalStateUnknown<T> }
  );

/** Calls the method of `handler` that fits the notification. Returns its result, which may be a promise. */
export function notify<T>(
  handler: ResourceEventHandler<T>,
  notification: Notification<T>,
): unknown {
  switch (notification.kind) {
    case "add":
      return handler.onAdd?.(notification.obj, notification.isInInitialList);
    case "update":
      return handler.onUpdate?.(notification.old, notification.obj);
    case "delete":
      return handler.onDelete?.(notification.obj);
  }
}
