/**
 * Replays the recorded scenarios against a real server, which checks the recordings that our server is tested with.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { OUT_OF_SCOPE } from "../conformance/out_of_scope.ts";
import { SCENARIOS } from "../conformance/recorded_scenarios.ts";
import { playScenarios } from "../conformance/replay.ts";
import { printOutcomes } from "../conformance/report.ts";
import { readTranscripts } from "../conformance/transcript.ts";
import { playVariations, readVariations } from "../testing/api_server/kinds/variations.ts";
import { ADMIN_TOKEN } from "./cluster.ts";
import { RealServer } from "./real_server.ts";

/** Exchanges that the real server itself answers differently from time to time, with the reason. */
const BY_CHANCE: ReadonlyMap<string, string> = new Map([
  ["1108", "how many bookmarks come before the end"],
  ["1108b", "how many bookmarks come before the end"],
  ["1109", "how many bookmarks come before the end"],
  ["1213", "in which order Go walks a map"],
  ["1140", "how many bookmarks come before the end"],
]);

/** The minimum number of equal exchanges: all but the random ones; other writes may also shift a resource version. */
const FLOOR = 366;

Deno.test("a real kube-apiserver answers the recorded exchanges as recorded", async () => {
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

Deno.test("a real kube-apiserver answers the creates and updates of each kind as recorded", async () => {
  await using server = await RealServer.create({});
  const [creates, updates] = [await readVariations("creates"), await readVariations("updates")];
  for (const one of [...creates, ...updates]) {
    const fetch = (path: string, init: RequestInit) => {
      const request = new Request(`${server.origin}${path}`, init);
      request.headers.set("authorization", `Bearer ${ADMIN_TOKEN}`);
      return server.fetch(request);
    };
    await playVariations(fetch, one, true);
  }
});
