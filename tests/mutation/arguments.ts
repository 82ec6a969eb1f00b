/**
 * The command line of `deno task mutate`.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";

/** The parsed command line. */
export interface Selection {
  /** The files and folders below `src` to mutate. */
  readonly paths: readonly string[];
  readonly count: number;
  readonly seed: number;
  /** The number of test files to try for each mutant. */
  readonly tests: number;
  /** The time limit for each mutant, in seconds. */
  readonly seconds: number;
  /** Whether the mutants are only printed. */
  readonly list: boolean;
}

/** The text for `--help`. */
export const HELP: string =
  `deno task mutate PATH… [flags]    puts small bugs into files below src, and says which of them no test notices

--count N      the number of mutants, drawn at random; default 50
--seed N       the seed of the draw; default 1
--tests N      the number of test files that are tried for each mutant, the nearest first; default 50
--seconds N    the time limit for each mutant; default 120. A mutant that takes longer counts as noticed
--list         prints the mutants, and runs no test

The tests run in a copy of the repository. The exit code is 0 whatever survives: a mutant may be equivalent.
`;

/**
 * Parses the arguments of the program.
 *
 * @throws {TypeError} If a flag is unknown, or no file is named.
 * @throws {RangeError} If the value of a flag is not a whole number in its range.
 */
export function parseArguments(args: readonly string[]): Selection {
  const flags = parseArgs([...args], {
    string: ["count", "seed", "tests", "seconds"],
    boolean: ["list"],
    unknown: (name, _, value) => {
      if (name.startsWith("-")) throw new TypeError(`Unknown flag ${name}: see --help`);
      return value === undefined;
    },
  });
  const paths = flags._.map((path) => String(path).replace(/\/$/, ""));
  if (paths.length === 0) throw new TypeError("Name files or folders to mutate: see --help");
  return {
    paths,
    count: whole("--count", flags.count ?? "50", 1),
    seed: whole("--seed", flags.seed ?? "1", 0),
    tests: whole("--tests", flags.tests ?? "50", 1),
    seconds: whole("--seconds", flags.seconds ?? "120", 1),
    list: flags.list,
  };
}

function whole(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value < 2 ** 31) return value;
  throw new RangeError(`${flag} must be a whole number of at least ${least}: received "${text}"`);
}
