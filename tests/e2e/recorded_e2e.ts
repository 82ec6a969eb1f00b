import { assertEquals } from "@std/assert";
import { playOnRealServer } from "../conformance/record.ts";
import { entryDifferences, type RecordedSet } from "../conformance/recorded_set.ts";
import { readRecording } from "../conformance/recording.ts";
import { MODULE_SETS, RECORDED_SETS } from "../conformance/sets/mod.ts";
import { isInShare, seededRuns } from "../support/seeded_runs.ts";
import { chosenMinor, DEFAULT_MINOR, RELEASES } from "./minors.ts";

/** In how many days all sets are played. `deno task record --check` and the nightly run play all of them at once. */
const DAYS = 4;

/** The number of times that a set is played: on a busy machine, a cache of the server may be late. */
const TRIES = 3;

Deno.test("a real kube-apiserver answers as recorded", async () => {
  const minor = chosenMinor();
  const today = { number: Math.floor(Date.now() / 86_400_000), of: DAYS };
  let sets = RECORDED_SETS.filter((_, index) => seededRuns.factor > 1 || isInShare(index, today));
  let different: string[] = [];
  for (let tries = 0; tries < TRIES && sets.length > 0; tries++) {
    const again: RecordedSet[] = [];
    different = [];
    await playOnRealServer(sets, minor, async (set, entries) => {
      const differences = entryDifferences(entries, await readRecording(set.name, minor));
      for (const [id, text] of differences) {
        different.push(`${set.name} ${id}`);
        console.log(`${set.name} ${id}\n${text}`);
      }
      if (differences.size > 0) again.push(set);
      const same = entries.length - differences.size;
      console.log(`${set.name}: ${same} of ${entries.length} the same`);
    });
    sets = again;
  }
  assertEquals(different, []);
});

Deno.test("the Go modules of Kubernetes say what is recorded", async () => {
  for (const { name, read } of MODULE_SETS) {
    const found = await read(RELEASES[DEFAULT_MINOR]!);
    const wanted = await readRecording(name, DEFAULT_MINOR);
    assertEquals([...entryDifferences(found, wanted)], [], name);
  }
});
