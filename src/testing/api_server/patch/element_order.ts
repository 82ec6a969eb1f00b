import { getOwn, goPrint, isObject, type Json, jsonKey } from "../../values/mod.ts";
import { badArgument, MAP_TYPE, noMergeKey, StrategicPatchError } from "./strategic_patch_error.ts";

/**
 * Checks that the items of a patch occur in `$setElementOrder` in the order of the patch. Items to delete need not occur
 * there.
 *
 * @throws {StrategicPatchError} If they do not.
 */
export function checkElementOrder(
  patch: readonly Json[],
  order: readonly Json[],
  key: string | undefined,
): void {
  if (patch.length === 0 || order.length === 0) return;
  if (key !== undefined) {
    for (const item of patch) if (!isObject(item)) throw badArgument(MAP_TYPE, item);
  }
  const placed = key === undefined
    ? patch
    : patch.filter((item) => !Object.hasOwn(item as object, "$patch"));
  let next = 0;
  for (const place of order) {
    if (next >= placed.length) return;
    if (identity(placed[next]!, key) === identity(place, key)) next++;
  }
  if (next >= placed.length) return;
  throw new StrategicPatchError(
    `The order in patch list:\n${goPrint([...patch])}\n doesn't match $setElementOrder list:\n${
      goPrint([...order])
    }\n`,
  );
}

/**
 * Returns a text that identifies an item: by its merge key or, without one, by the whole item.
 *
 * @throws {StrategicPatchError} If the item has no merge key.
 */
export function identity(item: Json, key: string | undefined): string {
  if (key === undefined) return jsonKey(item);
  if (!isObject(item)) throw badArgument(MAP_TYPE, item);
  const value = getOwn(item, key);
  if (value === undefined) throw noMergeKey(goPrint(item), key);
  return jsonKey(value);
}

/**
 * Sorts the items of a merged list.
 *
 * Items in `order` follow `order`; the other items follow `before`. The two sequences are then interleaved: one of the
 * other items precedes an item of `order` only if it preceded that item in `before`, or if `order` has no items left.
 *
 * @throws {StrategicPatchError} If an item has no merge key.
 */
export function arrange(
  items: readonly Json[],
  order: readonly Json[],
  before: readonly Json[],
  key: string | undefined,
): Json[] {
  const stray = key === undefined ? -1 : order.findIndex((place) => !isObject(place));
  if (stray >= 0) throw new StrategicPatchError(`value for key ${stray} is not a map`);
  const [inOrder, inBefore] = [positions(order, key), positions(before, key)];
  const placed = items.map((item) => {
    const text = identity(item, key);
    return { item, order: inOrder.get(text) ?? -1, before: inBefore.get(text) ?? -1 };
  });
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

/** Returns the index of each first item by its identity. */
function positions(list: readonly Json[], key: string | undefined): Map<string, number> {
  const found = new Map<string, number>();
  list.forEach((item, index) => {
    const text = identity(item, key);
    if (!found.has(text)) found.set(text, index);
  });
  return found;
}

/** Reports whether a position is before another, where -1 is not a position. */
function precedes(left: number, right: number): boolean {
  return left >= 0 && right >= 0 && left < right;
}
