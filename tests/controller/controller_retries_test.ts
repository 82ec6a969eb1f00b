import { assert, assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import { VirtualClock } from "../../src/testing/mod.ts";
import { ItemExponentialFailureRateLimiter, RateLimitingQueue } from "../../src/workqueue/mod.ts";
import { TerminalError } from "../../src/base/mod.ts";
import type { Controller } from "../../src/controller/mod.ts";
import { StatusError } from "../../src/types/mod.ts";
import { RecordingMetrics } from "../workqueue/_recording_metrics.ts";
import { failingLogger, harness } from "./_harness.ts";

Deno.test("Controller retries a failure with backoff, then gives up and reports it once", async () => {
  const tries: number[] = [];
  const given: unknown[] = [];
  const error = new Error("poisoned");
  const { clock, controller, informer, logger, start, stop } = harness((key) => {
    if (key !== "default/a") return;
    tries.push(clock.now());
    throw error;
  }, { maxRetries: 5, onGiveUp: (...args) => given.push(args) });
  await start();
  informer.change("default/a");
  await clock.advance(60_000);
  // The delays are 5, 10, 20, 40 and 80 ms.
  assertEquals(tries, [0, 5, 15, 35, 75, 155]);
  assertEquals(given, [["default/a", error]]);
  assertEquals(logger.of("warn").length, 5);
  assertEquals(logger.of("error").length, 1);
  assertStringIncludes(logger.of("error")[0] as string, '"default/a"');
  assertStringIncludes(logger.of("error")[0] as string, "poisoned");
  assertEquals(
    logger.of("warn")[0],
    'fakes: reconcile of "default/a" failed, trying again (retry 1): poisoned',
  );
  assertEquals(
    logger.args,
    [[error], [error]],
    "the error is logged with the first failure and the last",
  );
  assertEquals(controller.queue.numRequeues("default/a"), 0);
  assertEquals(controller.snapshot(), {
    activeWorkers: 0,
    queueLength: 0,
    reconciles: 6,
    errors: 6,
    retries: 5,
    givenUp: 1,
    hotLoops: 0,
  });
  informer.change("default/a");
  await clock.advance(5);
  assertEquals(tries.slice(6), [60_000, 60_005], "a later change starts a new count");
  await stop();
});

Deno.test("Controller retries rejections and exceptions alike, whatever is thrown", async () => {
  for (const thrown of [new Error("no"), "no", undefined, null, { then: 1 }]) {
    for (const fail of [() => Promise.reject(thrown), throwing(thrown)]) {
      const given: unknown[] = [];
      const { clock, controller, start, stop } = harness(fail, {
        maxRetries: 1,
        onGiveUp: (_key, error) => given.push(error),
      });
      await start();
      controller.enqueue("default/a");
      await clock.advance(1000);
      assertEquals(given, [thrown]);
      assertEquals(controller.snapshot().reconciles, 2);
      await stop();
    }
  }
});

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

Deno.test("Controller gives up at once with maxRetries 0, and never with Infinity", async () => {
  const zero = harness(throwing(new Error("no")), { maxRetries: 0 });
  await zero.start();
  zero.controller.enqueue("default/a");
  await zero.clock.advance(60_000);
  assertEquals(zero.controller.snapshot().reconciles, 1);
  assertEquals(zero.controller.snapshot().givenUp, 1);
  await zero.stop();

  const endless = harness(throwing(new Error("no")), { maxRetries: Infinity });
  await endless.start();
  endless.controller.enqueue("default/a");
  await endless.clock.advance(600_000);
  assertEquals(endless.controller.snapshot().reconciles, 17);
  assertEquals(endless.controller.snapshot().givenUp, 0);
  await endless.stop();
  assertEquals(endless.clock.pendingTimers, 0);
});

Deno.test("Controller resets the failures of a key after a success", async () => {
  let tries = 0;
  const { clock, controller, start, stop } = harness(() => {
    if (++tries % 4 !== 0) throw new Error("not yet");
  });
  await start();
  for (let round = 1; round <= 3; round++) {
    controller.enqueue("default/a");
    await clock.advance(1000);
    assertEquals([tries, controller.queue.numRequeues("default/a")], [4 * round, 0]);
  }
  assertEquals(controller.snapshot().givenUp, 0);
  await stop();
});

Deno.test("Controller uses the rate limiter, or the queue, that it is given", async () => {
  const rateLimiter = new ItemExponentialFailureRateLimiter<string>(1000, 1000);
  const limited = harness(throwing(new Error("no")), { rateLimiter, maxRetries: 2 });
  await limited.start();
  limited.controller.enqueue("default/a");
  await limited.clock.advance(2000);
  assertEquals(limited.controller.snapshot().givenUp, 1);
  await limited.stop();

  const clock = new VirtualClock();
  const queue = new RateLimitingQueue<string>(rateLimiter, { clock });
  const keys: string[] = [];
  const queued = harness((key) => void keys.push(key), { queue, clock });
  assertStrictEquals(queued.controller.queue, queue);
  queue.add("default/a");
  await queued.start();
  await queued.stop();
  assertEquals([keys, queue.shuttingDown()], [["default/a"], true]);
});

Deno.test("Controller gives up on a key if the rate limiter fails, and continues with others", async () => {
  for (const when of [() => NaN, throwing(new Error("limiter"))]) {
    const rateLimiter = { when, forget: () => {}, numRequeues: () => 0 };
    const { clock, controller, logger, start, stop } = harness((key) => {
      if (key === "default/a") throw new Error("no");
    }, { rateLimiter });
    await start();
    controller.enqueue("default/a");
    controller.enqueue("default/b");
    await clock.settle();
    assertEquals(controller.snapshot().reconciles, 2);
    assertEquals(controller.snapshot().givenUp, 1);
    assertStringIncludes(logger.of("error")[0] as string, "fakes: the rate limiter failed");
    await stop();
  }
});

Deno.test("Controller survives an onGiveUp() that throws or rejects", async () => {
  for (
    const onGiveUp of [
      throwing(new Error("hook")),
      () => Promise.reject(new Error("hook")),
    ]
  ) {
    const { clock, controller, logger, start, stop } = harness(throwing(new Error("no")), {
      onGiveUp,
      maxRetries: 0,
    });
    await start();
    controller.enqueue("default/a");
    controller.enqueue("default/b");
    await clock.settle();
    assertEquals(controller.snapshot().givenUp, 2);
    assertEquals(logger.of("error").filter((line) => line.includes("hook")).length, 2);
    await stop();
  }
});

Deno.test("Controller reconciles again after requeueAfterMs, without backoff", async () => {
  const tries: number[] = [];
  for (const isAsync of [false, true]) {
    tries.length = 0;
    const { clock, controller, start, stop } = harness(() => {
      tries.push(clock.now());
      if (tries.length === 2) throw new Error("once");
      const result = { requeueAfterMs: 1000 };
      return isAsync ? Promise.resolve(result) : result;
    });
    await start();
    controller.enqueue("default/a");
    await clock.advance(3005);
    assertEquals(tries, [0, 1000, 1005, 2005, 3005]);
    assertEquals(controller.queue.numRequeues("default/a"), 0);
    await stop();
    assertEquals(clock.pendingTimers, 0);
  }
});

Deno.test("Controller reconciles again with growing delays after requeueAfterMs of 0 or less", async () => {
  for (const requeueAfterMs of [0, -5]) {
    const tries: number[] = [];
    const { clock, controller, start, stop } = harness(() => {
      tries.push(clock.now());
      return tries.length < 5 ? { requeueAfterMs } : undefined;
    });
    await start();
    controller.enqueue("default/a");
    await clock.advance(60_000);
    assertEquals(tries, [0, 5, 15, 35, 75]);
    assertEquals(controller.snapshot().errors, 0);
    assertEquals(controller.queue.numRequeues("default/a"), 0, "the success reset the count");
    await stop();
  }
});

Deno.test("Controller retries for ever by default, so that an outage loses no work", async () => {
  let isDown = true;
  const done: number[] = [];
  const { clock, controller, start, stop } = harness(() => {
    if (isDown) throw new StatusError({ code: 503, reason: "ServiceUnavailable", message: "down" });
    done.push(clock.now());
  });
  await start();
  controller.enqueue("default/a");
  await clock.advance(1_000);
  isDown = false;
  await clock.advance(3_600_000);
  assertEquals(done, [1_275]);
  assertEquals(controller.snapshot().givenUp, 0);
  await stop();
});

Deno.test("Controller honours a Retry-After of up to a minute", async () => {
  for (const [seconds, at] of [[7, 7_000], [86_400, 60_000]] as const) {
    const tries: number[] = [];
    const { clock, controller, start, stop } = harness(() => {
      if (tries.push(clock.now()) > 1) return;
      throw new StatusError({
        code: 429,
        reason: "TooManyRequests",
        details: { retryAfterSeconds: seconds },
      });
    });
    await start();
    controller.enqueue("default/a");
    await clock.advance(600_000);
    assertEquals(tries, [0, at]);
    await stop();
  }
});

Deno.test("Controller gives up at once on a TerminalError", async () => {
  const given: unknown[] = [];
  const error = new TerminalError("spec.size is negative");
  const { clock, controller, informer, start, stop } = harness(throwing(error), {
    onGiveUp: (...args) => given.push(args),
  });
  await start();
  controller.enqueue("default/a");
  await clock.advance(600_000);
  assertEquals(given, [["default/a", error]]);
  assertEquals([controller.snapshot().reconciles, controller.snapshot().givenUp], [1, 1]);
  informer.change("default/a");
  await clock.advance(10);
  assertEquals(controller.snapshot().reconciles, 2, "a change starts a new attempt");
  await stop();
});

Deno.test("Controller slows down a key that requeues itself all the time, until an event", async () => {
  const loops = {
    "by its result": () => ({ requeueAfterMs: 1 }),
    "by enqueue()": () => void controller.enqueue("default/a"),
    "by enqueue(), later": async () => {
      await Promise.resolve();
      controller.enqueue("default/a");
      controller.enqueue("default/a");
    },
  };
  let controller: Controller;
  for (const [how, reconcile] of Object.entries(loops)) {
    let tries = 0;
    const metrics = new RecordingMetrics();
    const t = harness((key) => {
      if (key === "default/a") tries++;
      return key === "default/a" ? reconcile() : undefined;
    }, { metrics });
    controller = t.controller;
    await t.start();
    t.informer.change("default/a");
    t.informer.change("default/b");
    await t.clock.advance(900);
    assertEquals(tries, 301, how);
    await t.clock.advance(10_000);
    assertEquals(tries, 311, `${how}: one reconcile a second`);
    assertEquals(t.logger.of("warn").length, 1);
    assertStringIncludes(
      t.logger.of("warn")[0] as string,
      'fakes: "default/a" was reconciled more',
    );
    assertEquals(controller.snapshot().hotLoops, 1);
    assertEquals(metrics.values.get("controller_hot_loops_total{controller=fakes}"), 1);
    t.informer.change("default/a");
    await t.clock.advance(900);
    assert(tries >= 611, `${how}: an event ends the slow-down: ${tries}`);
    await t.stop();
  }
});

Deno.test("Controller reconciles a key that its reconcile enqueues once more, at once", async () => {
  const tries: number[] = [];
  const { clock, controller, start, stop } = harness((key) => {
    if (tries.push(clock.now()) > 1) return;
    controller.enqueue(key);
    controller.enqueue(key);
  });
  await start();
  controller.enqueue("default/a");
  await clock.advance(10_000);
  assertEquals(tries, [0, 0]);
  await stop();
});

Deno.test("Controller does not slow down reconciles that events cause", async () => {
  let tries = 0;
  const { clock, controller, informer, logger, start, stop } = harness(() => void tries++);
  await start();
  for (let i = 0; i < 2000; i++) {
    informer.change("default/a");
    await clock.settle();
  }
  assertEquals([tries, controller.snapshot().hotLoops, logger.of("warn")], [2000, 0, []]);
  await stop();
});

Deno.test("Controller treats a requeueAfterMs that is not a finite number as a failure", async () => {
  for (const requeueAfterMs of [NaN, Infinity, "soon" as unknown as number]) {
    const { clock, controller, logger, start, stop } = harness(
      () => Promise.resolve({ requeueAfterMs }),
      { maxRetries: 1 },
    );
    await start();
    controller.enqueue("default/a");
    await clock.advance(1000);
    assertEquals([controller.snapshot().errors, controller.snapshot().givenUp], [2, 1]);
    assertStringIncludes(logger.of("error")[0] as string, String(requeueAfterMs));
    await stop();
  }
});

Deno.test("Controller ignores other return values", async () => {
  for (const answer of [42, "done", true, null, [], new Map(), { requeue: true }]) {
    const { clock, controller, start, stop } = harness(() => answer as unknown as undefined);
    await start();
    controller.enqueue("default/a");
    await clock.advance(60_000);
    assertEquals([controller.snapshot().reconciles, controller.snapshot().errors], [1, 0]);
    await stop();
  }
});

Deno.test("Controller continues, retries and gives up although its logger throws", async () => {
  const tries: string[] = [];
  const given: string[] = [];
  const { clock, controller, start, stop } = harness((key) => {
    tries.push(key);
    if (key === "default/a") throw new Error("poisoned");
  }, {
    logger: failingLogger,
    maxRetries: 2,
    onGiveUp: (key) => {
      given.push(key);
      throw new Error("this one too");
    },
  });
  await start();
  controller.enqueue("default/a");
  await clock.advance(1000);
  controller.enqueue("default/b");
  await clock.advance(1000);
  assertEquals(tries, ["default/a", "default/a", "default/a", "default/b"]);
  assertEquals(given, ["default/a"]);
  await stop();
});
