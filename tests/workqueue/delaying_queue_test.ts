import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { VirtualClock } from "../../src/testing/mod.ts";
import { DelayingQueue } from "../../src/workqueue/mod.ts";
import { queueSuite } from "../contract/queue_suite.ts";
import { RecordingMetrics } from "./_recording_metrics.ts";
import { assertProperty } from "../support/seeded_runs.ts";

queueSuite("DelayingQueue", (options) => new DelayingQueue(options));

function setup(): { clock: VirtualClock; queue: DelayingQueue<string> } {
  const clock = new VirtualClock();
  return { clock, queue: new DelayingQueue<string>({ clock }) };
}

function take(queue: DelayingQueue<string>): string[] {
  const items: string[] = [];
  let item: string | undefined;
  while ((item = queue.tryGet()) !== undefined) {
    items.push(item);
    queue.done(item);
  }
  return items;
}

Deno.test("DelayingQueue.addAfter() adds an item when its delay has passed, not before", async () => {
  const { clock, queue } = setup();
  queue.addAfter("a", 50);
  assertEquals([queue.length, queue.waitingLength], [0, 1]);
  await clock.advance(49.5);
  assertEquals(take(queue), []);
  await clock.advance(0.5);
  assertEquals(take(queue), ["a"]);
  assertEquals([queue.length, queue.waitingLength, clock.pendingTimers], [0, 0, 0]);
});

Deno.test("DelayingQueue.addAfter() wakes a waiting get()", async () => {
  const { clock, queue } = setup();
  queue.addAfter("a", 50);
  const got = clock.run(queue.get());
  assertEquals(await got, { item: "a", shutdown: false });
  assertEquals(clock.now(), 50);
});

