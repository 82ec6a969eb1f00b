/** Compares the reader and the writer of YAML with the packages of Go that kubectl and client-go use. */

import { assert, assertEquals } from "@std/assert";
import { fuzz } from "../support/seeded_runs.ts";
import { readCanonically } from "../yaml/_read_canonically.ts";
import type { Recorded } from "../yaml/_recorded.ts";
import { damaged, randomRequest, type Request } from "../yaml/_texts.ts";
import json from "../yaml/recorded.json" with { type: "json" };
import { GoYaml } from "./go_yaml.ts";
import { hasGo } from "./kubectl.ts";
import { record } from "./record_yaml.ts";

const recorded: Recorded = json;

/**
 * Matches what kubectl reads as text, and kubeloop as kubectl reads it elsewhere: a separator behind a space, and a byte order
 * mark that does not begin a document.
 */
const isReadByOne = /^ +---|[^\n]\ufeff|^---.*\n\ufeff/m;

/** Compares what the texts mean. */
async function compare(
  go: GoYaml,
  requests: readonly Request[],
  isSame: (read: string | null, expected: string | null) => boolean,
): Promise<void> {
  const expected = await go.read(requests);
  for (const [i, request] of requests.entries()) {
    const read = await readCanonically(request);
    if (isSame(read, expected[i]!)) continue;
    // Of keys such as 1 and "1", Go takes any.
    const others = await go.read(Array(30).fill(request));
    assert(others.includes(read), `${JSON.stringify(request)}: ${read}, expected ${expected[i]}`);
  }
}

Deno.test({
  name: "YAML as Go reads it",
  ignore: !await hasGo("YAML as Go reads it"),
  async fn(t) {
    await using go = await GoYaml.build();
    await t.step("what is recorded is what Go says; record_yaml.ts writes it anew", async () => {
      assertEquals(await record(go), recorded);
    });

    await t.step("6,000 random texts mean the same", () =>
      fuzz(6000, async (random, count) => {
        const requests = Array.from({ length: count }, () => randomRequest(random));
        await compare(go, requests, (read, expected) => read === expected);
      }));

    await t.step(
      "6,000 damaged texts mean the same, or are an error of one",
      () =>
        fuzz(6000, async (random, count) => {
          const requests = Array.from({ length: count }, () => {
            const { how, text } = randomRequest(random);
            return { how, text: damaged(text, random) };
          }).filter(({ text }) => !isReadByOne.test(text));
          const isSame = (read: string | null, expected: string | null) =>
            read === expected || read === null || expected === null;
          await compare(go, requests, isSame);
        }),
    );
  },
});
