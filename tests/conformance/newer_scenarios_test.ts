import { assertEquals } from "@std/assert";
import { readGolden, stepDifferences } from "./golden.ts";
import { InProcessServer } from "./in_process_server.ts";
import { playSteps } from "./play_steps.ts";
import { NEWER_SCENARIOS } from "./scenarios/mod.ts";

for (const minor of ["1.36", "1.37"] as const) {
  for (const scenario of NEWER_SCENARIOS) {
    const { name } = scenario;
    Deno.test(`ApiServer ${minor} answers the scenario ${name} as the real server did`, async () => {
      await using server = new InProcessServer({ start: "2026-11-21T00:00:00Z" }, minor);
      const found = await playSteps(server, scenario);
      const differences = stepDifferences(name, found, await readGolden(`${minor}/${name}`));
      for (const [step, text] of differences) console.log(`${step} ${text}`);
      assertEquals([...differences.keys()], []);
    });
  }
}
