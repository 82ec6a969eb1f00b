import { assertEquals } from "@std/assert";
import { DEFAULT_MINOR, isMinor } from "../../src/testing/api_server/release/mod.ts";
import { RELEASES } from "../e2e/minors.ts";
import { nightlyTest } from "../support/kinds_of_tests.ts";
import { InProcessServer } from "./in_process_server.ts";
import { knownDifferences } from "./known_differences.ts";
import { entryDifferences } from "./recorded_set.ts";
import { readRecording } from "./recording.ts";
import { RECORDED_SETS } from "./sets/mod.ts";

for (const minor of Object.keys(RELEASES)) {
  for (const set of RECORDED_SETS) {
    // Expressions mean the same in every version, but for a few functions.
    const test = set.name === "expressions" && minor !== DEFAULT_MINOR ? nightlyTest : Deno.test;
    test(`ApiServer answers ${set.name} as Kubernetes ${minor} does`, async () => {
      if (!isMinor(minor)) throw new Error(`The server does not know ${minor}`);
      await using server = new InProcessServer(set.setting ?? {}, minor);
      const found = await set.play(server);
      const wanted = await readRecording(set.name, minor);
      const differences = entryDifferences(found, wanted);
      const known = knownDifferences(set.name, minor, [...found, ...wanted].map(({ id }) => id));
      for (const [id, text] of differences) {
        if (!known.has(id)) console.log(`${id}\n${text}`);
      }
      console.log(`${set.name}: ${found.length - differences.size} of ${found.length} the same`);
      assertEquals([...differences.keys()].sort(), [...known].sort());
    });
  }
}
