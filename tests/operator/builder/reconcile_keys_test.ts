import { assertEquals } from "@std/assert";
import { noopMetrics } from "../../../src/base/mod.ts";
import type { HotLoops } from "../../../src/operator/builder/hot_loops.ts";
import { PendingWork } from "../../../src/operator/builder/pending_work.ts";
import { ReconcileKeys } from "../../../src/operator/builder/reconcile_keys.ts";
import { StepClock } from "../../../src/operator/builder/step_clock.ts";
import { WriteGate } from "../../../src/operator/builder/write_gate.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { defaultControllerRateLimiter } from "../../../src/workqueue/mod.ts";

function setup() {
  const real = new VirtualClock();
  const clock = new StepClock(real);
  const ignore = () => {};
  const keys = new ReconcileKeys({
    name: "widgets",
    rateLimiter: defaultControllerRateLimiter<string>({ clock }),
    clock,
    metrics: noopMetrics,
    work: new PendingWork(clock),
    gate: new WriteGate({
      clock,
      timeoutMs: 60_000,
      onOpen: ignore,
      onWait: ignore,
      onTimeout: ignore,
    }),
    hotLoops: { waitMs: () => 0 } as unknown as HotLoops,
    owns: () => true,
  });
  const take = () => {
    const key = keys.tryGet();
    if (key !== undefined) keys.started();
    return key;
  };
  return { clock: real, keys, take };
}

Deno.test("ReconcileKeys gives a key that was added during its reconcile once more, after it", () => {
  const { keys, take } = setup();
  keys.add("a/1");
  assertEquals(take(), "a/1");
  keys.add("a/1");
  keys.add("a/1");
  assertEquals(keys.length, 0, "no second worker gets it");
  keys.done("a/1");
  assertEquals([take(), take()], ["a/1", undefined]);
  keys.done("a/1");
  assertEquals(take(), undefined);
  keys.shutDown();
});
