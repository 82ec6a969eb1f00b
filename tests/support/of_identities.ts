import {
  type ChangeHandler,
  DeletedFinalStateUnknown,
  type ObjectIdentity,
  type ResourceEventHandler,
} from "../../src/cache/mod.ts";
import type { Cached, KubeObject } from "../../src/types/mod.ts";

/** Adapts a handler of objects that reads no more than their identity. */
export function ofIdentities<T extends KubeObject>(
  handler: ResourceEventHandler<Cached<T>>,
): ChangeHandler {
  const object = ({ namespace, name, uid, resourceVersion }: ObjectIdentity) =>
    ({ metadata: { namespace, name, uid, resourceVersion } }) as Cached<T>;
  return (change) => {
    const { type, key, old, isInInitialList, isFinalStateUnknown } = change;
    if (type === "Added") return handler.onAdd?.(object(change), isInInitialList);
    if (type === "Updated") return handler.onUpdate?.(object(old!), object(change));
    return handler.onDelete?.(
      isFinalStateUnknown ? new DeletedFinalStateUnknown(key, object(change)) : object(change),
    );
  };
}
