import {
  ANY,
  type Field,
  getOwn,
  goPrint,
  isObject,
  type Json,
  jsonKey,
  type JsonObject,
  setOwn,
  type StructType,
  type Type,
} from "../values/mod.ts";

/** The error for an invalid strategic merge patch, with the message of a real server. */
export class StrategicPatchError extends Error {
  /** Always `StrategicPatchError`. */
  override readonly name: string = "StrategicPatchError";
}

const DIRECTIVE = "$patch";
const RETAIN_KEYS = "$retainKeys";
const DELETE_FROM = "$deleteFromPrimitiveList/";
const ELEMENT_ORDER = "$setElementOrder/";

/** How a list field merges; undefined if the list of the patch replaces the old one. */
type ListMerge = { readonly key: string | undefined; readonly item: Type } | undefined;

/**
 * Applies a strategic merge patch.
 *
 * Objects merge, and lists merge by the merge keys of the schema. The directives `$patch`, `$retainKeys`,
 * `$setElementOrder` and `$deleteFromPrimitiveList` express what a plain merge cannot.
 *
 * @throws {StrategicPatchError} If a directive is invalid, or if an item of a merged list is not an object or lacks the
 * merge key.
 */
export function strategicMergePatch(
  target: JsonObject,
  patch: JsonObject,
  schema: StructType,
): JsonObject {
  return mergeObject(target, patch, schema);
}

function mergeObject(original: JsonObject, patch: JsonObject, type: Type): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) {
    if (patch[DIRECTIVE] === "replace") return without(patch, DIRECTIVE);
    if (patch[DIRECTIVE] === "delete") return {};
    throw new StrategicPatchError(
      `unknown patch type: ${goPrint(patch[DIRECTIVE] ?? null)} in map: ${goPrint(patch)}`,
    );
  }
  const result = retain(original, patch);
  for (const key of Object.keys(patch)) {
    if (key.startsWith(ELEMENT_ORDER)) {
      reorder(result, patch, key.slice(ELEMENT_ORDER.length), patch[key] ?? null, type);
    }
  }
  for (const key of Object.keys(patch)) {
    if (key === RETAIN_KEYS || key.startsWith(ELEMENT_ORDER)) continue;
    // The first loop has merged lists for which the patch sets an order.
    if (Object.hasOwn(patch, ELEMENT_ORDER + key) && Array.isArray(patch[key])) continue;
    if (key.startsWith(DELETE_FROM)) {
      deleteValues(result, key.slice(DELETE_FROM.length), patch[key] ?? null);
    } else {
      mergeMember(result, key, patch[key] ?? null, type);
    }
  }
  return result;
}

function mergeMember(result: JsonObject, key: string, value: Json, type: Type): void {
  if (value === null) {
    delete result[key];
    return;
  }
  const before = getOwn(result, key);
  if (isObject(before) && isObject(value)) {
    setOwn(result, key, mergeObject(before, value, memberType(type, key)));
  } else if (Array.isArray(before) && Array.isArray(value)) {
    setOwn(result, key, mergeList(before, value, listMerge(type, key), key));
  } else {
    const cleaned = clean(value);
    if (cleaned === undefined) delete result[key];
    else setOwn(result, key, cleaned);
  }
}

function fieldOf(type: Type, key: string): Field | undefined {
  return type.kind === "struct" ? type.fields.get(key) : undefined;
}

function memberType(type: Type, key: string): Type {
  if (type.kind === "map") return type.value;
  return fieldOf(type, key)?.type ?? ANY;
}

function listMerge(type: Type, key: string): ListMerge {
  const field = fieldOf(type, key);
  if (field === undefined || !field.merge || field.type.kind !== "list") return undefined;
  return { key: field.mergeKey, item: field.type.item };
}

/** Copies `original` without the fields that `$retainKeys` does not name. */
function retain(original: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = { ...original };
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return result;
  const kept = patch[RETAIN_KEYS];
  const bad = new StrategicPatchError("patch format is invalid for $retainKeys");
  if (!Array.isArray(kept)) throw bad;
  for (const key of Object.keys(patch)) {
    if (key === RETAIN_KEYS || key.startsWith(DELETE_FROM) || key.startsWith(ELEMENT_ORDER)) {
      continue;
    }
    if (patch[key] !== null && !kept.includes(key)) throw bad;
  }
  for (const key of Object.keys(result)) if (!kept.includes(key)) delete result[key];
  return result;
}

function deleteValues(result: JsonObject, key: string, values: Json): void {
  const list = getOwn(result, key);
  if (!Array.isArray(list) || !Array.isArray(values)) return;
  const removed = new Set(values.map(jsonKey));
  setOwn(result, key, list.filter((item) => !removed.has(jsonKey(item))));
}

/** Merges the list `key` of the patch, if present, and sorts the items into the order that the patch sets. */
function reorder(
  result: JsonObject,
  patch: JsonObject,
  key: string,
  order: Json,
  type: Type,
): void {
  if (!Array.isArray(order)) {
    throw new StrategicPatchError("patch format is invalid for $setElementOrder list");
  }
  const original = getOwn(result, key);
  const added = getOwn(patch, key);
  const merge = listMerge(type, key);
  let merged: Json[];
  if (Array.isArray(original) && Array.isArray(added)) {
    merged = mergeList(original, added, merge, key);
  } else if (Array.isArray(added)) merged = cleanList(added);
  else if (Array.isArray(original)) merged = original;
  else return;
  setOwn(
    result,
    key,
    arrange(merged, order, Array.isArray(original) ? original : [], merge?.key),
  );
}

