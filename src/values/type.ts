import type { Json } from "./json.ts";

/**
 * The name of a scalar type.
 *
 * `intOrString` is a number or a string, `bytes` is base64, `quantity` is a resource.Quantity.
 */
export type ScalarName =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "float"
  | "quantity"
  | "intOrString"
  | "time"
  | "microTime"
  | "bytes";

/** The type of a scalar value. */
export interface ScalarType {
  /** The discriminator of {@linkcode Type}. */
  readonly kind: "scalar";
  /** The name of the scalar type. */
  readonly name: ScalarName;
  /** The values that a string can have, sorted; absent if it can have others. */
  readonly enum?: readonly string[];
}

/** The type of any JSON value, where no schema applies. */
export interface AnyType {
  /** The discriminator of {@linkcode Type}. */
  readonly kind: "any";
  /** Whether a field manager owns the value as a whole. */
  readonly atomic?: boolean;
}

/** The type of an object with named fields. */
export interface StructType {
  /** The discriminator of {@linkcode Type}. */
  readonly kind: "struct";
  /** The name of the Go type, for error messages; empty for custom resources. */
  readonly name: string;
  /** The package and the name of the Go type, as in `core.Pod`; absent for custom resources. */
  readonly id?: string;
  /** The fields, in the order in which they are encoded. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Whether a field manager owns the object as a whole. */
  readonly atomic: boolean;
  /** The type of fields that `fields` does not name; absent if no other fields are allowed. */
  readonly additional?: Type;
  /** Whether a boolean may take the place of the object, as in `additionalProperties` of a JSON schema. */
  readonly orBool?: boolean;
  /** Whether a list may take the place of the object, as in `items` of a JSON schema, though a server refuses it. */
  readonly orList?: boolean;
}

/** The type of an object with arbitrary keys. */
export interface MapType {
  /** The discriminator of {@linkcode Type}. */
  readonly kind: "map";
  /** The type of the values. */
  readonly value: Type;
  /** Whether a field manager owns the object as a whole. */
  readonly atomic: boolean;
}

/** The type of a list. */
export interface ListType {
  /** The discriminator of {@linkcode Type}. */
  readonly kind: "list";
  /** The type of the items. */
  readonly item: Type;
  /** How server-side apply merges the list. */
  readonly listType: "atomic" | "set" | "map";
  /** Whether the published schema says so. */
  readonly declared?: boolean;
  /** The fields that identify an item of a `map` list. */
  readonly keys: readonly ListKey[];
}

/** One key of a `map` list. */
export interface ListKey {
  /** The name of the item's field. */
  readonly name: string;
  /** The value of the key if the item does not set the field. */
  readonly default?: string | number | bigint | boolean;
}

/** The type of a value. */
export type Type = ScalarType | AnyType | StructType | MapType | ListType;

/**
 * When a field is encoded.
 *
 * - `set`: if it is not empty (Go's `omitempty`).
 * - `given`: if it was given, even if it is empty (a Go pointer).
 * - `always`: always, with the zero value if it was not given.
 * - `nullable`: always, with null if it was not given.
 */
export type Presence = "set" | "given" | "always" | "nullable";

/** A field of a struct. */
export interface Field {
  /** The name of the field. */
  readonly name: string;
  /** The type of the field. */
  readonly type: Type;
  /** When the field is encoded. */
  readonly presence: Presence;
  /** Whether the API demands the field. */
  readonly required?: boolean;
  /** The default that the API documents. */
  readonly default?: Json;
  /**
   * The number of the field in protobuf. There are several if the field lies in a message of its own there, whose fields
   * are inlined in JSON. Absent if protobuf does not encode the field in the struct.
   */
  readonly numbers?: readonly number[];
  /** Whether a strategic merge patch merges the list. If its items are objects, `mergeKey` identifies them. */
  readonly merge: boolean;
  /** The item field that identifies an item in a strategic merge patch. */
  readonly mergeKey?: string;
  /**
   * Whether the field has the patch strategy `retainKeys`.
   *
   * The server obeys `$retainKeys` in a patch for every field.
   */
  readonly retainKeys: boolean;
  /** The name of the type in Go, if it is a named string, number, list or map. */
  readonly goType?: string;
  /** The names of the structs, separated by dots, that the struct embeds and from which it has the field. */
  readonly embedded?: string;
  /** Whether a strategic merge patch replaces the object instead of merging into it. */
  readonly replace?: boolean;
  /** The ownership of an object: one field manager (`"atomic"`), or one for each field (`"granular"`). */
  readonly mapType?: "atomic" | "granular";
}

/** The type of any JSON value. */
export const ANY: AnyType = { kind: "any" };
