import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { PriorityQueue, WorkQueue } from "@kubeloop/controller/workqueue";
import { VirtualClock } from "@kubeloop/testing";
import { queueSuite } from "../contract/queue_suite.ts";
import { assertProperty } from "../support/seeded_runs.ts";

queueSuite("WorkQueue with a PriorityQueue", (options = {}) => {
  // Without urgent items, the order is that of a plain queue.
  const queue = new PriorityQueue<string>({ priorityOf: () => 0, clock: options.clock });
  return new WorkQueue({ queue, ...options });
});

function setup() {
  const clock = new VirtualClock();
  const priorities = new Map<string, number>();
  const queue = new PriorityQueue<string>({ priorityOf: (key) => priorities.get(key) ?? 0, clock });
  const pushed = (key: string, priority: number) => {
    priorities.set(key, priority);
    queue.push(key);
  };
  return { clock, priorities, queue, pushed };
}

Deno.test("PriorityQueue takes urgent items first, and items of one priority in their order", () => {
  const { queue, pushed } = setup();
  pushed("listed 1", -100);
  pushed("listed 2", -100);
  pushed("changed 1", 0);
  pushed("urgent", 5);
  pushed("changed 2", 0);
  const taken = Array.from({ length: 6 }, () => queue.pop());
  assertEquals(taken, ["urgent", "changed 1", "changed 2", "listed 1", "listed 2", undefined]);
});

Deno.test("PriorityQueue: an item that has waited for 30 s is taken before new ones of priority 0", async () => {
  const { clock, queue, pushed } = setup();
  pushed("listed", -100);
  await clock.advance(29_999);
  pushed("changed 1", 0);
  await clock.advance(2);
  pushed("changed 2", 0);
  assertEquals([queue.pop(), queue.pop(), queue.pop()], ["changed 1", "listed", "changed 2"]);
});

Deno.test("PriorityQueue.touch() moves an item up, never down, and not if it is due already", async () => {
  const { clock, priorities, queue, pushed } = setup();
  pushed("old", -100);
  await clock.advance(40_000);
  pushed("a", -100);
  pushed("b", -100);
  pushed("c", 0);
  priorities.set("b", 0);
  queue.touch("b");
  priorities.set("c", -100);
  queue.touch("c");
  priorities.set("old", 0);
  queue.touch("old");
  queue.touch("unknown");
  assertEquals(queue.length, 4);
  const taken = Array.from({ length: 4 }, () => queue.pop());
  assertEquals(taken, ["old", "c", "b", "a"]);
  assertEquals([queue.length, queue.pop()], [0, undefined]);
});

Deno.test("PriorityQueue.touch() leaves an item in its place while its priority is the same", () => {
  const { queue, pushed } = setup();
  pushed("a", 0);
  pushed("b", 0);
  queue.touch("a");
  assertEquals([queue.pop(), queue.pop(), queue.pop()], ["a", "b", undefined]);
});

Deno.test("PriorityQueue takes items in the order of a simple model", async () => {
  const step = fc.record({
    item: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    priority: fc.constantFrom(-100, -50, 0, 10),
    takes: fc.integer({ min: 0, max: 2 }),
    pauseMs: fc.constantFrom(0, 0, 1, 5_000, 40_000),
  });
  await assertProperty(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, priorities, queue } = setup();
      const model = new Map<string, { rankMs: number; at: number }>();
      let at = 0;
      for (const { item, priority, takes, pauseMs } of steps) {
        priorities.set(item, priority);
        const rankMs = clock.now() - priority * 300;
        const known = model.get(item);
        if (known === undefined) queue.push(item);
        else queue.touch(item);
        if (known === undefined || rankMs < known.rankMs) model.set(item, { rankMs, at: at++ });
        await clock.advance(pauseMs);
        for (let i = 0; i < takes; i++) {
          const [first] = [...model].toSorted(([, a], [, b]) => a.rankMs - b.rankMs || a.at - b.at);
          assertEquals(queue.pop(), first?.[0]);
          if (first !== undefined) model.delete(first[0]);
          assertEquals(queue.length, model.size);
        }
      }
    }),
    100,
  );
});

Deno.test("PriorityQueue refuses an invalid priority", () => {
  const bad = { priorityOf: undefined } as unknown as { priorityOf: () => number };
  assertThrows(() => new PriorityQueue(bad), TypeError, "needs a priorityOf function");
  assertThrows(
    () => new PriorityQueue({ priorityOf: () => 0, ageingMsPerPoint: NaN }),
    RangeError,
    "ageingMsPerPoint",
  );
  const queue = new PriorityQueue<string>({ priorityOf: () => NaN });
  assertThrows(() => queue.push("a"), RangeError, "priorityOf() returned NaN");
  assertEquals(queue.length, 0);
});
