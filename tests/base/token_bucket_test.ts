import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { TokenBucket } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

function bucket(qps: number, burst: number): { clock: VirtualClock; bucket: TokenBucket } {
  const clock = new VirtualClock();
  return { clock, bucket: new TokenBucket({ qps, burst, clock }) };
}

Deno.test("TokenBucket.reserve() costs nothing up to the burst, then each waits behind the last", () => {
  const { bucket: tokens } = bucket(10, 3);
  assertEquals([1, 2, 3, 4, 5, 6].map(() => tokens.reserve()), [0, 0, 0, 100, 200, 300]);
});

Deno.test("TokenBucket.reserve() counts the time that has passed", async () => {
  const { clock, bucket: tokens } = bucket(10, 1);
  tokens.reserve();
  await clock.advance(50);
  assertAlmostEquals(tokens.reserve(), 50);
  await clock.advance(50);
  assertAlmostEquals(tokens.reserve(), 100);
});

Deno.test("TokenBucket never holds more than its burst", async () => {
  const { clock, bucket: tokens } = bucket(10, 2);
  await clock.advance(3_600_000);
  assertEquals([1, 2, 3].map(() => tokens.reserve()), [0, 0, 100]);
});

Deno.test("TokenBucket.tryAccept() takes a token only when it is there", async () => {
  const { clock, bucket: tokens } = bucket(10, 2);
  assertEquals([1, 2, 3].map(() => tokens.tryAccept()), [true, true, false]);
  await clock.advance(99);
  assertEquals(tokens.tryAccept(), false);
  await clock.advance(1);
  assertEquals(tokens.tryAccept(), true);
});

Deno.test("TokenBucket.tryAccept() finds nothing while reservations are waiting", async () => {
  const { clock, bucket: tokens } = bucket(10, 1);
  tokens.reserve();
  assertEquals(tokens.reserve(), 100);
  await clock.advance(150);
  assertEquals(tokens.tryAccept(), false);
  await clock.advance(50);
  assertEquals(tokens.tryAccept(), true);
});

Deno.test("TokenBucket of infinite rate never waits", () => {
  const { bucket: tokens } = bucket(Infinity, 1);
  for (let i = 0; i < 100; i++) {
    assertEquals(tokens.reserve(), 0);
    assertEquals(tokens.tryAccept(), true);
  }
});

Deno.test("TokenBucket refuses a rate or burst that could never let anything through", () => {
  for (const qps of [0, -1, NaN]) assertThrows(() => bucket(qps, 1), RangeError, "qps");
  for (const burst of [0, -1, 1.5, NaN]) assertThrows(() => bucket(1, burst), RangeError, "burst");
});
