import { Brand } from "../../base/mod.ts";

const brand = new Brand("DeletedFinalStateUnknown");

/**
 * A tombstone: the object is gone, but its deletion was missed while the watch was down, so that its last state is not
 * known. `onDelete` handlers get it in place of the object.
 *
 * @typeParam T The type of the objects.
 *
 * @example A handler that takes both
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
 * @example A handler that asks what the object was
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
  /** The last state that was seen, which may be old; undefined when none is known. */
  readonly obj: T | undefined;

  /** The tombstone of the object that had `key`, and was `obj` when it was last seen. */
  constructor(key: string, obj?: T) {
    this.key = key;
    this.obj = obj;
  }

  /** Whether `value` is a tombstone, of this or another copy of the package. */
  static is<T>(value: T | DeletedFinalStateUnknown<T>): value is DeletedFinalStateUnknown<T> {
    return brand.isOn(value);
  }

  /**
   * The object of an `onDelete` handler's argument, tombstone or not: a tombstone's is the last state that was seen, which
   * may be old, or undefined when none is known.
   */
  static lastKnownState<T>(obj: T | DeletedFinalStateUnknown<T>): T | undefined {
    return DeletedFinalStateUnknown.is(obj) ? obj.obj : obj;
  }
}

brand.put(DeletedFinalStateUnknown.prototype);
