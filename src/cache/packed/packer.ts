import { stringifyJson } from "../../base/mod.ts";
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
  decodeObject,
  decodeStatus,
  foreignFieldSetsInMessage,
  loadTable,
  metaMessage,
  scanProtobufEvent,
  scanProtobufList,
  statusOf,
  type Table,
} from "../../protobuf/mod.ts";
import {
  apiVersionOf,
  type Bookmark,
  itemKindOf,
  type KubeList,
  type KubeObject,
  type ListerWatcher,
  type ListMeta,
  type ObjectReader,
  type ProtobufReader,
  type ReadEvent,
  type ResourceDescriptor,
  type Status,
  type WatchLine,
} from "../../types/mod.ts";
import { JsonForm, type ObjectForm, ProtobufForm } from "./object_form.ts";
import { type Item, PackedObject } from "./packed_object.ts";
import { Projection } from "./projection.ts";

const encoder = new TextEncoder();

/** The type of objects whose metadata alone is requested. */
const PARTIAL = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" };

/** The cache that objects are packed for. */
export interface PackingCache {
  /** Whether the cache keeps bytes. */
  readonly keepsBytes: boolean;
  /** Reports whether the cache keeps the field sets of a manager; undefined if it keeps all. */
  readonly keepsFieldsOf: KeepsFieldsOf | undefined;
}

/** The type of the items of a list, for items that do not name theirs. */
interface ListedType {
  readonly kind: string;
  readonly apiVersion: string;
}

/**
 * Reads lists and watches from their bytes as packed objects, without parsing them, as long as the cache keeps bytes. If
 * the resource has `fields`, the packed objects are JSON of these fields alone.
 *
 * The client parses everything else in JSON: invalid lists and events, lists without items, objects without a name, and
 * events other than ADDED, MODIFIED and DELETED.
 */
export class Packer<T extends KubeObject> implements ObjectReader<Item<T>> {
  readonly #cache: PackingCache;
  readonly #projection: Projection | undefined;
  readonly #protobuf: ProtobufPacker<T> | undefined;
  #form: ObjectForm = new JsonForm(undefined, undefined);

  /**
   * @param cache The cache that the objects are for.
   * @param resource The resource of the objects, if it is known.
   */
  constructor(cache: PackingCache, resource?: ResourceDescriptor) {
    this.#cache = cache;
    this.#projection = Projection.for(resource);
    this.#protobuf = resource && new ProtobufPacker<T>(cache, resource, this.#projection);
  }

