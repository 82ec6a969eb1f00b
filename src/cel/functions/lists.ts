import {
  celCompare,
  celEqual,
  CelError,
  CelList,
  Duration,
  isComparable,
  typeName,
  Uint,
  type Value,
  ValueSet,
} from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";
import { STANDARD } from "./standard.ts";

const COMPARABLE = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const ZEROS: Readonly<Record<string, Value>> = {
  int: 0n,
  uint: new Uint(0n),
  double: 0,
  duration: new Duration(0n),
};

/** The maximum number of items that `lists.range` makes. */
const MAX_RANGE = 1_000_000n;

function isSorted(list: CelList): boolean {
  return list.items.every((item, index) =>
    index === 0 || celCompare(list.at(index - 1), item) <= 0
  );
}

function extreme(name: string, sign: number): (list: CelList) => Value {
  return (list) => {
    if (list.size === 0) throw new CelError(`${name} called on empty list`);
    return list.items.reduce((best, item) => celCompare(best, item) === sign ? item : best);
  };
}

function sum(type: string): (list: CelList) => Value {
  const id = type === "duration" ? "add_duration_duration" : {
    int: "add_int64",
    uint: "add_uint64",
    double: "add_double",
  }[type];
  const add = STANDARD.find((overload) => overload.id === id)!.run;
  return (list) => list.items.reduce((total, item) => add(total, item), ZEROS[type]!);
}

const indexOf = (list: CelList, item: Value) =>
  BigInt(list.items.findIndex((one) => celEqual(one, item)));

function lastIndexOf(list: CelList, item: Value): Value {
  for (let index = list.size - 1; index >= 0; index--) {
    if (celEqual(list.at(index), item)) return BigInt(index);
  }
  return -1n;
}

function slice(list: CelList, start: bigint, end: bigint): CelList {
  const what = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new CelError(`${what}, negative indexes not supported`);
  if (start > end) {
    throw new CelError(`${what}, start index must be less than or equal to end index`);
  }
  if (end > list.size) throw new CelError(`${what}, list is length ${list.size}`);
  return new CelList(list.items.slice(Number(start), Number(end)));
}

function flatten(list: CelList, depth: bigint): Value[] {
  if (depth < 0n) throw new CelError("level must be non-negative");
  return list.items.flatMap((item) =>
    item instanceof CelList && depth > 0n ? flatten(item, depth - 1n) : [item]
  );
}

function sortBy(list: CelList, keys: CelList): CelList {
  if (list.size !== keys.size) {
    throw new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  const [first] = keys.items;
  if (first === undefined) return list;
  if (!isComparable(first)) throw new CelError("list elements must be comparable");
  if (keys.items.some((key) => typeName(key) !== typeName(first))) {
    throw new CelError("list elements must have the same type");
  }
  const order = keys.items.map((key, index) => ({ key, index }));
  order.sort((a, b) => celCompare(a.key, b.key));
  return new CelList(order.map(({ index }) => list.at(index)));
}

function distinct(list: CelList): CelList {
  const seen = new ValueSet();
  return new CelList(list.items.filter((item) => {
    if (seen.has(item)) return false;
    seen.add(item);
    return true;
  }));
}

function range(count: bigint): CelList {
  if (count < 0n) throw new CelError(`lists.range: size must be non-negative, got ${count}`);
  if (count > MAX_RANGE) throw new CelError("operation cancelled: actual cost limit exceeded");
  return new CelList(Array.from({ length: Number(count) }, (_, at) => BigInt(at)));
}

function contains(list: CelList, other: CelList): boolean {
  const set = new ValueSet(list.items);
  return other.items.every((item) => set.has(item));
}

function intersects(list: CelList, other: CelList): boolean {
  const set = new ValueSet(list.items);
  return other.items.some((item) => set.has(item));
}

/** The functions of lists and sets. */
export const LISTS: readonly Overload[] = [
  ...COMPARABLE.flatMap((type) => [
    define("isSorted", `list_${type}_is_sorted_bool`, `list(${type}). -> bool`, isSorted),
    define("max", `list_${type}_max_${type}`, `list(${type}). -> ${type}`, extreme("max", -1)),
    define("min", `list_${type}_min_${type}`, `list(${type}). -> ${type}`, extreme("min", 1)),
    define(
      "sort",
      `list_${type}_sort`,
      `list(${type}). -> list(${type})`,
      (list: CelList) => sortBy(list, list),
    ),
    define(
      "@sortByAssociatedKeys",
      `list_${type}_sortByAssociatedKeys`,
      `list(T).list(${type}) -> list(T)`,
      sortBy,
    ),
  ]),
  ...Object.keys(ZEROS).map((type) =>
    define("sum", `list_${type}_sum_${type}`, `list(${type}). -> ${type}`, sum(type))
  ),
  define("indexOf", "list_a_index_of_int", "list(A).A -> int", indexOf),
  define("lastIndexOf", "list_a_last_index_of_int", "list(A).A -> int", lastIndexOf),
  define("slice", "list_slice", "list(T).int, int -> list(T)", slice),
  define(
    "flatten",
    "list_flatten",
    "list(list(T)). -> list(T)",
    (list: CelList) => new CelList(flatten(list, 1n)),
  ),
  define(
    "flatten",
    "list_flatten_int",
    "list(dyn).int -> list(dyn)",
    (list: CelList, depth: bigint) => new CelList(flatten(list, depth)),
  ),
  define("lists.range", "lists_range", "int -> list(int)", range),
  define(
    "reverse",
    "list_reverse",
    "list(T). -> list(T)",
    (list: CelList) => new CelList([...list.items].reverse()),
  ),
  define("distinct", "list_distinct", "list(T). -> list(T)", distinct),
  define("sets.contains", "list_sets_contains_list", "list(T), list(T) -> bool", contains),
  define(
    "sets.equivalent",
    "list_sets_equivalent_list",
    "list(T), list(T) -> bool",
    (a: CelList, b: CelList) => contains(a, b) && contains(b, a),
  ),
  define("sets.intersects", "list_sets_intersects_list", "list(T), list(T) -> bool", intersects),
];
