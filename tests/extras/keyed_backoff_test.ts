import { assertEquals } from "@std/assert";
import { KeyedBackoff } from "../../src/extras/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";

const setUp = (jitterFactor = 0) => {
  const clock = new VirtualClock();
  const random = { next: () => 0.5 };
  return {
    clock,
    backoff: new KeyedBackoff({ initialMs: 100, maxMs: 500, jitterFactor, clock, random }),
  };
};

Deno.test("KeyedBackoff.next() doubles the delay up to maxMs", () => {
  const { backoff, clock } = setUp();
  assertEquals(backoff.get("a"), 0);
  const delays = [1, 2, 3, 4, 5].map(() => {
    backoff.next("a", clock.now());
    return backoff.get("a");
  });
  assertEquals(delays, [100, 200, 400, 500, 500]);
  assertEquals(backoff.get("b"), 0);
});

Deno.test("KeyedBackoff.next() starts over after more than twice maxMs", async () => {
  const { backoff, clock } = setUp();
  backoff.next("a", clock.now());
  await clock.advance(1000);
  backoff.next("a", clock.now());
  assertEquals(backoff.get("a"), 200);
  await clock.advance(1001);
  backoff.next("a", clock.now());
  assertEquals(backoff.get("a"), 100);
});

Deno.test("KeyedBackoff.next() adds jitter before the cap", () => {
  const { backoff, clock } = setUp(0.4);
  const delays = [1, 2, 3].map(() => {
    backoff.next("a", clock.now());
    return backoff.get("a");
  });
  assertEquals(delays, [120, 264, 500]);
});

Deno.test("KeyedBackoff reports whether the delay of a key has passed", async () => {
  const { backoff, clock } = setUp();
  assertEquals(backoff.isInBackOffSince("a", 0), false);
  backoff.next("a", 0);
  await clock.advance(99);
  assertEquals(backoff.isInBackOffSince("a", 0), true);
  assertEquals(backoff.isInBackOffSinceUpdate("a", 99), true);
  await clock.advance(1);
  assertEquals(backoff.isInBackOffSince("a", 0), false);
  assertEquals(backoff.isInBackOffSinceUpdate("a", 100), false);
  assertEquals(backoff.isInBackOffSinceUpdate("a", 1001), false);
});

Deno.test("KeyedBackoff.reset() and gc() remove keys", async () => {
  const { backoff, clock } = setUp();
  backoff.next("a", 0);
  backoff.next("b", 0);
  backoff.reset("a");
  assertEquals([backoff.get("a"), backoff.size], [0, 1]);
  await clock.advance(1000);
  backoff.gc();
  assertEquals(backoff.size, 1);
  await clock.advance(1);
  backoff.gc();
  assertEquals(backoff.size, 0);
});

Deno.test("KeyedBackoff does not grow with keys that no longer fail", async () => {
  const { backoff, clock } = setUp();
  for (let i = 0; i < 1000; i++) {
    backoff.next(`k${i}`, clock.now());
    await clock.advance(100);
  }
  assertEquals(backoff.size <= 64, true);
});
