/**
 * The recorded scenarios against a real server: what holds ours to the recordings holds the recordings to it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { OUT_OF_SCOPE } from "../conformance/out_of_scope.ts";
import { SCENARIOS } from "../conformance/recorded_scenarios.ts";
import { playScenarios } from "../conformance/replay.ts";
import { printOutcomes } from "../conformance/report.ts";
import { readTranscripts } from "../conformance/transcript.ts";
import { RealServer } from "./real_server.ts";

/** What the real server itself answers now so, now otherwise. */
const BY_CHANCE: ReadonlyMap<string, string> = new Map([
  ["1108", "how many bookmarks come before the end"],
  ["1108b", "how many bookmarks come before the end"],
  ["1109", "how many bookmarks come before the end"],
  ["1213", "in which order Go walks a map"],
  ["1140", "how many bookmarks come before the end"],
]);

/** All of what is run is the same but for chance; writes of others may shift a revision now and then. */
const FLOOR = 366;

Deno.test("a real kube-apiserver answers the recorded exchanges as it did", async () => {
  const transcripts = await readTranscripts();
  const { outcomes, notRun } = await playScenarios(
    SCENARIOS,
    transcripts,
    OUT_OF_SCOPE,
    RealServer.create,
  );
  printOutcomes("real", outcomes, transcripts, BY_CHANCE);
  for (const [id, reason] of notRun) console.log(`real: ${id} is not run: ${reason}`);
  for (const [id, reason] of BY_CHANCE) console.log(`real: ${id} varies: ${reason}`);
  const same = outcomes.filter(({ differences }) => differences.length === 0).length;
  assert(same >= FLOOR, `only ${same} are the same`);
  assertEquals(outcomes.length + notRun.size + OUT_OF_SCOPE.size, transcripts.size);
});
