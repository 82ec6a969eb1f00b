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

Deno.test("ReconcileKeys.drained() waits for the keys that match, those taken meanwhile included", async () => {
  const { clock, keys, take } = setup();
  for (const key of ["a/1", "b/1", "a/2"]) keys.add(key);
  assertEquals([take(), take()], ["a/1", "b/1"]);
  let isDrained = false;
  void keys.drained((key) => key.startsWith("a/")).then(() => isDrained = true);
  assertEquals(take(), "a/2");
  keys.done("a/1");
  await clock.advance(1);
  assertEquals(isDrained, false, "a/2 was taken meanwhile");
  keys.done("b/1");
  await clock.advance(1);
  assertEquals(isDrained, false);
  keys.done("a/2");
  await clock.advance(1);
  assertEquals(isDrained, true);
  await keys.drained(() => true);
  keys.shutDown();
});

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
