import {
  getArray,
  getObject,
  getOwn,
  isObject,
  type Json,
  jsonEqual,
  type JsonObject,
} from "../../../values/mod.ts";
import { EMBEDDED_FIELDS, objectFields } from "./custom_fields.ts";
import { V3 } from "./dialect.ts";

/** The copied keywords of a published schema, in order, and the keywords whose values contain schemas. */
const KEYWORDS = [
  "description",
  "type",
  "nullable",
  "format",
  "title",
  "default",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "multipleOf",
  "enum",
  "maxProperties",
  "minProperties",
  "required",
  "items",
  "allOf",
  "oneOf",
  "anyOf",
  "not",
  "properties",
  "additionalProperties",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
];

const EITHER: Json = [{ type: "integer" }, { type: "string" }];

/** Returns the schema of a CRD as OpenAPI v3 publishes it: with the fields that every object has. */
export function customSchema(schema: JsonObject): JsonObject {
  const published = publish(schema);
  const properties = { ...getObject(published, "properties"), ...objectFields(V3) };
  return ordered({ ...published, properties: sorted(properties) });
}

function publish(schema: JsonObject): JsonObject {
  const result: JsonObject = { ...unfolded(schema) };
  for (const name of ["items", "additionalProperties", "not"]) {
    const inner = getOwn(result, name);
    if (isObject(inner)) result[name] = publish(inner);
  }
  for (const name of ["allOf", "oneOf", "anyOf"]) {
    const list = getArray(result, name);
    if (list.length > 0) result[name] = list.map((one) => isObject(one) ? publish(one) : one);
  }
  const properties = Object.entries(getObject(result, "properties"))
    .map(([name, inner]) => [name, isObject(inner) ? publish(inner) : inner!] as const);
  if (properties.length > 0) result["properties"] = sorted(Object.fromEntries(properties));
  else delete result["properties"];
  return ordered(embedded(result));
}

/** Adds to a schema of an integer or a string that it is one of both. */
function unfolded(schema: JsonObject): JsonObject {
  if (getOwn(schema, "x-kubernetes-int-or-string") !== true) return schema;
  const [anyOf, allOf] = [getArray(schema, "anyOf"), getArray(schema, "allOf")];
  const said = (list: readonly Json[]) => jsonEqual(list as Json, EITHER);
  if (said(anyOf) || said(getArray(allOf[0] ?? null, "anyOf"))) return schema;
  if (anyOf.length === 0) return { ...schema, anyOf: EITHER };
  return { ...schema, allOf: [{ anyOf: EITHER }, ...allOf] };
}

/** Adds the fields that every object has to a schema of an object within another one. */
function embedded(schema: JsonObject): JsonObject {
  if (getOwn(schema, "x-kubernetes-embedded-resource") !== true) return schema;
  const required = getArray(schema, "required");
  const added = ["kind", "apiVersion"].filter((name) => !required.includes(name));
  return {
    ...schema,
    required: [...required, ...added],
    properties: sorted({ ...getObject(schema, "properties"), ...EMBEDDED_FIELDS }),
  };
}

/** Returns the keywords that are published, in order. */
function ordered(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    KEYWORDS.filter((name) => isGiven(name, getOwn(schema, name)))
      .map((name) => [name, schema[name]!]),
  );
}

function isGiven(name: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (name === "default" || name === "additionalProperties") return true;
  if (Array.isArray(value)) return value.length > 0;
  return value !== "" && value !== false;
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(object).sort().map((key) => [key, object[key]!]));
}
