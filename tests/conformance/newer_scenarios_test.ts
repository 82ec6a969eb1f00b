import { assertEquals } from "@std/assert";
import { readGolden, stepDifferences } from "./golden.ts";
import { InProcessServer } from "./in_process_server.ts";
import { playSteps } from "./play_steps.ts";
import { NEWER_SCENARIOS } from "./scenarios/mod.ts";

const MINOR = "1.37";

for (const scenario of NEWER_SCENARIOS) {
  const { name } = scenario;
  Deno.test(`ApiServer ${MINOR} answers the scenario ${name} as the real server did`, async () => {
    await using server = new InProcessServer({ start: "2026-11-21T00:00:00Z" }, MINOR);
    const found = await playSteps(server, scenario);
    const differences = stepDifferences(name, found, await readGolden(`${MINOR}/${name}`));
    for (const [step, text] of differences) console.log(`${step} ${text}`);
    assertEquals([...differences.keys()], []);
  });
}
