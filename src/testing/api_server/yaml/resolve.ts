import type { ScalarNode } from "./node.ts";
import { yamlProblem } from "./yaml_error.ts";

/** The value of a scalar: the types that Go has. A bigint is an integer; a number is not. */
export type Scalar = null | boolean | bigint | number | string;

const PREFIX = "tag:yaml.org,2002:";

/** The tags whose values the text must be read for. Values of other tags are texts. */
const READ: ReadonlySet<string> = new Set(
  ["str", "bool", "int", "float", "null", "timestamp"].map((name) => PREFIX + name),
);

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) =>
    [word, true] as const
  ),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) =>
    [word, false] as const
  ),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => [word, Infinity] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, -Infinity] as const),
]);

/**
 * Returns the value of a scalar.
 *
 * @throws {YamlError} If it has a tag that its text does not fit.
 */
export function resolveScalar({ value, tag, implicit }: ScalarNode): Scalar {
  if (tag === `${PREFIX}binary`) return binary(value);
  if (tag === "" && !implicit) return value;
  if (tag !== "" && !READ.has(tag)) return value;
  if (tag === `${PREFIX}str`) return value;
  const read = readPlain(value, tag);
  const type = typeOf(read.value, read.timestamp);
  const wanted = tag.slice(PREFIX.length);
  if (tag === "" || type === wanted) return read.value;
  if (wanted === "float" && type === "int") return Number(read.value);
  throw yamlProblem(`cannot decode !!${type} \`${value}\` as a !!${wanted}`);
}

function typeOf(value: Scalar, timestamp: boolean): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float";
  return timestamp ? "timestamp" : "str";
}

function binary(value: string): string {
  const text = value.replace(/[\r\n]/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
    throw yamlProblem("!!binary value contains invalid base64 data");
  }
  return new TextDecoder("utf-8", { ignoreBOM: true })
    .decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
}

function readPlain(text: string, tag: string): { value: Scalar; timestamp: boolean } {
  const word = WORDS.get(text);
  if (word !== undefined) return { value: word, timestamp: false };
  if (text.startsWith(".")) {
    const value = /^\.[0-9]/.test(text) ? goFloat(text) : undefined;
    return { value: value ?? text, timestamp: false };
  }
  if (!/^[-+0-9]/.test(text)) return { value: text, timestamp: false };
  if ((tag === "" || tag === `${PREFIX}timestamp`) && isTimestamp(text)) {
    return { value: text, timestamp: true };
  }
  const plain = text.replaceAll("_", "");
  return { value: goInteger(plain) ?? styledFloat(plain) ?? text, timestamp: false };
}

/** Reads an integer as Go does for base 0: decimal, or with the prefix of another base. */
function goInteger(text: string): bigint | undefined {
  const [, sign = "", prefix = "", digits = ""] =
    /^([-+]?)(0[xXoObB]?)?([0-9a-fA-F]*)$/.exec(text) ??
      [];
  const base = prefix === "" ? "" : prefix === "0" ? "o" : prefix[1]!.toLowerCase();
  if (digits === "" && base !== "o") return undefined;
  if (digits === "" && prefix !== "0") return undefined;
  if (!DIGITS[base]!.test(digits)) return undefined;
  const value = digits === "" ? 0n : BigInt(base === "" ? digits : `0${base}${digits}`);
  const max = sign === "" ? MAX_UNSIGNED : sign === "-" ? MAX_SIGNED + 1n : MAX_SIGNED;
  if (value > max) return undefined;
  return sign === "-" ? -value : value;
}

const MAX_SIGNED = (1n << 63n) - 1n;

const MAX_UNSIGNED = (1n << 64n) - 1n;

const DIGITS: Readonly<Record<string, RegExp>> = {
  "": /^[0-9]*$/,
  o: /^[0-7]*$/,
  b: /^[01]*$/,
  x: /^[0-9a-fA-F]*$/,
};

function styledFloat(text: string): number | undefined {
  return /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(text)
    ? finite(text)
    : undefined;
}

/** Reads what begins with a point as Go's `ParseFloat`, to which `_` is no digit. */
function goFloat(text: string): number | undefined {
  return /^\.[0-9]+([eE][-+]?[0-9]+)?$/.test(text) ? finite(text) : undefined;
}

/** Reads a number. One that is too large for 64 bits is a text. */
function finite(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Reports whether a text is a date, or a date with a time. */
function isTimestamp(text: string): boolean {
  const parts =
    /^[0-9]{4}-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})| ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)?$/
      .exec(text);
  if (parts === null) return false;
  const [month, day, ...time] = parts.slice(1).filter((part) => part !== undefined).map(Number);
  const [hour = 0, minute = 0, second = 0] = time;
  const days = new Date(Date.UTC(Number(text.slice(0, 4)), month!, 0)).getUTCDate();
  return month! >= 1 && month! <= 12 && day! >= 1 && day! <= days && hour < 24 && minute < 60 &&
    second < 60;
}
