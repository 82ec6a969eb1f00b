import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";

/** A structural schema: the part of an OpenAPI schema that gives every field its type. */
export interface Structural {
  /** `object`, `array`, `string`, `integer`, `number` or `boolean`; empty where anything goes. */
  readonly type: string;
  /** Whether null is a value. */
  readonly nullable: boolean;
  /** Whether it is a number or a text. */
  readonly intOrString: boolean;
  /** Whether fields that the schema does not name are kept. */
  readonly preserveUnknown: boolean;
  /** Whether it is a whole object with apiVersion, kind and metadata. */
  readonly embedded: boolean;
  /** The fields. */
  readonly properties: ReadonlyMap<string, Structural>;
  /** The schema of fields that have no name of their own; true: there may be any. */
  readonly additional: Structural | true | undefined;
  /** The schema of an array's items. */
  readonly items: Structural | undefined;
  /** What stands in for an absent value. */
  readonly default: Json | undefined;
  /** How an array is merged. */
  readonly listType: "atomic" | "set" | "map";
  /** The keys of a `map` array. */
  readonly mapKeys: readonly string[];
  /** Whether an object is merged as a whole. */
  readonly atomicMap: boolean;
  /** The schema as it was written, for the rules that say nothing about the structure. */
  readonly raw: JsonObject;
}

/** Reads an `openAPIV3Schema`. */
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

/** The schema of a field of an object: its own, or that of all fields without a name; undefined where there is none. */
export function propertyOf(schema: Structural, name: string): Structural | undefined {
  const own = schema.properties.get(name);
  if (own !== undefined) return own;
  return schema.additional === true ? undefined : schema.additional;
}

/** Whether a CEL rule is anywhere in the schema. This server does not evaluate them. */
export function hasRules(schema: Structural): boolean {
  if (getArray(schema.raw, "x-kubernetes-validations").length > 0) return true;
  if (schema.items !== undefined && hasRules(schema.items)) return true;
  if (typeof schema.additional === "object" && hasRules(schema.additional)) return true;
  return [...schema.properties.values()].some(hasRules);
}
