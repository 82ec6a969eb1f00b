import type { DeletedFinalStateUnknown } from "../store/mod.ts";

/**
 * Is told what happens to the objects of a cache, after the cache has changed. All methods are optional.
 *
 * The objects are those of the cache: read-only. A handler does little itself; most put a key on a queue.
 *
 * @typeParam T The type of the objects.
 *
 * @example Keys to a queue
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
   * An object is new in the cache. `isInInitialList` says whether it was there from the start, rather than added since.
   */
  onAdd?(obj: T, isInInitialList: boolean): void | Promise<void>;
  /**
   * An object in the cache was replaced: it changed, or is replayed by a resync or a new list. If its `uid` differs, the
   * old object was deleted and a new one created under its name meanwhile.
   */
  onUpdate?(oldObj: T, newObj: T): void | Promise<void>;
  /** An object has left the cache: its final state, or a tombstone when the deletion itself was missed. */
  onDelete?(obj: T | DeletedFinalStateUnknown<T>): void | Promise<void>;
}
