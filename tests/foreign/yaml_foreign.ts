/** Compares the reader and the writer of YAML with the packages of Go that kubectl and client-go use. */

import { assert } from "@std/assert";
import { readWithGo } from "../conformance/sets/yaml.ts";
import { fuzz } from "../support/seeded_runs.ts";
import { readCanonically } from "../yaml/_read_canonically.ts";
import { damaged, randomRequest, type Request } from "../yaml/_texts.ts";
import { hasGo } from "./kubectl.ts";

/**
 * Matches what kubectl reads as text, and kubeloop as kubectl reads it elsewhere: a separator behind a space, and a byte order
 * mark that does not begin a document.
 */
const isReadByOne = /^ +---|[^\n]\ufeff|^---.*\n\ufeff/m;

/** Compares what the texts mean. */
async function compare(
  requests: readonly Request[],
  isSame: (read: string | null, expected: string | null) => boolean,
): Promise<void> {
  const expected = await readWithGo(requests);
  for (const [i, request] of requests.entries()) {
    const read = await readCanonically(request);
    if (isSame(read, expected[i]!)) continue;
    // Of keys such as 1 and "1", Go takes any.
    const others = await readWithGo(Array(30).fill(request));
    assert(others.includes(read), `${JSON.stringify(request)}: ${read}, expected ${expected[i]}`);
  }
}

Deno.test({
  name: "YAML as Go reads it",
  ignore: !await hasGo("YAML as Go reads it"),
  async fn(t) {
    await t.step("6,000 random texts mean the same", () =>
      fuzz(6000, async (random, count) => {
        const requests = Array.from({ length: count }, () => randomRequest(random));
        await compare(requests, (read, expected) => read === expected);
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
          await compare(requests, isSame);
        }),
    );
  },
});