  readList(body: Uint8Array): KubeList<Item<T>> | undefined {
    const list = this.#cache.keepsBytes ? scanList(body) : undefined;
    if (list === undefined || list.items.length === 0) return undefined;
    const { kind, apiVersion, metadata, items } = list;
    if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
      return undefined;
    }
    const itemKind = itemKindOf(kind);
    const listed = itemKind && apiVersion ? { kind: itemKind, apiVersion } : undefined;
    const page = pageFor(this.#cache, body);
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
    if (event === undefined || !isChange(event.type) || !event.object.name) return undefined;
    return { type: event.type, object: this.#pack(event.object, undefined), end: event.end };
  }

  async protobuf(): Promise<ProtobufReader<Item<T>> | undefined> {
    // Decoding a whole object takes longer than JSON.parse.
    return this.#cache.keepsBytes && await this.#protobuf?.load() ? this.#protobuf : undefined;
  }

  #pack(object: ScannedObject, listed: ListedType | undefined, page?: Slab): Item<T> {
    const kind = object.kind || listed?.kind;
    const apiVersion = object.apiVersion || (object.kind ? undefined : listed?.apiVersion);
    // The objects of an informer have one type.
    if (this.#form.kind !== kind || this.#form.apiVersion !== apiVersion) {
      this.#form = new JsonForm(kind, apiVersion);
    }
    if (this.#projection !== undefined) {
      const { bytes, start, end } = object;
      const whole = this.#form.parse(bytes, start, end) as T;
      return packPart(object, this.#projection.of(whole), this.#form);
    }
    const item = pack<T>(object, this.#form, page);
    const { keepsFieldsOf } = this.#cache;
    const { bytes, managedEnd, managedStart } = object;
    if (keepsFieldsOf !== undefined && item instanceof PackedObject && managedStart >= 0) {
      item.omitted = foreignFieldSets(bytes, managedStart, managedEnd, keepsFieldsOf);
    }
    return item;
  }
}

/** Reads lists and watches in Kubernetes' protobuf. */
class ProtobufPacker<T extends KubeObject> implements ProtobufReader<Item<T>> {
  readonly #cache: PackingCache;
  readonly #resource: ResourceDescriptor;
  readonly #projection: Projection | undefined;
  #form: ProtobufForm | undefined;
  /** The table of the kept fields, and the form in which they are stored; undefined if all fields are kept. */
  #part: { readonly table: Table; readonly form: ObjectForm } | undefined;

  constructor(
    cache: PackingCache,
    resource: ResourceDescriptor,
    projection: Projection | undefined,
  ) {
    this.#cache = cache;
    this.#resource = resource;
    this.#projection = projection;
  }

  /** Loads the table of the kind. Returns false for a kind that servers do not encode in protobuf. */
  async load(): Promise<boolean> {
    if (this.#form !== undefined) return true;
    const { kind, metadataOnly } = this.#resource;
    const type = metadataOnly ? PARTIAL : { kind, apiVersion: apiVersionOf(this.#resource) };
    // A bundle may lack the table.
    const table = metadataOnly
      ? metaMessage(PARTIAL.kind)
      : await loadTable(this.#resource).catch(() => undefined);
    if (table === undefined) return false;
    this.#form = new ProtobufForm(type.kind, type.apiVersion, table);
    this.#part = this.#projection && {
      table: table.only(this.#projection.paths),
      form: new JsonForm(type.kind, type.apiVersion),
    };
    return true;
  }

  readList(body: Uint8Array): KubeList<Item<T>> | undefined {
    const list = scanProtobufList(body);
    const form = this.#form;
    if (list === undefined || form === undefined || itemKindOf(list.kind) !== form.kind) {
      return undefined;
    }
    const { kind, apiVersion, metadata, items } = list;
    const page = pageFor(this.#cache, body);
    return {
      kind: kind as string,
      ...(apiVersion !== undefined && { apiVersion }),
      metadata: (metadata ?? {}) as ListMeta,
      items: items.map((item) => this.#pack(item, form, page)),
    };
  }

  readStatus(body: Uint8Array): Status | undefined {
    return decodeStatus(body);
  }

  readEvent(bytes: Uint8Array, start: number, end: number): WatchLine<Item<T>> | undefined {
    const event = scanProtobufEvent(bytes, start, end);
    const form = this.#form;
    if (event === undefined || form === undefined) return undefined;
    const { type, object } = event;
    if (object.kind === "Status") {
      const status = statusOf(object);
      return status === undefined ? undefined : { type: "ERROR", object: status };
    }
    const isOfKind = object.kind === form.kind;
    if (isOfKind && isChange(type) && object.name) {
      return { type, object: this.#pack(object, form) };
    }
    // The reflector skips an object of another kind, whose fields are not known.
    const parsed = () =>
      (isOfKind ? form.parse(bytes, object.start, object.end) : typeOf(object)) as T;
    if (type === "BOOKMARK") return { type, object: parsed() as Bookmark };
    return isChange(type) ? { type, object: parsed() } : undefined;
  }

  #pack(object: ScannedObject, form: ProtobufForm, page?: Slab): Item<T> {
    if (this.#projection !== undefined && this.#part !== undefined) {
      const { bytes, start, end } = object;
      const part = decodeObject(this.#part.table, bytes, start, end, form) as T;
      return packPart(object, this.#projection.of(part), this.#part.form);
    }
    const item = pack<T>(object, form, page);
    const { keepsFieldsOf } = this.#cache;
    const { bytes, managedEnd, managedStart, start } = object;
    if (keepsFieldsOf === undefined || managedStart < 0) return item;
    if (!(item instanceof PackedObject)) return item;
    const sets = foreignFieldSetsInMessage(bytes, start, managedStart, managedEnd, keepsFieldsOf);
    item.omitted = sets?.parts;
    item.lengths = sets?.lengths;
    return item;
  }
}

function typeOf({ kind, apiVersion, name, namespace, resourceVersion }: ScannedObject): unknown {
  return { kind, apiVersion, metadata: { name, namespace, resourceVersion } };
}

/** Returns an object as it is stored. An object without a name cannot be stored. */
function pack<T extends KubeObject>(
  object: ScannedObject,
  form: ObjectForm,
  page: Slab | undefined,
): Item<T> {
  const { bytes, end, name, namespace, start } = object;
  if (!name) return form.parse(bytes, start, end) as T;
  return new PackedObject<T>(object, namespace ? `${namespace}/${name}` : name, form, page);
}

/** Returns a part of an object as it is stored. Nothing of it refers to the bytes of the object. */
function packPart<T extends KubeObject>(
  object: ScannedObject,
  part: T,
  form: ObjectForm,
): Item<T> {
  if (!object.name) return part;
  // The form has the type.
  const { kind, apiVersion, ...rest } = part;
  let bytes: Uint8Array;
  try {
    bytes = encoder.encode(stringifyJson(kind && apiVersion ? rest : part));
  } catch {
    // A value that JSON cannot express exactly, such as the number 1e999.
    return part;
  }
  const range = { bytes, start: 0, end: bytes.length, metadataStart: -1 };
  return pack({ ...object, ...range }, form, undefined);
}

/** Returns the page of a list. It would keep the parts that a cache leaves out. */
function pageFor(cache: PackingCache, body: Uint8Array): Slab | undefined {
  return cache.keepsFieldsOf === undefined ? pageOf(body) : undefined;
}

function isChange(type: string): type is "ADDED" | "MODIFIED" | "DELETED" {
  return type === "MODIFIED" || type === "ADDED" || type === "DELETED";
}

/**
 * Returns a lister-watcher of the same objects, which delivers packed objects while the cache keeps bytes, provided
 * that `source` has bytes.
 */
export function packing<T extends KubeObject>(
  source: ListerWatcher<T>,
  cache: PackingCache,
  resource: ResourceDescriptor | undefined,
): ListerWatcher<Item<T>> {
  const unpacked: ListerWatcher<Item<T>> = source;
  const packed = source.readBy<Item<T>>?.(new Packer<T>(cache, resource)) ?? unpacked;
  return {
    isWatchListSemanticsUnsupported: source.isWatchListSemanticsUnsupported,
    environment: source.environment,
    list: (options, call) => (cache.keepsBytes ? packed : unpacked).list(options, call),
    watch: (options, call) => (cache.keepsBytes ? packed : unpacked).watch(options, call),
  };
}
