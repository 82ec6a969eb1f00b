import { decodeUtf8 } from "./decode_utf8.ts";

/** The tags that decide how a text is read. Every other tag makes it a text. */
export const CORE_TAGS = {
  binary: "tag:yaml.org,2002:binary",
  bool: "tag:yaml.org,2002:bool",
  float: "tag:yaml.org,2002:float",
  int: "tag:yaml.org,2002:int",
  merge: "tag:yaml.org,2002:merge",
  null: "tag:yaml.org,2002:null",
  timestamp: "tag:yaml.org,2002:timestamp",
} as const;

/** The value of a scalar, with the type that go-yaml gives it. An integer beyond 2^53 - 1 is a bigint. */
export type Scalar =
  | { readonly type: "null"; readonly value: null }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "int"; readonly value: number | bigint }
  | { readonly type: "float"; readonly value: number }
  | { readonly type: "str"; readonly value: string };

const NULL: Scalar = { type: "null", value: null };

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...words({ type: "bool", value: true }, "y Y yes Yes YES true True TRUE on On ON"),
  ...words({ type: "bool", value: false }, "n N no No NO false False FALSE off Off OFF"),
  ...words(NULL, "~ null Null NULL"),
  ["", NULL],
  ...words({ type: "float", value: NaN }, ".nan .NaN .NAN"),
  ...words({ type: "float", value: Infinity }, ".inf .Inf .INF +.inf +.Inf +.INF"),
  ...words({ type: "float", value: -Infinity }, "-.inf -.Inf -.INF"),
]);

function words(scalar: Scalar, list: string): [string, Scalar][] {
  return list.split(" ").map((word) => [word, scalar]);
}

/**
 * Reads a scalar as go-yaml v2 does: YAML 1.1 without numbers of base 60, and with `0o17`.
 *
 * @param text The text, without its quotes.
 * @param tag The tag; undefined if it has none.
 * @param isPlain Whether it has no quotes.
 * @returns The value; undefined if the tag does not fit the text.
 */
export function resolveScalar(
  text: string,
  tag: string | undefined,
  isPlain: boolean,
): Scalar | undefined {
  switch (tag) {
    case undefined:
      return isPlain ? readPlain(text) : { type: "str", value: text };
    case CORE_TAGS.binary: {
      const value = decodeBinary(text);
      return value === undefined ? undefined : { type: "str", value };
    }
    case CORE_TAGS.timestamp:
      return TIMESTAMP.test(text) ? { type: "str", value: text } : undefined;
    case CORE_TAGS.bool:
    case CORE_TAGS.float:
    case CORE_TAGS.int:
    case CORE_TAGS.null: {
      const scalar = readPlain(text);
      if (tag.endsWith(`:${scalar.type}`)) return scalar;
      return tag === CORE_TAGS.float && scalar.type === "int"
        ? { type: "float", value: Number(scalar.value) }
        : undefined;
    }
    default:
      return { type: "str", value: text };
  }
}

function readPlain(text: string): Scalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (/^[-+0-9]/.test(text)) {
    const digits = text.replaceAll("_", "");
    const int = readInteger(digits);
    if (int !== undefined) return { type: "int", value: int };
    if (FLOAT.test(digits)) return readFloat(digits, text);
  } else if (POINT_FIRST.test(text)) return readFloat(text.replaceAll("_", ""), text);
  return { type: "str", value: text };
}

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** A number that begins with its point, which Go reads by the rules of its own language: `_` stands between digits. */
const POINT_FIRST = /^\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?$/;

/** Reads a number. A number that is too large for 64 bits is a text. */
function readFloat(digits: string, text: string): Scalar {
  const value = Number(digits);
  return Number.isFinite(value) ? { type: "float", value } : { type: "str", value: text };
}

/** An integer: its sign, and its digits behind the prefix of a base. */
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
/** A number of base 2 with its sign behind the prefix. */
const SIGNED_BINARY = /^0b([-+])([01]+)$/;
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

/** Reads an integer of 64 bits, as Go's `ParseInt` and `ParseUint` do for base 0; undefined if the text is not one. */
function readInteger(text: string): number | bigint | undefined {
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(text)) return Number(text);
  const [, sign = "", hex, binary, octal, decimal] = INTEGER.exec(text) ?? [];
  if (decimal !== undefined) return inRange(sign, "", decimal);
  if (hex !== undefined) return inRange(sign, "0x", hex);
  if (binary !== undefined) return inRange(sign, "0b", binary);
  if (octal !== undefined) return inRange(sign, "0o", octal);
  const [, innerSign, digits] = SIGNED_BINARY.exec(text) ?? [];
  return innerSign === undefined ? undefined : inRange(innerSign, "0b", digits!);
}

/** Returns the integer, unless it has more than 64 bits: a number if it is exact. */
function inRange(sign: string, base: string, digits: string): number | bigint | undefined {
  const significant = digits.replace(/^0+/, "") || "0";
  if (significant.length > 64) return undefined;
  const size = BigInt(base + significant);
  const max = sign === "" ? MAX_UINT : sign === "-" ? MAX_INT + 1n : MAX_INT;
  if (size > max) return undefined;
  const value = sign === "-" ? -size : size;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A date, or a date with a time. */
const TIMESTAMP =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:[.,][0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2}))|(?: [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:[.,][0-9]+)?))?$/;

/** Decodes base64; undefined if the text is something else. */
function decodeBinary(text: string): string | undefined {
  const plain = text.replace(/[\r\n]/g, "");
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return undefined;
  return decodeUtf8(Uint8Array.from(atob(plain), (char) => char.charCodeAt(0)));
}

/**
 * Returns the text of a key that is a float, as sigs.k8s.io/yaml does: with the fewest digits that are the same number
 * in 32 bits.
 */
export function floatKey(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
  const wanted = Math.fround(value);
  if (!Number.isFinite(wanted)) return wanted > 0 ? ".inf" : "-.inf";
  if (wanted === 0) return Object.is(wanted, -0) ? "-0" : "0";
  let digits = 1;
  while (digits < 9 && Math.fround(Number(wanted.toPrecision(digits))) !== wanted) digits++;
  const [mantissa = "", power = ""] = wanted.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(Number(`${mantissa}e${power}`));
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
