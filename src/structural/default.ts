import {
  cloneJson,
  encodeJson,
  isObject,
  type Json,
  type JsonObject,
  setOwn,
} from "../values/mod.ts";
import { propertyOf, type Structural } from "./structural.ts";

/** The maximum length of all defaults of an object, as JSON. Even a half of it is more than etcd stores. */
const MAX_DEFAULTED = 3 * 1024 * 1024;

/** The error for defaults that make an object too large to be stored. */
export class TooLargeError extends Error {
  /** Always `TooLargeError`. */
  override readonly name: string = "TooLargeError";
}

/**
 * Returns a copy of `value` with the defaults of the schema filled in, including defaults within defaulted values.
 *
 * A null in a field that is not nullable is replaced by the default of the field, if there is one.
 *
 * @throws {TooLargeError} If the defaults make the object too large for etcd. A large default in each of many items would
 * take gigabytes otherwise.
 */
export function applyStructuralDefaults(value: JsonObject, schema: Structural): JsonObject {
  return new Defaulter().object(value, schema);
}

/** The length of each default as JSON. */
const lengths = new WeakMap<Structural, number>();

class Defaulter {
  #left = MAX_DEFAULTED;

  object(object: JsonObject, schema: Structural): JsonObject {
    const result: JsonObject = {};
    for (const key of Object.keys(object)) {
      const value = object[key] ?? null;
      const property = propertyOf(schema, key);
      if (property === undefined) setOwn(result, key, value);
      else if (value !== null || property.nullable) {
        setOwn(result, key, this.#value(value, property));
      } else if (property.default !== undefined) setOwn(result, key, this.#default(key, property));
      else setOwn(result, key, value);
    }
    for (const [key, property] of schema.properties) {
      if (property.default === undefined || Object.hasOwn(object, key)) continue;
      setOwn(result, key, this.#default(key, property));
    }
    return result;
  }

  #value(value: Json, schema: Structural): Json {
    if (Array.isArray(value)) {
      const items = schema.items;
      if (items === undefined) return value;
      return value.map((item) =>
        item === null && !items.nullable && items.default !== undefined
          ? this.#default("", items)
          : this.#value(item, items)
      );
    }
    return isObject(value) ? this.object(value, schema) : value;
  }

  /** Returns a copy of the default of a schema. */
  #default(key: string, schema: Structural): Json {
    const value = schema.default!;
    let length = lengths.get(schema);
    if (length === undefined) {
      length = encodeJson(value).length;
      lengths.set(schema, length);
    }
    this.#left -= length + key.length;
    if (this.#left < 0) throw new TooLargeError("the defaults are too large");
    return this.#value(cloneJson(value), schema);
  }
}
