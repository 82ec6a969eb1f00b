import { joinMetaNamespaceKey } from "../../cache/mod.ts";
import { type Cached, controllerOf, type KubeObject } from "../../types/mod.ts";
import type { KindCache } from "./kind_cache.ts";

/**
 * Returns the key of the controller owner of an object, if the owner is in the cache.
 *
 * The owner is matched by group, kind and UID. An object of a deleted owner does not belong to a new one of the same
 * name, and the reconcile of an owner that the cache does not hold would do nothing.
 */
export function ownerKey(object: Cached<KubeObject>, owners: KindCache): string | undefined {
  const { resource } = owners;
  const reference = controllerOf(object, resource);
  if (reference === undefined) return undefined;
  const namespace = resource.namespaced ? object.metadata.namespace : undefined;
  const owner = owners.get(reference.name, namespace);
  if (owner?.metadata.uid !== reference.uid) return undefined;
  return joinMetaNamespaceKey(namespace, reference.name);
}
