/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. A key may be anything, `__proto__` included: read and write it through the functions of this file. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** Whether `value` is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of `object`'s own `key`; never something inherited. */
export function getOwn(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets `object`'s own `key`, also when it is called `__proto__`. */
export function setOwn(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    object[key] = value;
  }
}

/** The value at `path`; undefined where it leads nowhere. */
export function getPath(value: Json | undefined, ...path: string[]): Json | undefined {
  let here = value;
  for (const key of path) {
    if (!isObject(here)) return undefined;
    here = getOwn(here, key);
  }
  return here;
}

/** The object at `path`, or an empty one. */
export function getObject(value: Json | undefined, ...path: string[]): JsonObject {
  const found = getPath(value, ...path);
  return isObject(found) ? found : {};
}

/** The string at `path`, or the empty one. */
export function getString(value: Json | undefined, ...path: string[]): string {
  const found = getPath(value, ...path);
  return typeof found === "string" ? found : "";
}

/** The array at `path`, or an empty one. */
export function getArray(value: Json | undefined, ...path: string[]): Json[] {
  const found = getPath(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A copy of `object` in which `path` is set, or removed when `value` is undefined. */
export function withPath(
  object: JsonObject,
  path: readonly string[],
  value: Json | undefined,
): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) throw new RangeError("Cannot set a value at an empty path");
  const copy: JsonObject = { ...object };
  if (rest.length > 0) {
    const child = getOwn(object, key);
    if (value === undefined && !isObject(child)) return copy;
    setOwn(copy, key, withPath(isObject(child) ? child : {}, rest, value));
  } else if (value === undefined) {
    delete copy[key];
  } else {
    setOwn(copy, key, value);
  }
  return copy;
}

/** Whether two JSON values are the same; the order of keys does not count. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((x, i) => jsonEqual(x, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]));
}

/** A deep copy. */
export function cloneJson<T extends Json | undefined>(value: T): T;
export function cloneJson(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => cloneJson(item));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, cloneJson(value[key]) as Json);
  return copy;
}

/** How Go's JSON decoder calls the type of a value. */
export function jsonTypeName(value: Json | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

/** A string as Go's `%q` writes it, for the texts of error messages. */
export function quote(text: string): string {
  const json = JSON.stringify(text);
  // Go writes control characters of the first 128 in two digits, but for the ones that have a letter.
  return json.replace(/\\u00([01][0-9a-f])/g, "\\x$1").replaceAll("\x7f", "\\x7f");
}
