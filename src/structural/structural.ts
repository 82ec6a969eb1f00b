import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
} from "../values/mod.ts";

/** A structural schema: the parts of an OpenAPI schema that specify the type of every field. */
export interface Structural {
  /** The type: `object`, `array`, `string`, `integer`, `number` or `boolean`; empty if any type is allowed. */
  readonly type: string;
  /** Whether null is a valid value. */
  readonly nullable: boolean;
  /** Whether the value is an integer or a string. */
  readonly intOrString: boolean;
  /** Whether pruning keeps the fields that the schema does not specify. */
  readonly preserveUnknown: boolean;
  /** Whether the value is an embedded object with apiVersion, kind and metadata. */
  readonly embedded: boolean;
  /** The schemas of the named fields. */
  readonly properties: ReadonlyMap<string, Structural>;
  /** The schema of the fields that `properties` does not name; true if they may have any value. */
  readonly additional: Structural | true | undefined;
  /** The schema of the items of an array. */
  readonly items: Structural | undefined;
  /** The default of the value. */
  readonly default: Json | undefined;
  /** How server-side apply merges an array. */
  readonly listType: "atomic" | "set" | "map";
  /** The fields that identify an item of a `map` array. */
  readonly mapKeys: readonly string[];
  /** Whether server-side apply treats an object as a whole. */
  readonly atomicMap: boolean;
  /** The schema as written, for validation rules that do not concern the structure. */
  readonly raw: JsonObject;
}

/** Compiles an `openAPIV3Schema`. */
export function compileStructural(raw: JsonObject): Structural {
  const properties = new Map<string, Structural>();
  const given = getObject(raw, "properties");
  for (const name of Object.keys(given)) {
    const schema = given[name];
    if (isObject(schema)) properties.set(name, compileStructural(schema));
  }
  const additional = getOwn(raw, "additionalProperties");
  const items = getOwn(raw, "items");
  const listType = getString(raw, "x-kubernetes-list-type");
  return {
    type: getString(raw, "type"),
    nullable: getOwn(raw, "nullable") === true,
    intOrString: getOwn(raw, "x-kubernetes-int-or-string") === true,
    preserveUnknown: getOwn(raw, "x-kubernetes-preserve-unknown-fields") === true,
    embedded: getOwn(raw, "x-kubernetes-embedded-resource") === true,
    properties,
    additional: isObject(additional)
      ? compileStructural(additional)
      : additional === true || undefined,
    items: isObject(items) ? compileStructural(items) : undefined,
    default: getOwn(raw, "default"),
    listType: listType === "set" || listType === "map" ? listType : "atomic",
    mapKeys: getArray(raw, "x-kubernetes-list-map-keys").map(String),
    atomicMap: getString(raw, "x-kubernetes-map-type") === "atomic",
    raw,
  };
}

/** Returns the schema of a field: its own or else that of additional properties; undefined if there is neither. */
export function propertyOf(schema: Structural, name: string): Structural | undefined {
  const own = schema.properties.get(name);
  if (own !== undefined) return own;
  return schema.additional === true ? undefined : schema.additional;
}

/** Reports whether the schema has a CEL validation rule anywhere. */
export function hasRules(schema: Structural): boolean {
  if (getArray(schema.raw, "x-kubernetes-validations").length > 0) return true;
  if (schema.items !== undefined && hasRules(schema.items)) return true;
  if (typeof schema.additional === "object" && hasRules(schema.additional)) return true;
  return [...schema.properties.values()].some(hasRules);
}
