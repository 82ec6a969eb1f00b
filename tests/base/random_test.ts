import { assert, assertEquals, assertMatch } from "@std/assert";
import { randomInt, randomUuid } from "../../src/base/mod.ts";
import { SeededRandom } from "../../src/testing/mod.ts";

Deno.test("SeededRandom gives the same numbers for the same seed and others for another seed", () => {
  const draw = (seed: number) => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 5 }, () => random.next());
  };
  assertEquals(draw(42), draw(42));
  assert(draw(42)[0] !== draw(43)[0]);
});

Deno.test("SeededRandom is uniform in [0, 1)", () => {
  const random = new SeededRandom(1);
  const buckets = new Array(10).fill(0);
  for (let i = 0; i < 10_000; i++) {
    const value = random.next();
    assert(value >= 0 && value < 1);
    buckets[Math.floor(value * 10)]++;
  }
  for (const count of buckets) assert(count > 850 && count < 1150, `${buckets}`);
});

Deno.test("randomUuid() returns a version 4 UUID", () => {
  const random = new SeededRandom(3);
  for (let i = 0; i < 100; i++) {
    assertMatch(
      randomUuid(random),
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  }
});

Deno.test("randomInt() stays below its bound", () => {
  assertEquals(randomInt({ next: () => 0.999999 }, 7), 6);
  assertEquals(randomInt({ next: () => 0 }, 7), 0);
});
