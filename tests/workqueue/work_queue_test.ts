import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { noopMetrics } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { WorkQueue } from "../../src/workqueue/mod.ts";
import { queueSuite } from "../contract/queue_suite.ts";
import { heapMiB } from "../support/heap.ts";
import { RecordingMetrics } from "./_recording_metrics.ts";
import { testOn } from "../support/kinds_of_tests.ts";

queueSuite("WorkQueue", (options) => new WorkQueue(options));

Deno.test("WorkQueue compares items as a Map compares its keys", () => {
  const queue = new WorkQueue<unknown>();
  const object = {};
  for (const item of [object, {}, object, 1, "1", null, NaN, NaN]) queue.add(item);
  assertEquals(queue.length, 6);
});

function named() {
  const clock = new VirtualClock();
  const metrics = new RecordingMetrics();
  const queue = new WorkQueue<string>({ name: "pods", metrics, clock });
  const value = (name: string) => metrics.values.get(`workqueue_${name}{name=pods}`);
  const observed = (name: string) => metrics.observed.get(`workqueue_${name}{name=pods}`);
  return { clock, metrics, queue, value, observed };
}

Deno.test("WorkQueue with a name reports metrics under client-go's names", () => {
  const { metrics } = named();
  assertEquals([...metrics.values.keys(), ...metrics.observed.keys()].toSorted(), [
    "workqueue_adds_total{name=pods}",
    "workqueue_depth{name=pods}",
    "workqueue_longest_running_processor_seconds{name=pods}",
    "workqueue_queue_duration_seconds{name=pods}",
    "workqueue_unfinished_work_seconds{name=pods}",
    "workqueue_work_duration_seconds{name=pods}",
  ]);
  for (const buckets of metrics.buckets.values()) {
    assertEquals(buckets.length, 10);
    buckets.forEach((bound, k) => assertAlmostEquals(bound / 10 ** k, 10e-9, 1e-20));
  }
});

Deno.test("WorkQueue without a name or a provider reports no metrics and sets no timer", () => {
  const clock = new VirtualClock();
  const metrics = new RecordingMetrics();
  const queues = [
    new WorkQueue<string>({ metrics, clock }),
    new WorkQueue<string>({ name: "", metrics, clock }),
    new WorkQueue<string>({ name: "pods", clock }),
    new WorkQueue<string>({ name: "pods", metrics: noopMetrics, clock }),
  ];
  for (const queue of queues) {
    queue.add("a");
    queue.tryGet();
  }
  assertEquals(metrics.values.size + metrics.observed.size, 0);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("WorkQueue counts the additions that do not coalesce, and reports its depth", async () => {
  const { queue, value } = named();
  const seen = () => [value("adds_total"), value("depth")];
  queue.add("a");
  queue.add("a");
  assertEquals(seen(), [1, 1]);
  queue.tryGet();
  assertEquals(seen(), [1, 0]);
  queue.add("a");
  assertEquals(seen(), [2, 1], "an addition during processing counts at once");
  queue.add("a");
  assertEquals(seen(), [2, 1]);
  queue.done("a");
  assertEquals(seen(), [2, 1]);
  assertEquals((await queue.get()).item, "a");
  assertEquals(seen(), [2, 0]);
  queue.done("a");
  queue.shutDown();
  queue.add("b");
  assertEquals(seen(), [2, 0]);
});

Deno.test("WorkQueue measures how long items wait and how long their processing takes", async () => {
  const { clock, queue, observed } = named();
  queue.add("a");
  await clock.advance(30);
  queue.add("a");
  await clock.advance(20);
  queue.tryGet();
  assertEquals(observed("queue_duration_seconds"), [0.05]);
  await clock.advance(25);
  queue.add("a");
  await clock.advance(45);
  assertEquals(observed("work_duration_seconds"), []);
  queue.done("a");
  assertEquals(observed("work_duration_seconds"), [0.07]);
  queue.tryGet();
  assertEquals(observed("queue_duration_seconds"), [0.05, 0.045]);
  queue.done("a");
  queue.shutDown();
});

Deno.test("WorkQueue refreshes its metrics about unfinished work every 500 ms", async () => {
  const { clock, queue, value } = named();
  const seen = () => [value("unfinished_work_seconds"), value("longest_running_processor_seconds")];
  queue.add("a");
  queue.add("b");
  await clock.advance(100);
  queue.tryGet();
  await clock.advance(300);
  queue.tryGet();
  await clock.advance(99);
  assertEquals(seen(), [0, 0]);
  await clock.advance(1);
  assertEquals(seen(), [0.5, 0.4]);
  await clock.advance(500);
  assertEquals(seen(), [1.5, 0.9]);
  queue.done("a");
  queue.done("b");
  assertEquals(seen(), [1.5, 0.9]);
  await clock.advance(500);
  assertEquals(seen(), [0, 0]);
  assertEquals(clock.pendingTimers, 0, "an idle queue holds no timer");
});

Deno.test("WorkQueue holds no timer after shutDown() or shutDownWithDrain()", async () => {
  for (const how of ["shutDown", "shutDownWithDrain"] as const) {
    const { clock, queue } = named();
    queue.add("a");
    queue.add("b");
    queue.tryGet();
    assertEquals(clock.pendingTimers, 1);
    const drained = queue[how]();
    assertEquals(clock.pendingTimers, 0);
    queue.tryGet();
    assertEquals(clock.pendingTimers, 0, "nor while the remaining items are processed");
    queue.done("a");
    queue.done("b");
    await drained;
  }
});

testOn(
  ["deno", "node"],
  "Bun does not collect garbage on demand",
  "WorkQueue with metrics keeps nothing of the items that are done",
  () => {
    const { queue } = named();
    const process = (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        queue.add(`namespace/name-${i}`);
        queue.done(queue.tryGet()!);
      }
    };
    process(0, 1000);
    const before = heapMiB();
    process(1000, 101_000);
    const grown = heapMiB() - before;
    assert(grown < 2, `${grown.toFixed(1)} MiB more`);
    queue.shutDown();
  },
);

Deno.test("done() shows an item that is not being processed only if it is text", () => {
  const problem = "is not being processed: call done() once for each item that get() returned";
  assertThrows(() => new WorkQueue<string>().done("a"), Error, `Item "a" ${problem}`);
  const error = assertThrows(() => new WorkQueue<{ key: string }>().done({ key: "a" }), Error);
  assertEquals(error.message, `Item ${problem}`);
});
