import { pageOf, parseRange, scanEvent, scanList, type ScannedObject } from "../../bytes/mod.ts";
import {
  itemKindOf,
  type KubeList,
  type KubeObject,
  type ListMeta,
  type ObjectReader,
  type ReadEvent,
  withType,
} from "../../types/mod.ts";
import { type Item, type ObjectType, PackedObject } from "./packed_object.ts";

/** The part of a cache that a {@linkcode Packer} needs. */
export interface PackingCache<T> {
  /** Whether the cache keeps objects as bytes. */
  readonly keepsBytes: boolean;
  /** Returns the cached object with `key` if it is this version of it; undefined otherwise. */
  known(key: string, uid: string, resourceVersion: string): Item<T> | undefined;
}

/**
 * Reads lists and watches from their bytes, without parsing the objects: as packed objects if the cache keeps bytes. A
 * listed object that the cache has is the cached one, so that nothing is done for it.
 *
 * The packer leaves everything else to the client, which parses it: what is no valid list or event, lists without items,
 * objects without a name, and events other than ADDED, MODIFIED and DELETED.
 */
export class Packer<T extends KubeObject> implements ObjectReader<Item<T>> {
  readonly #cache: PackingCache<T>;

  constructor(cache: PackingCache<T>) {
    this.#cache = cache;
  }

  readList(body: Uint8Array): KubeList<Item<T>> | undefined {
    const list = scanList(body);
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
      const { uid, resourceVersion } = item;
      const known = uid && resourceVersion && this.#cache.known(key, uid, resourceVersion);
      if (known) return known;
      const isPacked = this.#cache.keepsBytes && key !== "";
      return isPacked ? new PackedObject<T>(item, key, page, listed) : parse(item, listed);
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
