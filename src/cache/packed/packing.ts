import type { KubeObject, ListerWatcher } from "../../types/mod.ts";
import type { Item } from "./packed_object.ts";
import { Packer } from "./packer.ts";

/**
 * Returns a lister-watcher of the same objects, which delivers packed objects while the cache keeps bytes, provided
 * that `source` has bytes.
 */
export function packing<T extends KubeObject>(
  source: ListerWatcher<T>,
  cache: { readonly keepsBytes: boolean },
): ListerWatcher<Item<T>> {
  const unpacked: ListerWatcher<Item<T>> = source;
  const packed = source.readBy<Item<T>>?.(new Packer<T>(cache)) ?? unpacked;
  return {
    isWatchListSemanticsUnsupported: source.isWatchListSemanticsUnsupported,
    environment: source.environment,
    list: (options, call) => (cache.keepsBytes ? packed : unpacked).list(options, call),
    watch: (options, call) => (cache.keepsBytes ? packed : unpacked).watch(options, call),
  };
}
