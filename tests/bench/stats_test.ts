import { assertEquals } from "@std/assert";
import { percentile, spread } from "./stats.ts";

Deno.test("percentile() returns the value that the given share of values does not exceed", () => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1);
  assertEquals(percentile(values, 0.5), 50);
  assertEquals(percentile(values, 0.99), 99);
  assertEquals(percentile(values, 1), 100);
  assertEquals(percentile([7], 0), 7);
});

Deno.test("spread() returns the median and the quartiles of the values", () => {
  assertEquals(spread([5, 3, NaN, 1, 2, 4]), { median: 3, low: 2, high: 4, count: 5 });
  assertEquals(spread([1, 2]), { median: 1.5, low: 1.25, high: 1.75, count: 2 });
  assertEquals(spread([NaN]), { median: NaN, low: NaN, high: NaN, count: 0 });
});
