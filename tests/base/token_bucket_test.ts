import { assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TokenBucket } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

function bucket(qps: number, burst: number): { clock: VirtualClock; bucket: TokenBucket } {
  const clock = new VirtualClock();
  return { clock, bucket: new TokenBucket({ qps, burst, clock }) };
}

Deno.test("TokenBucket.reserve() returns 0 up to the burst, then longer waits for each call", () => {
  const { bucket: tokens } = bucket(10, 3);
  assertEquals([1, 2, 3, 4, 5, 6].map(() => tokens.reserve()), [0, 0, 0, 100, 200, 300]);
});

Deno.test("TokenBucket.reserve() takes the time that has passed into account", async () => {
  const { clock, bucket: tokens } = bucket(10, 1);
  tokens.reserve();
  await clock.advance(50);
  assertAlmostEquals(tokens.reserve(), 50);
  await clock.advance(50);
  assertAlmostEquals(tokens.reserve(), 100);
});

Deno.test("TokenBucket never has more tokens than its burst", async () => {
  const { clock, bucket: tokens } = bucket(10, 2);
  await clock.advance(3_600_000);
  assertEquals([1, 2, 3].map(() => tokens.reserve()), [0, 0, 100]);
});

Deno.test("TokenBucket.tryAccept() takes a token only if one is available", async () => {
  const { clock, bucket: tokens } = bucket(10, 2);
  assertEquals([1, 2, 3].map(() => tokens.tryAccept()), [true, true, false]);
  await clock.advance(99);
  assertEquals(tokens.tryAccept(), false);
  await clock.advance(1);
  assertEquals(tokens.tryAccept(), true);
});

Deno.test("TokenBucket.tryAccept() finds no token while reservations wait", async () => {
  const { clock, bucket: tokens } = bucket(10, 1);
  tokens.reserve();
  assertEquals(tokens.reserve(), 100);
  await clock.advance(150);
  assertEquals(tokens.tryAccept(), false);
  await clock.advance(50);
  assertEquals(tokens.tryAccept(), true);
});

Deno.test("TokenBucket.reserve() and tryAccept() with an infinite rate never wait", () => {
  const { bucket: tokens } = bucket(Infinity, 1);
  for (let i = 0; i < 100; i++) {
    assertEquals(tokens.reserve(), 0);
    assertEquals(tokens.tryAccept(), true);
  }
});

Deno.test("TokenBucket rejects a rate or burst that would never give a token", () => {
  for (const qps of [0, -1, NaN]) assertThrows(() => bucket(qps, 1), RangeError, "qps");
  for (const burst of [0, -1, 1.5, NaN]) assertThrows(() => bucket(1, burst), RangeError, "burst");
});

/** A bucket and a record of the callers that have got a token: each entry is `name@milliseconds`. */
class Line {
  readonly clock = new VirtualClock();
  readonly served: string[] = [];
  readonly tokens: TokenBucket;

  constructor(qps: number, burst: number) {
    this.tokens = new TokenBucket({ qps, burst, clock: this.clock });
  }

  join(name: string, signal?: AbortSignal): Promise<void> {
    return this.tokens.wait({ signal })
      .then(() => void this.served.push(`${name}@${Math.round(this.clock.now())}`));
  }
}

Deno.test("TokenBucket.wait() serves callers in the order of their calls, one token each", async () => {
  const line = new Line(10, 2);
  for (const name of ["a", "b", "c", "d"]) line.join(name);
  await line.clock.advance(0);
  assertEquals(line.served, ["a@0", "b@0"]);
  await line.clock.advance(150);
  line.join("e");
  await line.clock.advance(1000);
  assertEquals(line.served.slice(2), ["c@100", "d@200", "e@300"]);
});

Deno.test("TokenBucket.wait() shares one order with reserve() and tryAccept()", async () => {
  const line = new Line(10, 1);
  line.join("a");
  line.join("b");
  assertEquals(line.tokens.reserve(), 200);
  line.join("c");
  await line.clock.advance(150);
  assertEquals(line.tokens.tryAccept(), false);
  await line.clock.advance(1000);
  assertEquals(line.served, ["a@0", "b@100", "c@300"]);
});

Deno.test("TokenBucket.wait() rejects with the signal's reason, and the callers behind move up", async () => {
  const line = new Line(10, 1);
  const stop = new AbortController();
  line.join("a");
  const leaving = assertRejects(() => line.join("b", stop.signal), RangeError, "enough");
  line.join("c");
  line.join("d");
  await line.clock.advance(50);
  stop.abort(new RangeError("enough"));
  await leaving;
  await line.clock.advance(1000);
  assertEquals(line.served, ["a@0", "c@100", "d@200"]);
});

Deno.test("TokenBucket.wait() returns all tokens and cancels its timer when all callers leave", async () => {
  const line = new Line(10, 1);
  const stop = new AbortController();
  const left = Array.from({ length: 100 }, () => line.join("x", stop.signal).catch(() => "left"));
  await line.clock.advance(0);
  stop.abort();
  assertEquals((await Promise.all(left)).filter((end) => end === "left").length, 99);
  assertEquals(line.clock.pendingTimers, 0);
  assertEquals(line.tokens.reserve(), 100);
});

Deno.test("TokenBucket.wait() keeps the rate if a caller with a later reservation behind it leaves", async () => {
  const line = new Line(10, 1);
  const stop = new AbortController();
  line.join("a");
  const leaving = line.join("b", stop.signal).catch(() => {});
  assertEquals(line.tokens.reserve(), 200);
  stop.abort();
  await leaving;
  // The token at 200 ms is reserved already, so the next one is at 300 ms.
  assertEquals(line.tokens.reserve(), 300);
});

Deno.test("TokenBucket.wait() takes no token if the signal has already aborted", async () => {
  const line = new Line(10, 1);
  await assertRejects(() => line.join("a", AbortSignal.abort(new RangeError("over"))), RangeError);
  assertEquals(line.tokens.tryAccept(), true);
});

Deno.test("TokenBucket.wait() with an infinite rate never waits", async () => {
  const line = new Line(Infinity, 1);
  for (let i = 0; i < 100; i++) await line.tokens.wait();
  assertEquals(line.clock.now(), 0);
});
