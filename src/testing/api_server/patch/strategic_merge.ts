import {
  cloneJson,
  getOwn,
  goFormatString,
  goPrint,
  isObject,
  type Json,
  jsonKey,
  type JsonObject,
  setOwn,
  type StructType,
  type Type,
} from "../../values/mod.ts";
import { arrange, checkElementOrder, identity } from "./element_order.ts";
import { fieldMetadata, listMetadata, type PatchMetadata } from "./patch_metadata.ts";
import {
  badArgument,
  goTypeOf,
  LIST_TYPE,
  noMergeKey,
  StrategicPatchError,
} from "./strategic_patch_error.ts";

const DIRECTIVE = "$patch";
const RETAIN_KEYS = "$retainKeys";
const DELETE_FROM = "$deleteFromPrimitiveList";
const ELEMENT_ORDER = "$setElementOrder";

/**
 * Applies a strategic merge patch.
 *
 * Objects merge, and lists merge by the merge keys of the schema. The directives `$patch`, `$retainKeys`,
 * `$setElementOrder` and `$deleteFromPrimitiveList` express what a plain merge cannot.
 *
 * @param patch The patch. The directives that were obeyed and the nulls are removed from it, as the real server does
 * before it quotes the patch in an error.
 * @throws {StrategicPatchError} If a directive is invalid, or if an item of a merged list is not an object or lacks the
 * merge key.
 */
export function strategicMergePatch(
  target: JsonObject,
  patch: JsonObject,
  schema: StructType,
): JsonObject {
  return mergeObject(cloneJson(target), patch, schema);
}

/** Merges `patch` into `result` and returns it, or what a directive puts in its place. */
function mergeObject(result: JsonObject, patch: JsonObject, type: Type): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) {
    if (patch[DIRECTIVE] === "replace") {
      delete patch[DIRECTIVE];
      return patch;
    }
    if (patch[DIRECTIVE] === "delete") return {};
    throw unknownDirective(patch);
  }
  retain(result, patch);
  for (const key of Object.keys(patch)) {
    if (key.startsWith(ELEMENT_ORDER)) mergeOrdered(result, patch, key, type);
  }
  for (const key of Object.keys(patch)) mergeMember(result, key, patch[key] ?? null, type);
  return result;
}

function mergeMember(result: JsonObject, member: string, value: Json, type: Type): void {
  const deletes = member.startsWith(DELETE_FROM);
  const key = deletes ? listName(member, "primitive") : member;
  if (value === null) {
    delete result[key];
    return;
  }
  const before = getOwn(result, key);
  if (isObject(before) && isObject(value)) {
    const metadata = fieldMetadata(type, key);
    setOwn(result, key, metadata.replace ? value : mergeObject(before, value, metadata.type));
  } else if (Array.isArray(before) && Array.isArray(value)) {
    const metadata = listMetadata(type, key);
    setOwn(
      result,
      key,
      metadata.merge || deletes ? mergeList(before, value, metadata, deletes) : value,
    );
  } else if (!deletes) {
    discardNulls(value);
    const plain = withoutDirectives(value);
    if (plain === undefined) delete result[key];
    else setOwn(result, key, plain);
  }
}

/** Returns the list that the name of a directive ends with. */
function listName(directive: string, kind: string): string {
  const at = directive.indexOf("/");
  const known = at >= 0 && [DELETE_FROM, ELEMENT_ORDER].includes(directive.slice(0, at));
  if (!known) throw new StrategicPatchError(`invalid patch format of ${kind} list`, 400);
  return directive.slice(at + 1);
}

/** Removes the fields that `$retainKeys` does not name. */
function retain(result: JsonObject, patch: JsonObject): void {
  const kept = getOwn(patch, RETAIN_KEYS);
  if (kept === undefined) return;
  delete patch[RETAIN_KEYS];
  const bad = () => new StrategicPatchError("invalid patch format of retainKeys", 400);
  if (!Array.isArray(kept)) throw bad();
  for (const key of Object.keys(patch)) {
    if (patch[key] === null || key.startsWith(DELETE_FROM) || key.startsWith(ELEMENT_ORDER)) {
      continue;
    }
    if (!kept.includes(key)) throw bad();
  }
  for (const key of Object.keys(result)) if (!kept.includes(key)) delete result[key];
}

