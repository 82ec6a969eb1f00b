import { valueIn } from "../../base/mod.ts";
import { ByteRange, parseRange, type ScannedObject, type Slab, valueAt } from "../../bytes/mod.ts";
import { type KubeObject, withType } from "../../types/mod.ts";
import { metaNamespaceKeyFunc } from "../store/mod.ts";

/** An object of a cache: parsed, or as bytes. */
export type Item<T> = T | PackedObject<T>;

/** Returns the key of an object of a cache. */
export function keyOf<T extends KubeObject>(item: Item<T>): string {
  return item instanceof PackedObject ? item.key : metaNamespaceKeyFunc(item);
}

/** The kind and the API version of the items of a list. */
export interface ObjectType {
  readonly kind: string;
  readonly apiVersion: string;
}

/**
 * An object that is kept as JSON bytes, with its identity at hand. Only caches see it: they hand out parsed objects.
 *
 * Reflectors, queues and stores treat it like an object, since it has `kind`, `apiVersion` and `metadata`.
 */
export class PackedObject<T> extends ByteRange {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly kind?: string;
  readonly apiVersion?: string;
  #parsed: T | undefined;

  /**
   * @param object The scanned object, which has a name.
   * @param page The buffer that the bytes are part of, if a store is to keep the buffer as a whole.
   * @param listed The type that the list of the object gives it.
   */
  constructor(object: ScannedObject, key: string, page?: Slab, listed?: ObjectType) {
    super(object.bytes, object.start, object.end, page);
    const { namespace = "", name = "", uid = "", resourceVersion = "" } = object;
    this.key = key;
    this.namespace = namespace;
    this.name = name;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
    const kind = object.kind || listed?.kind;
    const apiVersion = object.apiVersion || (object.kind ? undefined : listed?.apiVersion);
    if (kind !== undefined) this.kind = kind;
    if (apiVersion !== undefined) this.apiVersion = apiVersion;
  }

  /** The object itself, which has the fields of `ObjectMeta` that identify it. */
  get metadata(): this {
    return this;
  }

  /** Returns the object: a new copy each time, unless {@linkcode PackedObject.unpack} was called. */
  object(): T {
    if (this.#parsed !== undefined) return this.#parsed;
    const parsed = parseRange(this.bytes, this.start, this.end) as T & KubeObject;
    return this.kind && this.apiVersion ? withType(parsed, this.kind, this.apiVersion) : parsed;
  }

  /** Parses the object for good: it no longer needs the bytes. Returns the same object each time. */
  unpack(): T {
    return this.#parsed ??= this.object();
  }

  /** Returns the value at the path `names`; undefined if the object has none. Parses only that value. */
  valueAt(names: readonly string[]): unknown {
    if (this.#parsed !== undefined) return valueIn(this.#parsed, names);
    const value = valueAt(this.bytes, this.start, this.end, names);
    if (value || names.length !== 1) return value;
    const [name] = names;
    return name === "kind" || name === "apiVersion" ? this[name] ?? value : value;
  }
}
