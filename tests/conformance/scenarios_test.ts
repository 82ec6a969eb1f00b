import { assertEquals } from "@std/assert";
import { readGolden, stepDifferences } from "./golden.ts";
import { InProcessServer } from "./in_process_server.ts";
import { KNOWN_STEP_DIFFERENCES } from "./out_of_scope.ts";
import { playSteps } from "./play_steps.ts";
import { STEP_SCENARIOS } from "./scenarios/mod.ts";

Deno.test("ApiServer answers the suite's own scenarios as the real server did", async () => {
  await using server = new InProcessServer({ start: "2026-11-21T00:00:00Z" });
  const different: string[] = [];
  let steps = 0;
  for (const scenario of STEP_SCENARIOS) {
    const found = await playSteps(server, scenario);
    steps += found.length;
    const differences = stepDifferences(scenario.name, found, await readGolden(scenario.name));
    for (const [step, text] of differences) {
      different.push(step);
      if (!KNOWN_STEP_DIFFERENCES.has(step)) console.log(`${step} ${text}`);
    }
    console.log(`${scenario.name}: ${found.length - differences.size} of ${found.length} the same`);
  }
  console.log(`${steps - different.length} of ${steps} steps are answered the same`);
  assertEquals(different, [...KNOWN_STEP_DIFFERENCES.keys()]);
});
