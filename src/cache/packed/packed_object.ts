import { jsonEqual, valueIn } from "../../base/mod.ts";
import { ByteRange, copyTo, type ScannedObject, sizeOf, type Slab } from "../../bytes/mod.ts";
import type { KubeObject } from "../../types/mod.ts";
import { metaNamespaceKeyFunc } from "../store/mod.ts";
import type { ObjectForm } from "./object_form.ts";

/**
 * An object of a cache: parsed, or as bytes.
 *
 * @internal
 */
export type Item<T> = T | PackedObject<T>;

/**
 * Returns the key of an object of a cache.
 *
 * @internal
 */
export function keyOf<T extends KubeObject>(item: Item<T>): string {
  return item instanceof PackedObject ? item.key : metaNamespaceKeyFunc(item);
}

/**
 * Returns the value at a path of an item; undefined if it has none.
 *
 * @internal
 */
export function valueOfItem<T extends KubeObject>(
  item: Item<T>,
  names: readonly string[],
): unknown {
  return item instanceof PackedObject ? item.valueAt(names) : valueIn(item, names);
}

/**
 * Reports whether two items have equal values at a path.
 *
 * @internal
 */
export function hasSameValueAt<T extends KubeObject>(
  a: Item<T>,
  b: Item<T>,
  names: readonly string[],
): boolean {
  if (a instanceof PackedObject && b instanceof PackedObject && a.hasSameBytesAt(b, names)) {
    return true;
  }
  // First the new version, whose value an index has just read.
  const value = valueOfItem(b, names);
  return jsonEqual(valueOfItem(a, names), value);
}

/** The value that was read last. */
let lastRead: {
  readonly item: unknown;
  readonly names: readonly string[] | undefined;
  readonly value: unknown;
} = { item: undefined, names: undefined, value: undefined };

/**
 * An object that is kept as bytes, with what a controller needs of each version at hand. Only caches see it: they hand out
 * parsed objects.
 *
 * Reflectors, queues and stores treat it like an object, since it has `kind`, `apiVersion` and `metadata`.
 *
 * @internal
 */
export class PackedObject<T> extends ByteRange {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  /** The number of finalizers. */
  readonly finalizerCount: number;
  /** Whether the object may have an annotation by which people control controllers. */
  readonly isControlled: boolean;
  readonly #form: ObjectForm;
  /** The distance from the start of the object to that of its metadata; negative if it is not known. */
  readonly #metadataOffset: number;
  #parsed: T | undefined;

  /**
   * @param object The scanned object, which has a name.
   * @param page The buffer that the bytes are part of, if a store is to keep the buffer as a whole.
   */
  constructor(object: ScannedObject, key: string, form: ObjectForm, page?: Slab) {
    super(object.bytes, object.start, object.end, page);
    const { namespace = "", name = "", uid = "", resourceVersion = "" } = object;
    this.key = key;
    this.namespace = namespace;
    this.name = name;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
    // Always assigned, so that all items have one hidden class.
    this.kind = form.kind as string;
    this.apiVersion = form.apiVersion as string;
    this.generation = object.generation as number;
    this.deletionTimestamp = object.deletionTimestamp as string;
    this.finalizerCount = object.finalizers;
    this.isControlled = object.isControlled;
    this.#form = form;
    this.#metadataOffset = object.metadataStart - object.start;
  }

  /** The object itself, which has the fields of `ObjectMeta` that identify it. */
  get metadata(): this {
    return this;
  }

  /** The start of the value of `metadata`; -1 if it is not known. */
  get metadataStart(): number {
    return this.#metadataOffset < 0 ? -1 : this.start + this.#metadataOffset;
  }

  /** Returns the object: a new copy each time, unless {@linkcode PackedObject.unpack} was called. */
  object(): T {
    return this.#parsed ?? this.parse(this.bytes, this.start, this.end);
  }

  /** Parses a copy of the bytes of the object. */
  parse(bytes: Uint8Array, start: number, end: number): T {
    return this.#form.parse(bytes, start, end) as T;
  }

  /** Whether the object is parsed for good, so that its bytes are gone. */
  get isParsed(): boolean {
    return this.#parsed !== undefined;
  }

  /** Parses the object for good: it no longer needs the bytes. Returns the same object each time. */
  unpack(): T {
    return this.#parsed ??= this.object();
  }

  /** The number of bytes that {@linkcode PackedObject.copyTo} writes. */
  get size(): number {
    return sizeOf(this);
  }

  /** Copies the bytes to `at` in a buffer. */
  copyTo(buffer: Uint8Array, at: number): void {
    copyTo(buffer, at, this);
  }

  /** Returns the value at the path `names`; undefined if the object has none. Parses only that value. */
  valueAt(names: readonly string[]): unknown {
    if (this.#parsed !== undefined) return valueIn(this.#parsed, names);
    // An index and a mapper read the same value of each change.
    if (lastRead.item === this && lastRead.names === names) return lastRead.value;
    const value = this.#form.valueAt(this, names);
    lastRead = { item: this, names, value };
    return value;
  }

  /**
   * Reports whether another version has the same bytes at a path, in a form that can tell. Values whose bytes differ can
   * still be equal.
   */
  hasSameBytesAt(other: PackedObject<T>, names: readonly string[]): boolean {
    if (this.#parsed !== undefined || other.#parsed !== undefined) return false;
    return this.#form === other.#form &&
      this.#form.hasSameBytesAt?.(this, other, names) === true;
  }
}
