import { pageOf, parseRange, scanEvent, scanList, type ScannedObject } from "../../bytes/mod.ts";
import {
  itemKindOf,
  type KubeList,
  type KubeObject,
  type ListerWatcher,
  type ListMeta,
  type ObjectReader,
  type ReadEvent,
  withType,
} from "../../types/mod.ts";
import { type Item, type ObjectType, PackedObject } from "./packed_object.ts";

/**
 * Reads lists and watches from their bytes as packed objects, without parsing them, as long as the cache keeps bytes.
 *
 * The client parses everything else: invalid lists and events, lists without items, objects without a name, and events
 * other than ADDED, MODIFIED and DELETED.
 */
export class Packer<T extends KubeObject> implements ObjectReader<Item<T>> {
  readonly #cache: { readonly keepsBytes: boolean };

  /** @param cache The cache that the objects are for. */
  constructor(cache: { readonly keepsBytes: boolean }) {
    this.#cache = cache;
  }

  readList(body: Uint8Array): KubeList<Item<T>> | undefined {
    const list = this.#cache.keepsBytes ? scanList(body) : undefined;
    if (list === undefined || list.items.length === 0) return undefined;
    const { kind, apiVersion, metadata, items } = list;
    if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
      return undefined;
    }
    const page = pageOf(body);
    const itemKind = itemKindOf(kind);
    const listed = itemKind && apiVersion ? { kind: itemKind, apiVersion } : undefined;
    const read = (item: ScannedObject): Item<T> => {
      const key = keyIn(item);
      return key === "" ? parse(item, listed) : new PackedObject<T>(item, key, page, listed);
    };
    return {
      ...(kind !== undefined && { kind }),
      ...(apiVersion !== undefined && { apiVersion }),
      metadata: metadata as ListMeta,
      items: items.map(read),
    };
  }

  readEvent(bytes: Uint8Array, start: number, end: number): ReadEvent<Item<T>> | undefined {
    if (!this.#cache.keepsBytes) return undefined;
    const event = scanEvent(bytes, start, end);
    if (event === undefined) return undefined;
    const { type, object } = event;
    if (type !== "MODIFIED" && type !== "ADDED" && type !== "DELETED") return undefined;
    const key = keyIn(object);
    if (key === "") return undefined;
    return { type, object: new PackedObject<T>(object, key), end: event.end };
  }
}

/** Returns the key of an object; empty if it has no name. */
function keyIn({ namespace, name = "" }: ScannedObject): string {
  return namespace && name ? `${namespace}/${name}` : name;
}

function parse<T extends KubeObject>(
  { bytes, start, end }: ScannedObject,
  listed: ObjectType | undefined,
): T {
  const parsed = parseRange(bytes, start, end) as T;
  return listed === undefined ? parsed : withType(parsed, listed.kind, listed.apiVersion);
}

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
