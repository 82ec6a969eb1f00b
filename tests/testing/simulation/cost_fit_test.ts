/** The arithmetic of a cost: the function that counts are fitted to. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { combine, type CostOrder, fit, formula } from "../../../src/testing/simulation/cost/fit.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const SIZES = [2, 8, 32];
const FUNCTIONS: Readonly<Record<CostOrder, (n: number) => number>> = {
  "O(1)": () => 1,
  "O(n)": (n) => n,
  "O(n log n)": (n) => n * Math.log2(n),
  "O(n²)": (n) => n * n,
};

function orderOf(...counts: number[]): CostOrder {
  return fit(SIZES, counts).order;
}

Deno.test("fit() finds the order of a function with three sizes or more, whatever its factor", () => {
  const sizes = fc.constantFrom([2, 8, 32], [4, 16, 64], [2, 8, 32, 128], [1, 10, 100, 1000]);
  const orders = fc.constantFrom<CostOrder>("O(1)", "O(n)", "O(n log n)", "O(n²)");
  assertProperty(
    fc.property(sizes, orders, fc.integer({ min: 1, max: 1000 }), (sizes, order, factor) => {
      const counts = sizes.map((n) => Math.round(factor * FUNCTIONS[order](n)));
      assertEquals(fit(sizes, counts).order, order);
    }),
  );
});

Deno.test("fit() finds the order beside a constant", () => {
  const orders = fc.constantFrom<CostOrder>("O(n)", "O(n log n)", "O(n²)");
  assertProperty(fc.property(orders, fc.integer({ min: 0, max: 10 }), (order, constant) => {
    const counts = SIZES.map((n) => constant + 3 * Math.round(FUNCTIONS[order](n)));
    assertEquals(fit(SIZES, counts).order, order);
  }));
});

Deno.test("fit() calls constants with a little noise constants", () => {
  const noise = fc.integer({ min: 0, max: 1 });
  assertProperty(fc.property(fc.nat(1000), noise, noise, noise, (count, a, b, c) => {
    assertEquals(orderOf(count + a, count + b, count + c), "O(1)");
  }));
  assertEquals(orderOf(0, 0, 0), "O(1)");
  assertEquals(orderOf(39_100, 38_600, 39_400), "O(1)", "one percent");
  assertEquals(orderOf(120, 60, 10), "O(1)", "a cost does not shrink");
});

Deno.test("fit() sees small counts grow", () => {
  assertEquals(orderOf(1, 1, 4), "O(n)");
  assertEquals(orderOf(4, 10, 34), "O(n)");
  assertEquals(orderOf(3, 9, 33), "O(n)");
});

Deno.test("fit() finds n² behind a term of n, and in pairs", () => {
  assertEquals(fit(SIZES, SIZES.map((n) => n * n + 10 * n)).order, "O(n²)");
  assertEquals(fit(SIZES, SIZES.map((n) => n * (n - 1) / 2)).order, "O(n²)");
  assertEquals(fit(SIZES, [7, 70, 1030]).order, "O(n²)");
});

Deno.test("combine() shows a small growing part beside a large constant", () => {
  const [large, small] = [[3900, 3941, 3900], [2, 8, 32]];
  assertEquals(orderOf(...large.map((count, i) => count + small[i]!)), "O(1)");
  const { order, terms } = combine([fit(SIZES, large), fit(SIZES, small)]);
  assertEquals([order, terms.map(({ of }) => of)], ["O(n)", ["1", "n"]]);
  assertEquals(terms[1]?.factor, 1);
});

Deno.test("formula() leaves out what is small for the largest size", () => {
  const text = (...counts: number[]) => formula(fit(SIZES, counts), 32);
  assertEquals(text(39, 111, 399), "15 + 12 n");
  assertEquals(text(2, 8, 32), "n");
  assertEquals(text(0, 0, 0), "0");
  assertEquals(text(5, 5, 5), "5");
  assertEquals(text(5640, 22_560, 90_504), "2,800 n");
  assertEquals(text(24, 144, 1344), "10 n + n²");
});
