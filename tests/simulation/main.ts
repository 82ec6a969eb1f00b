/**
 * Explores simulations: `deno task simulate --help`.
 *
 * @module
 */

import { exploreFile } from "./explore_file.ts";
import { HELP, parseArguments, type Selection } from "./arguments.ts";
import { simulateSelf } from "./self/simulate_self.ts";

if (import.meta.main) Deno.exitCode = await main(Deno.args);

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  let selection: Selection;
  try {
    selection = parseArguments(args);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    console.error(error.message);
    return 2;
  }
  return selection.self ? await simulateSelf(selection) : await exploreFile(selection);
}
