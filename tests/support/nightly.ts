/**
 * All tests in long mode, on Deno and then on Node 22, Node 24 and Bun: the random ones try ten times as many inputs, from a
 * seed that differs every night; programs that others build with the packages, with builders that take long; then the
 * simulation of the library itself, with 100,000 plans. Prints how to repeat the run, and at its end what was tried.
 *
 * ```sh
 * deno task nightly
 * KUBELOOP_SEED=7 KUBELOOP_LONG=100 deno task nightly
 * ```
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { readSeededRuns, type SeededRuns, type Tried } from "./seeded_runs.ts";

/** The number of plans of the simulation of the library itself. Long mode multiplies it by the factor for inputs. */
const PLANS = 10_000;

interface Step {
  readonly name: string;
  readonly task: readonly string[];
}

const stepsOf = ({ factor, seed }: SeededRuns): readonly Step[] => [
  { name: "Deno", task: ["test"] },
  { name: "Node 22, Node 24 and Bun", task: ["runtimes"] },
  { name: "slow tests", task: ["test", "--long"] },
  { name: "regular expressions", task: ["expressions", "--all"] },
  { name: "the packages", task: ["package-check"] },
  { name: "other people's builds", task: ["heavy-builds"] },
  { name: "other people's clients", task: ["foreign"] },
  { name: "a real API server", task: ["e2e", "--parallel"] },
  {
    name: "simulation of the library",
    task: [
      "simulate",
      "--self",
      ...["--seed", String(seed)],
      ...["--plans", String(PLANS * factor)],
      ...["--workers", "2"],
    ],
  },
];

/** The sum of lines that `countTried` has written. */
export interface Sum {
  readonly inputs: number;
  readonly faults: number;
  /** The number of random tests that have tried inputs. */
  readonly tests: number;
}

/** Sums up the lines that `countTried` has written. */
export function sumOf(text: string): Sum {
  const tried = text.split("\n").filter((line) => line !== "")
    .map((line): Tried => JSON.parse(line));
  const total = (key: keyof Tried) => tried.reduce((sum, one) => sum + (one[key] ?? 0), 0);
  return {
    inputs: total("inputs"),
    faults: total("faults"),
    tests: tried.filter(({ inputs }) => inputs !== undefined).length,
  };
}

function textOf({ inputs, faults, tests }: Sum): string {
  const count = (n: number) => n.toLocaleString("en");
  return `${count(inputs)} inputs tried in ${count(tests)} random tests, ${
    count(faults)
  } faults survived`;
}

async function main(): Promise<void> {
  const { seed, factor } = readSeededRuns(
    { KUBELOOP_LONG: "10", ...Deno.env.toObject() },
    Math.random,
  );
  const settings = { KUBELOOP_SEED: `${seed}`, KUBELOOP_LONG: `${factor}` };
  const repeat = Object.entries(settings).map(([name, value]) => `${name}=${value}`).join(" ");
  console.log(`To repeat this run: ${repeat} deno task nightly`);
  const counts = await Deno.makeTempFile({ prefix: "kubeloop-nightly-" });
  const results: string[] = [];
  let everything = "";
  try {
    for (const { name, task } of stepsOf({ factor, seed })) {
      await Deno.writeTextFile(counts, "");
      const { success } = await new Deno.Command(Deno.execPath(), {
        args: ["task", ...task],
        cwd: fileURLToPath(new URL("../../", import.meta.url)),
        env: { ...settings, KUBELOOP_COUNTS: counts },
        stdin: "null",
      }).spawn().status;
      const tried = await Deno.readTextFile(counts);
      everything += tried;
      results.push(`${name}: ${success ? "passed" : "FAILED"}; ${textOf(sumOf(tried))}`);
      if (!success) Deno.exitCode = 1;
    }
  } finally {
    await Deno.remove(counts);
  }
  for (const result of results) console.log(result);
  console.log(`${textOf(sumOf(everything))}, with ${repeat}`);
}

if (import.meta.main) await main();
