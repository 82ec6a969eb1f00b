/**
 * The command line of `deno task simulate`.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";

/** The parsed command line. */
export interface Selection {
  /** Whether to simulate the library itself. */
  readonly self: boolean;
  /** The file with simulations; undefined with `--self`. */
  readonly file: string | undefined;
  /** The number of plans; undefined for the default. */
  readonly plans: number | undefined;
  /** The first seed; undefined for the default. */
  readonly seed: number | undefined;
  readonly workers: number;
  /** The time to run for, in minutes; undefined for no limit. */
  readonly minutes: number | undefined;
  /** Whether to serve the page of the first report with a finding. */
  readonly see: boolean;
}

/** The text for `--help`. */
export const HELP: string =
  `deno task simulate --self [flags]    random plans against the library itself
deno task simulate FILE [flags]      the simulations that a module exports

--plans N      the number of plans; default 10000 with --self, otherwise 2000 of each simulation
--minutes N    ends after N minutes; with --self and without --plans, runs until then
--seed N       with --self: the first seed; without --plans and --minutes, only this plan, with its story
--see          with FILE: serves the first report with a finding as a page, until Ctrl-C
--workers N    the number of threads; default 1. The result is the same with any number

A module exports simulations, or objects with a method simulate("broken" | "repaired") as examples/simulation has them.
The exit code is 1 if anything was found; of a "broken" simulation, if nothing was.
`;

/**
 * Parses the arguments of the program.
 *
 * @throws {TypeError} If a flag is unknown, or it is not clear what to simulate.
 * @throws {RangeError} If the value of a flag is not a number in its range.
 */
export function parseArguments(args: readonly string[]): Selection {
  const flags = parseArgs([...args], {
    string: ["plans", "seed", "workers", "minutes"],
    boolean: ["see", "self"],
    unknown: (name, _, value) => {
      if (name.startsWith("-")) throw new TypeError(`Unknown flag ${name}: see --help`);
      return value === undefined;
    },
  });
  const files = flags._.map(String);
  if (flags.self ? files.length > 0 : files.length !== 1) {
    throw new TypeError("Name one file with simulations, or say --self: see --help");
  }
  if (!flags.self && flags.seed !== undefined) {
    throw new TypeError("--seed is for --self: a simulation has a seed of its own");
  }
  if (flags.self && flags.see) throw new TypeError("--see is for a FILE: see --help");
  return {
    self: flags.self,
    see: flags.see,
    file: files[0],
    plans: whole("--plans", flags.plans, 1),
    seed: whole("--seed", flags.seed, 0),
    workers: whole("--workers", flags.workers, 1) ?? 1,
    minutes: positive("--minutes", flags.minutes),
  };
}

function whole(flag: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value < 2 ** 31) return value;
  throw new RangeError(`${flag} must be a whole number of at least ${least}: received "${text}"`);
}

function positive(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new RangeError(`${flag} must be a number above 0: received "${text}"`);
}
