import { patternOf } from "../../structural/mod.ts";
import {
  addLists,
  celCompare,
  CelError,
  type CelList,
  type CelMap,
  Duration,
  keyText,
  showValue,
  sizeOf,
  Timestamp,
  typeName,
  Uint,
  type Value,
  ValueSet,
} from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";

const MAX_UINT = 0xffff_ffff_ffff_ffffn;
/** The first and the last second of times: of the years 1 and 9999. */
const MIN_SECOND = -62_135_596_800n;
const MAX_SECOND = 253_402_300_799n;
const BILLION = 1_000_000_000n;

/** Returns `value`, if it is an integer of 64 bits. */
function int(value: bigint, what = "integer"): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new CelError(`${what} overflow`);
  return value;
}

function uint(value: bigint): Uint {
  if (value < 0n || value > MAX_UINT) throw new CelError("unsigned integer overflow");
  return new Uint(value);
}

function duration(nanos: bigint): Duration {
  return new Duration(int(nanos, "duration"));
}

/** Returns a time, if it is in the years 1 to 9999. */
export function timestamp(nanos: bigint, offset = 0): Timestamp {
  if (nanos < MIN_SECOND * BILLION || nanos >= (MAX_SECOND + 1n) * BILLION) {
    throw new CelError("timestamp overflow");
  }
  return new Timestamp(nanos, offset);
}

function nonZero(value: bigint, what: string): bigint {
  if (value === 0n) throw new CelError(`${what} by zero`);
  return value;
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const result = new Uint8Array(a.length + b.length);
  result.set(a);
  result.set(b, a.length);
  return result;
}

const ARITHMETIC: readonly Overload[] = [
  define("_+_", "add_bytes", "bytes, bytes -> bytes", concatBytes),
  define("_+_", "add_double", "double, double -> double", (a: number, b: number) => a + b),
  define(
    "_+_",
    "add_duration_duration",
    "duration, duration -> duration",
    (a: Duration, b: Duration) => duration(a.nanos + b.nanos),
  ),
  define(
    "_+_",
    "add_duration_timestamp",
    "duration, timestamp -> timestamp",
    (a: Duration, b: Timestamp) => timestamp(a.nanos + b.nanos, b.offsetMinutes),
  ),
  define(
    "_+_",
    "add_timestamp_duration",
    "timestamp, duration -> timestamp",
    (a: Timestamp, b: Duration) => timestamp(a.nanos + b.nanos, a.offsetMinutes),
  ),
  define("_+_", "add_int64", "int, int -> int", (a: bigint, b: bigint) => int(a + b)),
  define("_+_", "add_list", "list(A), list(A) -> list(A)", addLists),
  define("_+_", "add_string", "string, string -> string", (a: string, b: string) => a + b),
  define("_+_", "add_uint64", "uint, uint -> uint", (a: Uint, b: Uint) => uint(a.value + b.value)),
  define("_-_", "subtract_double", "double, double -> double", (a: number, b: number) => a - b),
  define(
    "_-_",
    "subtract_duration_duration",
    "duration, duration -> duration",
    (a: Duration, b: Duration) => duration(a.nanos - b.nanos),
  ),
  define("_-_", "subtract_int64", "int, int -> int", (a: bigint, b: bigint) => int(a - b)),
  define(
    "_-_",
    "subtract_timestamp_duration",
    "timestamp, duration -> timestamp",
    (a: Timestamp, b: Duration) => timestamp(a.nanos - b.nanos, a.offsetMinutes),
  ),
  define(
    "_-_",
    "subtract_timestamp_timestamp",
    "timestamp, timestamp -> duration",
    (a: Timestamp, b: Timestamp) => duration(a.nanos - b.nanos),
  ),
  define(
    "_-_",
    "subtract_uint64",
    "uint, uint -> uint",
    (a: Uint, b: Uint) => uint(a.value - b.value),
  ),
  define("_*_", "multiply_double", "double, double -> double", (a: number, b: number) => a * b),
  define("_*_", "multiply_int64", "int, int -> int", (a: bigint, b: bigint) => int(a * b)),
  define(
    "_*_",
    "multiply_uint64",
    "uint, uint -> uint",
    (a: Uint, b: Uint) => uint(a.value * b.value),
  ),
  define("_/_", "divide_double", "double, double -> double", (a: number, b: number) => a / b),
  define(
    "_/_",
    "divide_int64",
    "int, int -> int",
    (a: bigint, b: bigint) => int(a / nonZero(b, "division")),
  ),
  define(
    "_/_",
    "divide_uint64",
    "uint, uint -> uint",
    (a: Uint, b: Uint) => uint(a.value / nonZero(b.value, "division")),
  ),
  define(
    "_%_",
    "modulo_int64",
    "int, int -> int",
    (a: bigint, b: bigint) => {
      int(a / nonZero(b, "modulus"));
      return a % b;
    },
  ),
  define(
    "_%_",
    "modulo_uint64",
    "uint, uint -> uint",
    (a: Uint, b: Uint) => uint(a.value % nonZero(b.value, "modulus")),
  ),
  define("-_", "negate_double", "double -> double", (a: number) => -a),
  define("-_", "negate_int64", "int -> int", (a: bigint) => int(-a)),
  define("!_", "logical_not", "bool -> bool", (a: boolean) => !a),
];

