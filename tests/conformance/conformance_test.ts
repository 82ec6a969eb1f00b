import { assert } from "@std/assert";
import { replayMain } from "./main_scenario.ts";
import { OUT_OF_SCOPE } from "./out_of_scope.ts";
import type { Outcome, Replay } from "./replay.ts";
import { replayLimits, replayRestarts } from "./restart_scenario.ts";
import { readTranscripts } from "./transcript.ts";

/** How many recorded exchanges must be answered the same. */
const REQUIRED = 0;

Deno.test("ApiServer answers the recorded exchanges as the real server did", async () => {
  const transcripts = await readTranscripts();
  const outcomes: Outcome[] = [];
  for (const scenario of [replayMain, replayRestarts, replayLimits]) {
    let replay: Replay | undefined;
    try {
      replay = await scenario(transcripts);
      outcomes.push(...replay.outcomes);
    } finally {
      await replay?.server.close();
    }
  }
  const same = outcomes.filter(({ differences }) => differences.length === 0);
  const only = Deno.env.get("KUBELOOP_CONFORMANCE");
  for (const { id, differences } of outcomes) {
    if (differences.length === 0 || (only !== undefined && !id.startsWith(only))) continue;
    console.log(`${transcripts.get(id)!.name}\n  ${differences.join("\n  ")}`);
  }
  console.log(
    `${same.length} of ${transcripts.size} recorded exchanges answered the same; ${OUT_OF_SCOPE.size} out of scope`,
  );
  assert(same.length >= REQUIRED);
});
