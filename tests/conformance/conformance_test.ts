import { assertEquals } from "@std/assert";
import { replayMain } from "./main_scenario.ts";
import { KNOWN_DIFFERENCES, OUT_OF_SCOPE } from "./out_of_scope.ts";
import type { Outcome } from "./replay.ts";
import { replayLimits, replayRestarts } from "./restart_scenario.ts";
import { readTranscripts } from "./transcript.ts";

Deno.test("ApiServer answers the recorded exchanges as the real server did", async () => {
  const transcripts = await readTranscripts();
  const outcomes: Outcome[] = [];
  for (const scenario of [replayMain, replayRestarts, replayLimits]) {
    const replay = await scenario(transcripts);
    await replay.server.close();
    outcomes.push(...replay.outcomes);
  }
  const different = outcomes.filter(({ differences }) => differences.length > 0);
  for (const { id, differences } of different) {
    if (KNOWN_DIFFERENCES.has(id)) continue;
    console.log(`${transcripts.get(id)!.name}\n  ${differences.join("\n  ")}`);
  }
  const same = outcomes.length - different.length;
  console.log(
    `${same} of ${transcripts.size} recorded exchanges are answered the same, ${different.length} differently; ${OUT_OF_SCOPE.size} are out of scope`,
  );
  assertEquals(different.map(({ id }) => id), [...KNOWN_DIFFERENCES.keys()]);
  assertEquals(
    [...outcomes.map(({ id }) => id), ...OUT_OF_SCOPE.keys()].sort(),
    [...transcripts.keys()].sort(),
    "every transcript is either replayed or out of scope",
  );
});
