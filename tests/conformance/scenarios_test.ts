import { assertEquals } from "@std/assert";
import { readGolden, stepDifferences } from "./golden.ts";
import { InProcessServer } from "./in_process_server.ts";
import { KNOWN_STEP_DIFFERENCES } from "./out_of_scope.ts";
import { playSteps } from "./play_steps.ts";
import { STEP_SCENARIOS } from "./scenarios/mod.ts";

for (const scenario of STEP_SCENARIOS) {
  const { name } = scenario;
  Deno.test(`ApiServer answers the suite's scenario ${name} as the real server did`, async () => {
    await using server = new InProcessServer({ start: "2026-11-21T00:00:00Z" });
    const found = await playSteps(server, scenario);
    const differences = stepDifferences(name, found, await readGolden(name));
    for (const [step, text] of differences) {
      if (!KNOWN_STEP_DIFFERENCES.has(step)) console.log(`${step} ${text}`);
    }
    const known = [...KNOWN_STEP_DIFFERENCES.keys()].filter((step) => step.startsWith(`${name} `));
    assertEquals([...differences.keys()], known);
    console.log(`${name}: ${found.length - differences.size} of ${found.length} the same`);
  });
}
