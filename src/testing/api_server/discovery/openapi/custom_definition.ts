import {
  getArray,
  getObject,
  getOwn,
  getPath,
  isObject,
  type Json,
  type JsonObject,
} from "../../../values/mod.ts";
import { objectFields } from "./custom_fields.ts";
import type { Dialect } from "./dialect.ts";

/** The keywords that OpenAPI v2 does not have, or that the published schema leaves out there. */
const NOT_IN_V2: ReadonlySet<string> = new Set([
  "nullable",
  "default",
  "oneOf",
  "anyOf",
  "not",
  "allOf",
  "x-kubernetes-validations",
]);

/**
 * Returns the definition of a custom resource for OpenAPI v2: the schema of its CRD, with the fields that every object
 * has. An object that may have more fields has none of them, because kubectl would refuse all others.
 */
export function customDefinition(schema: JsonObject, dialect: Dialect): JsonObject {
  if (getOwn(schema, "x-kubernetes-preserve-unknown-fields") === true) return { type: "object" };
  const own = toV2(schema) as JsonObject;
  const properties: JsonObject = {
    ...getObject(own, "properties"),
    ...objectFields(dialect),
  };
  const sorted = Object.keys(properties).sort();
  return {
    ...own,
    type: "object",
    properties: Object.fromEntries(sorted.map((name) => [name, properties[name]!])),
  };
}

function toV2(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const result: JsonObject = {};
  for (const key of Object.keys(schema)) if (!NOT_IN_V2.has(key)) result[key] = schema[key]!;
  if (getOwn(schema, "x-kubernetes-int-or-string") === true) delete result["type"];
  // A client that knows no such keyword would take fields that are not listed for wrong ones.
  const isFree = getOwn(schema, "x-kubernetes-preserve-unknown-fields") === true;
  if (isFree || isNullable(schema)) {
    for (const name of ["properties", "items"]) delete result[name];
  }
  const type = getOwn(result, "type");
  const isBare = type === "array" && getOwn(result, "items") === undefined;
  if (isNullable(schema) || isBare || (isFree && type === "object")) delete result["type"];
  const properties = getOwn(result, "properties");
  const required = isNullable(getOwn(result, "additionalProperties"))
    ? []
    : getArray(result, "required").filter((name) =>
      !isNullable(getPath(properties, name as string))
    );
  if (required.length > 0) result["required"] = required;
  else delete result["required"];
  if (isObject(properties)) {
    result["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, toV2(value!)]),
    );
  }
  for (const name of ["items", "additionalProperties"]) {
    const inner = getOwn(result, name);
    if (inner !== undefined) result[name] = toV2(inner);
  }
  return result;
}

function isNullable(schema: Json | undefined): boolean {
  return isObject(schema) && getOwn(schema, "nullable") === true;
}
