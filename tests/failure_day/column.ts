import { SeededRandom } from "../../src/testing/mod.ts";
import { randomInt } from "../../src/base/mod.ts";
import { seededRuns } from "../support/seeded_runs.ts";
import type { Outcome, Trouble } from "./live.ts";
import { live } from "./live.ts";
import { type Expected, wrongIn } from "./judge.ts";
import type { ColumnName, Row } from "./row.ts";

/** A column of the table: one kind of trouble, and what is expected of every row. */
export interface Column {
  readonly name: ColumnName;
  /** The failure, for the names of tests. */
  readonly trouble: string;
  /**
   * Tries the row.
   *
   * @param row The row.
   * @param normal A day of the row on which nothing goes wrong.
   * @returns The deviations, in words; empty if everything is as expected.
   */
  readonly try: (row: Row, normal: Outcome) => Promise<string[]>;
}

/**
 * How many points Deno tries, fewer if it shares the inputs of random tests, and how many variants of a column the other
 * runtimes: a seed chooses them.
 */
const POINTS = seededRuns.factor < 1 ? 7 : 14;
const VARIANTS = "Deno" in globalThis ? Infinity : 2;

/** Returns numbers from 0 to `count` - 1: all, or some that the seed chooses, always with the first and the last. */
export function points(count: number, most: number = POINTS): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  const random = new SeededRandom(seededRuns.seed);
  const chosen = new Set([0, count - 1]);
  while (chosen.size < most) chosen.add(randomInt(random, count));
  return [...chosen].sort((a, b) => a - b);
}

/** A variant of a column: a day, and what is expected of it. */
export interface Variant {
  /** The failure and its time, in words. */
  readonly what: string;
  readonly trouble: Trouble;
  readonly expected: Expected | ((outcome: Outcome) => Expected);
}

/** Lives through each variant, and returns what is wrong with them. */
export async function tryAll(row: Row, variants: Iterable<Variant>): Promise<string[]> {
  const wrong: string[] = [];
  const all = [...variants];
  for (const index of points(all.length, VARIANTS)) {
    const { what, trouble, expected } = all[index] as Variant;
    const outcome = await live(row, trouble);
    const wanted = typeof expected === "function" ? expected(outcome) : expected;
    for (const one of wrongIn(outcome, row, wanted)) wrong.push(`${what}: ${one}`);
  }
  return wrong;
}

/** Returns the distinct requests of a day, in the order of their first occurrence. */
export function distinct(requests: readonly string[]): string[] {
  return [...new Set(requests)];
}
