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

/** When the item that is waited for comes out, counted from now. */
async function waited(clock: VirtualClock, queue: RateLimitingQueue<string>): Promise<number> {
  const start = clock.now();
  const { item } = await clock.run(queue.get());
  queue.done(item as string);
  return clock.now() - start;
}

Deno.test("RateLimitingQueue.addRateLimited() waits as long as the limiter says", async () => {
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
  assertEquals(queue.waitingLength, 1, "what waits goes on waiting");
  await clock.advance(10);
  assertEquals(queue.tryGet(), "a");
  queue.forget("a");
  queue.add("a");
  assertEquals(queue.tryGet(), undefined, "forget() is not done()");
  queue.done("a");
  assertEquals(queue.tryGet(), "a");
  queue.forget("never seen");
});

Deno.test("RateLimitingQueue.add() during a backoff comes at once, and failures go on counting", async () => {
  const { clock, queue } = setup();
  queue.addRateLimited("a");
  queue.add("a");
  assertEquals(await waited(clock, queue), 0);
  queue.addRateLimited("a");
  assertEquals(queue.numRequeues("a"), 2);
  assertEquals(await waited(clock, queue), 10, "the first entry still waits, and was earlier");
});

Deno.test("RateLimitingQueue.addRateLimited() after shutDown() counts the failure and ignores the item", async () => {
  const { clock, queue } = setup();
  queue.shutDown();
  queue.addRateLimited("a");
  assertEquals(queue.numRequeues("a"), 1);
  await clock.advance(10_000);
  assertEquals(queue.length, 0);
});

Deno.test("RateLimitingQueue.addRateLimited() reports a limiter that answers nonsense", () => {
  const limiter: RateLimiter<string> = { when: () => NaN, forget: () => {}, numRequeues: () => 0 };
  const queue = new RateLimitingQueue(limiter);
  assertThrows(() => queue.addRateLimited("a"), RangeError, "delayMs");
});
