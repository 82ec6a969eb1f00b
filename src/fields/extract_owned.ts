import { isRecord, setOwn } from "../base/mod.ts";
import { ListItems } from "./list_items.ts";
import { below, elementsOf, type FieldTree, isWhole } from "./managed_fields.ts";

/** The depth below which an owned value is returned as a whole, so that no object exceeds the stack. */
const MAX_DEPTH = 500;

/**
 * Returns the part of a value that a set of fields owns, as client-go's `Extract…` functions do.
 *
 * @param tree The set of fields, in the form of `fieldsV1`.
 * @param value The value. The result shares parts with it.
 * @returns The part; undefined if the value has none of the fields.
 */
export function extractOwned(tree: FieldTree, value: unknown): unknown {
  return partOf(tree, value, 0);
}

function partOf(tree: FieldTree, value: unknown, depth: number): unknown {
  if (isWhole(tree) || depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) return ownedItems(tree, value, depth);
  if (!isRecord(value)) return undefined;
  const result: Record<string, unknown> = {};
  for (const element of elementsOf(tree)) {
    const name = element.slice(2);
    if (!element.startsWith("f:") || !Object.hasOwn(value, name)) continue;
    const part = partOf(below(tree, element) ?? {}, value[name], depth + 1);
    if (part !== undefined) setOwn(result, name, part);
  }
  return result;
}

/** Returns the owned items of a list in the order of the list. */
function ownedItems(tree: FieldTree, list: readonly unknown[], depth: number): unknown[] {
  const items = new ListItems(list);
  const found: { readonly index: number; readonly part: unknown }[] = [];
  for (const element of elementsOf(tree)) {
    const { index } = items.placeOf(element) ?? {};
    if (index === undefined) continue;
    const part = partOf(below(tree, element) ?? {}, list[index], depth + 1);
    if (part !== undefined) found.push({ index, part });
  }
  return found.sort((a, b) => a.index - b.index).map(({ part }) => part);
}

/** Returns the fields of an object as a set, with lists as a whole. It is used if no managed fields are known. */
export function fieldsOfShape(value: unknown): FieldTree {
  const tree: Record<string, unknown> = {};
  if (!isRecord(value)) return tree;
  for (const key of Object.keys(value)) tree[`f:${key}`] = fieldsOfShape(value[key]);
  return tree;
}
