import type { DeletedFinalStateUnknown } from "../store/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** What handlers are to be told; one object for all of them. `index` says which came first. */
export type Notification<T> =
  & { readonly index: number }
  & (
    | { readonly kind: "add"; readonly obj: T; readonly isInInitialList: boolean }
    | { readonly kind: "update"; readonly old: T; readonly obj: T }
    | { readonly kind: "delete"; readonly obj: T | DeletedFinalStateUnknown<T> }
  );

/** Tells one handler; what it returns may be a promise. */
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
