import {
  ANY,
  getOwn,
  isObject,
  type Json,
  type JsonObject,
  type ListType,
  setOwn,
  type Type,
} from "../../values/mod.ts";
import { atomOf, memberType } from "./atom.ts";
import { indexItems } from "./typed_compare.ts";
import { itemElement, type PathElement } from "./path_element.ts";

/** Merges a configuration into the live object: objects, sets and keyed lists merge, other values are replaced. */
export function mergeTyped(live: Json, config: Json, type: Type): Json {
  return merge(live, config, type) ?? null;
}

function merge(left: Json | undefined, right: Json | undefined, type: Type): Json | undefined {
  const atom = atomOf(type, right ?? left ?? null);
  if (atom.kind === "leaf" || (isEmpty(left) && isEmpty(right))) {
    return right === undefined ? left : right;
  }
  if (atom.kind === "map") return mergeMembers(left, right, type);
  return mergeItems(left, right, atom.type);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function mergeMembers(
  left: Json | undefined,
  right: Json | undefined,
  type: Type,
): JsonObject | undefined {
  const before = isObject(left) ? left : {};
  const config = isObject(right) ? right : {};
  const result: JsonObject = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(config)])) {
    const merged = merge(getOwn(before, key), getOwn(config, key), memberType(type, key) ?? ANY);
    if (merged !== undefined) setOwn(result, key, merged);
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

/**
 * Merges two lists.
 *
 * Items of the configuration keep its order. Items that only the live object has keep their place between them.
 */
function mergeItems(
  left: Json | undefined,
  right: Json | undefined,
  type: ListType,
): Json[] | undefined {
  const before = Array.isArray(left) ? left : [];
  const known = indexItems(before, type);
  const wanted = indexItems(right, type);
  const leftElements = before.map((item) => itemElement(type, item) ?? "");
  const rightElements = [...wanted.keys()];
  const shared = rightElements.filter((element) => known.has(element));
  const result: Json[] = [];
  const done = new Set<PathElement>();
  const take = (element: PathElement) => {
    done.add(element);
    const same = known.get(element) ?? [];
    const merged = merge(
      same.length > 1 ? undefined : same[0],
      wanted.get(element)?.[0],
      type.item,
    );
    if (merged !== undefined) result.push(merged);
    if (shared[0] === element) shared.shift();
  };
  let l = 0;
  let r = 0;
  while (l < before.length || r < rightElements.length) {
    if (l < before.length) {
      const element = leftElements[l]!;
      if (!wanted.has(element)) {
        result.push(before[l++]!);
        continue;
      }
      if (done.has(element)) {
        l++;
        continue;
      }
      if (element === rightElements[r]) {
        take(element);
        l++;
        r++;
        continue;
      }
      // The configuration has this item at a later position.
      if (shared.length > 0 && shared[0] !== element) {
        l++;
        continue;
      }
    }
    if (r < rightElements.length) {
      const element = rightElements[r++]!;
      if (!done.has(element)) take(element);
    }
  }
  return result.length > 0 ? result : undefined;
}
