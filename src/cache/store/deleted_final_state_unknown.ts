import { Brand } from "../../base/mod.ts";

const brand = new Brand("DeletedFinalStateUnknown");

/**
 * A tombstone: the object was deleted, but the watch missed the deletion, so its final state is not known. `onDelete`
 * handlers receive the tombstone in place of the object.
 *
 * @typeParam T The type of the objects.
 *
 * @example A handler that accepts both
 * ```ts
 * import {
 *   DeletedFinalStateUnknown,
 *   deletionHandlingMetaNamespaceKeyFunc,
 *   type ResourceEventHandler,
 * } from "@kubeloop/controller/cache";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const gone: string[] = [];
 * const handler: ResourceEventHandler<Pod> = {
 *   onDelete: (obj) => void gone.push(deletionHandlingMetaNamespaceKeyFunc(obj)),
 * };
 * handler.onDelete?.(new DeletedFinalStateUnknown("default/a"));
 * assertEquals(gone, ["default/a"]);
 * ```
 *
 * @example A handler that reads the last known state
 * ```ts
 * import { DeletedFinalStateUnknown, type ResourceEventHandler } from "@kubeloop/controller/cache";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const freed: string[] = [];
 * const handler: ResourceEventHandler<Pod> = {
 *   onDelete(obj) {
 *     const pod = DeletedFinalStateUnknown.lastKnownState(obj);
 *     if (pod?.spec?.nodeName !== undefined) freed.push(pod.spec.nodeName);
 *   },
 * };
 * const pod: Pod = { metadata: { name: "a" }, spec: { nodeName: "n1", containers: [] } };
 * handler.onDelete?.(pod);
 * handler.onDelete?.(new DeletedFinalStateUnknown("default/a", pod));
 * handler.onDelete?.(new DeletedFinalStateUnknown("default/a"));
 * assertEquals(freed, ["n1", "n1"]);
 * ```
 */
export class DeletedFinalStateUnknown<T> {
  /** The key of the object. */
  readonly key: string;
  /** The last state that was observed, which may be out of date; undefined if no state was observed. */
  readonly obj: T | undefined;

  /** Creates the tombstone of the object with `key`; `obj` is its last observed state. */
  constructor(key: string, obj?: T) {
    this.key = key;
    this.obj = obj;
  }

  /** Reports whether `value` is a tombstone, created by this or another copy of the package. */
  static is<T>(value: T | DeletedFinalStateUnknown<T>): value is DeletedFinalStateUnknown<T> {
    return brand.isOn(value);
  }

  /**
   * Returns the last known state of the object that an `onDelete` handler receives.
   *
   * For a tombstone this is the last observed state, which may be out of date, or undefined if no state was observed.
   * Any other object is returned unchanged.
   */
  static lastKnownState<T>(obj: T | DeletedFinalStateUnknown<T>): T | undefined {
    return DeletedFinalStateUnknown.is(obj) ? obj.obj : obj;
  }
}

brand.put(DeletedFinalStateUnknown.prototype);
