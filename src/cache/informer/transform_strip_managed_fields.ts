import type { KubeObject } from "../../types/mod.ts";

/**
 * A transform that takes `metadata.managedFields` off, which few programs read and which is a tenth to a third of what a
 * cached object takes (client-go's `TransformStripManagedFields`).
 *
 * The field is left undefined rather than deleted: an object that has lost a field takes more memory than one that has it.
 *
 * @typeParam T The interface of the objects.
 * @param obj The object, which is changed.
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
