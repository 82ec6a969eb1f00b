/**
 * Plays the suite's own scenarios against a real server and against ours. The answers of the real server are the
 * expectations of every test run. With KUBELOOP_GOLDEN=write they are written to `tests/conformance/golden`.
 * KUBELOOP_GOLDEN_MINOR names the minor version of the binaries in KUBELOOP_E2E_CACHE; the default is the oldest.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { type KubernetesMinor, MINOR_VERSIONS } from "../../src/testing/api_server/release/mod.ts";
import { readGolden, stepDifferences, writeGolden } from "../conformance/golden.ts";
import { InProcessServer } from "../conformance/in_process_server.ts";
import { KNOWN_STEP_DIFFERENCES } from "../conformance/out_of_scope.ts";
import { playSteps } from "../conformance/play_steps.ts";
import { STEP_SCENARIOS } from "../conformance/scenarios/mod.ts";
import { RealServer } from "./real_server.ts";

const MINOR = (Deno.env.get("KUBELOOP_GOLDEN_MINOR") ?? MINOR_VERSIONS[0]!) as KubernetesMinor;
const KEEP = Deno.env.get("KUBELOOP_GOLDEN") === "write";

Deno.test("a real kube-apiserver and ours answer the suite's own scenarios the same", async () => {
  await using real = await RealServer.create({});
  await using ours = new InProcessServer({ start: "2026-11-21T00:00:00Z", kubernetes: MINOR });
  const different: string[] = [];
  const stale: string[] = [];
  for (const scenario of STEP_SCENARIOS) {
    const wanted = await playSteps(real, scenario);
    if (KEEP) await writeGolden(scenario.name, wanted, MINOR);
    const found = await playSteps(ours, scenario);
    const differences = stepDifferences(scenario.name, found, wanted);
    for (const [step, text] of differences) {
      different.push(step);
      if (!KNOWN_STEP_DIFFERENCES.has(step)) console.log(`${step} ${text}`);
    }
    const kept = stepDifferences(scenario.name, wanted, await readGolden(scenario.name, MINOR));
    for (const [step, text] of kept) {
      stale.push(step);
      console.log(`not as kept: ${step} ${text}`);
    }
    console.log(
      `${scenario.name}: ${wanted.length - differences.size} of ${wanted.length} steps the same`,
    );
  }
  assertEquals(different.sort(), [...KNOWN_STEP_DIFFERENCES.keys()].sort());
  assertEquals(stale, [], "the real server answers something else than what was kept");
});
