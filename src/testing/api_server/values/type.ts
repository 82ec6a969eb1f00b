/** A single value. `intOrString` is Kubernetes' number or text, `bytes` base64, `quantity` an amount with a unit. */
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

/** The type of a single value. */
export interface ScalarType {
  /** Tells the types apart. */
  readonly kind: "scalar";
  /** Which. */
  readonly name: ScalarName;
}

/** Any JSON: what no schema describes. */
export interface AnyType {
  /** Tells the types apart. */
  readonly kind: "any";
}

/** An object with named fields. */
export interface StructType {
  /** Tells the types apart. */
  readonly kind: "struct";
  /** The Go type's name, for error messages; empty in custom resources. */
  readonly name: string;
  /** The fields, in the order in which they are written. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Whether one manager owns it as a whole. */
  readonly atomic: boolean;
  /** The type of fields that `fields` does not name; absent: there may be none. */
  readonly additional?: Type;
  /** Whether true or false may stand in its place, as in a JSON schema's `additionalProperties`. */
  readonly orBool?: boolean;
}

/** An object whose keys are data. */
export interface MapType {
  /** Tells the types apart. */
  readonly kind: "map";
  /** The type of the values. */
  readonly value: Type;
  /** Whether one manager owns it as a whole. */
  readonly atomic: boolean;
}

/** A list. */
export interface ListType {
  /** Tells the types apart. */
  readonly kind: "list";
  /** The type of the items. */
  readonly item: Type;
  /** How server-side apply merges it. */
  readonly listType: "atomic" | "set" | "map";
  /** The fields that identify an item of a `map` list, with the value that stands in for an absent one. */
  readonly keys: readonly ListKey[];
}

/** One key of a `map` list. */
export interface ListKey {
  /** The field of the item. */
  readonly name: string;
  /** What it is when the item does not say. */
  readonly default?: string | number | boolean;
}

/** What a value may be. */
export type Type = ScalarType | AnyType | StructType | MapType | ListType;

/**
 * When a field is written: `set`, unless it is empty; `given`, when it was given, be it empty (a Go pointer);
 * `always`, with the zero value where it was not given; `nullable`, with null where it was not given.
 */
export type Presence = "set" | "given" | "always" | "nullable";

/** A field of a struct. */
export interface Field {
  /** Its name. */
  readonly name: string;
  /** Its type. */
  readonly type: Type;
  /** When it is written. */
  readonly presence: Presence;
  /** Whether a strategic merge patch merges the list; `mergeKey` identifies its items where they are objects. */
  readonly merge: boolean;
  /** The field that identifies an item in a strategic merge patch. */
  readonly mergeKey?: string;
  /** Whether a strategic merge patch clears the fields that `$retainKeys` does not name. */
  readonly retainKeys: boolean;
}

/** The type of anything. */
export const ANY: AnyType = { kind: "any" };
