import { quote } from "../../values/mod.ts";
import {
  CelError,
  CelList,
  Duration,
  isCelMap,
  Timestamp,
  typeName,
  Uint,
  type Value,
} from "../values/mod.ts";
import { toText } from "./conversions.ts";

const encoder = new TextEncoder();

/** The number of digits after the point, if the format gives none. */
const PRECISION = 6;

/** The number of further digits that show whether a number lies exactly between two texts. */
const TAIL = 30;

/** The most digits after the point that `toFixed` shows. */
const MAX_PRECISION = 100;

/** A part of a format: a clause, or text, which has no verb. */
type Clause = {
  readonly length: number;
  readonly verb?: string;
  readonly precision: number;
  readonly text: string;
} | { readonly error: string };

/** Returns the part of a format that begins at a place. */
export function clauseAt(format: string, at: number): Clause {
  if (format[at] !== "%") {
    const end = format.indexOf("%", at);
    const text = format.slice(at, end < 0 ? undefined : end);
    return { length: text.length, text, precision: PRECISION };
  }
  if (format[at + 1] === "%") return { length: 2, text: "%", precision: PRECISION };
  if (at + 1 >= format.length) return { error: "unexpected end of string" };
  let end = at + 1;
  let precision = PRECISION;
  if (format[end] === ".") {
    const start = ++end;
    while (/^[0-9]$/.test(format[end] ?? "")) end++;
    const why = "could not parse formatting clause: error while parsing precision: ";
    if (end >= format.length) return { error: `${why}could not find end of precision specifier` };
    if (end === start) {
      const atoi = 'strconv.Atoi: parsing "": invalid syntax';
      return { error: `${why}error while converting precision to integer: ${atoi}` };
    }
    precision = Number(format.slice(start, end));
  }
  return { length: end + 1 - at, verb: format[end]!, precision, text: "" };
}

/** Returns the message of a clause that is unknown, or that does not take values of a type. */
export function formatMistake(verb: string, type?: string): string {
  if (type === undefined) {
    return `could not parse formatting clause: unrecognized formatting clause "${verb}"`;
  }
  return `error during formatting: ${MISTAKES[verb.toLowerCase()]}, was given ${type}`;
}

const MISTAKES: Readonly<Record<string, string>> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  d: "decimal clause can only be used on integers",
  f: "fixed-point clause can only be used on doubles",
  e: "scientific clause can only be used on doubles",
  b: "only integers and bools can be formatted as binary",
  x: "only integers, byte buffers, and strings can be formatted as hex",
  o: "octal clause can only be used on integers",
};

/**
 * Formats values by a text with `%s`, `%d`, `%f`, `%e`, `%b`, `%x`, `%X` and `%o`.
 *
 * @throws {CelError} If a value has the wrong type, or there are too few.
 */
export function formatText(format: string, args: CelList): string {
  let result = "";
  let used = 0;
  for (let at = 0; at < format.length;) {
    const clause = clauseAt(format, at);
    if ("error" in clause) throw new CelError(clause.error);
    at += clause.length;
    if (clause.verb === undefined) {
      result += clause.text;
      continue;
    }
    if (used >= args.size) throw new CelError(`index ${used} out of range`);
    result += formatOne(clause.verb, args.at(used), clause.precision);
    used++;
  }
  return result;
}

function wrong(verb: string, value: Value): CelError {
  return new CelError(formatMistake(verb, typeName(value)));
}

function formatOne(verb: string, value: Value, precision: number): string {
  switch (verb) {
    case "s":
      return show(value);
    case "d":
      return String(integer(value, verb));
    case "f":
      return fixed(value, precision);
    case "e":
      return scientific(value);
    case "b":
      return typeof value === "boolean" ? (value ? "1" : "0") : integer(value, verb).toString(2);
    case "x":
      return hex(value);
    case "X":
      return hex(value).toUpperCase();
    case "o":
      return integer(value, verb).toString(8);
    default:
      throw new CelError(formatMistake(verb));
  }
}

function show(value: Value): string {
  if (value === null) return "null";
  if (value instanceof CelList) return `[${value.items.map(quoted).join(", ")}]`;
  if (typeof value === "object" && isCelMap(value)) {
    const entries = value.keys().map((key) => [quoted(key), quoted(value.get(key)!)] as const);
    entries.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
    return `{${entries.map(([key, one]) => `${key}:${one}`).join(", ")}}`;
  }
  const text = toText(value);
  if (text !== undefined) return text;
  throw wrong("s", value);
}

function quoted(value: Value): string {
  const text = typeof value === "number" ? fixed(value, PRECISION) : show(value);
  if (typeof value === "string") return quote(text);
  if (value instanceof Uint8Array) return `b${quote(text)}`;
  if (value instanceof Duration || value instanceof Timestamp) {
    return `${value instanceof Duration ? "duration" : "timestamp"}(${quote(text)})`;
  }
  if (typeof value === "number" && !Number.isFinite(value)) return quote(text);
  return text;
}

function integer(value: Value, verb: string): bigint {
  if (typeof value === "bigint") return value;
  if (value instanceof Uint) return value.value;
  throw wrong(verb, value);
}

function double(value: Value, verb: string): number {
  if (typeof value === "number") return value;
  if (value === "NaN") return NaN;
  if (value === "Infinity" || value === "-Infinity") return Number(value);
  throw wrong(verb, value);
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
  const number = double(value, "f");
  return special(number) ?? grouped(rounded(number, Math.min(precision, MAX_PRECISION)));
}

/** Rounds to the nearest text and, unlike `toFixed`, from the middle of two to the even one. */
function rounded(number: number, precision: number): string {
  if (precision + TAIL > MAX_PRECISION) return number.toFixed(precision);
  const exact = number.toFixed(precision + TAIL);
  const [start, tail] = [exact.slice(0, -TAIL).replace(/\.$/, ""), exact.slice(-TAIL)];
  return /^50*$/.test(tail) && /[02468]$/.test(start) ? start : number.toFixed(precision);
}

/** Formats a number with an exponent. As in the real server, a precision has no effect. */
function scientific(value: Value): string {
  const number = double(value, "e");
  const shown = special(number);
  if (shown !== undefined) return shown;
  const [digits = "", power = "+0"] = number.toExponential(PRECISION).split("e");
  const size = Math.abs(Number(power));
  const upper = [...String(size).padStart(2, "0")].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);
  return `${digits}×10${Number(power) < 0 ? "⁻" : ""}${upper.join("")}`;
}

function hex(value: Value): string {
  const bytes = typeof value === "string" ? encoder.encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return integer(value, "x").toString(16);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