Deno.test("DelayingQueue.addAfter() of 0 or less adds at once", () => {
  const { clock, queue } = setup();
  queue.addAfter("a", 0);
  queue.addAfter("b", -5);
  assertEquals(take(queue), ["a", "b"]);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("DelayingQueue.addAfter() rejects delays that are not finite, and undefined items", () => {
  const { queue } = setup();
  for (const delayMs of [NaN, Infinity, -Infinity]) {
    assertThrows(() => queue.addAfter("a", delayMs), RangeError, "delayMs must be a finite number");
  }
  assertThrows(() => queue.addAfter(undefined as unknown as string, 1), TypeError);
  assertEquals(queue.waitingLength, 0);
});

Deno.test("DelayingQueue.addAfter() orders items by the time at which they are ready", async () => {
  const { clock, queue } = setup();
  queue.addAfter("c", 30);
  queue.addAfter("a", 10);
  queue.addAfter("b", 20);
  queue.addAfter("b2", 20);
  await clock.advance(30);
  assertEquals(take(queue), ["a", "b", "b2", "c"]);
});

Deno.test("DelayingQueue.addAfter() moves a delayed item to an earlier time", async () => {
  const { clock, queue } = setup();
  queue.addAfter("a", 1000);
  queue.addAfter("a", 50);
  queue.addAfter("a", 700);
  assertEquals(queue.waitingLength, 1);
  await clock.advance(49);
  assertEquals(take(queue), []);
  await clock.advance(1);
  assertEquals(take(queue), ["a"]);
  await clock.advance(10_000);
  assertEquals(take(queue), [], "the item was delayed once, so it is added once");
});

Deno.test("DelayingQueue.addAfter() does not move a delayed item to a later time", async () => {
  const { clock, queue } = setup();
  queue.addAfter("a", 50);
  await clock.advance(20);
  queue.addAfter("a", 40);
  await clock.advance(30);
  assertEquals(take(queue), ["a"]);
  await clock.advance(1000);
  assertEquals(take(queue), []);
});

Deno.test("DelayingQueue.addAfter() delays an item again after it was added", async () => {
  const { clock, queue } = setup();
  queue.addAfter("a", 10);
  await clock.advance(10);
  assertEquals(take(queue), ["a"]);
  queue.addAfter("a", 10);
  await clock.advance(9);
  assertEquals(take(queue), []);
  await clock.advance(1);
  assertEquals(take(queue), ["a"]);
});

Deno.test("DelayingQueue.add() does not cancel the delay of an item: the item comes twice", async () => {
  for (const addNow of ["add", "addAfter"] as const) {
    const { clock, queue } = setup();
    queue.addAfter("a", 50);
    if (addNow === "add") queue.add("a");
    else queue.addAfter("a", 0);
    assertEquals(take(queue), ["a"]);
    await clock.advance(50);
    assertEquals(take(queue), ["a"]);
  }
});

Deno.test("DelayingQueue adds an item after done() if its delay passes while it is being processed", async () => {
  const { clock, queue } = setup();
  queue.add("a");
  queue.tryGet();
  queue.addAfter("a", 10);
  await clock.advance(10);
  assertEquals(queue.tryGet(), undefined);
  queue.done("a");
  assertEquals(take(queue), ["a"]);
});

Deno.test("DelayingQueue has one timer, set for the earliest item", async () => {
  const { clock, queue } = setup();
  queue.addAfter("a", 1000);
  queue.addAfter("b", 2000);
  queue.addAfter("c", 10);
  assertEquals(clock.pendingTimers, 1);
  await clock.advance(10);
  assertEquals(take(queue), ["c"]);
  assertEquals(clock.pendingTimers, 1);
  await clock.advance(990);
  assertEquals(take(queue), ["a"]);
  await clock.advance(1000);
  assertEquals(take(queue), ["b"]);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("DelayingQueue does not add an item early if its timer fires early", async () => {
  const clock = new VirtualClock();
  const hasty = {
    now: () => clock.now(),
    wallNow: () => clock.wallNow(),
    setTimer: (callback: () => void, delayMs: number) => clock.setTimer(callback, delayMs / 2),
  };
  const queue = new DelayingQueue<string>({ clock: hasty });
  queue.addAfter("a", 64);
  await clock.advance(63);
  assertEquals(take(queue), []);
  await clock.advance(1);
  assertEquals(take(queue), ["a"]);
});

/** A clock that notes how many items each of its timers adds to `queue`. */
function setupCounted() {
  const clock = new VirtualClock();
  const added: number[] = [];
  const counting = {
    now: () => clock.now(),
    wallNow: () => clock.wallNow(),
    setTimer: (callback: () => void, delayMs: number) =>
      clock.setTimer(() => {
        const before = queue.length;
        callback();
        added.push(queue.length - before);
      }, delayMs),
  };
  const queue: DelayingQueue<string> = new DelayingQueue<string>({ clock: counting });
  return { clock, queue, added };
}

Deno.test("DelayingQueue adds items in several turns if many are ready at once", async () => {
  const { clock, queue, added } = setupCounted();
  const items = Array.from({ length: 1750 }, (_, i) => `item-${i}`);
  for (const item of items) queue.addAfter(item, 10);
  await clock.advance(10);
  assertEquals(added, [500, 500, 500, 250]);
  assertEquals([take(queue), clock.now()], [items, 10]);
  assertEquals([clock.pendingTimers, queue.waitingLength], [0, 0]);
});

Deno.test("DelayingQueue ends a turn early if adding takes long", async () => {
  const { clock, queue, added } = setupCounted();
  const now = clock.now;
  for (const item of ["a", "b", "c"]) queue.addAfter(item, 10);
  let readings = 0;
  clock.now = () => now.call(clock) + 12 * readings++;
  await clock.advance(10);
  assertEquals(added, [1, 1, 1]);
  assertEquals(take(queue), ["a", "b", "c"]);
});

Deno.test("DelayingQueue between two turns: items can be taken, added, delayed and shut down", async () => {
  const clock = new VirtualClock();
  const turns: (() => void)[] = [];
  const queue: DelayingQueue<string> = new DelayingQueue<string>({
    clock: {
      now: () => clock.now(),
      wallNow: () => clock.wallNow(),
      setTimer: (callback, delayMs) => clock.setTimer(() => void turns.push(callback), delayMs),
    },
  });
  const turn = async () => {
    turns.shift()?.();
    await clock.advance(0);
  };
  for (let i = 0; i < 2000; i++) queue.addAfter(`item-${i}`, 10);
  await clock.advance(10);
  await turn();
  assertEquals([queue.length, queue.waitingLength], [500, 1500]);
  assertEquals(queue.tryGet(), "item-0");

  // Added now: it comes before the ready items that have not been added, and again with them.
  queue.add("item-1999");
  queue.addAfter("item-1998", 5);
  queue.addAfter("new", 5);
  await turn();
  assertEquals([queue.length, queue.waitingLength], [1000, 1001]);
  const taken = take(queue);
  assertEquals([taken[498], taken[499], taken[500]], ["item-499", "item-1999", "item-500"]);

  await turn();
  queue.shutDown();
  assertEquals([queue.length, queue.waitingLength, clock.pendingTimers], [500, 0, 0]);
  await turn();
  assertEquals([queue.length, turns.length], [500, 0]);
});

Deno.test("DelayingQueue tries an item again that its Queue has refused", async () => {
  const clock = new VirtualClock();
  const stored: string[] = [];
  let refusals = 2;
  const queue = new DelayingQueue<string>({
    clock,
    queue: {
      get length() {
        return stored.length;
      },
      push(item) {
        if (refusals-- > 0) throw new Error("full");
        stored.push(item);
      },
      pop: () => stored.shift(),
    },
  });
  queue.addAfter("a", 10);
  await clock.advance(1_010);
  assertEquals([queue.length, queue.waitingLength], [0, 1], "it was refused twice");
  await clock.advance(1_000);
  assertEquals(take(queue), ["a"]);
});

Deno.test("DelayingQueue supports delays of months", async () => {
  const { clock, queue } = setup();
  const ms = 100 * 24 * 3600 * 1000;
  queue.addAfter("a", ms);
  await clock.advance(ms - 1);
  assertEquals(take(queue), []);
  await clock.advance(1);
  assertEquals(take(queue), ["a"]);
});

Deno.test("DelayingQueue on the real clock holds no timer after shutDown()", () => {
  const queue = new DelayingQueue<string>();
  queue.addAfter("a", 2 ** 40);
  queue.shutDown();
});

Deno.test("DelayingQueue drops delayed items on shutDown() and shutDownWithDrain()", async () => {
  for (const how of ["shutDown", "shutDownWithDrain"] as const) {
    const { clock, queue } = setup();
    queue.addAfter("a", 50);
    await queue[how]();
    assertEquals([clock.pendingTimers, queue.waitingLength], [0, 0]);
    queue.addAfter("b", 50);
    queue.addAfter("c", 0);
    assertEquals([clock.pendingTimers, queue.waitingLength], [0, 0]);
    await clock.advance(1000);
    assertEquals(take(queue), []);
    assertEquals((await queue.get()).shutdown, true);
  }
});

Deno.test("DelayingQueue counts calls of addAfter() as retries until it is shut down", () => {
  const metrics = new RecordingMetrics();
  const clock = new VirtualClock();
  const queue = new DelayingQueue<string>({ name: "pods", metrics, clock });
  const retries = () => metrics.values.get("workqueue_retries_total{name=pods}");
  queue.add("a");
  assertEquals(retries(), 0);
  queue.addAfter("a", 10);
  queue.addAfter("a", 20);
  queue.addAfter("b", 0);
  assertEquals(retries(), 3);
  queue.shutDown();
  queue.addAfter("c", 10);
  queue.addAfter("c", 0);
  assertEquals(retries(), 3);

  const unnamed = new RecordingMetrics();
  new DelayingQueue<string>({ metrics: unnamed, clock }).addAfter("a", 0);
  assertEquals(unnamed.values.size, 0);
});

Deno.test("DelayingQueue adds every item at the same time as a simple model", async () => {
  const call = fc.record({
    item: fc.constantFrom("a", "b", "c", "d", "e"),
    delayMs: fc.integer({ min: -2, max: 60 }),
    pauseMs: fc.integer({ min: 0, max: 20 }),
  });
  await assertProperty(
    fc.asyncProperty(fc.array(call, { maxLength: 30 }), async (calls) => {
      const { clock, queue } = setup();
      const readyAt = new Map<string, number>();
      const expected: string[] = [];
      const actual: string[] = [];
      const step = async () => {
        await clock.advance(1);
        for (const [item, atMs] of readyAt) {
          if (atMs > clock.now()) continue;
          readyAt.delete(item);
          expected.push(`${clock.now()} ${item}`);
        }
        for (const item of take(queue)) actual.push(`${clock.now()} ${item}`);
      };
      for (const { item, delayMs, pauseMs } of calls) {
        queue.addAfter(item, delayMs);
        if (delayMs <= 0) {
          expected.push(`${clock.now()} ${item}`);
          for (const now of take(queue)) actual.push(`${clock.now()} ${now}`);
        } else {
          readyAt.set(item, Math.min(readyAt.get(item) ?? Infinity, clock.now() + delayMs));
        }
        for (let i = 0; i < pauseMs; i++) await step();
      }
      for (let i = 0; i <= 60; i++) await step();
      // The model does not track the order of items that are ready in the same millisecond.
      assertEquals(actual.toSorted(), expected.toSorted());
      assertEquals([clock.pendingTimers, queue.waitingLength], [0, 0]);
    }),
    25,
  );
});
