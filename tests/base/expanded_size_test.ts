import { assertEquals } from "@std/assert";
import { expandedSize } from "../../src/base/mod.ts";

Deno.test("expandedSize() counts texts, keys and values, and expanded aliases", () => {
  assertEquals(expandedSize("abc"), 4);
  assertEquals(expandedSize([1, null, 5n]), 1 + 3 * (1 + 1));
  const shared = { key: "abc" };
  assertEquals(expandedSize(shared), 1 + 3 + 4);
  assertEquals(expandedSize({ a: shared, b: shared }), 1 + 2 * (1 + 8));
});

Deno.test("expandedSize() doubles with each alias of aliases, and counts each of them once", () => {
  let value: unknown = "x";
  for (let i = 0; i < 60; i++) value = [value, value];
  assertEquals(expandedSize(value) > 2 ** 60, true);
});

Deno.test("expandedSize() counts a value that contains itself once", () => {
  const value: Record<string, unknown> = { key: "abc" };
  value["self"] = value;
  assertEquals(expandedSize(value), 1 + (3 + 4) + (4 + 1));
});

Deno.test("expandedSize() counts a value of 100,000 levels", () => {
  let value: unknown = "x";
  for (let i = 0; i < 100_000; i++) value = [value];
  assertEquals(expandedSize(value), 100_000 * (1 + 1) + 2);
});
