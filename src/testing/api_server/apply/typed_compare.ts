import {
  ANY,
  getOwn,
  isObject,
  type Json,
  jsonEqual,
  type ListType,
  type Type,
} from "../../values/mod.ts";
import { atomOf, memberType } from "./atom.ts";
import { FieldSet } from "./field_set.ts";
import { fieldElement, itemElement, type PathElement } from "./path_element.ts";

/**
 * The differences between two values.
 *
 * A path is in at most one of the sets, with one exception: the path of a list item that has duplicates in only one of
 * the two lists is both removed and added.
 */
export interface Comparison {
  /** The paths that only the first value has. */
  readonly removed: FieldSet;
  /** The paths that both values have, with different contents. */
  readonly modified: FieldSet;
  /** The paths that only the second value has. */
  readonly added: FieldSet;
  /** Whether a list of one of the values has an item without any of its keys. */
  readonly hasKeyless: boolean;
}

/** A comparison that is being made. */
type Draft = { -readonly [Name in keyof Comparison]: Comparison[Name] };

/** Compares two values of the same type. */
export function compareTyped(before: Json, after: Json, type: Type): Comparison {
  const result: Draft = {
    removed: new FieldSet(),
    modified: new FieldSet(),
    added: new FieldSet(),
    hasKeyless: false,
  };
  compare(before, after, type, [], result);
  return result;
}

function compare(
  before: Json | undefined,
  after: Json | undefined,
  type: Type,
  path: PathElement[],
  result: Draft,
): void {
  const shown = after ?? before ?? null;
  const atom = atomOf(type, shown);
  const other = before !== undefined && after !== undefined && before !== null
    ? atomOf(type, before)
    : atom;
  if (atom.kind === "leaf" || other.kind !== atom.kind || bothEmpty(before, after)) {
    if (before === undefined) result.added.insert(path);
    else if (after === undefined) result.removed.insert(path);
    else if (!jsonEqual(before, after)) result.modified.insert(path);
    return;
  }
  if (atom.kind === "map") compareMembers(before, after, type, path, result);
  else compareItems(before, after, atom.type, path, result);
  if (before === undefined) result.added.insert(path);
  else if (after === undefined) result.removed.insert(path);
}

/** Reports whether both containers are empty. Then they are compared as a whole, so that null and empty differ. */
function bothEmpty(before: Json | undefined, after: Json | undefined): boolean {
  return isEmpty(before) && isEmpty(after);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function compareMembers(
  before: Json | undefined,
  after: Json | undefined,
  type: Type,
  path: PathElement[],
  result: Draft,
): void {
  const left = isObject(before) ? before : {};
  const right = isObject(after) ? after : {};
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    compare(
      getOwn(left, key),
      getOwn(right, key),
      memberType(type, key) ?? ANY,
      [...path, fieldElement(key)],
      result,
    );
  }
}

/** Returns the items of a list by their path element. Duplicate items share an element. */
export function indexItems(list: Json | undefined, type: ListType): Map<PathElement, Json[]> {
  const index = new Map<PathElement, Json[]>();
  for (const item of Array.isArray(list) ? list : []) {
    const element = itemElement(type, item);
    if (element === undefined) continue;
    const same = index.get(element);
    if (same === undefined) index.set(element, [item]);
    else same.push(item);
  }
  return index;
}

function lengthOf(list: Json | undefined): number {
  return Array.isArray(list) ? list.length : 0;
}

function countOf(index: ReadonlyMap<PathElement, readonly Json[]>): number {
  let count = 0;
  for (const items of index.values()) count += items.length;
  return count;
}

function compareItems(
  before: Json | undefined,
  after: Json | undefined,
  type: ListType,
  path: PathElement[],
  result: Draft,
): void {
  const left = indexItems(before, type);
  const right = indexItems(after, type);
  if (countOf(left) < lengthOf(before) || countOf(right) < lengthOf(after)) {
    result.hasKeyless = true;
  }
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const inner = [...path, element];
    const was = left.get(element) ?? [];
    const is = right.get(element) ?? [];
    if (was.length <= 1 && is.length <= 1) compare(was[0], is[0], type.item, inner, result);
    else if (was.length > 1 && is.length > 1) {
      if (!jsonEqual(was, is)) result.modified.insert(inner);
    } else if (was.length > 1) {
      if (is.length > 0) compare(undefined, is[0], type.item, inner, result);
      result.removed.insert(inner);
    } else {
      if (was.length > 0) compare(was[0], undefined, type.item, inner, result);
      result.added.insert(inner);
    }
  }
}
