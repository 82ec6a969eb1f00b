import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { VirtualClock } from "../../src/testing/mod.ts";
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  MaxOfRateLimiter,
  type RateLimiter,
  WithMaxWaitRateLimiter,
} from "../../src/workqueue/mod.ts";

function times(limiter: RateLimiter<string>, count: number, item = "a"): number[] {
  return Array.from({ length: count }, () => limiter.when(item));
}

Deno.test("ItemExponentialFailureRateLimiter.when() doubles per item up to the cap", () => {
  const limiter = new ItemExponentialFailureRateLimiter<string>(1, 1000);
  assertEquals(times(limiter, 5), [1, 2, 4, 8, 16]);
  assertEquals(limiter.numRequeues("a"), 5);
  assertEquals(times(limiter, 2, "b"), [1, 2]);
  assertEquals(limiter.numRequeues("b"), 2);
  limiter.forget("a");
  assertEquals(limiter.numRequeues("a"), 0);
  assertEquals(times(limiter, 1), [1]);
  assertEquals(limiter.numRequeues("b"), 2);
});

Deno.test("ItemExponentialFailureRateLimiter.when() never overflows", () => {
  const limiter = new ItemExponentialFailureRateLimiter<string>(1, 1000);
  times(limiter, 5000);
  assertEquals(limiter.when("a"), 1000);
  assertEquals(limiter.numRequeues("a"), 5001);
  const zero = new ItemExponentialFailureRateLimiter<string>(0, 1000);
  assertEquals(new Set(times(zero, 5000)), new Set([0]));
});

Deno.test("ItemExponentialFailureRateLimiter.when() returns the cap if the base is above the cap", () => {
  assertEquals(times(new ItemExponentialFailureRateLimiter<string>(50, 20), 2), [20, 20]);
});

Deno.test("ItemFastSlowRateLimiter.when() returns the short delay for the first attempts", () => {
  const limiter = new ItemFastSlowRateLimiter<string>(5, 10_000, 3);
  assertEquals(times(limiter, 5), [5, 5, 5, 10_000, 10_000]);
  assertEquals(limiter.numRequeues("a"), 5);
  assertEquals(times(limiter, 2, "b"), [5, 5]);
  limiter.forget("a");
  assertEquals(limiter.numRequeues("a"), 0);
  assertEquals(times(limiter, 1), [5]);
  assertEquals(times(new ItemFastSlowRateLimiter<string>(5, 7, 0), 1), [7]);
});

Deno.test("BucketRateLimiter.when() does not delay the burst, and spaces the items after it", async () => {
  const clock = new VirtualClock();
  const limiter = new BucketRateLimiter<string>({ qps: 10, burst: 3, clock });
  assertEquals(times(limiter, 5), [0, 0, 0, 100, 200]);
  assertEquals(limiter.numRequeues("a"), 0);
  limiter.forget("a");
  assertEquals(limiter.when("b"), 300, "items are not distinguished, and forget() does nothing");
  await clock.advance(400);
  assertEquals(times(limiter, 2), [0, 100]);
});

Deno.test("MaxOfRateLimiter.when() asks every limiter and returns the longest delay", () => {
  const fastSlow = new ItemFastSlowRateLimiter<string>(5, 10_000, 3);
  const exponential = new ItemExponentialFailureRateLimiter<string>(1, 1000);
  const limiter = new MaxOfRateLimiter<string>(fastSlow, exponential);
  assertEquals(times(limiter, 5), [5, 5, 5, 10_000, 10_000]);
  assertEquals([fastSlow.numRequeues("a"), exponential.numRequeues("a")], [5, 5]);
  exponential.when("a");
  assertEquals(limiter.numRequeues("a"), 6, "the largest count");
  limiter.forget("a");
  assertEquals([fastSlow.numRequeues("a"), exponential.numRequeues("a")], [0, 0]);
});

Deno.test("MaxOfRateLimiter without limiters never delays", () => {
  const limiter = new MaxOfRateLimiter<string>();
  assertEquals([limiter.when("a"), limiter.numRequeues("a")], [0, 0]);
});

Deno.test("WithMaxWaitRateLimiter.when() caps the delay and nothing else", () => {
  const inner = new ItemExponentialFailureRateLimiter<string>(1, 1_000_000);
  const limiter = new WithMaxWaitRateLimiter<string>(inner, 5);
  assertEquals(times(limiter, 5), [1, 2, 4, 5, 5]);
  assertEquals([limiter.numRequeues("a"), inner.numRequeues("a")], [5, 5]);
  limiter.forget("a");
  assertEquals([limiter.numRequeues("a"), limiter.when("a")], [0, 1]);
});

Deno.test("defaultControllerRateLimiter() delays one item by 5 ms to 1000 s", () => {
  const limiter = defaultControllerRateLimiter<string>({ clock: new VirtualClock() });
  const delays = times(limiter, 21);
  for (let n = 0; n < 18; n++) assertEquals(delays[n], 5 * 2 ** n);
  assertEquals(delays.slice(17), [655_360, 1_000_000, 1_000_000, 1_000_000]);
  assertEquals(limiter.numRequeues("a"), 21);
});

Deno.test("defaultControllerRateLimiter() lets a burst of 100 items through, then 10 per second", async () => {
  const clock = new VirtualClock();
  const limiter = defaultControllerRateLimiter<string>({ clock });
  for (let n = 0; n < 100; n++) assertEquals(limiter.when(`item-${n}`), 5);
  assertAlmostEquals(limiter.when("101st"), 100, 1e-6);
  assertAlmostEquals(limiter.when("102nd"), 200, 1e-6);
  assertAlmostEquals(limiter.when("101st"), 300, 1e-6);
  await clock.advance(1000);
  for (let n = 0; n < 7; n++) limiter.when(`late-${n}`);
  assertAlmostEquals(limiter.when("next"), 100, 1e-6);
});

Deno.test("defaultItemBasedRateLimiter() delays an item by 1 ms to 1000 s, however many items fail", () => {
  const limiter = defaultItemBasedRateLimiter<string>();
  for (let n = 0; n < 500; n++) assertEquals(limiter.when(`item-${n}`), 1);
  const delays = times(limiter, 22);
  for (let n = 0; n < 20; n++) assertEquals(delays[n], 2 ** n);
  assertEquals(delays.slice(20), [1_000_000, 1_000_000]);
});

Deno.test("rate limiters reject invalid delays and counts", () => {
  for (const bad of [NaN, Infinity, -1]) {
    assertThrows(() => new ItemExponentialFailureRateLimiter(bad, 1), RangeError, "baseDelayMs");
    assertThrows(() => new ItemExponentialFailureRateLimiter(1, bad), RangeError, "maxDelayMs");
    assertThrows(() => new ItemFastSlowRateLimiter(bad, 1, 1), RangeError, "fastDelayMs");
    assertThrows(() => new ItemFastSlowRateLimiter(1, bad, 1), RangeError, "slowDelayMs");
    assertThrows(() => new ItemFastSlowRateLimiter(1, 1, bad), RangeError, "maxFastAttempts");
    assertThrows(
      () => new WithMaxWaitRateLimiter(new MaxOfRateLimiter(), bad),
      RangeError,
      "maxDelayMs",
    );
  }
});
