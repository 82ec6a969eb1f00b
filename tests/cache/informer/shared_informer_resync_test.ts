import { assertEquals, assertStringIncludes } from "@std/assert";
import { type InformerHarness, informerTest, RecordingHandler } from "./_informer_harness.ts";
import { pod } from "../reflector/_scripted_source.ts";

/** Adds a recording handler. */
function listen(t: InformerHarness, resyncPeriodMs?: number): RecordingHandler {
  const handler = new RecordingHandler();
  t.informer.addEventHandler(handler, resyncPeriodMs === undefined ? {} : { resyncPeriodMs });
  return handler;
}

function periods(t: InformerHarness): number[] {
  return t.informer.snapshot().handlers.map(({ resyncPeriodMs }) => resyncPeriodMs);
}

informerTest(
  "SharedInformer replays the cache to each handler at its own period, rounded up to the check period",
  async (harness) => {
    await using t = harness({ resyncPeriodMs: 2_000 });
    t.source.add(pod("a", ""));
    const byDefault = listen(t);
    const rarely = listen(t, 5_000);
    const never = listen(t, 0);
    await t.start();
    for (const handler of [byDefault, rarely, never]) {
      assertEquals(handler.take(), ["add a initially"]);
    }
    await t.clock.advance(12_000);
    assertEquals(byDefault.take(), Array(6).fill("update a 1→1"));
    assertEquals(
      rarely.take(),
      Array(2).fill("update a 1→1"),
      "due at 5 s and 11 s, replayed at the checks at 6 s and 12 s",
    );
    assertEquals(never.take(), []);
    assertEquals(t.informer.snapshot().informer?.lists, 1, "a resync makes no request");
  },
);

informerTest("SharedInformer without a resync period resyncs no handler", async (harness) => {
  await using t = harness();
  t.source.add(pod("a", ""));
  const handler = listen(t, 1_000);
  assertEquals(periods(t), [0]);
  await t.start(10_000);
  assertEquals(handler.lines, ["add a initially"]);
  assertStringIncludes(t.logger.lines[0] ?? "", "resyncPeriodMs 1000 is not possible");
});

informerTest("SharedInformer raises resync periods below a second to a second", async (harness) => {
  await using t = harness({ resyncPeriodMs: 5_000 });
  listen(t, 0);
  assertEquals([periods(t), t.logger.lines], [[0], []]);
  listen(t, 1);
  listen(t, 999);
  listen(t, 1_000);
  assertEquals(periods(t), [0, 1_000, 1_000, 1_000]);
  assertEquals(t.logger.lines.length, 2);
  assertStringIncludes(t.logger.lines[0] ?? "", "too small, using the minimum of 1000");
});

informerTest(
  "SharedInformer shortens its check period for a handler that is added before the start",
  async (harness) => {
    await using t = harness({ resyncPeriodMs: 5_000 });
    t.source.add(pod("a", ""));
    const usual = listen(t);
    const often = listen(t, 2_000);
    assertEquals(periods(t), [5_000, 2_000]);
    await t.start(10_000);
    assertEquals(often.lines.length - 1, 5);
    assertEquals(
      usual.lines.length - 1,
      1,
      "due at 5 s, replayed at the check at 6 s, due again at 11 s",
    );
  },
);

informerTest(
  "SharedInformer raises a shorter period of a handler that is added after the start",
  async (harness) => {
    await using t = harness({ resyncPeriodMs: 5_000 });
    t.source.add(pod("a", ""));
    await t.start();
    const handler = listen(t, 2_000);
    assertEquals(periods(t), [5_000]);
    await t.clock.advance(10_000);
    assertEquals(handler.lines.length - 1, 2);
  },
);

informerTest(
  "SharedInformer passes a relist of unchanged objects only to handlers due for a resync, and to all before the first check",
  async (harness) => {
    const relist = async (t: InformerHarness) => {
      t.source.modifyDropWatch(pod("other", ""));
      t.source.resetWatch();
      await t.clock.advance(2_000);
    };
    await using never = harness();
    never.source.add(pod("a", ""));
    const everyone = listen(never);
    await never.start(1_000);
    await relist(never);
    assertEquals(everyone.lines.filter((line) => line.includes(" a ")), [
      "add a initially",
      "update a 1→1",
    ]);

    await using t = harness({ resyncPeriodMs: 60_000 });
    t.source.add(pod("a", ""));
    const without = listen(t, 0);
    await t.start(1_000);
    await relist(t);
    assertEquals(without.take().filter((line) => line.includes(" a ")), [
      "add a initially",
      "update a 1→1",
    ]);
    await t.clock.advance(70_000);
    await relist(t);
    assertEquals(without.take().filter((line) => line.includes(" a ")), []);
  },
);
