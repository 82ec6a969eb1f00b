import { assertEquals } from "@std/assert";
import { playOnRealServer } from "../conformance/record.ts";
import { entryDifferences } from "../conformance/recorded_set.ts";
import { readRecording } from "../conformance/recording.ts";
import { RECORDED_SETS } from "../conformance/sets/mod.ts";
import { chosenMinor } from "./minors.ts";

Deno.test("a real kube-apiserver answers as recorded", async () => {
  const minor = chosenMinor();
  const different: string[] = [];
  await playOnRealServer(RECORDED_SETS, minor, async ({ name }, entries) => {
    const differences = entryDifferences(entries, await readRecording(name, minor));
    for (const [id, text] of differences) {
      different.push(`${name} ${id}`);
      console.log(`${name} ${id}\n${text}`);
    }
    console.log(`${name}: ${entries.length - differences.size} of ${entries.length} the same`);
  });
  assertEquals(different, []);
});
