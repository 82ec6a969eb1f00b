import { assertEquals } from "@std/assert";
import { median, percentile, summarize } from "./stats.ts";

Deno.test("median() returns the middle value, or the mean of the two in the middle", () => {
  assertEquals(median([9, 1, 10]), 9);
  assertEquals(median([10, 1, 9, 2]), 5.5);
  assertEquals(median([]), NaN);
});

Deno.test("percentile() returns the value that the given share of values does not exceed", () => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1);
  assertEquals(percentile(values, 0.5), 50);
  assertEquals(percentile(values, 0.99), 99);
  assertEquals(percentile(values, 1), 100);
  assertEquals(percentile([7], 0), 7);
});

Deno.test("summarize() returns median, minimum and maximum", () => {
  assertEquals(summarize([3, 1, 2]), { median: 2, min: 1, max: 3 });
});
