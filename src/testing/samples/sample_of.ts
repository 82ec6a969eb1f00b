import { PatternError, patternOf } from "@kubeloop/controller/internal/structural";
import {
  enumOf,
  isIntOrString,
  numberIn,
  partsOf,
  propertiesOf,
  requiredOf,
  type SchemaNode,
} from "./schema_node.ts";

/** The nesting below which samples have only the fields that are required. */
const MAX_DEPTH = 4;
/** The most characters of a sample. */
export const MAX_LENGTH = 253;
/** The most items of a sample. */
const MAX_ITEMS = 8;

/** Texts by format. */
const FORMATS: Readonly<Record<string, (n: number) => string>> = {
  "date-time": (n) => `202${n % 10}-01-02T03:04:05Z`,
  date: (n) => `202${n % 10}-01-02`,
  duration: (n) => `${n + 1}m`,
  email: (n) => `user${n}@example.com`,
  hostname: (n) => `host${n}.example.com`,
  uri: (n) => `https://example.com/${n}`,
  ipv4: (n) => `10.0.0.${n % 250 + 1}`,
  ipv6: (n) => `fd00::${n % 250 + 1}`,
  cidr: (n) => `10.${n % 250}.0.0/16`,
  uuid: (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  byte: (n) => ["YQ==", "Yg==", "Yw=="][n % 3]!,
  quantity: (n) => `${n + 1}Gi`,
};

/** Texts that the patterns of real definitions often accept. */
const GUESSES: readonly ((n: number) => string)[] = [
  (n) => ["a", "b", "c", "d"][n % 4]! + (n < 4 ? "" : n),
  (n) => `${n + 1}Gi`,
  (n) => `${n + 1}`,
  (n) => `${n + 1}s`,
  (n) => `v1.${n}.0`,
  (n) => `1.${n}.0`,
  (n) => `${n + 1}%`,
  (n) => `host${n}.example.com`,
  (n) => `example.com/name${n}`,
  (n) => `https://example.com/${n}`,
  (n) => `10.0.0.${n % 250 + 1}`,
  (n) => `/path${n}`,
  (n) => `A${n}`,
  (n) => `UPPER_${n}`,
  (n) => `0${n % 10}:00`,
  (n) => ["a", "b", "c", "d"][n % 4]!,
];

/** Options of {@linkcode sampleOf}. */
export interface SampleOptions {
  /** Whether to leave out the fields that are not required. */
  readonly isSmall?: boolean | undefined;
  /** The number of the sample: samples of different numbers differ if they can. */
  readonly n?: number | undefined;
}

/** Returns a value that a schema allows, or undefined if none is found. */
export function sampleOf(
  node: SchemaNode,
  { isSmall = false, n = 0 }: SampleOptions = {},
  depth = 0,
): unknown {
  if (n === 0 && node["default"] !== undefined) return structuredClone(node["default"]);
  if (n === 0 && node["example"] !== undefined) return structuredClone(node["example"]);
  const values = enumOf(node);
  if (values.length > 0) return values[n % values.length];
  if (isIntOrString(node)) return isText(node) ? textOf(node, n) : n + 1;
  switch (node["type"]) {
    case "boolean":
      return n % 2 === 1;
    case "integer":
    case "number":
      return numberOf(node, n);
    case "string":
      return textOf(node, n);
    case "array":
      return listOf(node, isSmall, n, depth);
    default:
      return objectOf(node, isSmall, n, depth);
  }
}

/** Reports whether an integer or a string has a pattern for strings, such as that of quantities. */
function isText(node: SchemaNode): boolean {
  return typeof node["pattern"] === "string";
}

function numberOf(node: SchemaNode, n: number): number {
  const step = numberIn(node, "multipleOf") ?? 1;
  const min = numberIn(node, "minimum") ?? 1;
  const max = numberIn(node, "maximum") ?? Infinity;
  const least = node["exclusiveMinimum"] === true ? min + step : min;
  const first = Math.ceil(Math.max(least, Math.min(1, max)) / step) * step;
  const value = first + n * step;
  const isTooMuch = node["exclusiveMaximum"] === true ? value >= max : value > max;
  return isTooMuch ? first : value;
}

/** Returns a text that a schema allows. */
export function textOf(node: SchemaNode, n: number): string | undefined {
  const format = FORMATS[String(node["format"])];
  const guesses = format === undefined ? GUESSES : [format, ...GUESSES];
  return guesses.map((guess) => padded(guess(n), node)).find((text) => isAllowed(text, node));
}

function padded(text: string, node: SchemaNode): string {
  const min = Math.min(numberIn(node, "minLength") ?? 0, MAX_LENGTH);
  return text.padEnd(min, "a");
}

/** Reports whether a schema allows a text, apart from its format. */
export function isAllowed(text: string, node: SchemaNode): boolean {
  if (text.length < (numberIn(node, "minLength") ?? 0)) return false;
  if (text.length > (numberIn(node, "maxLength") ?? Infinity)) return false;
  const pattern = node["pattern"];
  if (typeof pattern !== "string") return true;
  try {
    return patternOf(pattern).matches(text);
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

function listOf(node: SchemaNode, isSmall: boolean, n: number, depth: number): unknown {
  const items = partsOf(node, "items");
  const least = Math.min(numberIn(node, "minItems") ?? 0, MAX_ITEMS);
  const count = items === undefined ? 0 : Math.max(least, isSmall || depth > MAX_DEPTH ? 0 : 1);
  const list = samplesOf(items, count, n, isSmall, depth);
  return list.length < (numberIn(node, "minItems") ?? 0) ? undefined : list;
}

/** Returns several different samples of a schema. */
export function samplesOf(
  node: SchemaNode | undefined,
  count: number,
  first = 0,
  isSmall = false,
  depth = 0,
): unknown[] {
  if (node === undefined) return [];
  return Array.from(
    { length: count },
    (_, i) => sampleOf(node, { isSmall, n: first + i }, depth + 1),
  ).filter((item) => item !== undefined);
}

function objectOf(node: SchemaNode, isSmall: boolean, n: number, depth: number): unknown {
  const required = new Set(requiredOf(node));
  const out: Record<string, unknown> = {};
  for (const [name, schema] of propertiesOf(node)) {
    if (!required.has(name) && (isSmall || depth > MAX_DEPTH)) continue;
    if (depth > 2 * MAX_DEPTH) return undefined;
    const value = sampleOf(schema, { isSmall, n }, depth + 1);
    if (value !== undefined) out[name] = value;
    else if (required.has(name)) return undefined;
  }
  const values = partsOf(node, "additionalProperties");
  if (values !== undefined && !isSmall && depth <= MAX_DEPTH) {
    const value = sampleOf(values, { isSmall, n }, depth + 1);
    if (value !== undefined) out[n === 0 ? "sample" : `sample-${n}`] = value;
  }
  return out;
}
