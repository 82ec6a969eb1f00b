import { joinMetaNamespaceKey } from "../../cache/mod.ts";
import { type Cached, controllerOf, type KubeObject } from "../../types/mod.ts";
import type { KindCache } from "./kind_cache.ts";

/**
 * Returns the key of the controller owner of an object; undefined if the owner is not in the cache.
 *
 * The owner is matched by group, kind and UID, so that an object of a deleted owner does not belong to a new owner of the
 * same name.
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
