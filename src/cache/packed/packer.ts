import {
  foreignFieldSets,
  type KeepsFieldsOf,
  pageOf,
  scanEvent,
  scanList,
  type ScannedObject,
  type Slab,
} from "../../bytes/mod.ts";
import {
  itemKindOf,
  type KubeList,
  type KubeObject,
  type ListerWatcher,
  type ListMeta,
  type ObjectReader,
  type ReadEvent,
} from "../../types/mod.ts";
import { JsonForm, type ObjectForm } from "./object_form.ts";
import { type Item, PackedObject } from "./packed_object.ts";

/** The cache that objects are packed for. */
export interface PackingCache {
  /** Whether the cache keeps bytes. */
  readonly keepsBytes: boolean;
  /** Tells whose field sets the cache keeps; undefined if it keeps the managed fields as they are. */
  readonly keepsFieldsOf: KeepsFieldsOf | undefined;
}

/** The type of the items of a list, for items that do not name theirs. */
interface ListedType {
  readonly kind: string;
  readonly apiVersion: string;
}

/**
 * Reads lists and watches from their bytes as packed objects, without parsing them, as long as the cache keeps bytes.
 *
 * The client parses everything else: invalid lists and events, lists without items, objects without a name, and events
 * other than ADDED, MODIFIED and DELETED.
 */
export class Packer<T extends KubeObject> implements ObjectReader<Item<T>> {
  readonly #cache: PackingCache;
  #form: ObjectForm = new JsonForm(undefined, undefined);

  /** @param cache The cache that the objects are for. */
  constructor(cache: PackingCache) {
    this.#cache = cache;
  }

  readList(body: Uint8Array): KubeList<Item<T>> | undefined {
    const list = this.#cache.keepsBytes ? scanList(body) : undefined;
    if (list === undefined || list.items.length === 0) return undefined;
    const { kind, apiVersion, metadata, items } = list;
    if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
      return undefined;
    }
    // A page would keep the parts that the cache leaves out.
    const page = this.#cache.keepsFieldsOf === undefined ? pageOf(body) : undefined;
    const itemKind = itemKindOf(kind);
    const listed = itemKind && apiVersion ? { kind: itemKind, apiVersion } : undefined;
    return {
      ...(kind !== undefined && { kind }),
      ...(apiVersion !== undefined && { apiVersion }),
      metadata: metadata as ListMeta,
      items: items.map((item) => this.#pack(item, listed, page)),
    };
  }

  readEvent(bytes: Uint8Array, start: number, end: number): ReadEvent<Item<T>> | undefined {
    if (!this.#cache.keepsBytes) return undefined;
    const event = scanEvent(bytes, start, end);
    if (event === undefined) return undefined;
    const { type, object } = event;
    if (type !== "MODIFIED" && type !== "ADDED" && type !== "DELETED") return undefined;
    if (!object.name) return undefined;
    return { type, object: this.#pack(object, undefined), end: event.end };
  }

  #pack(object: ScannedObject, listed: ListedType | undefined, page?: Slab): Item<T> {
    const kind = object.kind || listed?.kind;
    const apiVersion = object.apiVersion || (object.kind ? undefined : listed?.apiVersion);
    const form = this.#formOf(kind, apiVersion);
    const { bytes, end, managedEnd, managedStart, name, namespace, start } = object;
    if (!name) return form.parse(bytes, start, end) as T;
    const packed = new PackedObject<T>(object, namespace ? `${namespace}/${name}` : name, form, page);
    const { keepsFieldsOf } = this.#cache;
    if (keepsFieldsOf !== undefined && managedStart >= 0) {
      packed.omitted = foreignFieldSets(bytes, managedStart, managedEnd, keepsFieldsOf);
    }
    return packed;
  }

  /** Returns the form of a type. The objects of an informer have one type. */
  #formOf(kind: string | undefined, apiVersion: string | undefined): ObjectForm {
    if (this.#form.kind !== kind || this.#form.apiVersion !== apiVersion) {
      this.#form = new JsonForm(kind, apiVersion);
    }
    return this.#form;
  }
}

/**
 * Returns a lister-watcher of the same objects, which delivers packed objects while the cache keeps bytes, provided
 * that `source` has bytes.
 */
export function packing<T extends KubeObject>(
  source: ListerWatcher<T>,
  cache: PackingCache,
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
