import type { KubeObject } from "../../types/mod.ts";

/**
 * Removes the managed fields (`metadata.managedFields`) of an object, as a transform: client-go's
 * `TransformStripManagedFields`. Few programs read them, and they are a tenth to a third of the memory of a cached
 * object.
 *
 * The field is set to undefined rather than deleted, since an object takes more memory after a field of it was deleted.
 *
 * @typeParam T The interface of the objects.
 * @param obj The object, which is changed in place.
 * @returns The same object.
 *
 * @example
 * ```ts
 * import { transformStripManagedFields } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * const pod = { metadata: { name: "a", managedFields: [{ manager: "kubectl" }] } };
 * assertEquals(JSON.stringify(transformStripManagedFields(pod)), '{"metadata":{"name":"a"}}');
 * ```
 */
export function transformStripManagedFields<T extends KubeObject>(obj: T): T {
  const metadata: { managedFields?: unknown } = obj.metadata;
  if (metadata.managedFields !== undefined) metadata.managedFields = undefined;
  return obj;
}
