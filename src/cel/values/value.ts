import { byteLength, type Json } from "../../values/mod.ts";
import type { CelType } from "../types/mod.ts";

/** An unsigned integer of 64 bits. */
export class Uint {
  /** The number. */
  readonly value: bigint;

  /** Creates the integer. */
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A duration. */
export class Duration {
  /** The length in nanoseconds. */
  readonly nanos: bigint;

  /** Creates the duration. */
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A point in time. */
export class Timestamp {
  /** The nanoseconds since 1970, in UTC. */
  readonly nanos: bigint;
  /** The offset from UTC, in minutes, in which the time is written. */
  readonly offsetMinutes: number;

  /** Creates the time. */
  constructor(nanos: bigint, offsetMinutes = 0) {
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }
}

/** A value that may be absent. */
export class Optional {
  /** The value; undefined if it is absent. */
  readonly value: Value | undefined;

  /** Creates the optional value. */
  constructor(value?: Value) {
    this.value = value;
  }
}

/** A type, as a value. */
export class TypeValue {
  /** The name of the type. */
  readonly name: string;

  /** Creates the value. */
  constructor(name: string) {
    this.name = name;
  }
}

/** How a list of an object is compared and added to another: `x-kubernetes-list-type`. */
export type ListMode = { readonly type: "set" } | {
  readonly type: "map";
  readonly keys: readonly string[];
};

/** A list. */
export class CelList {
  readonly #items: Value[];
  /** The number of items. */
  readonly size: number;
  /** How the list is compared; undefined if the order counts. */
  readonly mode: ListMode | undefined;
  /** Whether the items come from an object: the messages of wrong indexes differ. */
  readonly ofObject: boolean;

  /** Creates the list of the first `size` of `items`. */
  constructor(
    items: Value[],
    { size = items.length, mode, ofObject = false }: {
      readonly size?: number;
      readonly mode?: ListMode | undefined;
      readonly ofObject?: boolean;
    } = {},
  ) {
    this.#items = items;
    this.size = size;
    this.mode = mode;
    this.ofObject = ofObject;
  }

  /** The items. */
  get items(): readonly Value[] {
    return this.#items.length === this.size ? this.#items : this.#items.slice(0, this.size);
  }

  /** Returns an item. The index must be in the list. */
  at(index: number): Value {
    return this.#items[index]!;
  }

  /** Returns this list with other items after it. */
  concat(other: CelList): CelList {
    if (this.ofObject) {
      return new CelList([...this.items, ...other.items]);
    }
    // A loop that adds item by item would be quadratic if each step copied the list.
    const shared = this.#items.length === this.size ? this.#items : this.#items.slice(0, this.size);
    for (let index = 0; index < other.size; index++) shared.push(other.at(index));
    return new CelList(shared);
  }
}

/** A map, or an object with fields. */
export interface CelMap {
  readonly isMap: true;
  /** Whether the map comes from an object: it can only be compared with maps. */
  readonly ofObject: boolean;
  readonly size: number;
  /** Returns the value of a key; undefined if the map does not have it. */
  get(key: Value): Value | undefined;
  /** Returns the keys. */
  keys(): readonly Value[];
}

/** The kinds of values of Kubernetes' own libraries. */
export interface Opaque {
  /** The type. */
  readonly opaque: CelType;
  /** Reports whether two values of the type are equal. */
  equals(other: Opaque): boolean;
  /** The size, for costs; undefined if the value has none. */
  readonly size?: number;
}

/** A value of an expression: a bigint is an `int`, a number a `double`. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Duration
  | Timestamp
  | Optional
  | TypeValue
  | CelList
  | CelMap
  | Opaque
  | Preserved;

/** A value of an object without a schema. It can only be compared. */
export class Preserved {
  /** The value. */
  readonly json: Json;

  /** Creates the value. */
  constructor(json: Json) {
    this.json = json;
  }
}

/** The failure of an evaluation, with the message of the real server. */
export class CelError extends Error {
  /** Always `CelError`. */
  override readonly name: string = "CelError";
}

/** Reports whether a value is a map. */
export function isCelMap(value: Value): value is CelMap {
  return typeof value === "object" && value !== null && "isMap" in value;
}

/** Reports whether a value is of a type of Kubernetes' libraries. */
export function isOpaque(value: Value): value is Opaque {
  return typeof value === "object" && value !== null && "opaque" in value;
}

/** Returns the name of the type of a value. */
export function typeName(value: Value): string {
  if (value === null) return "null_type";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "string":
      return "string";
  }
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Uint) return "uint";
  if (value instanceof Duration) return "google.protobuf.Duration";
  if (value instanceof Timestamp) return "google.protobuf.Timestamp";
  if (value instanceof Optional) return "optional_type";
  if (value instanceof TypeValue) return "type";
  if (value instanceof CelList) return "list";
  if (isCelMap(value)) return "map";
  return isOpaque(value) ? value.opaque.name : "unknown";
}

/** Returns the size of a value as costs count it: 1 for all that has no size. */
export function sizeOf(value: Value): number {
  if (typeof value === "string") return byteOrRuneLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelList) return value.size;
  if (value === null || typeof value !== "object") return 1;
  if (isCelMap(value)) return value.size;
  if (value instanceof Optional) return value.value === undefined ? 1 : sizeOf(value.value);
  return isOpaque(value) ? value.size ?? 1 : 1;
}

function byteOrRuneLength(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) count--;
  }
  return count;
}

/** Returns the number of bytes of a string. */
export const textBytes: (text: string) => number = byteLength;
