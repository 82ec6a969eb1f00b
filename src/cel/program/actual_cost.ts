import type { FormatValue, Overload } from "../functions/mod.ts";
import {
  CelList,
  isCelMap,
  isOpaque,
  sizeOf,
  textBytes,
  typeName,
  type Value,
} from "../values/mod.ts";

/** The cost of reading one character of a string. */
const PER_CHAR = 0.1;
/** The cost of one character of a pattern, for each unit of the string. */
const PER_PATTERN_CHAR = 0.25;

const read = (value: Value, factor = 1) => Math.ceil(sizeOf(value) * factor * PER_CHAR);
const matching = (text: Value, pattern: number) =>
  Math.ceil((1 + sizeOf(text)) * PER_CHAR) * Math.ceil(pattern * PER_PATTERN_CHAR);

function traversal(value: Value): number {
  if (typeof value === "string") return Math.trunc(textBytes(value) * PER_CHAR);
  if (value instanceof Uint8Array) return Math.trunc(value.length * PER_CHAR);
  if (value instanceof CelList) {
    return value.items.reduce<number>((sum, one) => sum + traversal(one), 0);
  }
  if (typeof value === "object" && value !== null && isCelMap(value)) {
    return value.keys().reduce<number>(
      (sum, key) => sum + traversal(key) + traversal(value.get(key)!),
      0,
    );
  }
  return 1;
}

const allocating = (factor: number, size: number) => Math.trunc(size * factor) + 11;

function selfCompare(list: CelList): number {
  const first = list.size > 0 ? list.at(0) : undefined;
  const isText = typeof first === "string" || first instanceof Uint8Array;
  return allocating(isText ? 2.1 : 2, list.size * list.size);
}

const sets = (factor: number) => (args: readonly Value[]) =>
  1 + Math.trunc(sizeOf(args[0]!) * sizeOf(args[1]!) * factor);

type Cost = (args: readonly Value[], result: Value) => number;

/** Costs by the identifier of the overload. */
const BY_ID: Readonly<Record<string, Cost>> = {
  list_slice: (_, result) => allocating(1, sizeOf(result)),
  list_flatten: ([list]) => allocating(1, sizeOf(list!)),
  list_flatten_int: ([list, depth]) => allocating(Number(depth), sizeOf(list!)),
  lists_range: (_, result) => allocating(1, sizeOf(result)),
  list_reverse: (_, result) => allocating(1, sizeOf(result)),
  list_distinct: ([list]) => selfCompare(list as CelList),
  list_sets_contains_list: sets(1),
  list_sets_intersects_list: sets(1),
  list_sets_equivalent_list: sets(2),
  cidr_ip: () => 1,
  starts_with_string: ([text]) => read(text!),
  ends_with_string: ([text]) => read(text!),
  string_to_bytes: ([text]) => read(text!),
  bytes_to_string: ([text]) => read(text!),
  strings_quote: ([text]) => read(text!),
  string_format: ([text]) => read(text!),
  in_list: ([, list]) => sizeOf(list!),
  add_string: ([a, b]) => Math.ceil((sizeOf(a!) + sizeOf(b!)) * PER_CHAR),
  add_bytes: ([a, b]) => Math.ceil((sizeOf(a!) + sizeOf(b!)) * PER_CHAR),
  matches_string: ([text, pattern]) => matching(text!, sizeOf(pattern!)),
  contains_string: ([text, part]) => read(text!) * read(part!),
};

const traverse: Cost = ([list]) => traversal(list!);
const once: Cost = ([text]) => read(text!);
const twice: Cost = ([text]) => read(text!, 2);
const find: Cost = ([text, pattern]) => matching(text!, sizeOf(pattern!));

/** The functions that compare two networks, with a text as the second argument or not. */
const contains = (extra: (size: number) => number): Cost => ([cidr, other]) => {
  const size = sizeOf(cidr!);
  return Math.ceil(size * 2 * PER_CHAR) + extra(size) +
    (typeof other === "string" ? read(other) : 0);
};

/** Costs by the name of the function. */
const BY_NAME: Readonly<Record<string, Cost>> = {
  check: () => 350_000,
  isSorted: traverse,
  sum: traverse,
  max: traverse,
  min: traverse,
  indexOf: traverse,
  lastIndexOf: traverse,
  url: once,
  lowerAscii: once,
  upperAscii: once,
  substring: once,
  trim: once,
  replace: twice,
  split: twice,
  join: (_, result) => read(result, 2),
  find,
  findAll: find,
  cidr: once,
  isIP: once,
  isCIDR: once,
  ip: once,
  "ip.isCanonical": twice,
  containsIP: contains(() => 0),
  containsCIDR: contains((size) => Math.ceil(size * PER_CHAR) + 1),
  quantity: once,
  isQuantity: once,
  semver: once,
  isSemver: once,
  validate: ([format, text]) => matching(text!, (format as FormatValue).patternSize),
};

/** Returns what a call costs that has been made. */
export function actualCost(overload: Overload, args: readonly Value[], result: Value): number {
  const { id, name } = overload;
  if (id.endsWith("_sort")) return selfCompare(args[0] as CelList);
  if (id.endsWith("_sortByAssociatedKeys")) return selfCompare(args[1] as CelList);
  const cost = BY_ID[id] ?? BY_NAME[name];
  if (cost !== undefined) return cost(args, result);
  if (/^(less|greater)(_equals)?_(string|bytes)$/.test(id)) return equalCost(args[0]!, args[1]!);
  return 1;
}

/** Returns what a comparison for equality costs. */
export function equalCost(a: Value, b: Value): number {
  if (a !== null && typeof a === "object" && isOpaque(a) && typeName(a) !== "optional_type") {
    return 1;
  }
  return Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * PER_CHAR);
}
