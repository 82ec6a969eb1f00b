/**
 * JSON of other people that is hard to pass on: large integers, keys with backslashes, and deep objects.
 *
 * @module
 */

import fc from "fast-check";

/** How deep the objects are that {@linkcode deepJson} makes: deeper than the stack of V8 for `structuredClone`. */
export const DEEP = 3_000;

/** Returns JSON that is nested `depth` levels, with `leaf` inside. */
export function deepJson(leaf: string, depth: number = DEEP): string {
  const [open, close] = ['{"a":[', "]}"].map((one) => one.repeat(depth / 2));
  return `${open}${leaf}${close}`;
}

/** Returns the leaf of what {@linkcode deepJson} has made, and its depth. */
export function leafOf(value: unknown): { leaf: unknown; depth: number } {
  let leaf = value;
  let depth = 0;
  for (; typeof leaf === "object" && leaf !== null; depth++) leaf = Object.values(leaf)[0];
  return { leaf, depth };
}

/** Numbers at the limits of a JavaScript number and of 64 bits. */
export const NUMBERS: readonly string[] = [
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "-9007199254740993",
  "9223372036854775807",
  "-9223372036854775808",
  "1",
  "0.1",
];

/** The digits of integers around the limits, and of others. */
export const integers: fc.Arbitrary<string> = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -(2n ** 53n) - 3n, max: -(2n ** 53n) + 3n }),
).map(String);

const text = fc.string({
  unit: fc.constantFrom(
    "\\",
    '"',
    "a",
    "<",
    ":",
    " ",
    "\ue000",
    "\n",
    "é",
    "0",
    "u",
    "9007199254740993",
  ),
});

/** JSON with large integers, as a text with and without spaces. */
export const exactJson: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    integers,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => JSON.stringify(one)),
    text.map((one) => JSON.stringify(one)),
    fc.array(tie("value"), { maxLength: 5 }).map((all) => `[${all.join()}]`),
    fc.dictionary(text, tie("value"), { maxKeys: 5 }).map((all) =>
      `{${Object.entries(all).map(([key, one]) => `${JSON.stringify(key)}: ${one}`).join()}}`
    ),
  ),
})).value;

/**
 * Returns what an engine parses that says the text of each number: bigints for integers that a number does not hold. The
 * engine must not have seen a key that is a backslash.
 */
export function exactly(json: string): unknown {
  const revive = (_: string, value: unknown, { source = "" }: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value;
  return JSON.parse(json, revive as Parameters<typeof JSON.parse>[1]);
}
