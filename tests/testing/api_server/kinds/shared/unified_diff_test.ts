import { assertEquals } from "@std/assert";
import { unifiedDiff } from "../../../../../src/testing/api_server/kinds/shared/unified_diff.ts";

Deno.test("unifiedDiff() shows three equal lines around a change", () => {
  const value = (x: number) => ({ a: 1, b: 2, c: 3, d: x, e: 5, f: 6, g: 7, h: 8 });
  assertEquals(
    unifiedDiff(value(4), value(9)),
    '@@ -2,7 +2,7 @@\n  "a": 1,\n  "b": 2,\n  "c": 3,\n- "d": 4,\n+ "d": 9,\n  "e": 5,\n  "f": 6,\n  "g": 7,\n',
  );
});

Deno.test("unifiedDiff() joins changes with at most six equal lines between them", () => {
  const value = (first: number, last: number, between: number) => [
    first,
    ...Array(between).fill(0),
    last,
  ];
  const heads = (between: number) =>
    unifiedDiff(value(1, 2, between), value(3, 4, between)).match(/^@@.*$/gm);
  assertEquals(heads(6), ["@@ -1,10 +1,10 @@"]);
  assertEquals(heads(7), ["@@ -1,5 +1,5 @@", "@@ -7,5 +7,5 @@"]);
});

Deno.test("unifiedDiff() counts lines that one side does not have", () => {
  assertEquals(unifiedDiff([], [1]), "@@ -1 +1,3 @@\n-[]\n+[\n+ 1\n+]\n");
  assertEquals(unifiedDiff([1], [1]), "");
  assertEquals(unifiedDiff(["<&>"], []), '@@ -1,3 +1 @@\n-[\n- "\\u003c\\u0026\\u003e"\n-]\n+[]\n');
});

Deno.test("unifiedDiff() looks for further matches only before and after the longest one", () => {
  // The line 1 of the longest match is no match for the first line, which lies before it.
  assertEquals(
    unifiedDiff([7, 1, 2, 3], [1, 8, 1, 2, 3]),
    "@@ -1,5 +1,6 @@\n [\n- 7,\n+ 1,\n+ 8,\n  1,\n  2,\n  3\n",
  );
  assertEquals(
    unifiedDiff([1, 8, 1, 2, 3], [7, 1, 2, 3]),
    "@@ -1,6 +1,5 @@\n [\n- 1,\n- 8,\n+ 7,\n  1,\n  2,\n  3\n",
  );
  assertEquals(
    unifiedDiff([0, 1, 2, 3, 7, 4], [0, 1, 2, 3, 3, 4]),
    "@@ -3,6 +3,6 @@\n  1,\n  2,\n  3,\n- 7,\n+ 3,\n  4\n ]\n",
  );
  assertEquals(
    unifiedDiff([1, 2, 3, 7], [1, 2, 3, 8, 3]),
    "@@ -2,5 +2,6 @@\n  1,\n  2,\n  3,\n- 7\n+ 8,\n+ 3\n ]\n",
  );
});

Deno.test("unifiedDiff() does not begin matches with frequent lines of a long text", () => {
  const many = Array(220).fill(0);
  // Without a match between the zeros, everything in between has changed.
  const diff = unifiedDiff([1, ...many, 2], [3, ...many, 4]);
  assertEquals(diff.split("\n")[0], "@@ -1,224 +1,224 @@");
});
