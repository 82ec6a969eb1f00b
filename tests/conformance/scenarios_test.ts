import { assertEquals } from "@std/assert";
import { type KubernetesMinor, MINOR_VERSIONS } from "../../src/testing/api_server/release/mod.ts";
import { readGolden, stepDifferences } from "./golden.ts";
import { InProcessServer } from "./in_process_server.ts";
import { KNOWN_STEP_DIFFERENCES } from "./out_of_scope.ts";
import { playSteps } from "./play_steps.ts";
import { STEP_SCENARIOS } from "./scenarios/mod.ts";
import type { StepScenario } from "./step.ts";

const START = "2026-11-21T00:00:00Z";
const [BASE, ...LATER] = MINOR_VERSIONS;

/** Plays a scenario, and asserts that the answers differ from those of the real server only where it is known. */
async function check(server: InProcessServer, scenario: StepScenario, minor: KubernetesMinor) {
  const { name } = scenario;
  const found = await playSteps(server, scenario);
  const differences = stepDifferences(name, found, await readGolden(name, minor));
  for (const [step, text] of differences) {
    if (!KNOWN_STEP_DIFFERENCES.has(step)) console.log(`${step} ${text}`);
  }
  const known = [...KNOWN_STEP_DIFFERENCES.keys()].filter((step) => step.startsWith(`${name} `));
  assertEquals([...differences.keys()], known);
  console.log(`${name}: ${found.length - differences.size} of ${found.length} the same`);
}

for (const scenario of STEP_SCENARIOS) {
  Deno.test(`ApiServer answers the suite's scenario ${scenario.name} as the real server did`, async () => {
    await using server = new InProcessServer({ start: START, kubernetes: BASE! });
    await check(server, scenario, BASE!);
  });
}

// One server for all, as in the recording: a later server remembers how a user has impersonated others.
for (const minor of LATER) {
  Deno.test(`ApiServer of ${minor} answers the suite's scenarios as the real server did`, async (t) => {
    await using server = new InProcessServer({ start: START, kubernetes: minor });
    for (const scenario of STEP_SCENARIOS) {
      await t.step(scenario.name, () => check(server, scenario, minor));
    }
  });
}
