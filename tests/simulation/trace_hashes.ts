/**
 * Prints the hash of the trace of each seed from FIRST, one line `SEED HASH` each; or the lines of one trace. Runs on
 * every runtime.
 *
 * ```sh
 * deno run tests/simulation/trace_hashes.ts FIRST COUNT
 * deno run tests/simulation/trace_hashes.ts --trace SEED
 * ```
 *
 * @module
 */

import process from "node:process";
import { SeededRandom } from "../../src/testing/mod.ts";
import { fullScenario } from "./full_scenario.ts";

/** Waits until the text is written, since exiting would cut off what is still in a pipe. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
}

async function main([first, second]: readonly string[]): Promise<void> {
  if (first === "--trace") {
    const { lines } = await fullScenario(new SeededRandom(Number(second)), true);
    await print(lines.map((line) => line.replaceAll("\n", " ")).join("\n"));
    return;
  }
  for (let i = 0; i < Number(second); i++) {
    const seed = Number(first) + i;
    const { hash } = await fullScenario(new SeededRandom(seed));
    await print(`${seed} ${hash}`);
  }
}

await main(process.argv.slice(2));
