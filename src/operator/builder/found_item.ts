import type { Item, SharedInformer } from "../../cache/mod.ts";
import { compareResourceVersions, type KubeObject } from "../../types/mod.ts";

/** A stored object, and the informer that holds it. */
export interface FoundItem<T extends KubeObject> {
  readonly informer: SharedInformer<T>;
  readonly item: Item<T>;
}

/** Returns the newest version of an object in several informers. */
export function newest<T extends KubeObject>(
  informers: readonly SharedInformer<T>[],
  key: string,
): FoundItem<T> | undefined {
  let found: FoundItem<T> | undefined;
  for (const informer of informers) {
    const item = informer.itemByKey(key);
    if (item === undefined) continue;
    if (found === undefined || isOlder(found.item, item)) found = { informer, item };
  }
  return found;
}

export function isOlder(a: VersionedMeta, b: VersionedMeta): boolean {
  const { resourceVersion: before = "" } = a.metadata;
  const { resourceVersion: after = "" } = b.metadata;
  return (compareResourceVersions(before, after) ?? 0) < 0;
}

interface VersionedMeta {
  readonly metadata: { readonly resourceVersion?: string | undefined };
}
