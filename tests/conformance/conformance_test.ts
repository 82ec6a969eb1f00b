import { assertEquals } from "@std/assert";
import { InProcessServer } from "./in_process_server.ts";
import { KNOWN_DIFFERENCES, OUT_OF_SCOPE } from "./out_of_scope.ts";
import { playScenarios } from "./replay.ts";
import { SCENARIOS } from "./recorded_scenarios.ts";
import { printOutcomes } from "./report.ts";
import { readTranscripts } from "./transcript.ts";

Deno.test("ApiServer answers the recorded exchanges as the real server did", async () => {
  const transcripts = await readTranscripts();
  const { outcomes } = await playScenarios(
    SCENARIOS,
    transcripts,
    OUT_OF_SCOPE,
    InProcessServer.create,
  );
  const different = outcomes.filter(({ differences }) => differences.length > 0);
  printOutcomes("ours", outcomes, transcripts, KNOWN_DIFFERENCES);
  console.log(`${OUT_OF_SCOPE.size} of ${transcripts.size} recorded exchanges are out of scope`);
  assertEquals(different.map(({ id }) => id), [...KNOWN_DIFFERENCES.keys()]);
  assertEquals(
    [...outcomes.map(({ id }) => id), ...OUT_OF_SCOPE.keys()].sort(),
    [...transcripts.keys()].sort(),
    "every transcript is either replayed or out of scope",
  );
});
