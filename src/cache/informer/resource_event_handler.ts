import { isRecord, requireFunctions } from "../../base/mod.ts";
import type { DeletedFinalStateUnknown } from "../store/mod.ts";

/**
 * Receives notifications of the changes of a cache, after the cache has changed. All methods are optional.
 *
 * The objects belong to the cache and must not be changed. A handler should do little work; most add a key to a
 * workqueue.
 *
 * @typeParam T The type of the objects.
 *
 * @example Collect the keys of changed objects
 * ```ts
 * import {
 *   deletionHandlingMetaNamespaceKeyFunc,
 *   metaNamespaceKeyFunc,
 *   type ResourceEventHandler,
 * } from "@kubeloop/controller/cache";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const keys = new Set<string>();
 * const handler: ResourceEventHandler<Pod> = {
 *   onAdd: (pod) => void keys.add(metaNamespaceKeyFunc(pod)),
 *   onUpdate: (_old, pod) => void keys.add(metaNamespaceKeyFunc(pod)),
 *   onDelete: (pod) => void keys.add(deletionHandlingMetaNamespaceKeyFunc(pod)),
 * };
 * handler.onAdd?.({ metadata: { namespace: "default", name: "a" } }, false);
 * assertEquals([...keys], ["default/a"]);
 * ```
 */
export interface ResourceEventHandler<T> {
  /**
   * Called when an object is new in the cache. `isInInitialList` is true if the object was in the first list, or was in
   * the cache before the handler was added.
   */
  onAdd?(obj: T, isInInitialList: boolean): void | Promise<void>;
  /**
   * Called when an object in the cache has changed, or is replayed by a resync or a new list. If the `uid` differs, the
   * old object was deleted and a new one was created under the same name in the meantime.
   */
  onUpdate?(oldObj: T, newObj: T): void | Promise<void>;
  /**
   * Called when an object has left the cache, with its final state, or with a tombstone if the deletion event was
   * missed.
   */
  onDelete?(obj: T | DeletedFinalStateUnknown<T>): void | Promise<void>;
}

/**
 * Checks a handler, which plain JavaScript may have forgotten, or passed as a function.
 *
 * @throws {TypeError} If it is not an object, or one of its methods is not a function.
 */
export function requireHandler(handler: unknown): void {
  if (!isRecord(handler)) {
    throw new TypeError(
      `Expected a handler with onAdd, onUpdate or onDelete: received ${typeof handler}`,
    );
  }
  const { onAdd, onUpdate, onDelete } = handler;
  requireFunctions({ onAdd, onUpdate, onDelete });
}