/** Merges the list for which the patch sets an order, and removes the order and the list from the patch. */
function mergeOrdered(
  result: JsonObject,
  patch: JsonObject,
  directive: string,
  type: Type,
): void {
  const order = patch[directive] ?? null;
  delete patch[directive];
  if (!Array.isArray(order)) throw badArgument(LIST_TYPE, order);
  const key = listName(directive, "setElementOrder");
  const [original, added] = [listAt(result, key), listAt(patch, key)];
  const metadata = listMetadata(type, key);
  checkElementOrder(added ?? [], order, metadata.mergeKey);
  let merged: Json[];
  if (added === undefined) {
    if (original === undefined) return;
    merged = original;
  } else if (original === undefined) {
    merged = withoutDirectives(added) as Json[];
  } else {
    merged = metadata.merge ? mergeList(original, added, metadata, false) : added;
  }
  requireElements([original ?? [], added ?? []]);
  setOwn(result, key, arrange(merged, order, original ?? [], metadata.mergeKey));
  delete patch[key];
}

function listAt(object: JsonObject, key: string): Json[] | undefined {
  const list = getOwn(object, key);
  if (list === undefined || Array.isArray(list)) return list;
  throw badArgument(LIST_TYPE, list);
}

/**
 * Returns the Go type of all the items of some lists.
 *
 * @throws {StrategicPatchError} If they have several types or if there are no items.
 */
function requireElements(lists: Json[][]): string | undefined {
  const items = lists.flat();
  if (items.length === 0) throw new StrategicPatchError("no elements in any of the given slices");
  const type = goTypeOf(items[0]!);
  if (type === LIST_TYPE) throw new StrategicPatchError("lists of lists are not supported", 422);
  if (items.every((item) => goTypeOf(item) === type)) return type;
  throw new StrategicPatchError(`list element types are not identical: ${goPrint(lists)}`);
}

/** Merges two lists or, if `deletes`, removes scalars from the first. */
function mergeList(
  original: Json[],
  patch: Json[],
  { mergeKey, type }: PatchMetadata,
  deletes: boolean,
): Json[] {
  if (original.length === 0 && patch.length === 0) return original;
  requireElements([original, patch]);
  if (!isObject(original[0] ?? patch[0])) {
    if (deletes) {
      const removed = new Set(patch.map(jsonKey));
      return original.filter((item) => !removed.has(jsonKey(item)));
    }
    const all = new Map([...original, ...patch].map((item) => [jsonKey(item), item]));
    return arrange([...all.values()], patch, original, mergeKey);
  }
  if (mergeKey === undefined) {
    throw new StrategicPatchError(
      `cannot merge lists without merge key for ${type.kind === "map" ? "map" : "struct"}`,
    );
  }
  const { kept, plain } = obeyItems(original as JsonObject[], patch as JsonObject[], mergeKey);
  const items = [...kept];
  const known = new Map<string, number>();
  items.forEach((item, index) => {
    const text = jsonKey(getOwn(item, mergeKey));
    if (!known.has(text)) known.set(text, index);
  });
  for (const item of plain) {
    const text = identity(item, mergeKey);
    const at = known.get(text);
    if (at !== undefined) items[at] = mergeObject(items[at]!, item, type);
    else {
      known.set(text, items.length);
      items.push(item);
    }
  }
  return arrange(items, plain, kept, mergeKey);
}

/** Obeys the `$patch` directives of a list's items. Returns what is kept of the old list, and the items to merge. */
function obeyItems(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  key: string,
): { kept: readonly JsonObject[]; plain: readonly JsonObject[] } {
  let kept = original;
  let replaces = false;
  const plain: JsonObject[] = [];
  for (const item of patch) {
    if (!Object.hasOwn(item, DIRECTIVE)) plain.push(item);
    else if (item[DIRECTIVE] === "replace") replaces = true;
    else if (item[DIRECTIVE] === "merge") {
      throw new StrategicPatchError("merging lists cannot yet be specified in the patch");
    } else if (item[DIRECTIVE] === "delete") {
      if (!Object.hasOwn(item, key)) throw noMergeKey(goPrint(item), key);
      const removed = jsonKey(item[key]);
      kept = kept.filter((one) => jsonKey(getOwn(one, key)) !== removed);
    } else throw unknownDirective(item);
  }
  return replaces ? { kept: plain, plain: [] } : { kept, plain };
}

function unknownDirective(patch: JsonObject): StrategicPatchError {
  return new StrategicPatchError(
    `unknown patch type: ${goFormatString(patch[DIRECTIVE] ?? null)} in map: ${goPrint(patch)}`,
  );
}

/** Removes the null members of objects, at any depth. */
function discardNulls(value: Json): void {
  if (Array.isArray(value)) value.forEach(discardNulls);
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null;
    if (member === null) delete value[key];
    else discardNulls(member);
  }
}

/** Returns a value that the patch adds, without the objects that have a `$patch`; undefined if it is one. */
function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  for (const key of Object.keys(value)) {
    const plain = withoutDirectives(value[key] ?? null);
    if (plain === undefined) delete value[key];
    else setOwn(value, key, plain);
  }
  return value;
}
