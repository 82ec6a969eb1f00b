import {
  encodeJson,
  getOwn,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  type ListType,
  readJson,
} from "../../values/mod.ts";

/**
 * One element of a path, in the format of `fieldsV1`.
 *
 * - `f:` precedes the name of a field.
 * - `k:` precedes the keys of a list item.
 * - `v:` precedes a list item itself.
 * - `i:` precedes a list index.
 */
export type PathElement = string;

/** Returns the path element of a field. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** Returns the field name of a path element; undefined if the element is not a field. */
export function fieldName(element: PathElement): string | undefined {
  return element.startsWith("f:") ? element.slice(2) : undefined;
}

/** Returns the path element of an item of a `set` or `map` list; undefined if a `map` item has none of the keys. */
export function itemElement(list: ListType, item: Json): PathElement | undefined {
  if (list.listType === "set") return `v:${encodeKey(item)}`;
  if (!isObject(item)) return undefined;
  const keys: JsonObject = {};
  for (const key of [...list.keys].sort((a, b) => a.name < b.name ? -1 : 1)) {
    const value = getOwn(item, key.name) ?? key.default;
    if (value !== undefined && value !== null) keys[key.name] = value;
  }
  return Object.keys(keys).length === 0 ? undefined : `k:${encodeKey(keys)}`;
}

function encodeKey(value: Json): string {
  return encodeJson(value, undefined, { escapeHtml: false });
}

/** Compares two path elements: fields come first, then keys, values and indices; each kind is sorted by content. */
export function compareElements(a: PathElement, b: PathElement): number {
  const kind = "fkvi".indexOf(a[0]!) - "fkvi".indexOf(b[0]!);
  if (kind !== 0) return kind;
  if (a[0] === "f") return compareText(a.slice(2), b.slice(2));
  const left = readJson(a.slice(2));
  const right = readJson(b.slice(2));
  if (a[0] !== "k" || !isObject(left) || !isObject(right)) return compareValues(left, right);
  const leftKeys = Object.keys(left);
  const rightKeys = Object.keys(right);
  for (let index = 0; index < Math.min(leftKeys.length, rightKeys.length); index++) {
    const order = compareText(leftKeys[index]!, rightKeys[index]!) ||
      compareValues(left[leftKeys[index]!]!, right[rightKeys[index]!]!);
    if (order !== 0) return order;
  }
  return leftKeys.length - rightKeys.length;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares two values: numbers come before strings, strings before booleans. */
function compareValues(a: Json, b: Json): number {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  const rank = (value: Json) => isNumber(value) ? 0 : typeof value === "string" ? 1 : 2;
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return compareText(String(a), String(b));
}

/** Formats a path as conflict messages show it, such as `.spec.containers[name="web"].image`. */
export function showPath(path: readonly PathElement[]): string {
  return path.map((element) => {
    const text = element.slice(2);
    if (element.startsWith("f:")) return `.${text}`;
    if (element.startsWith("v:")) return `[=${text}]`;
    if (element.startsWith("i:")) return `[${text}]`;
    const keys = readJson(text) as JsonObject;
    return `[${Object.keys(keys).map((key) => `${key}=${encodeKey(keys[key]!)}`).join(",")}]`;
  }).join("");
}
