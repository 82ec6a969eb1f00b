import { assert, assertEquals, assertRejects } from "@std/assert";
import { Controller } from "../../src/controller/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { FakeInformer } from "./_fake_informer.ts";
import { harness } from "./_harness.ts";

/** Reports whether a promise has settled after everything that is ready has run. */
async function isQuiet(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  promise.then(mark, mark);
  await new VirtualClock().settle();
  return settled;
}

/** Counts the abort listeners of a signal. */
function countListeners(signal: AbortSignal): () => number {
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    count++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    count--;
    remove(...args);
  };
  return () => count;
}

Deno.test("Controller.run() with an aborted signal starts nothing", async () => {
  let reconciles = 0;
  const { controller, informer, clock } = harness(() => void reconciles++);
  controller.enqueue("default/a");
  await controller.run({ signal: AbortSignal.abort() });
  assertEquals([reconciles, informer.runs, informer.handlers.size], [0, 0, 0]);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("Controller.run() aborted while the caches sync resolves, and stops the informer", async () => {
  let reconciles = 0;
  const informer = new FakeInformer({ synced: false });
  const other = new FakeInformer({ synced: false });
  const { start, stop, clock } = harness(() => void reconciles++, {
    waitFor: [other],
    cacheSyncTimeoutMs: 5000,
  }, informer);
  await start();
  informer.change("default/a");
  await stop();
  assertEquals([reconciles, informer.stops, other.stops, informer.handlers.size], [0, 1, 1, 0]);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("Controller.run() aborted while idle resolves without time passing", async () => {
  const { start, stop, clock } = harness(() => {});
  await start(16);
  await stop();
  assertEquals([clock.now(), clock.pendingTimers], [0, 0]);
});

Deno.test("Controller.run() aborted during reconciles aborts their signals, waits for them, and starts no more", async () => {
  const gate = Promise.withResolvers<void>();
  const started: string[] = [];
  const ended: string[] = [];
  const { abort, clock, controller, start, running } = harness(async (key, { signal }) => {
    started.push(key);
    await gate.promise;
    if (signal.aborted) ended.push(key);
  });
  await start(2);
  for (const key of ["ns/a", "ns/b", "ns/c", "ns/d"]) controller.enqueue(key);
  await clock.settle();
  abort.abort();
  assertEquals(await isQuiet(running()), false);
  gate.resolve();
  await running();
  assertEquals(started, ["ns/a", "ns/b"]);
  assertEquals(ended, ["ns/a", "ns/b"]);
  assertEquals(controller.snapshot().activeWorkers, 0);
});

Deno.test("Controller.run() waits until the informers that it started have stopped", async () => {
  const gate = Promise.withResolvers<void>();
  const { abort, informer, start, running } = harness(() => {});
  informer.lastDeed = gate.promise;
  await start();
  abort.abort();
  assertEquals([await isQuiet(running()), informer.handlers.size], [false, 0]);
  gate.resolve();
  await running();
});

Deno.test("Controller.run() waits for running reconciles even if it fails", async () => {
  const gate = Promise.withResolvers<void>();
  const { clock, controller, informer, start, running } = harness(() => gate.promise);
  controller.enqueue("ns/a");
  await start();
  informer.end(new Error("gone"));
  assertEquals(await isQuiet(running()), false);
  gate.resolve();
  await assertRejects(() => clock.run(running()), Error, "gone");
});

Deno.test("Controller.run() aborted by a reconcile starts no other, whether the reconcile is synchronous or not", async () => {
  for (const isAsync of [false, true]) {
    const started: string[] = [];
    const { abort, clock, controller } = harness((key) => {
      started.push(key);
      abort.abort();
      return isAsync ? Promise.resolve() : undefined;
    });
    controller.enqueue("ns/a");
    controller.enqueue("ns/b");
    await clock.run(controller.run({ workers: 2, signal: abort.signal }));
    assertEquals(started, ["ns/a"]);
  }
});

Deno.test("Controller.run() aborted while an idle worker is given a key does not reconcile the key", async () => {
  const started: string[] = [];
  const { abort, controller, start, stop } = harness((key) => void started.push(key));
  await start();
  controller.enqueue("ns/a");
  abort.abort();
  await stop();
  assertEquals(started, []);
  assertEquals(controller.snapshot().reconciles, 0);
});

Deno.test("Controller does not report reconciles that reject with the abort reason", async () => {
  const { abort, clock, controller, logger, start, stop } = harness((_key, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    })
  );
  await start();
  controller.enqueue("ns/a");
  await clock.settle();
  abort.abort(new Error("shutting down"));
  await stop();
  assertEquals([logger.of("warn"), logger.of("error")], [[], []]);
  assertEquals(controller.snapshot().retries, 0);
});

Deno.test("Controller logs a warning for other failures during the stop, and does not retry", async () => {
  const gate = Promise.withResolvers<void>();
  const { abort, clock, controller, logger, start, stop } = harness(async () => {
    await gate.promise;
    throw new Error("half done");
  });
  await start();
  controller.enqueue("ns/a");
  await clock.settle();
  abort.abort();
  gate.resolve();
  await stop();
  assertEquals([logger.of("warn").length, logger.of("error").length], [1, 0]);
  assertEquals([controller.snapshot().errors, controller.snapshot().retries], [1, 0]);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("Controller.run() aborted during a backoff leaves no timer and does not retry", async () => {
  let tries = 0;
  const { clock, controller, start, stop } = harness(() => {
    tries++;
    throw new Error("no");
  });
  await start();
  controller.enqueue("ns/a");
  await clock.advance(20);
  assertEquals([tries, clock.pendingTimers], [3, 1]);
  await stop();
  assertEquals(clock.pendingTimers, 0);
  await clock.advance(60_000);
  assertEquals(tries, 3);
});

Deno.test("Controller ignores events and keys after its stop", async () => {
  let reconciles = 0;
  const informer = new FakeInformer({ started: true });
  const { abort, clock, controller, start, stop } = harness(
    () => void reconciles++,
    {},
    informer,
  );
  const listeners = countListeners(abort.signal);
  await start();
  assertEquals(listeners(), 1);
  await stop();
  informer.change("ns/a");
  controller.enqueue("ns/b");
  controller.queue.addAfter("ns/c", 10);
  await clock.advance(60_000);
  assertEquals([reconciles, controller.queue.length], [0, 0]);
});

Deno.test("Controller.run() that ends by itself removes its listener from the signal", async () => {
  const { abort, controller, start, stop } = harness(() => {});
  const listeners = countListeners(abort.signal);
  await start();
  controller.queue.shutDown();
  await stop();
  assertEquals(listeners(), 0);
});

Deno.test("Controller.run() reconciles the queued keys and ends when the queue is shut down", async () => {
  const keys: string[] = [];
  const { controller, clock, informer, abort } = harness(async (key) => {
    await Promise.resolve();
    keys.push(key);
  });
  for (const key of ["ns/a", "ns/b", "ns/c"]) controller.enqueue(key);
  const run = controller.run({ workers: 2, signal: abort.signal });
  await Promise.resolve();
  controller.queue.shutDown();
  await clock.run(run);
  assertEquals(keys, ["ns/a", "ns/b", "ns/c"]);
  assertEquals([informer.stops, informer.handlers.size], [1, 0]);
});

Deno.test("Controller can be disposed while running, before it has run, and after it has failed", async () => {
  const running = harness(() => {});
  await running.start();
  await running.controller[Symbol.asyncDispose]();
  assertEquals([running.informer.stops, running.informer.handlers.size], [1, 0]);
  await running.stop();
  await running.controller[Symbol.asyncDispose]();

  const idle = harness(() => {});
  await idle.controller[Symbol.asyncDispose]();
  assert((await idle.controller.queue.get()).shutdown);
  await idle.controller.run();
  assertEquals(idle.informer.runs, 0);

  const failed = harness(() => {});
  await failed.start();
  failed.informer.end(new Error("gone"));
  await failed.controller[Symbol.asyncDispose]();
});

Deno.test("Controller does not block the event loop if a key is always queued", async () => {
  let reconciles = 0;
  const abort = new AbortController();
  const informer = new FakeInformer({ started: true });
  for (const isAsync of [false, true]) {
    const controller: Controller = new Controller({
      informer,
      reconcile(key) {
        reconciles++;
        controller.enqueue(key);
        return isAsync ? Promise.resolve() : undefined;
      },
    });
    controller.enqueue("ns/a");
    const run = controller.run({ workers: 3, signal: abort.signal });
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(undefined);
    });
    port1.close();
    port2.close();
    assert(reconciles > 0);
    await controller[Symbol.asyncDispose]();
    await run;
  }
});
