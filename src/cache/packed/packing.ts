import type { KubeObject, ListerWatcher } from "../../types/mod.ts";
import type { Item } from "./packed_object.ts";
import { Packer, type PackingCache } from "./packer.ts";

/** The part of a cache that {@linkcode packing} needs. */
export interface PackedCache<T> extends PackingCache<T> {
  /** The number of objects. */
  readonly size: number;
}

/**
 * Returns a lister-watcher of the same objects. While the cache keeps bytes, it delivers packed objects, provided that
 * `source` has bytes. With `reuses`, a list that is not the first is read from its bytes even if the cache keeps parsed
 * objects: those that it has already are not parsed again.
 */
export function packing<T extends KubeObject>(
  source: ListerWatcher<T>,
  cache: PackedCache<T>,
  reuses: () => boolean,
): ListerWatcher<Item<T>> {
  const unpacked: ListerWatcher<Item<T>> = source;
  const packed = source.readBy<Item<T>>?.(new Packer<T>(cache)) ?? unpacked;
  return {
    isWatchListSemanticsUnsupported: source.isWatchListSemanticsUnsupported,
    environment: source.environment,
    list: (options, call) => {
      const readsBytes = cache.keepsBytes || cache.size > 0 && reuses();
      return (readsBytes ? packed : unpacked).list(options, call);
    },
    watch: (options, call) => (cache.keepsBytes ? packed : unpacked).watch(options, call),
  };
}
