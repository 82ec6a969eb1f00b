import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { textLines } from "../../src/base/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

Deno.test("textLines() returns the lines of any chunks", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "ä", "€", "😀", "\n") });
  await assertProperty(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (text, size) => {
      const lines = await Array.fromAsync(textLines("it", chunks(text, size), 1000));
      assertEquals(lines, text.replace(/\n$/, "").split("\n").filter(() => text !== ""));
    }),
  );
});

Deno.test("textLines() rejects a line that is too long, with the name of the text", async () => {
  const read = (text: string) => Array.fromAsync(textLines("the file", chunks(text, 2), 4));
  assertEquals(await read("abcd\nabcd"), ["abcd", "abcd"]);
  await assertRejects(
    () => read("abcd\nabcdefgh\n"),
    RangeError,
    "the file has a line of more than 4 characters",
  );
});
