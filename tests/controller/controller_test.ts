import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { delay } from "../../src/base/mod.ts";
import { Controller } from "../../src/controller/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { ItemExponentialFailureRateLimiter, RateLimitingQueue } from "../../src/workqueue/mod.ts";
import { RecordingMetrics } from "../workqueue/_recording_metrics.ts";
import { FakeInformer } from "./_fake_informer.ts";
import { harness } from "./_harness.ts";
import { assertProperty } from "../support/seeded_runs.ts";

Deno.test("Controller reconciles added, updated and deleted objects, and tombstones", async () => {
  const keys: string[] = [];
  const { informer, clock, start, stop } = harness((key) => void keys.push(key));
  await start();
  informer.change("default/a");
  informer.change("default/b");
  informer.change("default/c");
  informer.change("default/d");
  await clock.settle();
  assertEquals(keys, ["default/a", "default/b", "default/c", "default/d"]);
  await stop();
});

Deno.test("Controller.enqueue() and the queue accept keys from any caller", async () => {
  const keys: string[] = [];
  const { controller, clock, start, stop } = harness((key) => void keys.push(key));
  controller.enqueue("default/early");
  await start();
  controller.enqueue("default/a");
  controller.queue.addAfter("default/b", 10);
  await clock.advance(10);
  assertEquals(keys, ["default/early", "default/a", "default/b"]);
  await stop();
});

Deno.test("Controller calls reconcile as a method of its options", async () => {
  class PodReconciler {
    readonly informer = new FakeInformer();
    readonly clock = new VirtualClock();
    readonly keys: string[] = [];
    reconcile(key: string): void {
      this.keys.push(key);
    }
  }
  const options = new PodReconciler();
  const controller = new Controller(options);
  controller.enqueue("default/a");
  const run = controller.run();
  await options.clock.settle();
  assertEquals(options.keys, ["default/a"]);
  await controller[Symbol.asyncDispose]();
  await run;
});

Deno.test("Controller.run() runs the informers that are not running, and stops them", async () => {
  const other = new FakeInformer();
  const shared = new FakeInformer({ started: true });
  const { informer, start, stop } = harness(() => {}, { waitFor: [other, shared] });
  await start();
  assertEquals([informer.runs, other.runs, shared.runs], [1, 1, 0]);
  assertEquals([informer.handlers.size, other.handlers.size], [1, 0]);
  await stop();
  assertEquals([informer.stops, other.stops, shared.stops], [1, 1, 0]);
  assertEquals(informer.handlers.size, 0);
});

Deno.test("Controller.run() does not run or stop an informer that is running", async () => {
  const informer = new FakeInformer({ started: true });
  const { start, stop } = harness(() => {}, {}, informer);
  await start();
  await stop();
  assertEquals([informer.runs, informer.stops, informer.handlers.size], [0, 0, 0]);
});

Deno.test("Controller.run() reconciles nothing before all caches have synced", async () => {
  const keys: string[] = [];
  const informer = new FakeInformer({ synced: false });
  const other = new FakeInformer({ synced: false });
  const { clock, start, stop } = harness((key) => void keys.push(key), {
    waitFor: [other],
  }, informer);
  await start();
  informer.change("default/a");
  informer.sync();
  await clock.settle();
  assertEquals(keys, []);
  other.sync();
  await clock.settle();
  assertEquals(keys, ["default/a"]);
  await stop();
});

Deno.test("Controller.run() rejects if the caches have not synced in time", async () => {
  const informer = new FakeInformer({ synced: false });
  const { clock, controller } = harness(() => {}, { cacheSyncTimeoutMs: 5000 }, informer);
  const error = await assertRejects(() => clock.run(controller.run()), Error, "5000 ms");
  assertStringIncludes(error.message, "fakes: the server is asleep");
  assertEquals(clock.now(), 5000);
  assertEquals([informer.stops, informer.handlers.size, clock.pendingTimers], [1, 0, 0]);
});

Deno.test("Controller.run() cancels the sync timeout when the caches have synced", async () => {
  const { clock, start, stop } = harness(() => {}, { cacheSyncTimeoutMs: 5000 });
  await start();
  assertEquals(clock.pendingTimers, 0);
  await clock.advance(10_000);
  await stop();
});

