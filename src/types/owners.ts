import type { DeepReadonly } from "./deep_readonly.ts";
import {
  apiVersionOf,
  type KubeObject,
  type OwnerReference,
  type ResourceDescriptor,
} from "./minimal/mod.ts";
import type { Stored } from "./stored.ts";

/**
 * Returns an owner reference that makes `owner` the controller owner of an object: apimachinery's
 * `metav1.NewControllerRef`. The garbage collector deletes the object after its owner is deleted.
 *
 * @param owner The owner. It must be in the namespace of the object, or cluster-scoped.
 * @param resource The resource of the owner.
 * @returns An entry for `metadata.ownerReferences`.
 * @throws {TypeError} When the owner has no name or no UID, because it was not read from a server.
 *
 * @example
 * ```ts
 * import { controllerReference, type Deployment, Deployments, type Stored } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const web: Stored<Deployment> = { metadata: { name: "web", uid: "0b1c", resourceVersion: "7" } };
 * assertEquals(controllerReference(web, Deployments), {
 *   apiVersion: "apps/v1",
 *   kind: "Deployment",
 *   name: "web",
 *   uid: "0b1c",
 *   controller: true,
 *   blockOwnerDeletion: true,
 * });
 * ```
 */
export function controllerReference(
  owner: DeepReadonly<Stored<KubeObject>>,
  resource: ResourceDescriptor,
): OwnerReference {
  const { name, uid } = owner.metadata;
  if (!name || !uid) {
    throw new TypeError(
      `Cannot make a reference to a ${resource.kind} without ${
        name ? "uid" : "name"
      }: pass an object that was read from the server`,
    );
  }
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/**
 * Returns the controller owner of an object: apimachinery's `metav1.GetControllerOf`.
 *
 * @param object The object.
 * @param resource If given, only an owner of this group and kind counts. The version may differ, since an object is
 * available in all versions of its group.
 * @returns The owner reference; undefined if the object has no such owner.
 *
 * @example
 * ```ts
 * import { controllerOf, Deployments, ReplicaSets } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1", uid: "0b1c", controller: true };
 * const pod = { metadata: { name: "web-1-x", ownerReferences: [owner] } };
 * assertEquals(controllerOf(pod)?.name, "web-1");
 * assertEquals(controllerOf(pod, ReplicaSets)?.name, "web-1");
 * assertEquals(controllerOf(pod, Deployments), undefined);
 * ```
 */
export function controllerOf(
  object: DeepReadonly<KubeObject>,
  resource?: ResourceDescriptor,
): DeepReadonly<OwnerReference> | undefined {
  const owners: unknown = object.metadata.ownerReferences;
  // A server may send anything.
  const owner = Array.isArray(owners)
    ? (owners as OwnerReference[]).find((reference) => reference?.controller === true)
    : undefined;
  if (owner === undefined || resource === undefined) return owner;
  return owner.kind === resource.kind && groupOf(owner) === resource.group ? owner : undefined;
}

/**
 * Reports whether `owner` is the controller owner of `object`: apimachinery's `metav1.IsControlledBy`. The function
 * compares UIDs, so that an object that was created again under the owner's name is not taken for the owner.
 *
 * @example
 * ```ts
 * import { isControlledBy } from "@kubeloop/controller/types";
 * import { assert } from "@std/assert";
 *
 * const owner = { metadata: { name: "web", uid: "new" } };
 * const reference = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "old", controller: true };
 * assert(!isControlledBy({ metadata: { ownerReferences: [reference] } }, owner));
 * ```
 */
export function isControlledBy(
  object: DeepReadonly<KubeObject>,
  owner: DeepReadonly<KubeObject>,
): boolean {
  const { uid } = owner.metadata;
  return uid !== undefined && controllerOf(object)?.uid === uid;
}

function groupOf({ apiVersion }: DeepReadonly<OwnerReference>): string | undefined {
  if (typeof apiVersion !== "string") return undefined;
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