function mergeList(
  original: readonly Json[],
  patch: readonly Json[],
  merge: ListMerge,
  name: string,
): Json[] {
  if (merge === undefined) return [...patch];
  if (original.length === 0 && patch.length === 0) return [];
  const key = merge.key;
  if (key === undefined) {
    const all = new Map<string, Json>();
    for (const item of [...original, ...patch]) {
      const text = jsonKey(item);
      if (!all.has(text)) all.set(text, item);
    }
    return arrange([...all.values()], patch, original, undefined);
  }
  const removed = new Set<string>();
  const plain: JsonObject[] = [];
  let replaces = false;
  for (const item of patch) {
    if (!isObject(item)) throw new StrategicPatchError(`invalid argument type in list ${name}`);
    if (!Object.hasOwn(item, DIRECTIVE)) plain.push(item);
    else if (item[DIRECTIVE] === "replace") replaces = true;
    else if (item[DIRECTIVE] === "delete") {
      removed.add(jsonKey(identityOf(item, key)));
    } else if (item[DIRECTIVE] === "merge") {
      throw new StrategicPatchError("merging lists cannot yet be specified in the patch");
    } else {
      throw new StrategicPatchError(
        `unknown patch type: ${goPrint(item[DIRECTIVE] ?? null)} in map: ${goPrint(item)}`,
      );
    }
  }
  if (replaces) return plain;
  const items = original.filter((item) =>
    !isObject(item) || !removed.has(jsonKey(getOwn(item, key)))
  );
  const known = positions(items, key);
  for (const item of plain) {
    const identity = jsonKey(identityOf(item, key));
    const at = known.get(identity);
    if (at !== undefined) items[at] = mergeObject(items[at] as JsonObject, item, merge.item);
    else {
      known.set(identity, items.length);
      items.push(item);
    }
  }
  return arrange(items, plain, original, key).map((item) => clean(item) ?? item);
}

function identityOf(item: JsonObject, key: string): Json {
  const identity = getOwn(item, key);
  if (identity === undefined) {
    throw new StrategicPatchError(
      `map: ${goPrint(item)} does not contain declared merge key: ${key}`,
    );
  }
  return identity;
}

/** Returns the index of each first item by its merge key or, without one, by the whole item. */
function positions(list: readonly Json[], key: string | undefined): Map<string, number> {
  const found = new Map<string, number>();
  list.forEach((item, index) => {
    if (key !== undefined && !isObject(item)) return;
    const text = jsonKey(key === undefined ? item : getOwn(item as JsonObject, key));
    if (!found.has(text)) found.set(text, index);
  });
  return found;
}

/** Returns a function that returns the index of an item in `list`, or -1. */
function positionIn(list: readonly Json[], key: string | undefined): (item: Json) => number {
  const known = positions(list, key);
  return (item) => {
    if (key === undefined) return known.get(jsonKey(item)) ?? -1;
    return known.get(jsonKey(isObject(item) ? getOwn(item, key) ?? null : null)) ?? -1;
  };
}

/**
 * Sorts the items of a merged list.
 *
 * Items in `order` follow `order`; the other items follow `before`. The two sequences are then interleaved: one of the
 * other items precedes an item of `order` only if it preceded that item in `before`, or if `order` has no items left.
 */
function arrange(
  items: readonly Json[],
  order: readonly Json[],
  before: readonly Json[],
  key: string | undefined,
): Json[] {
  const [inOrder, inBefore] = [positionIn(order, key), positionIn(before, key)];
  const placed = items.map((item) => ({ item, order: inOrder(item), before: inBefore(item) }));
  const spoken = placed.filter((one) => one.order >= 0).sort((a, b) => a.order - b.order);
  const silent = placed.filter((one) => one.order < 0).sort((a, b) => a.before - b.before);
  const result: Json[] = [];
  let next = 0;
  for (const one of spoken) {
    while (next < silent.length && precedes(silent[next]!.before, one.before)) {
      result.push(silent[next++]!.item);
    }
    result.push(one.item);
  }
  return [...result, ...silent.slice(next).map(({ item }) => item)];
}

/** Reports whether a position is before another, where -1 is no position. */
function precedes(left: number, right: number): boolean {
  return left >= 0 && right >= 0 && left < right;
}

function without(object: JsonObject, key: string): JsonObject {
  const copy: JsonObject = { ...object };
  delete copy[key];
  return copy;
}

/** Returns a value that the patch adds, without nulls and directives; undefined if it is an object with `$patch`. */
function clean(value: Json): Json | undefined {
  if (Array.isArray(value)) return cleanList(value);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (key === RETAIN_KEYS || key.startsWith(ELEMENT_ORDER) || key.startsWith(DELETE_FROM)) {
      continue;
    }
    const member = value[key] ?? null;
    const cleaned = member === null ? undefined : clean(member);
    if (cleaned !== undefined) setOwn(result, key, cleaned);
  }
  return result;
}

function cleanList(list: readonly Json[]): Json[] {
  return list.map((item) => clean(item)).filter((item) => item !== undefined);
}
