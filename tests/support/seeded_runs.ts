/**
 * Random tests. All runs of fast-check and all fuzzers go through this module, so that each has a seed that can be
 * chosen and is named when it fails, a long mode, and a count of what it tried.
 *
 * | variable              | what it does                                                                          |
 * | --------------------- | ------------------------------------------------------------------------------------- |
 * | `KUBELOOP_SEED=N`     | the seed. Default: a fixed one, so that a test gives the same result every time       |
 * | `KUBELOOP_LONG=N`     | long mode: `N` times as many inputs, from a random seed if `KUBELOOP_SEED` is not set |
 * | `KUBELOOP_SHARE=K/N`   | this is process `K` of `N` that share the inputs: it tries an `N`-th of them, from a seed of its own |
 * | `KUBELOOP_COUNTS=FILE`| appends to this file, for each random test, a line of JSON with what it tried         |
 *
 * `deno task nightly` sets all but the share. `deno task test` and `deno task runtimes` set the share: Deno, Node 22, Node 24
 * and Bun try a quarter each.
 *
 * @module
 */

import { appendFileSync } from "node:fs";
import process from "node:process";
import fc from "fast-check";
import { SeededRandom } from "../../src/testing/mod.ts";

/** The settings of all random tests. */
export interface SeededRuns {
  readonly seed: number;
  /** How many times as many inputs as usual are tried; less than one if other processes try the others. */
  readonly factor: number;
}

const DEFAULT_SEED = 20261120;
/** How far the seeds of two shares are from each other: farther than any test counts. */
const SHARE_STRIDE = 1_000_003;
/** Seeds have 31 bits, because fast-check and SeededRandom take 32 bits with a sign. */
const SEED_LIMIT = 2 ** 31;

function readWhole(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  least: number,
): number | undefined {
  const text = env[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value < SEED_LIMIT) return value;
  throw new RangeError(
    `Cannot read ${name} "${text}": must be a whole number from ${least} to ${SEED_LIMIT - 1}`,
  );
}

/** A process of several that share the inputs. */
export interface Share {
  /** The number of the process, from 1; 0 if it is the only process. */
  readonly number: number;
  readonly of: number;
}

function readShare(text: string | undefined): Share {
  if (text === undefined) return { number: 0, of: 1 };
  const [, number, of] = /^([1-9]\d{0,2})\/([1-9]\d{0,2})$/.exec(text)?.map(Number) ?? [];
  if (number !== undefined && of !== undefined && number <= of) return { number, of };
  throw new RangeError(`Cannot read KUBELOOP_SHARE "${text}": must be K/N, such as 1/3 or 3/3`);
}

/**
 * Reads the settings from the variables `env`. A random seed is made with `next`, which returns numbers in [0, 1).
 *
 * @throws {RangeError} If a variable is not a whole number within its limits, or the share is none.
 */
export function readSeededRuns(
  env: Readonly<Record<string, string | undefined>>,
  next: () => number,
): SeededRuns {
  const factor = readWhole(env, "KUBELOOP_LONG", 1);
  const seed = readWhole(env, "KUBELOOP_SEED", 0) ??
    (factor === undefined ? DEFAULT_SEED : Math.floor(next() * SEED_LIMIT));
  const share = readShare(env.KUBELOOP_SHARE);
  return {
    seed: (seed + share.number * SHARE_STRIDE) % SEED_LIMIT,
    factor: (factor ?? 1) / share.of,
  };
}

/** The settings of this process. */
export const seededRuns: SeededRuns = readSeededRuns(process.env, Math.random);

/** Returns how many of `count` inputs this process tries: more in long mode, fewer if it shares them, at least one. */
export function scaled(count: number, { factor }: SeededRuns = seededRuns): number {
  return Math.ceil(count * factor);
}

/** Returns a failure that says how to repeat it. */
function repeatable(seed: number, { factor }: SeededRuns, cause: unknown): Error {
  const how = `KUBELOOP_SEED=${seed}${factor > 1 ? ` KUBELOOP_LONG=${Math.ceil(factor)}` : ""}`;
  const what = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${what}\nRepeat this with the environment variables ${how}`, { cause });
}

const share = readShare(process.env.KUBELOOP_SHARE);

/** Returns whether this process tries the case of that index, in a table that the processes share. */
export function isInShare(index: number, { number, of }: Share = share): boolean {
  return index % of === number % of;
}

/** The counts of a random test. */
export interface Tried {
  readonly inputs?: number;
  /** The faults that the code under test had to survive. */
  readonly faults?: number;
}

/** Counts what a random test has tried, without an error. */
export function countTried(tried: Tried): void {
  const file = process.env.KUBELOOP_COUNTS;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(tried)}\n`);
}

/**
 * Checks a property of fast-check with `runs` inputs; long mode tries more.
 *
 * @throws {Error} If the property fails, with the smallest input and the seed.
 */
export function assertProperty<Inputs>(
  property: fc.IAsyncProperty<Inputs>,
  runs?: number,
  settings?: SeededRuns,
): Promise<void>;
export function assertProperty<Inputs>(
  property: fc.IProperty<Inputs>,
  runs?: number,
  settings?: SeededRuns,
): void;
export function assertProperty<Inputs>(
  property: fc.IProperty<Inputs> | fc.IAsyncProperty<Inputs>,
  runs = 100,
  settings: SeededRuns = seededRuns,
): void | Promise<void> {
  const { seed } = settings;
  const report = (details: fc.RunDetails<Inputs>) => {
    const message = fc.defaultReportMessage(details);
    if (message !== undefined) {
      throw repeatable(
        seed,
        settings,
        new Error(message, { cause: details.failed ? details.errorInstance : undefined }),
      );
    }
    countTried({ inputs: details.numRuns });
  };
  const checked = fc.check(property as fc.IProperty<Inputs>, {
    seed,
    numRuns: scaled(runs, settings),
  });
  return checked instanceof Promise ? checked.then(report) : report(checked);
}

/** Returns `count` inputs, which are others in each round. */
export function sampleInputs<Input>(
  arbitrary: fc.Arbitrary<Input>,
  { count, round }: { readonly count: number; readonly round: number },
): Input[] {
  return fc.sample(arbitrary, { seed: (seededRuns.seed + round) % SEED_LIMIT, numRuns: count });
}

/**
 * Runs a fuzzer that makes `inputs` inputs of random numbers. In long mode, `body` is called with a larger number.
 *
 * @throws {Error} If `body` throws, with the seed.
 */
export async function fuzz(
  inputs: number,
  body: (random: SeededRandom, inputs: number) => void | Promise<void>,
  settings: SeededRuns = seededRuns,
): Promise<void> {
  const { seed } = settings;
  const tried = scaled(inputs, settings);
  try {
    await body(new SeededRandom(seed), tried);
  } catch (error) {
    throw repeatable(seed, settings, error);
  }
  countTried({ inputs: tried });
}

/**
 * Runs `body` with `seeds` random sources, one after another; in long mode with more of them.
 *
 * @throws {Error} If `body` throws, with the seed that becomes the first one when it is chosen.
 */
export async function forEachSeed(
  seeds: number,
  body: (random: SeededRandom) => void | Promise<void>,
  settings: SeededRuns = seededRuns,
): Promise<void> {
  const { seed } = settings;
  const tried = scaled(seeds, settings);
  for (let i = 0; i < tried; i++) {
    const own = (seed + i) % SEED_LIMIT;
    try {
      await body(new SeededRandom(own));
    } catch (error) {
      throw repeatable(own, { ...settings, factor: 1 }, error);
    }
  }
  countTried({ inputs: tried });
}
