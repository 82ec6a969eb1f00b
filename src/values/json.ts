/**
 * Any JSON value, as Go has it: a bigint is an integer of 64 bits that a JavaScript number does not hold, and a number
 * beyond `Number.MAX_SAFE_INTEGER` is a float.
 */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;

/**
 * A JSON object.
 *
 * Keys may be any string, including `__proto__`: read and write them with the functions of this file.
 */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** Reports whether `value` is a JSON object: not null and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reports whether `value` is a number of JSON: an integer of 64 bits or a float. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Reports whether `value` is an integer of 64 bits, or a float that Go's validation takes for one. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/** Returns the JSON of a value that has no parts. */
export function scalarText(value: string | number | bigint | boolean | null): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

/** Returns the value of the own property `key` of `object`, never an inherited value; undefined if it is absent. */
export function getOwn(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The key of the empty lists and objects that {@linkcode noteEmpty} notes. Copies of an object keep them. */
const EMPTY = Symbol("empty");

type Noting = JsonObject & { [EMPTY]?: Readonly<Record<string, Json>> };

/** Notes that `key` was given as an empty list or object, although `object` does not have it. */
export function noteEmpty(object: JsonObject, key: string, value: Json): void {
  const noting: Noting = object;
  noting[EMPTY] = { ...noting[EMPTY], [key]: value };
}

/** Keeps in a copy of an object what {@linkcode noteEmpty} has noted. */
export function keepEmpty(copy: JsonObject, object: JsonObject): void {
  const noted = (object as Noting)[EMPTY];
  if (noted !== undefined) (copy as Noting)[EMPTY] = { ...noted, ...(copy as Noting)[EMPTY] };
}

/** Returns a property for an error message: an empty list or object only if it was given as such, and else null. */
export function givenOf(object: JsonObject, key: string): Json {
  return getOwn(object, key) ?? (object as Noting)[EMPTY]?.[key] ?? null;
}

/** Sets the own property `key` of `object`, even if the key is `__proto__`. */
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

/** Returns the value at `path`; undefined if the path does not exist. */
export function getPath(value: Json | undefined, ...path: string[]): Json | undefined {
  let here = value;
  for (const key of path) {
    if (!isObject(here)) return undefined;
    here = getOwn(here, key);
  }
  return here;
}

/** Returns the object at `path`; an empty object if there is none. */
export function getObject(value: Json | undefined, ...path: string[]): JsonObject {
  const found = getPath(value, ...path);
  return isObject(found) ? found : {};
}

/** Returns the string at `path`; an empty string if there is none. */
export function getString(value: Json | undefined, ...path: string[]): string {
  const found = getPath(value, ...path);
  return typeof found === "string" ? found : "";
}

/** Returns the integer at `path`, exact also beyond 2^53; 0 if there is none. */
export function getInteger(value: Json | undefined, ...path: string[]): number | bigint {
  const found = getPath(value, ...path);
  return isInteger(found) ? found : 0;
}

/** Returns the array at `path`; an empty array if there is none. */
export function getArray(value: Json | undefined, ...path: string[]): Json[] {
  const found = getPath(value, ...path);
  return Array.isArray(found) ? found : [];
}

/**
 * Returns a copy of `object` with `path` set to `value`, or removed if `value` is undefined.
 *
 * The objects on the path are copied, everything else is shared with `object`.
 *
 * @throws {RangeError} If `path` is empty.
 */
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

/** Reports whether two JSON values are equal. The order of keys is ignored. */
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

/** Returns a text that is the same for two values if, and only if, they are equal by {@linkcode jsonEqual}. */
export function jsonKey(value: Json | undefined): string {
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return `[${value.map(jsonKey).join()}]`;
  if (!isObject(value)) return scalarText(value);
  const members = Object.keys(value).sort().map((key) =>
    `${JSON.stringify(key)}:${jsonKey(value[key])}`
  );
  return `{${members.join()}}`;
}

/** Returns an object with the same entries in alphabetical order of their keys. */
export function sortKeys(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  const sorted = [...keys].sort();
  if (keys.every((key, index) => key === sorted[index])) return object;
  const result: JsonObject = {};
  for (const key of sorted) setOwn(result, key, getOwn(object, key)!);
  return result;
}

/** Returns a deep copy of `value`. */
export function cloneJson<T extends Json | undefined>(value: T): T;
export function cloneJson(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => cloneJson(item));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, cloneJson(value[key]) as Json);
  keepEmpty(copy, value);
  return copy;
}

/** Returns the name that Go's JSON decoder has for the type of a value. */
export function jsonTypeName(value: Json | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return isNumber(value) ? "number" : typeof value;
}

/** Formats a string as Go's `%q` does, for error messages. */
export function quote(text: string): string {
  const json = JSON.stringify(text);
  // Go escapes an ASCII control character as \x and two hex digits, unless it has an escape letter such as \n.
  const lettered = json.replaceAll("\\u0007", "\\a").replaceAll("\\u000b", "\\v");
  return lettered.replace(/\\u00([01][0-9a-f])/g, "\\x$1").replace(UNPRINTABLE, escape);
}

const MARKUP: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Escapes what a browser could read as HTML, as the API server does in a few messages. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => MARKUP[character]!);
}

/** Matches characters that Go does not print: anything but letters, marks, numbers, punctuation, symbols and spaces. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

function escape(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex}`;
  return code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
