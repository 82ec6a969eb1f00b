import { assertEquals } from "@std/assert";
import { parseCount } from "../../src/base/mod.ts";

Deno.test("parseCount() reads whole numbers up to its limit", () => {
  for (
    const [text, max, radix, value] of [
      ["0", 0, 10, 0],
      ["007", 7, 10, 7],
      ["9007199254740991", Number.MAX_SAFE_INTEGER, 10, Number.MAX_SAFE_INTEGER],
      ["1f", 0xff, 16, 31],
      ["1F", 31, 16, 31],
      ["17", 15, 8, 15],
    ] as const
  ) assertEquals(parseCount(text, max, radix), value, text);
});

Deno.test("parseCount() refuses what is not a whole number within its limit", () => {
  for (
    const text of [
      ...["", " ", "+1", "-1", "1 ", " 1", "1.0", "1e3", "5e-324", "0x10", "1_000", "NaN"],
      ...["Infinity", "1\n", "１", "9007199254740992", "1".repeat(1000)],
    ]
  ) assertEquals(parseCount(text, Number.MAX_SAFE_INTEGER), undefined, text);
  assertEquals(parseCount("8", 7), undefined);
  assertEquals(parseCount("8", 100, 8), undefined);
  assertEquals(parseCount("g", 100, 16), undefined);
});
