import { assertEquals } from "@std/assert";
import { TextHash } from "../../src/base/mod.ts";

function hash(...texts: string[]): string {
  const hash = new TextHash();
  for (const text of texts) hash.add(text);
  return hash.hex();
}

Deno.test("TextHash tells texts, their order and their ends apart", () => {
  const inputs = [
    [],
    [""],
    ["", ""],
    ["a"],
    ["b"],
    ["ab"],
    ["ba"],
    ["a", "b"],
    ["b", "a"],
    [
      "",
      "ab",
    ],
    ["ab", ""],
    ["\0"],
    ["\u{1f600}"],
    ["\ud83d"],
    ["é"],
    ["e\u0301"],
  ];
  assertEquals(new Set(inputs.map((input) => hash(...input))).size, inputs.length);
});

Deno.test("Each of the 128 bits of a TextHash depends on every bit of the input", () => {
  const flips = new Array(128).fill(0);
  const bits = (hex: string) => BigInt(`0x${hex}`);
  const runs = 400;
  for (let i = 0; i < runs; i++) {
    const text = `line ${i}`;
    const other = `line ${i}`.replace(
      "l",
      String.fromCharCode("l".charCodeAt(0) ^ (1 << (i % 16))),
    );
    let changed = bits(hash(text)) ^ bits(hash(other));
    for (let bit = 0; changed > 0n; bit++, changed >>= 1n) if (changed & 1n) flips[bit]++;
  }
  assertEquals(flips.filter((count) => count < runs * 0.35 || count > runs * 0.65), []);
});

Deno.test("TextHash is the same everywhere", () => {
  assertEquals(hash("a trace", "of é and 😀"), "318526211a706a22109657bf9b4e91c8");
  const growing = new TextHash().add("a");
  growing.hex();
  assertEquals(growing.add("b").hex(), hash("a", "b"));
});
