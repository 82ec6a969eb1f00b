import { hasSameValueAt, type Item, joinMetaNamespaceKey, valueOfItem } from "../../cache/mod.ts";
import { controllerOf, type KubeObject, type OwnerReference } from "../../types/mod.ts";
import type { ItemChange } from "./change.ts";
import { type KindCache, OWNERS } from "./kind_cache.ts";

/** Returns the keys of the controller owners of an object before and after its change. */
export function ownerKeys({ item, old }: ItemChange, owners: KindCache): readonly string[] {
  const keys = [ownerKey(item, owners)];
  // An owner rarely changes. The owner before the change is reconciled first.
  if (old !== undefined && !hasSameValueAt(old, item, OWNERS)) keys.unshift(ownerKey(old, owners));
  return [...new Set(keys)].filter((key) => key !== undefined);
}

/**
 * Returns the key of the controller owner of an object; undefined if the owner is not in the cache.
 *
 * The owner is matched by group, kind and UID, so that an object of a deleted owner does not belong to a new owner of the
 * same name.
 */
function ownerKey(item: Item<KubeObject>, owners: KindCache): string | undefined {
  const ownerReferences = valueOfItem(item, OWNERS);
  if (!Array.isArray(ownerReferences)) return undefined;
  const { resource } = owners;
  const reference = controllerOf({
    metadata: { ownerReferences: ownerReferences as OwnerReference[] },
  }, resource);
  if (reference === undefined) return undefined;
  const namespace = resource.namespaced ? item.metadata.namespace || undefined : undefined;
  if (!owners.covers(namespace)) return undefined;
  const key = joinMetaNamespaceKey(namespace, reference.name);
  return owners.itemByKey(key)?.metadata.uid === reference.uid ? key : undefined;
}
