import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { nightlyTest } from "../../support/kinds_of_tests.ts";
import { MUTANTS } from "./mutants.ts";
import { MutableLibrary, mutate } from "./mutation.ts";

const ROOT = new URL("../../../", import.meta.url);
/** Each is found within a minute on a machine that does other things too; most take less than a second. */
const BUDGET = ["--plans", "6000", "--minutes", "3"];

nightlyTest("the simulation of the library finds every bug that is put into it", async (t) => {
  await using library = await MutableLibrary.copy(ROOT);
  for (const mutant of MUTANTS) {
    await t.step(mutant.name, async () => {
      const { found, output } = await library.simulate(mutant, [
        "--seed",
        String(mutant.from ?? 1),
        ...BUDGET,
      ]);
      assert(found, `It was not found:\n${output.slice(-500)}`);
      assertStringIncludes(output, "Replay: deno task simulate --self --seed ");
    });
  }
  // The gate runs thousands more.
  await t.step("and none in the unchanged library", async () => {
    const { found, output } = await library.simulate(undefined, ["--plans", "50"]);
    assert(!found, output);
  });
});

Deno.test("each mutant is in another place, and changes something", () => {
  assertEquals(new Set(MUTANTS.map(({ find }) => find)).size, MUTANTS.length);
  assert(MUTANTS.every(({ find, replace }) => find !== replace));
});

Deno.test("mutate() refuses a text that is not there exactly once", () => {
  const mutant = { name: "m", file: "f", find: "ab", replace: "$&" };
  assertEquals(mutate("-ab-", mutant), "-$&-");
  assertThrows(() => mutate("-", mutant), Error, "has its text 0 times");
  assertThrows(() => mutate("ab ab", mutant), Error, "has its text 2 times");
});