/** The types that have an order, with the last part of the identifiers of their comparisons. */
const ORDERED: readonly (readonly [string, string])[] = [
  ["bool, bool", "bool"],
  ["int, int", "int64"],
  ["int, double", "int64_double"],
  ["int, uint", "int64_uint64"],
  ["uint, uint", "uint64"],
  ["uint, double", "uint64_double"],
  ["uint, int", "uint64_int64"],
  ["double, double", "double"],
  ["double, int", "double_int64"],
  ["double, uint", "double_uint64"],
  ["string, string", "string"],
  ["bytes, bytes", "bytes"],
  ["timestamp, timestamp", "timestamp"],
  ["duration, duration", "duration"],
];

const COMPARISONS: readonly (readonly [string, string, (order: number) => boolean])[] = [
  ["_<_", "less", (order) => order < 0],
  ["_<=_", "less_equals", (order) => order <= 0],
  ["_>_", "greater", (order) => order > 0],
  ["_>=_", "greater_equals", (order) => order >= 0],
];

const RELATIONS: readonly Overload[] = COMPARISONS.flatMap(([name, id, test]) =>
  ORDERED.map(([types, suffix]) =>
    define(
      name,
      `${id}_${suffix}`,
      `${types} -> bool`,
      (a: Value, b: Value) => test(celCompare(a, b)),
    )
  )
);

function inList(value: Value, list: CelList): boolean {
  return new ValueSet(list.items).has(value);
}

function inMap(value: Value, map: CelMap): boolean {
  return map.get(value) !== undefined;
}

const size = (value: Value) => BigInt(sizeOf(value));
const SIZES: readonly Overload[] = ["bytes", "list(A)", "map(A, B)", "string"].flatMap((type) => {
  const id = `size_${type.split("(")[0]}`;
  return [
    define("size", id, `${type} -> int`, size),
    define("size", id.replace(/^size_(.+)$/, "$1_size"), `${type}. -> int`, size),
  ];
});

function matches(text: string, pattern: string): boolean {
  try {
    return patternOf(pattern).matches(text);
  } catch (error) {
    throw new CelError((error as Error).message);
  }
}

const TEXTS: readonly Overload[] = [
  define(
    "contains",
    "contains_string",
    "string.string -> bool",
    (a: string, b: string) => a.includes(b),
  ),
  define(
    "endsWith",
    "ends_with_string",
    "string.string -> bool",
    (a: string, b: string) => a.endsWith(b),
  ),
  define(
    "startsWith",
    "starts_with_string",
    "string.string -> bool",
    (a: string, b: string) => a.startsWith(b),
  ),
  define("matches", "matches", "string, string -> bool", matches),
  define("matches", "matches_string", "string.string -> bool", matches),
];

/** The error of an index that a list does not have. */
export function wrongIndex(list: CelList, index: Value): CelError {
  if (list.ofObject) {
    return new CelError(
      typeof index === "bigint"
        ? `index out of bounds: ${index}`
        : `unsupported index: ${showValue(index)}`,
    );
  }
  const text = keyText(index);
  if (text === undefined || !text.startsWith("n")) {
    return new CelError(
      typeof index === "number"
        ? `unsupported index value ${showValue(index)} in list`
        : `unsupported index type '${typeName(index)}' in list`,
    );
  }
  return new CelError(`index out of bounds: ${showValue(index)}`);
}

/** Returns the item of a list; undefined if it has no such index. */
export function itemAt(list: CelList, index: Value): Value | undefined {
  const text = keyText(index);
  if (text === undefined || !text.startsWith("n")) return undefined;
  const place = Number(text.slice(1));
  return place >= 0 && place < list.size ? list.at(place) : undefined;
}

const AGGREGATES: readonly Overload[] = [
  define("@in", "in_list", "A, list(A) -> bool", inList),
  define("@in", "in_map", "A, map(A, B) -> bool", inMap),
];

/** Operators and functions that every CEL has, except conversions and times. */
export const STANDARD: readonly Overload[] = [
  ...ARITHMETIC,
  ...RELATIONS,
  ...AGGREGATES,
  ...SIZES,
  ...TEXTS,
];
