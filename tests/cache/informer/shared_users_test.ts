/** Informers that their users run together, and what everybody learns when one of them stops or fails. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { TerminalError } from "../../../src/base/mod.ts";
import type { HandlerRegistration } from "../../../src/cache/mod.ts";
import { InformerHarness, informerTest, RecordingHandler } from "./_informer_harness.ts";
import { PLAIN } from "./_modes.ts";
import { pod } from "../reflector/_scripted_source.ts";

informerTest("SharedInformer runs for its users until the last one is done", async (harness) => {
  const t = harness();
  const handler = new RecordingHandler();
  t.informer.addEventHandler(handler);
  const [first, second] = [new AbortController(), new AbortController()];
  const firstUse = t.informer.runShared({ signal: first.signal });
  const secondUse = t.informer.runShared({ signal: second.signal });
  await t.clock.settle();
  assertEquals([t.informer.hasStarted(), t.source.watchCount], [true, 1]);
  first.abort();
  await firstUse;
  assertEquals([t.informer.isStopped(), t.source.watchCount], [false, 1]);
  t.source.add(pod("a", ""));
  await t.clock.settle();
  assertEquals(handler.take(), ["add a"]);
  second.abort();
  await t.clock.run(secondUse);
  assertEquals([t.informer.isStopped(), t.source.watchCount], [true, 0]);
  assertEquals(t.clock.pendingTimers, 0);
});

informerTest("SharedInformer has one last user, also when two end at once", async (harness) => {
  const t = harness();
  const stop = new AbortController();
  const uses = [1, 2, 3].map(() => t.informer.runShared({ signal: stop.signal }));
  await t.clock.settle();
  stop.abort();
  await t.clock.run(Promise.all(uses));
  assertEquals([t.informer.isStopped(), t.source.watchCount], [true, 0]);
});

informerTest("SharedInformer that its owner stops fails its users", async (harness) => {
  const t = harness();
  await t.start();
  const user = new AbortController();
  const use = assertRejects(() => t.informer.runShared({ signal: user.signal }), TerminalError);
  await t.clock.settle();
  assertEquals(t.source.watchCount, 1, "the user started nothing of its own");
  await t.stop();
  assertEquals((await use).message, "Informer pods has stopped, so its cache is no longer updated");
  await assertRejects(
    () => t.informer.runShared({ signal: user.signal }),
    TerminalError,
    "stopped",
  );
});

informerTest("SharedInformer outlives users when an owner runs it", async (harness) => {
  await using t = harness();
  await t.start();
  const user = new AbortController();
  const use = t.informer.runShared({ signal: user.signal });
  user.abort();
  await t.clock.run(use);
  assertEquals([t.informer.isStopped(), t.source.watchCount], [false, 1]);
});

informerTest("SharedInformer that is used with an aborted signal does nothing", async (harness) => {
  const t = harness();
  await t.informer.runShared({ signal: AbortSignal.abort() });
  assertEquals(t.informer.hasStarted(), false);
});

Deno.test(
  "SharedInformer fails with its owner, its users and its waiters when requests fail for good",
  async () => {
    const harness = () => new InformerHarness(PLAIN);
    const t = harness();
    t.source.listError = new TerminalError("Client is closed");
    const failed = "Informer pods failed: Failed to list pods: Client is closed";
    const waiting = assertRejects(() => t.informer.whenSynced(), Error, "Client is closed");
    const use = assertRejects(() => t.informer.runShared(), TerminalError);
    await t.clock.settle();
    const used = await use;
    assertEquals(
      used.message,
      "Informer pods has stopped, so its cache is no longer updated: Failed to list pods: Client is closed",
    );
    await waiting;
    assertEquals([t.informer.isStopped(), t.clock.pendingTimers], [true, 0]);
    assertEquals(t.logger.lines, [`error ${failed}`]);

    const owned = harness();
    owned.source.listError = new TerminalError("Client is closed");
    const error = await assertRejects(() => owned.informer.run(), TerminalError);
    assertEquals(error.message, failed);
  },
);

informerTest(
  "SharedInformer ends although an asynchronous handler awaits its own removal",
  async (harness) => {
    const t = harness();
    const ended: string[] = [];
    const registered = Promise.withResolvers<HandlerRegistration>();
    registered.resolve(t.informer.addEventHandler({
      async onAdd(obj) {
        await t.informer.shutDownEventHandler(await registered.promise);
        ended.push(obj.metadata.name ?? "");
      },
    }));
    t.source.add(pod("a", ""));
    await t.start(1_000);
    assertEquals(ended, [], "it waits for itself");
    await t.stop();
    assertEquals(ended, ["a"]);
    assert(t.informer.isStopped());
  },
);
