import {
  CelError,
  Duration,
  showDouble,
  showDuration,
  showTimestamp,
  Timestamp,
  typeName,
  TypeValue,
  Uint,
  type Value,
} from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";
import { timestamp } from "./standard.ts";
import { parseDuration, parseTimestamp } from "./time.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

const quoted = (name: string) => `'${name}'`;

function fails(source: string, target: string): CelError {
  return new CelError(`type conversion error from ${quoted(source)} to ${quoted(target)}`);
}

function isInt(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

function textToInt(text: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) throw fails("string", "int");
  const value = BigInt(text.replace(/^\+/, ""));
  if (!isInt(value)) throw fails("string", "int");
  return value;
}

function textToUint(text: string): Uint {
  if (!/^\d+$/.test(text) || BigInt(text) > 0xffff_ffff_ffff_ffffn) throw fails("string", "uint");
  return new Uint(BigInt(text));
}

function textToDouble(text: string): number {
  const special = /^([+-]?)(inf|infinity)$/i.exec(text);
  if (special !== null) return special[1] === "-" ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw fails("string", "double");
  const value = Number(text);
  if (!Number.isFinite(value)) throw fails("string", "double");
  return value;
}

const TRUE = ["1", "t", "T", "TRUE", "true", "True"];
const FALSE = ["0", "f", "F", "FALSE", "false", "False"];

function textToBool(text: string): boolean {
  if (TRUE.includes(text)) return true;
  if (FALSE.includes(text)) return false;
  throw fails("string", "bool");
}

function doubleToInt(value: number): bigint {
  if (!(value > -9_223_372_036_854_775_808 && value < 9_223_372_036_854_775_807)) {
    throw new CelError("integer overflow");
  }
  return BigInt(Math.trunc(value));
}

function doubleToUint(value: number): Uint {
  if (!(value >= 0 && value < 18_446_744_073_709_551_615)) {
    throw new CelError("unsigned integer overflow");
  }
  return new Uint(BigInt(Math.trunc(value)));
}

function uintToInt({ value }: Uint): bigint {
  if (!isInt(value)) throw new CelError("integer overflow");
  return value;
}

function intToUint(value: bigint): Uint {
  if (value < 0n) throw new CelError("unsigned integer overflow");
  return new Uint(value);
}

function bytesToText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

/** Returns the text of a value, as `string()` does; undefined if it has none. */
export function toText(value: Value): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "boolean":
    case "bigint":
      return String(value);
    case "number":
      return showDouble(value, 6);
  }
  if (value instanceof Uint8Array) return bytesToText(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return showDuration(value);
  if (value instanceof Timestamp) return showTimestamp(value);
  return value instanceof TypeValue ? value.name : undefined;
}

const text = (value: Value) => toText(value)!;
const same = (value: Value) => value;

/** The functions that convert a value to another type. */
export const CONVERSIONS: readonly Overload[] = [
  define("type", "type", "A -> type(A)", (value: Value) => new TypeValue(typeName(value))),
  define("bool", "bool_to_bool", "bool -> bool", same),
  define("bool", "string_to_bool", "string -> bool", textToBool),
  define("bytes", "bytes_to_bytes", "bytes -> bytes", same),
  define("bytes", "string_to_bytes", "string -> bytes", (value: string) => encoder.encode(value)),
  define("double", "double_to_double", "double -> double", same),
  define("double", "int64_to_double", "int -> double", (value: bigint) => Number(value)),
  define("double", "string_to_double", "string -> double", textToDouble),
  define("double", "uint64_to_double", "uint -> double", ({ value }: Uint) => Number(value)),
  define("duration", "duration_to_duration", "duration -> duration", same),
  define("duration", "int64_to_duration", "int -> duration", (): Value => {
    throw fails("int", "google.protobuf.Duration");
  }),
  define("duration", "string_to_duration", "string -> duration", (value: string) => {
    const nanos = parseDuration(value);
    if (nanos === undefined) throw fails("string", "google.protobuf.Duration");
    return new Duration(nanos);
  }),
  define("dyn", "to_dyn", "A -> dyn", same),
  define("int", "int64_to_int64", "int -> int", same),
  define("int", "double_to_int64", "double -> int", doubleToInt),
  define("int", "duration_to_int64", "duration -> int", ({ nanos }: Duration) => nanos),
  define("int", "string_to_int64", "string -> int", textToInt),
  define("int", "timestamp_to_int64", "timestamp -> int", ({ nanos }: Timestamp) => {
    return nanos >= 0n ? nanos / 1_000_000_000n : -((-nanos + 999_999_999n) / 1_000_000_000n);
  }),
  define("int", "uint64_to_int64", "uint -> int", uintToInt),
  define("string", "string_to_string", "string -> string", same),
  define("string", "bool_to_string", "bool -> string", text),
  define("string", "bytes_to_string", "bytes -> string", text),
  define("string", "double_to_string", "double -> string", text),
  define("string", "duration_to_string", "duration -> string", text),
  define("string", "int64_to_string", "int -> string", text),
  define("string", "timestamp_to_string", "timestamp -> string", text),
  define("string", "uint64_to_string", "uint -> string", text),
  define("timestamp", "timestamp_to_timestamp", "timestamp -> timestamp", same),
  define(
    "timestamp",
    "int64_to_timestamp",
    "int -> timestamp",
    (value: bigint) => timestamp(value * 1_000_000_000n),
  ),
  define("timestamp", "string_to_timestamp", "string -> timestamp", (value: string) => {
    const parsed = parseTimestamp(value);
    if (parsed === undefined) throw fails("string", "google.protobuf.Timestamp");
    return timestamp(parsed.nanos, parsed.offsetMinutes);
  }),
  define("uint", "uint64_to_uint64", "uint -> uint", same),
  define("uint", "double_to_uint64", "double -> uint", doubleToUint),
  define("uint", "int64_to_uint64", "int -> uint", intToUint),
  define("uint", "string_to_uint64", "string -> uint", textToUint),
];