Deno.test("Controller.run() rejects if an informer cannot sync, stops or cannot be used", async () => {
  const cause = new Error("forbidden");

  const unsynced = harness(() => {}, {}, new FakeInformer({ synced: false }));
  await unsynced.start();
  unsynced.informer.failToSync(cause);
  await unsynced.clock.settle();
  const error = await assertRejects(() => unsynced.stop(), Error, "Caches cannot sync: fakes");
  assertStrictEquals(error.cause, cause);

  const broken = harness(() => {});
  await broken.start();
  broken.informer.end(cause);
  await broken.clock.settle();
  assertStrictEquals(await assertRejects(() => broken.stop()), cause);

  const ended = harness(() => {});
  await ended.start();
  ended.informer.end();
  await ended.clock.settle();
  await assertRejects(
    () => ended.stop(),
    Error,
    "Informer fakes has stopped, so its cache is no longer updated",
  );

  const stopped = harness(() => {});
  stopped.informer.addChangeHandler = () => {
    throw cause;
  };
  await stopped.start();
  assertStrictEquals(await assertRejects(() => stopped.stop()), cause);
  assertEquals(stopped.informer.runs, 0);
});

Deno.test("Controller.run() a second time is an error", async () => {
  const { controller, informer, start, stop } = harness(() => {});
  const refused = () =>
    assertRejects(
      () => controller.run(),
      Error,
      "fakes: the controller was run before and cannot be run twice: make a new one",
    );
  await start();
  await refused();
  await stop();
  await refused();
  assertEquals(informer.runs, 1);
});

Deno.test("Controller.run() rejects an invalid number of workers, and can be called again", async () => {
  const { controller, start, stop } = harness(() => {});
  for (const workers of [0, -1, 1.5, NaN, Infinity]) {
    await assertRejects(() => controller.run({ workers }), RangeError, "workers");
  }
  await start();
  await stop();
});

Deno.test("Controller rejects invalid options", () => {
  const options = { informer: new FakeInformer(), reconcile: () => {} };
  const rateLimiter = new ItemExponentialFailureRateLimiter<string>(1, 2);
  for (const missing of ["informer", "reconcile"]) {
    const nothing = { ...options, [missing]: undefined };
    assertThrows(() => new Controller(nothing), TypeError, "Expected ");
  }
  for (const bad of [-1, NaN, "3" as unknown as number]) {
    assertThrows(() => new Controller({ ...options, maxRetries: bad }), RangeError, "maxRetries");
    assertThrows(
      () => new Controller({ ...options, cacheSyncTimeoutMs: bad }),
      RangeError,
      "cacheSyncTimeoutMs",
    );
  }
  const queue = new RateLimitingQueue<string>(rateLimiter);
  assertThrows(
    () => new Controller({ ...options, queue, rateLimiter }),
    TypeError,
    "Cannot use both a queue and a rateLimiter",
  );
});

Deno.test("Controller reconciles a key once more if it changes during its reconcile", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let started = 0;
  const { clock, informer, start, stop } = harness(() => gates[started++]?.promise);
  await start(4);
  informer.change("default/a");
  await clock.settle();
  informer.change("default/a");
  informer.change("default/a");
  await clock.settle();
  assertEquals(started, 1);
  gates[0]?.resolve();
  await clock.settle();
  assertEquals(started, 2);
  gates[1]?.resolve();
  await clock.settle();
  assertEquals(started, 2);
  await stop();
});

Deno.test("Controller with several workers is not blocked by a slow key", async () => {
  const gate = Promise.withResolvers<void>();
  const ended: string[] = [];
  const { clock, controller, start, stop } = harness(async (key) => {
    if (key === "default/slow") await gate.promise;
    ended.push(key);
  });
  await start(2);
  for (const key of ["default/slow", "default/a", "default/b"]) controller.enqueue(key);
  await clock.settle();
  assertEquals(ended, ["default/a", "default/b"]);
  assertEquals(controller.snapshot().activeWorkers, 1);
  gate.resolve();
  await clock.settle();
  assertEquals(ended, ["default/a", "default/b", "default/slow"]);
  assertEquals(controller.snapshot().activeWorkers, 0);
  await stop();
});

