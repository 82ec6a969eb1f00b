/**
 * Mutation tests: `deno task mutate --help`.
 *
 * @module
 */

import { HELP, parseArguments, type Selection } from "./arguments.ts";
import { describeMutant, type Mutant, mutantsOf } from "./mutants.ts";
import { MutatedTree } from "./mutated_tree.ts";
import { nearestTests } from "./nearest_tests.ts";
import { sampleOf } from "./sample.ts";

const ROOT = new URL("../../", import.meta.url);
/** Tests that run for long or build packages. They are about the repository, not about a file. */
const NOT_NEAR = /^tests\/(checks|mutation|package|std_links|e2e|foreign|simulation\/self)\//;
/** These play what a real server was asked and answered: they are near to whatever they load. */
const NEAR_TO_ALL = /^tests\/conformance\//;
/** Matches generated files, which are not mutated. */
const GENERATED = /\/generated\//;

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
  await using tree = await MutatedTree.copy(ROOT);
  const all: Mutant[] = [];
  for (const path of selection.paths) {
    for (const file of await tree.files(path)) {
      if (!GENERATED.test(file)) all.push(...mutantsOf(file, await tree.read(file)));
    }
  }
  const mutants = sampleOf(all, selection.count, selection.seed);
  console.log(`${mutants.length} of ${all.length} mutants, seed ${selection.seed}`);
  if (selection.list) { for (const mutant of mutants) console.log(describeMutant(mutant)); }
  else await run(tree, mutants, selection);
  return 0;
}

async function run(
  tree: MutatedTree,
  mutants: readonly Mutant[],
  { seconds, tests: limit }: Selection,
): Promise<void> {
  const tests = (await tree.files("tests"))
    .filter((file) => file.endsWith("_test.ts") && !NOT_NEAR.test(file));
  const imports = await tree.imports(tests);
  const nearest = (file: string) =>
    nearestTests(file, tests, imports)
      .filter((test, i) => i < limit || NEAR_TO_ALL.test(test));
  const needed = [...new Set(mutants.flatMap(({ file }) => nearest(file)))];
  console.log(`${needed.length} test files, first without a mutant`);
  if (await tree.test(needed, { seconds: 1200 }) !== "passed") {
    throw new Error("Cannot judge mutants: the tests fail without any");
  }
  const survivors: Mutant[] = [];
  const timeouts: Mutant[] = [];
  for (const [i, mutant] of mutants.entries()) {
    const near = nearest(mutant.file);
    // Nothing can notice a mutant in a file that no test loads.
    const outcome = near.length === 0 ? "passed" : await tree.test(near, { mutant, seconds });
    if (outcome === "passed") survivors.push(mutant);
    if (outcome === "timeout") timeouts.push(mutant);
    const what = { passed: "SURVIVED", failed: "killed", timeout: "timeout" }[outcome];
    console.log(`${i + 1}/${mutants.length} ${what.padEnd(8)} ${describeMutant(mutant)}`);
  }
  const noticed = mutants.length - survivors.length;
  const share = (100 * noticed / mutants.length).toFixed(1);
  console.log(
    `\n${noticed} of ${mutants.length} noticed (${share} %), ${timeouts.length} by the time limit`,
  );
  printMutants("Survivors", survivors);
  // A slow test looks the same as an endless loop: the reader has to decide.
  printMutants("By the time limit", timeouts);
}

function printMutants(title: string, mutants: readonly Mutant[]): void {
  if (mutants.length > 0) console.log(`${title}:`);
  for (const mutant of mutants) console.log(`  ${describeMutant(mutant)}`);
}
