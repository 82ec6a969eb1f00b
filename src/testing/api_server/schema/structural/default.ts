import { cloneJson, isObject, type Json, type JsonObject, setOwn } from "../../values/mod.ts";
import { propertyOf, type Structural } from "./structural.ts";

/**
 * Returns a copy of `value` with the defaults of the schema filled in, including defaults within defaulted values.
 *
 * A null in a field that is not nullable is replaced by the default of the field, if there is one.
 */
export function applyStructuralDefaults(value: JsonObject, schema: Structural): JsonObject {
  return defaultObject(value, schema);
}

function defaultValue(value: Json, schema: Structural): Json {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items === undefined) return value;
    return value.map((item) =>
      item === null && !items.nullable && items.default !== undefined
        ? defaultValue(cloneJson(items.default), items)
        : defaultValue(item, items)
    );
  }
  return isObject(value) ? defaultObject(value, schema) : value;
}

function defaultObject(object: JsonObject, schema: Structural): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const property = propertyOf(schema, key);
    if (property === undefined) setOwn(result, key, value);
    else if (value !== null || property.nullable) {
      setOwn(result, key, defaultValue(value, property));
    } else if (property.default !== undefined) {
      setOwn(result, key, defaultValue(cloneJson(property.default), property));
    } else setOwn(result, key, value);
  }
  for (const [key, property] of schema.properties) {
    if (property.default === undefined || Object.hasOwn(object, key)) continue;
    setOwn(result, key, defaultValue(cloneJson(property.default), property));
  }
  return result;
}
