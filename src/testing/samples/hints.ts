import { getArray, getOwn, getString, isNumber, isObject, type JsonObject } from "../values/mod.ts";

/** The most values of one kind. */
const MAX_VALUES = 40;

/** The numbers in a rule, and its texts. */
const NUMBERS = /\d{1,15}(?:\.\d{1,6})?/g;
const TEXTS = /'([^'\\]{0,100})'|"([^"\\]{0,100})"/g;

const LIMITS: readonly string[] = ["minimum", "maximum", "multipleOf"];
const SIZES: readonly string[] = [
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
];

/** Values near which schemas change their answer: their limits, options and defaults, and what their rules compare with. */
export interface Hints {
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  readonly patterns: readonly string[];
}

export const NO_HINTS: Hints = { numbers: [], texts: [], patterns: [] };

/** Returns the hints of a schema itself, without the hints of its fields and items. */
export function hintsOf(schema: JsonObject | undefined): Hints {
  if (schema === undefined) return NO_HINTS;
  const numbers = [...LIMITS, ...SIZES].map((keyword) => getOwn(schema, keyword)).filter(isNumber);
  const pattern = getString(schema, "pattern");
  const options = [...getArray(schema, "enum"), getOwn(schema, "default")];
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => getArray(schema, keyword));
  return joined(
    {
      numbers: [...numbers, ...options.filter(isNumber)].map(Number),
      texts: options.filter((option) => typeof option === "string"),
      patterns: pattern === "" ? [] : [pattern],
    },
    ...[...parts, getOwn(schema, "not")].filter(isObject).map((part) => hintsOf(part)),
  );
}

/** Returns the hints of the rules of a schema, which may concern all its fields. */
export function hintsOfRules(schema: JsonObject | undefined): Hints {
  if (schema === undefined) return NO_HINTS;
  const rules = getArray(schema, "x-kubernetes-validations").map((rule) => getString(rule, "rule"));
  const text = rules.join("\n").slice(0, 10_000);
  return {
    numbers: Array.from(text.matchAll(NUMBERS), ([number]) => Number(number)).slice(0, MAX_VALUES),
    texts: Array.from(text.matchAll(TEXTS), ([, single, double]) => single ?? double ?? "")
      .slice(0, MAX_VALUES),
    patterns: [],
  };
}

/** Returns the hints of several sources together. */
export function joined(...hints: readonly Hints[]): Hints {
  const union = <T>(of: (hints: Hints) => readonly T[]) =>
    [...new Set(hints.flatMap((one) => [...of(one)]))].slice(0, MAX_VALUES);
  return {
    numbers: union((one) => one.numbers),
    texts: union((one) => one.texts),
    patterns: union((one) => one.patterns),
  };
}
