import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { forkRandom, type Random, randomInt, randomUuid } from "../../src/base/mod.ts";
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

Deno.test("SeededRandom.fork() depends on the seed and the purposes, not on what was drawn", () => {
  const random = new SeededRandom(5);
  const before = random.fork("a").next();
  random.next();
  const fork = random.fork("a");
  fork.fork("b").next();
  random.fork("b").next();
  assertEquals(fork.next(), before);
  const sources = [
    random,
    random.fork(""),
    random.fork("a"),
    random.fork("b"),
    random.fork("ab"),
    random.fork("a").fork("b"),
    random.fork("b").fork("a"),
    random.fork("a").fork("a"),
    new SeededRandom(6).fork("a"),
    new SeededRandom(-5).fork("a"),
  ];
  assertEquals(new Set(sources.map((source) => source.next())).size, sources.length);
});

Deno.test("SeededRandom.fork() gives the same numbers everywhere", () => {
  const fork = new SeededRandom(1).fork("scheduler").fork("é😀");
  const drawn = Array.from({ length: 3 }, () => Math.floor(fork.next() * 2 ** 32));
  assertEquals(drawn, [2775727047, 983769843, 104205190]);
});

Deno.test("SeededRandom.fork() is uniform over its purposes", () => {
  const random = new SeededRandom(1);
  const buckets = new Array(10).fill(0);
  for (let i = 0; i < 10_000; i++) buckets[Math.floor(random.fork(`pod-${i}`).next() * 10)]++;
  for (const count of buckets) assert(count > 850 && count < 1150, `${buckets}`);
});

Deno.test("SeededRandom.fork() refuses a purpose that is not a text", () => {
  const random = new SeededRandom(1);
  assertThrows(() => random.fork(1 as unknown as string), TypeError, "must be a string");
});

Deno.test("forkRandom() shares a source that cannot be forked", () => {
  const plain: Random = { next: () => 0.5 };
  assertEquals(forkRandom(plain, "a"), plain);
  const seeded = new SeededRandom(1);
  assertEquals(forkRandom(seeded, "a").next(), seeded.fork("a").next());
});
