import fc from "fast-check";
import type { GivenAnswers } from "../../src/create/answers.ts";
import { OWNED_KINDS } from "../../src/create/owned_kinds.ts";

const LOWER = [..."abcdefghijklmnopqrstuvwxyz"];
const UPPER = LOWER.map((letter) => letter.toUpperCase());
const DIGITS = [..."0123456789"];

const label = fc.tuple(
  fc.constantFrom(...LOWER, ...DIGITS),
  fc.string({ unit: fc.constantFrom(...LOWER, ...DIGITS, "-"), maxLength: 12 }),
  fc.constantFrom(...LOWER),
).map((parts) => parts.join(""));

const group = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join("."))
  .filter((group) => !/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group));

const version = fc.tuple(
  fc.integer({ min: 1, max: 99 }),
  fc.constantFrom("", "alpha1", "beta2", "beta12"),
).map(([major, stage]) => `v${major}${stage}`);

/** Kinds: random ones of up to fifty characters, and names that code uses itself. */
const kind = fc.oneof(
  fc.tuple(
    fc.constantFrom(...UPPER),
    fc.string({ unit: fc.constantFrom(...LOWER, ...UPPER, ...DIGITS), maxLength: 49 }),
  ).map(([first, rest]) => first + rest),
  fc.constantFrom(
    ..."Class Date Error Event Map Process Policy Status Endpoints Test Default Pod Widgets".split(
      " ",
    ),
  ),
);

/** Answers that are right. */
export const validAnswers: fc.Arbitrary<GivenAnswers> = fc.record({
  kind: fc.tuple(group, version, kind).map((parts) => parts.join("/")),
  owns: fc.subarray([...OWNED_KINDS.keys()], { maxLength: 5 }).map((kinds) =>
    kinds.length === 0 ? "none" : kinds.join()
  ),
  outside: fc.constantFrom("yes", "no"),
  runtime: fc.constantFrom("node", "deno", "bun"),
}).filter(({ owns, outside }) => owns !== "none" || outside === "yes");
