/**
 * The recorded values that Go reads from YAML. The command "deno task record yaml" writes them, and the tests compare the
 * reader and the writer with them.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { type Random, randomInt } from "../../src/base/mod.ts";
import { SeededRandom } from "../../src/testing/mod.ts";
import { writeYaml } from "../../src/yaml/mod.ts";
import type { Entry } from "../conformance/recording.ts";
import { CASES } from "./_cases.ts";
import { randomRequest, type Request } from "./_texts.ts";

/** How many random texts and values are recorded. */
export const COUNT = 6000;

/** How many of them have one hash. */
const GROUP = 10;

/** Reads texts. Returns the canonical values of each, or null if it is an error. */
type Read = (requests: readonly Request[]) => Promise<readonly (string | null)[]>;

/**
 * Returns the values of the cases; the hashes of the values of random texts, for {@linkcode GROUP} texts each; and the hashes
 * of the texts that are written for random values, all of which must have their value again.
 */
export async function yamlEntries(read: Read): Promise<readonly Entry[]> {
  const values = await read(CASES);
  const cases = CASES.map(({ how, text }, i) => [
    `${how} ${JSON.stringify(text)}`,
    { values: values[i] },
  ]);
  const random = new SeededRandom(1);
  const requests = Array.from({ length: COUNT }, () => randomRequest(random));
  const written = writtenTexts();
  const again = await read(written.map(({ text }) => ({ how: "first", text })));
  written.forEach(({ value, text }, i) => {
    assertEquals(again[i], canonical([wellFormed(value)]), JSON.stringify(text));
  });
  const hashes = {
    read: hashesOf((await read(requests)).map(String)),
    written: hashesOf(written.map(({ text }) => text)),
  };
  const groups = Object.entries(hashes).flatMap(([name, all]) =>
    all.map((hash, i) => [`${name} ${i * GROUP}`, { hash }] as const)
  );
  return Object.entries(Object.fromEntries([...cases, ...groups])).map(([id, fields]) => ({
    id,
    ...fields as object,
  }));
}

/** Returns random values, and what is written for them. */
function writtenTexts(): { readonly value: unknown; readonly text: string }[] {
  const random = new SeededRandom(2);
  return Array.from({ length: COUNT }, () => {
    const value = randomValue(random, 0);
    return { value, text: writeYaml(value) };
  });
}

/** Returns a value without lone surrogates, which no text of Go has. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]),
  );
}

/** Returns the hashes of groups of texts. */
function hashesOf(texts: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(texts.length / GROUP) }, (_, i) => {
    const hash = createHash("sha256");
    for (const text of texts.slice(i * GROUP, (i + 1) * GROUP)) hash.update(`${text}\0`);
    return hash.digest("hex").slice(0, 8);
  });
}

/** Returns JSON in which equal values are equal texts, whatever the order of the fields. */
export function canonical(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "number") return canonicalNumber(String(value));
  if (Array.isArray(value)) return canonicalItems(value.map(canonical));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return canonicalFields(Object.entries(value).map(([key, member]) => [key, canonical(member)]));
}

/** Returns the canonical text of a list with these canonical items. */
export function canonicalItems(items: readonly string[]): string {
  return `[${items.join(",")}]`;
}

/** Returns the canonical text of an object with these canonical fields. */
export function canonicalFields(fields: readonly (readonly [string, string])[]): string {
  return `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).sort().join(",")}}`;
}

/** Returns the canonical text of a number: an integer keeps its digits. */
export function canonicalNumber(text: string): string {
  return /^-?\d+$/.test(text) ? String(BigInt(text)) : String(Number(text));
}

/** Texts that must be quoted, or written as a block, or escaped. */
const TEXTS: readonly string[] = [
  ..."y yes NO null ~ 08 0o7 0x1F 0b1 0b 1_000 1:30 1e3 1. 1e .5 -.inf +1 - -- --- << =".split(" "),
  ..."2024-01-01 100m 10.0.0.1 v1 * &a !x % @ ` { [ | > ? : a: # a# #a ' \" a'b 'a' \\".split(" "),
  ..."NaN nan .NaN Infinity True true,b [a] a,b ... -a http://a/b?c=d 0.1.2 5d é ☃ 😀".split(" "),
  ...["a: b", "a #b", "- a", "? a", " a", "a ", "a  b", "true ", "", " ", "\n", "a\n", "a\n\n"],
  ...["a\nb", "a\n b\n", "a\n \nb", "\ta", "a\tb", "a\nb ", "a\r\nb", "\na", "a\n#b", "a\n---\nb"],
  ...["a\n\tb\n", "a\n\n\nb\n\n\n", "---\na", "\u2028", "a\u0085b", "\ufeff", "\0", "\u00a0"],
  ...["\ud800", "a\u200bb", "\uffff", "x".repeat(1100), "- a\n- b\n", "{}\n", "a\u2028\nb"],
];

const PARTS = [
  ..."ab \n\t:#-'\"\\,[]{}&*!|>%@?0123.e_~=ü☃\u2028\x85\ufeff\x7f\x01",
  "😀",
  ": ",
  " #",
];

function randomString(random: Random): string {
  if (randomInt(random, 2) === 0) return TEXTS[randomInt(random, TEXTS.length)]!;
  const length = randomInt(random, 9);
  return Array.from({ length }, () => PARTS[randomInt(random, PARTS.length)]).join("");
}

function randomNumber(random: Random): number | bigint {
  switch (randomInt(random, 5)) {
    case 0:
      return randomInt(random, 1000) - 500;
    case 1:
      return (randomInt(random, 2 ** 31) - 2 ** 30) * 2 ** randomInt(random, 20);
    case 2:
      // Not by a power of ten, which engines round in different ways.
      return Number(`${randomInt(random, 2 ** 31) - 2 ** 30}e${randomInt(random, 60) - 40}`);
    case 3:
      return 2n ** 53n + BigInt(randomInt(random, 2 ** 31)) * 2n ** BigInt(randomInt(random, 33));
    default:
      return -(2n ** 53n) -
        BigInt(randomInt(random, 2 ** 31)) * 2n ** BigInt(randomInt(random, 32));
  }
}

function randomValue(random: Random, depth: number): unknown {
  const kind = randomInt(random, depth === 0 ? 2 : depth < 4 ? 8 : 6);
  const length = randomInt(random, 4);
  if (depth === 0 ? kind === 0 : kind === 6) {
    return Array.from({ length }, () => randomValue(random, depth + 1));
  }
  if (depth === 0 || kind === 7) {
    const fields = Array.from(
      { length },
      () => [randomString(random), randomValue(random, depth + 1)],
    );
    return Object.fromEntries(fields);
  }
  if (kind === 0) return [true, false, null][randomInt(random, 3)];
  return kind === 1 ? randomNumber(random) : randomString(random);
}
