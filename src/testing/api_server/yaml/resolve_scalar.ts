import { yamlProblem } from "./yaml_error.ts";

/** The value of a scalar: the types that Go has. A bigint is an integer; a number is not. */
export type Scalar = null | boolean | bigint | number | string;

const words = (value: Scalar, list: string) =>
  list.split(" ").map((word): [string, Scalar] => [word, value]);

const WORDS: ReadonlyMap<string, Scalar> = new Map([
  ...words(true, "y Y yes Yes YES true True TRUE on On ON"),
  ...words(false, "n N no No NO false False FALSE off Off OFF"),
  ...words(null, "~ null Null NULL"),
  ...words(NaN, ".nan .NaN .NAN"),
  ...words(Infinity, ".inf .Inf .INF +.inf +.Inf +.INF"),
  ...words(-Infinity, "-.inf -.Inf -.INF"),
  ["", null],
]);

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([0-9]+))$/;
const MAX_SIGNED = 2n ** 63n - 1n;
const MAX_UNSIGNED = 2n ** 64n - 1n;

/**
 * Returns the value of a scalar in YAML 1.1, with the integers of Go.
 *
 * @param tag The tag without its `!!`; undefined if there is none.
 * @param isPlain Whether the scalar is without quotes.
 * @throws {YamlError} If the text does not fit the tag.
 */
export function resolveScalar(text: string, tag: string | undefined, isPlain: boolean): Scalar {
  if (tag === undefined) return isPlain ? readPlain(text) : text;
  if (!["bool", "float", "int", "null"].includes(tag)) return text;
  const value = readPlain(text);
  const type = typeName(value);
  if (type === tag) return value;
  if (tag === "float" && type === "int") return Number(value);
  throw yamlProblem(`cannot decode !!${type} \`${text}\` as a !!${tag}`);
}

function typeName(value: Scalar): string {
  if (value === null) return "null";
  const names: Record<string, string> = { boolean: "bool", bigint: "int", number: "float" };
  return names[typeof value] ?? "str";
}

function readPlain(text: string): Scalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return text;
  const plain = text.replaceAll("_", "");
  const integer = readInteger(plain);
  if (integer !== undefined) return integer;
  // A number that is too large for 64 bits is a text.
  return FLOAT.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : text;
}

/** Reads an integer as Go does for base 0: decimal, or with the prefix of another base. */
function readInteger(text: string): bigint | undefined {
  const [, sign, hex, binary, octal, decimal] = INTEGER.exec(text) ?? [];
  // A number with a leading zero and a digit above 7 is a float to Go.
  if (sign === undefined || /^0[0-9]/.test(decimal ?? "") || text.length > 80) return undefined;
  const size = BigInt(
    hex !== undefined
      ? `0x${hex}`
      : binary !== undefined
      ? `0b${binary}`
      : octal !== undefined
      ? `0o${octal}`
      : decimal!,
  );
  const max = sign === "" ? MAX_UNSIGNED : sign === "-" ? MAX_SIGNED + 1n : MAX_SIGNED;
  if (size > max) return undefined;
  return sign === "-" ? -size : size;
}
