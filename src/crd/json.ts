import { describeError } from "../base/mod.ts";
import { typeBoxMark } from "./typebox.ts";

/** A value of JSON. An integer that a number does not hold is a bigint. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

/** An object of JSON. */
export type JsonObject = { [key: string]: Json };

/** The deepest nesting of a schema. Real ones have about 30 levels of objects, each of them two levels of JSON. */
const MAX_DEPTH = 200;

/** The largest number of values in a schema. The largest real CRDs have about 50,000. */
const MAX_VALUES = 500_000;

/**
 * Copies a schema, as a schema library or a user gives it, into plain JSON. Symbols and fields that are undefined are
 * left out, as `JSON.stringify` does; the functions that TypeBox keeps there are marked.
 *
 * @param value The value, of any type.
 * @param path The path of the value, for errors.
 * @throws {TypeError} If a part is no JSON: a cycle, a function, a getter that throws, too deep or too large.
 */
export function plainJson(value: unknown, path: string): Json {
  return copy(value, path, { open: new Set(), values: 0 });
}

interface Walk {
  readonly open: Set<object>;
  values: number;
}

function copy(value: unknown, path: string, walk: Walk): Json {
  if (++walk.values > MAX_VALUES) {
    throw new TypeError(
      `${path}: cannot read the schema: it has more than ${MAX_VALUES} values`,
    );
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint" || Number.isFinite(value)) return value as number | bigint;
  if (typeof value !== "object") {
    const found = typeof value === "number" ? String(value) : `a ${typeof value}`;
    throw new TypeError(`${path}: cannot read the schema: ${found} is not JSON`);
  }
  if (walk.open.has(value)) {
    throw new TypeError(
      `${path}: cannot express a recursive schema: an API server allows no cycle`,
    );
  }
  if (walk.open.size >= MAX_DEPTH) {
    throw new TypeError(
      `${path}: cannot read the schema: it is nested deeper than ${MAX_DEPTH}`,
    );
  }
  walk.open.add(value);
  const copied = Array.isArray(value)
    ? value.map((one, index) => copy(one, `${path}[${index}]`, walk))
    : copyFields(value, path, walk);
  walk.open.delete(value);
  return copied;
}

function copyFields(value: object, path: string, walk: Walk): JsonObject {
  const copied: JsonObject = {};
  for (const key of Object.keys(value)) {
    const here = `${path}.${key}`;
    if (key === "__proto__") throw new TypeError(`${here}: cannot express a field of this name`);
    const field = read(value, key, here);
    if (field !== undefined) copied[key] = copy(field, here, walk);
  }
  const mark = typeBoxMark(value);
  if (mark !== undefined) copied[mark[0]] = mark[1];
  return copied;
}

function read(value: object, key: string, path: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch (error) {
    throw new TypeError(`${path}: cannot read the schema: ${describeError(error)}`, {
      cause: error,
    });
  }
}

/** Reports whether a value is an object of JSON, and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a copy whose keys are in order at each level, so that equal values have equal text. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sortKeys(value[key]!)]));
}

/** Servers take larger integers for other numbers: theirs have 64 bits. */
const INTEGER_LIMIT = 2 ** 63;

/** Reports whether a value is a number of JSON. */
export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Returns the JSON type of a value, as servers see it. */
export function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") {
    return value >= -INTEGER_LIMIT && value < INTEGER_LIMIT ? "integer" : "number";
  }
  if (typeof value === "number") {
    return Number.isInteger(value) && Math.abs(value) < INTEGER_LIMIT ? "integer" : "number";
  }
  return typeof value;
}
