import { assertEquals, assertThrows } from "@std/assert";
import { VirtualClock } from "../../src/testing/mod.ts";
import {
  ItemExponentialFailureRateLimiter,
  type RateLimiter,
  RateLimitingQueue,
} from "../../src/workqueue/mod.ts";
import { queueSuite } from "../contract/queue_suite.ts";

queueSuite(
  "RateLimitingQueue",
  (options) => new RateLimitingQueue(new ItemExponentialFailureRateLimiter(1, 100), options),
);

function setup(): { clock: VirtualClock; queue: RateLimitingQueue<string> } {
  const clock = new VirtualClock();
  const limiter = new ItemExponentialFailureRateLimiter<string>(10, 1000);
  return { clock, queue: new RateLimitingQueue(limiter, { clock }) };
}

/** Returns how long `get` waits for the next item, in milliseconds. */
async function waited(clock: VirtualClock, queue: RateLimitingQueue<string>): Promise<number> {
  const start = clock.now();
  const { item } = await clock.run(queue.get());
  queue.done(item as string);
  return clock.now() - start;
}

Deno.test("RateLimitingQueue.addRateLimited() delays an item as long as the limiter says", async () => {
  const { clock, queue } = setup();
  for (const ms of [10, 20, 40, 80]) {
    queue.addRateLimited("a");
    assertEquals(await waited(clock, queue), ms);
  }
  assertEquals(queue.numRequeues("a"), 4);
});

Deno.test("RateLimitingQueue.forget() clears the count and nothing else", async () => {
  const { clock, queue } = setup();
  queue.addRateLimited("a");
  queue.forget("a");
  assertEquals(queue.numRequeues("a"), 0);
  assertEquals(queue.waitingLength, 1, "the pending delay continues");
  await clock.advance(10);
  assertEquals(queue.tryGet(), "a");
  queue.forget("a");
  queue.add("a");
  assertEquals(queue.tryGet(), undefined, "forget() is not done()");
  queue.done("a");
  assertEquals(queue.tryGet(), "a");
  queue.forget("never seen");
});

Deno.test("RateLimitingQueue.add() during a backoff adds at once, and failures continue to count", async () => {
  const { clock, queue } = setup();
  queue.addRateLimited("a");
  queue.add("a");
  assertEquals(await waited(clock, queue), 0);
  queue.addRateLimited("a");
  assertEquals(queue.numRequeues("a"), 2);
  assertEquals(await waited(clock, queue), 10, "the first delay is still pending and ends earlier");
});

Deno.test("RateLimitingQueue.addRateLimited() after shutDown() counts the failure but does not add the item", async () => {
  const { clock, queue } = setup();
  queue.shutDown();
  queue.addRateLimited("a");
  assertEquals(queue.numRequeues("a"), 1);
  await clock.advance(10_000);
  assertEquals(queue.length, 0);
});

Deno.test("RateLimitingQueue.addRateLimited() throws if the limiter returns an invalid delay", () => {
  const limiter: RateLimiter<string> = { when: () => NaN, forget: () => {}, numRequeues: () => 0 };
  const queue = new RateLimitingQueue(limiter);
  assertThrows(() => queue.addRateLimited("a"), RangeError, "delayMs");
});
