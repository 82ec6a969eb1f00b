import { quote } from "../../values/mod.ts";
import { showDouble } from "../values/show.ts";
import { CelError, CelList, isCelMap, typeName, Uint, type Value } from "../values/value.ts";
import { toText } from "./conversions.ts";

const encoder = new TextEncoder();

/** The number of digits after the point, if the format gives none. */
const PRECISION = 6;

/**
 * Formats values by a text with `%s`, `%d`, `%f`, `%e`, `%b`, `%x`, `%X` and `%o`.
 *
 * @throws {CelError} If a value has the wrong type, or there are too few.
 */
export function formatText(format: string, args: CelList): string {
  let result = "";
  let used = 0;
  for (let at = 0; at < format.length;) {
    if (format[at] !== "%") {
      result += format[at++];
      continue;
    }
    if (format[at + 1] === "%") {
      result += "%";
      at += 2;
      continue;
    }
    const clause = /^%(?:\.(\d*))?(.?)/s.exec(format.slice(at, at + 32))!;
    const [all, digits, verb = ""] = clause;
    if (verb === "") throw new CelError("unexpected end of string");
    if (digits === "") {
      throw new CelError(
        `could not parse formatting clause: error while parsing precision: no precision given after '.'`,
      );
    }
    if (used >= args.size) throw new CelError(`index ${used} out of range`);
    const precision = digits === undefined ? PRECISION : Number(digits);
    result += formatOne(verb, args.at(used), precision);
    used++;
    at += all.length;
  }
  return result;
}

function wrong(why: string): CelError {
  return new CelError(`error during formatting: ${why}`);
}

function formatOne(verb: string, value: Value, precision: number): string {
  switch (verb) {
    case "s":
      return show(value);
    case "d":
      return decimal(value);
    case "f":
      return fixed(value, precision);
    case "e":
      return scientific(value, precision);
    case "b":
      return binary(value);
    case "x":
      return hex(value);
    case "X":
      return hex(value).toUpperCase();
    case "o":
      return octal(value);
    default:
      throw new CelError(
        `could not parse formatting clause: unrecognized formatting clause "${verb}"`,
      );
  }
}

function shownType(value: Value): string {
  return typeName(value);
}

function show(value: Value): string {
  if (value === null) return "null";
  if (value instanceof CelList) return `[${value.items.map(quoted).join(", ")}]`;
  if (typeof value === "object" && isCelMap(value)) {
    const entries = value.keys().map((key) => [quoted(key), quoted(value.get(key)!)] as const);
    entries.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
    return `{${entries.map(([key, one]) => `${key}:${one}`).join(", ")}}`;
  }
  if (typeof value === "number") return showSpecial(value) ?? showDouble(value);
  const text = toText(value);
  if (text !== undefined) return text;
  throw wrong(
    `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${
      shownType(value)
    }`,
  );
}

function quoted(value: Value): string {
  const text = show(value);
  if (typeof value === "string") return quote(text);
  if (value instanceof Uint8Array) return `b${quote(text)}`;
  if (typeof value === "number" && !Number.isFinite(value)) return quote(text);
  return text;
}

function showSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? "+Inf" : "-Inf";
}

function integer(value: Value): bigint | undefined {
  if (typeof value === "bigint") return value;
  return value instanceof Uint ? value.value : undefined;
}

function decimal(value: Value): string {
  const number = integer(value);
  if (number !== undefined) return String(number);
  throw wrong(`decimal clause can only be used on integers, was given ${shownType(value)}`);
}

function double(value: Value, what: string): number {
  if (typeof value === "number") return value;
  if (value === "NaN") return NaN;
  if (value === "Infinity" || value === "-Infinity") return Number(value);
  throw wrong(`${what} clause can only be used on doubles, was given ${shownType(value)}`);
}

function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  const plain = whole.replace("-", "");
  let result = "";
  for (let end = plain.length; end > 0; end -= 3) {
    result = plain.slice(Math.max(0, end - 3), end) + (result === "" ? "" : `,${result}`);
  }
  return sign + result + (fraction === undefined ? "" : `.${fraction}`);
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? "∞" : "-∞";
}

function fixed(value: Value, precision: number): string {
  const number = double(value, "fixed-point");
  return special(number) ?? grouped(number.toFixed(Math.min(precision, 100)));
}

function scientific(value: Value, precision: number): string {
  const number = double(value, "scientific");
  const shown = special(number);
  if (shown !== undefined) return shown;
  const [digits = "", power = "+0"] = number.toExponential(Math.min(precision, 100)).split("e");
  const size = Math.abs(Number(power));
  const upper = [...String(size).padStart(2, "0")].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);
  return `${digits} × 10${Number(power) < 0 ? "⁻" : ""}${upper.join("")}`;
}

function binary(value: Value): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  const number = integer(value);
  if (number !== undefined) return number.toString(2);
  throw wrong(
    `only integers and bools can be formatted as binary, was given ${shownType(value)}`,
  );
}

function hex(value: Value): string {
  const number = integer(value);
  if (number !== undefined) return number.toString(16);
  const bytes = typeof value === "string" ? encoder.encode(value) : value;
  if (bytes instanceof Uint8Array) {
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  throw wrong(
    `only integers, byte buffers, and strings can be formatted as hex, was given ${
      shownType(value)
    }`,
  );
}

function octal(value: Value): string {
  const number = integer(value);
  if (number !== undefined) return number.toString(8);
  throw wrong(`octal clause can only be used on integers, was given ${shownType(value)}`);
}
