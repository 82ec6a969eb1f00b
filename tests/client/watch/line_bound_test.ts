import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { Client } from "../../../src/client/mod.ts";
import { Pods, StatusError } from "../../../src/types/mod.ts";
import { packer } from "../../cache/packed/_packed.ts";
import { bodyOf } from "../_scripted_fetch.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const BOUND = 120;

/** Returns an event as a line of `length` bytes. */
function lineOf(length: number): string {
  const line = (name: string) => `{"type":"ADDED","object":{"metadata":{"name":"${name}"}}}`;
  return line("x".repeat(length - line("").length));
}

Deno.test("WatchStream.batches() accepts lines up to the maximum length, wherever chunks begin and end", async () => {
  const lengths = fc.array(fc.integer({ min: BOUND - 20, max: BOUND + 3 }), { maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 3 * BOUND }), { minLength: 1, maxLength: 30 });
  await assertProperty(fc.asyncProperty(lengths, sizes, async (lengths, sizes) => {
    const text = lengths.map((length) => lineOf(length) + "\n").join("");
    const chunks: string[] = [];
    for (let at = 0, i = 0; at < text.length; at += sizes[i++ % sizes.length]!) {
      chunks.push(text.slice(at, at + sizes[i % sizes.length]!));
    }
    const fetch = () => Promise.resolve(new Response(bodyOf(chunks)));
    await using client = new Client({ fetch, maxWatchLineBytes: BOUND });

    let count = 0;
    let problem: unknown;
    try {
      const watch = await client.watch(Pods);
      for await (const events of watch.batches()) count += events.length;
    } catch (error) {
      problem = error;
    }
    const tooLong = lengths.findIndex((length) => length > BOUND);
    assertEquals(StatusError.is(problem), tooLong >= 0);
    if (tooLong < 0) assertEquals(count, lengths.length);
  }));
});

Deno.test("WatchStream.batches() does not parse the start of a line that is too long", async () => {
  const start = `${lineOf(BOUND - 20)}${" ".repeat(30)}`;
  const fetch = () => Promise.resolve(new Response(bodyOf([lineOf(100) + "\n", start])));
  await using client = new Client({ fetch, maxWatchLineBytes: BOUND });
  for (const isPacked of [false, true]) {
    const seen: unknown[] = [];
    const watch = await client.watch(Pods);
    const problem = await assertRejects(async () => {
      const batches = isPacked ? watch.batches(packer()) : watch.batches();
      for await (const events of batches) seen.push(...events);
    }, StatusError);
    assertStringIncludes(problem.message, `longer than the maximum of ${BOUND} bytes`);
    assertEquals(seen.length, 1);
  }
});
