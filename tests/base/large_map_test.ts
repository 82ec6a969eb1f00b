import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { LargeMap } from "../../src/base/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

/** More keys than one Map holds. */
const MANY = 40_000;

function assertSame<K, V>(map: LargeMap<K, V>, model: Map<K, V>): void {
  assertEquals(map.size, model.size);
  const keys = new Set(map.keys());
  assertEquals(keys.size, model.size);
  // One comparison, because assertEquals takes seconds for large collections.
  const wrong = [...model].filter(([key, value]) => !keys.has(key) || map.get(key) !== value);
  assertEquals(wrong, []);
}

Deno.test("LargeMap behaves like a Map, whatever its keys are", () => {
  const key = fc.oneof(
    fc.string({ maxLength: 2 }),
    fc.constantFrom(0, -0, NaN, 1, null, undefined),
  );
  assertProperty(
    fc.property(fc.array(fc.tuple(fc.boolean(), key, fc.nat())), (steps) => {
      const map = new LargeMap<string | number | null | undefined, number>();
      const model = new Map<string | number | null | undefined, number>();
      for (const [isSet, key, value] of steps) {
        if (isSet) {
          map.set(key, value);
          model.set(key, value);
        } else {
          map.delete(key);
          model.delete(key);
        }
      }
      assertSame(map, model);
    }),
  );
});

Deno.test("LargeMap behaves like a Map with many keys: strings, and others among them", () => {
  const map = new LargeMap<unknown, number>();
  const model = new Map<unknown, number>();
  const both = (step: (one: { set(key: unknown, value: number): unknown }) => void) => {
    step(map);
    step(model);
  };
  const thing = {};
  both((one) => one.set(thing, -1));
  for (let i = 0; i < MANY; i++) both((one) => one.set(i % 10 === 0 ? i : `default/pod-${i}`, i));
  assertSame(map, model);
  assertEquals([map.get(thing), map.get("default/pod-0"), map.get(0)], [-1, undefined, 0]);

  for (let i = 0; i < MANY; i += 3) both((one) => one.set(`default/pod-${i}`, -i));
  for (const key of [...model.keys()].filter((_, i) => i % 2 === 0)) {
    map.delete(key);
    model.delete(key);
  }
  assertSame(map, model);

  map.clear();
  assertEquals([map.size, map.keys(), map.get(0), map.get("default/pod-1")], [
    0,
    [],
    undefined,
    undefined,
  ]);
  map.set("default/pod-1", 1);
  assertEquals([map.size, map.get("default/pod-1")], [1, 1]);
});
