import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { Index } from "../../../src/cache/store/index.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

Deno.test("Index.set() replaces the values of a key", () => {
  const change = fc.record({
    key: fc.constantFrom("a", "b", "c"),
    values: fc.array(fc.constantFrom("", "x", "y", "z"), { maxLength: 3 }),
  });
  assertProperty(fc.property(fc.array(change), (changes) => {
    const index = new Index<string>("test", () => []);
    const latest = new Map<string, readonly string[]>();
    for (const { key, values } of changes) {
      index.set(key, values);
      latest.set(key, values);
    }
    const used = new Set([...latest.values()].flat());
    assertEquals(index.values().sort(), [...used].sort());
    for (const value of used) {
      const keys = [...latest].filter(([, values]) => values.includes(value)).map(([key]) => key);
      assertEquals([...index.keys(value) ?? []].sort(), keys.sort());
    }
  }));
});

Deno.test("Index.set() copies the array of values", () => {
  for (const values of [["x"], ["x", "y"]]) {
    const index = new Index<string>("test", () => []);
    index.set("a", values);
    values.fill("other");
    index.delete("a");
    assertEquals(index.values(), []);
  }
});
