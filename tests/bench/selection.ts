/**
 * The command line of the bench.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { CASES, findCase } from "./cases/mod.ts";
import type { Case } from "./cases/case.ts";
import { RUNTIMES } from "./contestants.ts";
import type { KeyOrder } from "./stub/pods.ts";

/** The parsed command line. */
export interface Selection {
  readonly cases: readonly Case[];
  /** The clients; if empty, all clients of a case. */
  readonly clients: readonly string[];
  /** The encodings that scripts get; clients that are named explicitly get their own. */
  readonly encodings: readonly string[];
  readonly runtimes: readonly string[];
  /** The number of runs; undefined for that of each case. */
  readonly runs: number | undefined;
  readonly quick: boolean;
  readonly podBytes: number;
  readonly keyOrder: KeyOrder;
  readonly streamingLists: boolean;
  /** Whether the run is compared with the kept one. */
  readonly check: boolean;
  /** The file for the results; undefined for none. */
  readonly json: string | undefined;
}

/** The cases and the number of runs of a check: enough to see a change of a tenth, in minutes. */
const CHECKED = ["sync", "flood", "relist", "manager-start", "manager"];
const CHECKED_CLIENTS = "floor,kubeloop,kubeloop-objects,kubeloop-manager-filtered";
const CHECK_RUNS = 5;

/** The text for `--help`. */
export const HELP: string = `deno task bench [CASE…] [flags]

Cases: ${CASES.map(({ name, isLong }) => isLong ? `${name} (only when named)` : name).join(", ")}

--runtimes LIST     of ${RUNTIMES.join(", ")}; default deno,node,bun (node is 24)
--clients LIST      default: all that a case has
--encodings LIST    of json, protobuf: what scripts get from the server; default json
--runs N            default: 8 of floods and lists, 5 or fewer of the others; with --quick at most 3
--quick             fewer events, none of the large syncs
--pod-bytes N       the mean size of a Pod; default 3800
--key-order ORDER   typed or alphabetical, as custom resources have it; default typed
--streaming-lists   the server sends initial events on watches that ask for them
--json FILE         keeps the results; cases in FILE that are not measured now stay there
--check             compares kubeloop's ratios to the floor with the kept run, docs/bench.json, and fails if they are
                    worse by more than the noise of both; default cases: ${
  CHECKED.join(", ")
}, ${CHECK_RUNS} runs
`;

/** Parses the arguments of the program. */
export function parseSelection(args: readonly string[]): Selection {
  const flags = parseArgs([...args], {
    string: ["runtimes", "clients", "encodings", "runs", "json", "pod-bytes", "key-order"],
    boolean: ["quick", "check", "streaming-lists"],
    default: {
      "pod-bytes": "3800",
      "key-order": "typed",
      runtimes: "deno,node,bun",
      encodings: "json",
    },
    unknown: (name, _, value) => {
      if (name.startsWith("-")) throw new TypeError(`Unknown flag ${name}: see --help`);
      return value === undefined;
    },
  });
  const { quick, check } = flags;
  if (quick && check) throw new TypeError("--check needs the sizes of the kept run, not --quick");
  const named = flags._.map(String);
  const usual = CASES.filter(({ isLong = false, isLarge = false }) =>
    !isLong && !(quick && isLarge)
  );
  const cases = named.length > 0 || !check ? named : CHECKED;
  return {
    cases: cases.length > 0 ? cases.map(findCase) : usual,
    clients: words(flags.clients ?? (check ? CHECKED_CLIENTS : "")),
    encodings: oneOf("--encodings", words(flags.encodings), ["json", "protobuf"]),
    runtimes: oneOf("--runtimes", words(flags.runtimes), RUNTIMES),
    runs: flags.runs === undefined
      ? check ? CHECK_RUNS : undefined
      : positive("--runs", flags.runs),
    quick,
    podBytes: positive("--pod-bytes", flags["pod-bytes"]),
    keyOrder: keyOrder(flags["key-order"]),
    streamingLists: flags["streaming-lists"],
    check,
    json: flags.json,
  };
}

function words(text = ""): string[] {
  return text.split(",").filter((word) => word !== "");
}

function oneOf(flag: string, given: readonly string[], known: readonly string[]): string[] {
  for (const word of given) {
    if (!known.includes(word)) {
      throw new RangeError(`${flag} must be of ${known.join(", ")}: received "${word}"`);
    }
  }
  return [...given];
}

function keyOrder(text = ""): KeyOrder {
  oneOf("--key-order", [text], ["typed", "alphabetical"]);
  return text as KeyOrder;
}

function positive(flag: string, text = ""): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new RangeError(`${flag} must be a number above 0: received "${text}"`);
}