Deno.test("Controller never reconciles a key twice at once, nor more keys than workers, and misses none", async () => {
  const event = fc.record({
    key: fc.constantFrom("ns/a", "ns/b", "ns/c", "ns/d", "ns/e"),
    pauseMs: fc.integer({ min: 0, max: 6 }),
  });
  const attempt = fc.record({ workMs: fc.integer({ min: 0, max: 15 }), fails: fc.boolean() });
  await assertProperty(
    fc.asyncProperty(
      fc.array(event, { maxLength: 30 }),
      fc.array(attempt, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 16 }),
      async (events, attempts, workers) => {
        const busy = new Set<string>();
        const owed = new Set<string>();
        let most = 0;
        let started = 0;
        const { clock, controller, informer, start, stop } = harness(async (key) => {
          assert(!busy.has(key), `${key} is reconciled twice at once`);
          busy.add(key);
          owed.delete(key);
          most = Math.max(most, busy.size);
          const { workMs, fails } = attempts[started++ % attempts.length] as {
            workMs: number;
            fails: boolean;
          };
          if (workMs > 0) await delay(workMs, { clock });
          busy.delete(key);
          if (fails) throw new Error("no");
        });
        await start(workers);
        for (const { key, pauseMs } of events) {
          owed.add(key);
          informer.change(key);
          await clock.advance(pauseMs);
        }
        await clock.advance(10_000);
        assertEquals([...owed], []);
        assertEquals([...busy], []);
        assert(most <= Math.min(workers, 5));
        assertEquals(controller.snapshot().activeWorkers, 0);
        assertEquals(controller.snapshot().reconciles, started);
        await stop();
        assertEquals(clock.pendingTimers, 0);
      },
    ),
    40,
  );
});

Deno.test("Controller uses all its workers if enough keys are queued", async () => {
  for (const workers of [1, 2, 7, 16]) {
    let busy = 0;
    let most = 0;
    const { clock, controller, start, stop } = harness(async () => {
      most = Math.max(most, ++busy);
      await delay(1, { clock });
      busy--;
    });
    await start(workers);
    for (let n = 0; n < 50; n++) controller.enqueue(`ns/${n}`);
    await clock.advance(50);
    assertEquals([most, controller.snapshot().reconciles], [workers, 50]);
    await stop();
  }
});

Deno.test("Controller reports metrics under controller-runtime's and client-go's names, with its name or its informer's", async () => {
  const metrics = new RecordingMetrics();
  const { clock, controller, start, stop } = harness(async (key) => {
    await delay(20, { clock });
    if (key === "ns/bad") throw new Error("no");
    return key === "ns/later" ? { requeueAfterMs: 60_000 } : undefined;
  }, { name: "pods", metrics, maxRetries: 1 });
  await start();
  for (const key of ["ns/bad", "ns/later", "ns/good", "ns/fine"]) controller.enqueue(key);
  await clock.advance(10);
  const value = (series: string) => metrics.values.get(series);
  assertEquals(value("controller_runtime_active_workers{controller=pods}"), 1);
  await clock.advance(100);
  const total = "controller_runtime_reconcile_total{controller=pods,result=";
  assertEquals(value(`${total}error}`), 2);
  assertEquals(value(`${total}requeue_after}`), 1);
  assertEquals(value(`${total}success}`), 2);
  assertEquals(value("controller_runtime_reconcile_errors_total{controller=pods}"), 2);
  assertEquals(value("controller_runtime_active_workers{controller=pods}"), 0);
  assertEquals(
    metrics.observed.get("controller_runtime_reconcile_time_seconds{controller=pods}"),
    [0.02, 0.02, 0.02, 0.02, 0.02],
  );
  assertEquals(value("workqueue_retries_total{name=pods}"), 2);
  await stop();

  const unnamed = new RecordingMetrics();
  new Controller({ informer: new FakeInformer(), reconcile: () => {}, metrics: unnamed });
  assertEquals(unnamed.values.has("workqueue_depth{name=fakes}"), true);
});

Deno.test("Controller lets others have a turn while it has many reconciles without a promise", async () => {
  let done = 0;
  const { clock, controller, start, stop } = harness(() => void done++);
  await start();
  for (let n = 0; n < 1_200; n++) controller.enqueue(`ns/${n}`);
  let between: number | undefined;
  clock.setTimer(() => between = done, 0);
  await clock.advance(1);
  assertEquals(done, 1_200);
  assert(between !== undefined && between > 0 && between < 1_000, `${between} reconciles`);
  await stop();
});
