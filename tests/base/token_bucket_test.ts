import { assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
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

/** Who has waited for a token so far, and since when it is there: each line is `name@milliseconds`. */
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

Deno.test("TokenBucket.wait() serves those who wait in the order they came in, one token each", async () => {
  const line = new Line(10, 2);
  for (const name of ["a", "b", "c", "d"]) line.join(name);
  await line.clock.advance(0);
  assertEquals(line.served, ["a@0", "b@0"]);
  await line.clock.advance(150);
  line.join("e");
  await line.clock.advance(1000);
  assertEquals(line.served.slice(2), ["c@100", "d@200", "e@300"]);
});

Deno.test("TokenBucket.wait() stands in one line with reserve() and tryAccept()", async () => {
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

Deno.test("TokenBucket.wait() rejects with the signal's reason, and those behind move up", async () => {
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

Deno.test("TokenBucket.wait() leaves no debt and no timer behind when all who wait leave", async () => {
  const line = new Line(10, 1);
  const stop = new AbortController();
  const left = Array.from({ length: 100 }, () => line.join("x", stop.signal).catch(() => "left"));
  await line.clock.advance(0);
  stop.abort();
  assertEquals((await Promise.all(left)).filter((end) => end === "left").length, 99);
  assertEquals(line.clock.pendingTimers, 0);
  assertEquals(line.tokens.reserve(), 100);
});

Deno.test("TokenBucket.wait() keeps its rate when a reservation was made behind one who leaves", async () => {
  const line = new Line(10, 1);
  const stop = new AbortController();
  line.join("a");
  const leaving = line.join("b", stop.signal).catch(() => {});
  assertEquals(line.tokens.reserve(), 200);
  stop.abort();
  await leaving;
  // The place at 200 ms is given away: the next is at 300 ms.
  assertEquals(line.tokens.reserve(), 300);
});

Deno.test("TokenBucket.wait() takes no token when the signal has aborted already", async () => {
  const line = new Line(10, 1);
  await assertRejects(() => line.join("a", AbortSignal.abort(new RangeError("over"))), RangeError);
  assertEquals(line.tokens.tryAccept(), true);
});

Deno.test("TokenBucket.wait() of infinite rate never waits", async () => {
  const line = new Line(Infinity, 1);
  for (let i = 0; i < 100; i++) await line.tokens.wait();
  assertEquals(line.clock.now(), 0);
});
