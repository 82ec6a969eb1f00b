import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  DeletedFinalStateUnknown,
  transformStripManagedFields,
  waitForCacheSync,
} from "../../../src/cache/mod.ts";
import { type Cached, type Pod, Pods, StatusError } from "../../../src/types/mod.ts";
import { informerTest, objectTest, RecordingHandler } from "./_informer_harness.ts";
import { pod } from "../reflector/_scripted_source.ts";

const forbidden = () =>
  new StatusError({ code: 403, reason: "Forbidden", message: "pods is forbidden" });

informerTest("SharedInformer.run() runs only once", async (harness) => {
  await using t = harness();
  assertEquals([t.informer.hasStarted(), t.informer.isStopped()], [false, false]);
  await t.start();
  assertEquals([t.informer.hasStarted(), t.informer.isStopped()], [true, false]);
  await t.informer.run();
  assertStringIncludes(t.logger.lines[0] ?? "", "was started before and cannot be run twice");
  await t.stop();
  assertEquals([t.informer.hasStarted(), t.informer.isStopped()], [true, true]);
  await t.informer.run();
  assertEquals(t.source.watchCount, 0);
});

informerTest(
  "SharedInformer refuses settings after the start and handlers after the stop",
  async (harness) => {
    await using t = harness();
    t.informer.setTransform((obj) => obj);
    t.informer.setWatchErrorHandler(() => {});
    await t.start();
    assertThrows(
      () => t.informer.setTransform((obj) => obj),
      Error,
      "informer has already started",
    );
    assertThrows(
      () => t.informer.setWatchErrorHandler(() => {}),
      Error,
      "informer has already started",
    );
    t.informer.addIndexers({ late: () => ["x"] });
    await t.stop();
    const error = assertThrows(() => t.informer.addEventHandler({}), Error);
    assert(
      error.message.endsWith("was not added to shared informer because it has stopped already"),
    );
    assertThrows(() => t.informer.addIndexers({ later: () => [] }), Error, "stopped already");
  },
);

informerTest(
  "SharedInformer.lastSyncResourceVersion() is empty before the first list",
  async (harness) => {
    await using t = harness();
    t.source.add(pod("a", ""));
    assertEquals(t.informer.lastSyncResourceVersion(), "");
    assertEquals(t.informer.hasSynced(), false);
    await t.start();
    assertEquals(t.informer.lastSyncResourceVersion(), "1");
    t.source.add(pod("b", ""));
    await t.clock.advance(0);
    assertEquals(t.informer.lastSyncResourceVersion(), "2");
  },
);

informerTest("SharedInformer adds indices before and after the start", async (harness) => {
  await using t = harness({ indexers: { name: (obj) => [obj.metadata.name ?? ""] } });
  t.source.add(pod("a", ""));
  await t.start();
  t.informer.addIndexers({ namespace: (obj) => [obj.metadata.namespace ?? ""] });
  assertEquals(t.informer.indexer.indexKeys("name", "a"), ["x/a"]);
  assertEquals(t.informer.indexer.indexKeys("namespace", "x"), ["x/a"]);
  assertThrows(() => t.informer.addIndexers({ name: () => [] }), Error, "conflict");
});

objectTest(
  "SharedInformer transforms the objects of store, handlers, updates and tombstones",
  async (harness) => {
    await using t = harness();
    const seen: unknown[] = [];
    const label = (obj: Cached<Pod> | DeletedFinalStateUnknown<Cached<Pod>>) =>
      DeletedFinalStateUnknown.lastKnownState(obj)!.metadata.labels?.["slim"];
    t.informer.setTransform((obj) => ({ metadata: { ...obj.metadata, labels: { slim: "yes" } } }));
    t.informer.addEventHandler({
      onAdd: (obj) => void seen.push(label(obj)),
      onUpdate: (old, obj) => void seen.push(label(old), label(obj)),
      onDelete: (obj) => void seen.push(DeletedFinalStateUnknown.is(obj) ? label(obj) : "seen"),
    });
    t.source.add(pod("a", ""));
    await t.start(1_000);
    t.source.modify(pod("a", ""));
    await t.clock.advance(0);
    t.source.deleteDropWatch(pod("a", ""));
    t.source.addDropWatch(pod("b", ""));
    t.source.resetWatch();
    await t.clock.advance(2_000);
    assertEquals(seen, ["yes", "yes", "yes", "yes", "yes"]);
    assertEquals(label(t.informer.indexer.getByKey("x/b") as Cached<Pod>), "yes");
  },
);

objectTest(
  "SharedInformer with freezeObjects freezes the objects that it shares",
  async (harness) => {
    await using t = harness({ freezeObjects: true });
    t.source.add(pod("a", ""));
    const seen: unknown[] = [];
    t.informer.addEventHandler({
      onAdd(obj) {
        const own = obj as Pod;
        assertThrows(() => own.metadata.name = "b", TypeError);
        seen.push(t.informer.indexer.getByKey("x/a")?.metadata.name);
      },
    });
    await t.start();
    assertEquals(seen, ["a"]);
  },
);

objectTest(
  "SharedInformer with freezeObjects gives a transform objects that it may change, and freezes the results",
  async (harness) => {
    await using t = harness({ freezeObjects: true, transform: transformStripManagedFields });
    const managed = (name: string): Pod => ({
      metadata: { ...pod(name, "").metadata, managedFields: [{ manager: "m" }] },
    });
    t.source.add(managed("a"));
    await t.start();
    t.source.add(managed("b"));
    t.source.modify(managed("a"));
    await t.clock.advance(0);
    for (const key of ["x/a", "x/b"]) {
      const metadata = t.informer.indexer.getByKey(key)?.metadata;
      assert(metadata !== undefined && Object.isFrozen(metadata), key);
      assertEquals(metadata.managedFields, undefined);
    }
  },
);

informerTest("SharedInformer.lister() reads the cache, and needs a resource", async (harness) => {
  await using t = harness({ resource: Pods });
  t.source.add(pod("a", ""));
  await t.start();
  assertEquals(t.informer.lister().byNamespace("x").get("a").metadata.name, "a");
  const unnamed = harness({ resource: undefined });
  assertThrows(() => unnamed.informer.lister(), TypeError, "without a resource");
});

informerTest("SharedInformer calls its watchErrorHandler with failures", async (harness) => {
  await using t = harness({ resource: undefined });
  const errors: string[] = [];
  t.informer.setWatchErrorHandler((reflector, error) =>
    void errors.push(`${reflector.name} ${error}`)
  );
  t.source.listError = forbidden();
  await t.start(1_000);
  assertEquals(errors, Array(2).fill("pods StatusError: Failed to list pods: pods is forbidden"));
});

informerTest("SharedInformer does nothing after it has stopped", async (harness) => {
  const t = harness({ resyncPeriodMs: 1_000 });
  const handler = new RecordingHandler();
  const slow: string[] = [];
  const gate = Promise.withResolvers<void>();
  t.informer.addEventHandler(handler);
  t.informer.addEventHandler({
    async onAdd(obj) {
      await gate.promise;
      slow.push(obj.metadata.name ?? "");
    },
  });
  t.source.add(pod("a", ""));
  await t.start();
  t.source.add(pod("b", ""));
  await t.clock.advance(0);
  handler.take();
  t.source.add(pod("c", ""));
  t.abort();
  let hasEnded = false;
  t.running?.then(() => hasEnded = true);
  await t.clock.advance(10_000);
  assertEquals(hasEnded, false, "run() waits for the started call");
  gate.resolve();
  await t.clock.advance(0);
  assertEquals(hasEnded, true);
  assertEquals([handler.lines, slow], [[], ["a"]]);
  assertEquals(t.informer.indexer.listKeys().sort(), ["x/a", "x/b"]);
  assertEquals([t.clock.pendingTimers, t.source.watchCount], [0, 0]);
});

informerTest("SharedInformer ends if a handler stops it", async (harness) => {
  const t = harness();
  const seen: string[] = [];
  t.informer.addEventHandler({
    onAdd(obj) {
      seen.push(obj.metadata.name ?? "");
      t.abort();
    },
  });
  for (const name of ["a", "b"]) t.source.add(pod(name, ""));
  await t.start();
  await t.clock.run(t.running ?? Promise.resolve());
  assertEquals(seen, ["a"]);
});

informerTest(
  "SharedInformer.whenSynced() waits for the start and the first list, and rejects on abort or stop",
  async (harness) => {
    await using t = harness();
    let synced = false;
    const waiting = t.informer.whenSynced().then(() => synced = true);
    const abort = new AbortController();
    const aborted = assertRejects(
      () => t.informer.whenSynced({ signal: abort.signal }),
      Error,
      "enough",
    );
    abort.abort(new Error("enough"));
    await aborted;
    await t.clock.advance(1_000);
    assertEquals(synced, false);
    await t.start();
    await waiting;

    const never = harness();
    never.source.listError = forbidden();
    const outcome = assertRejects(
      () => never.informer.whenSynced(),
      Error,
      "pods was stopped before it had synced",
    );
    await never.start(100);
    await never.stop();
    await outcome;
  },
);

informerTest(
  "waitForCacheSync() resolves without caches, and with synced caches even after an abort",
  async (harness) => {
    await waitForCacheSync({ signal: AbortSignal.abort() });
    await using t = harness();
    await t.start();
    await waitForCacheSync({ signal: AbortSignal.abort() }, t.informer);
  },
);

informerTest("waitForCacheSync() leaves no timer behind", async (harness) => {
  await using t = harness();
  const waiting = waitForCacheSync({ timeoutMs: 86_400_000, clock: t.clock }, t.informer);
  await t.start();
  await waiting;
  await t.stop();
  assertEquals(t.clock.pendingTimers, 0);
});

informerTest(
  "waitForCacheSync() names each cache that has not synced before the timeout, and the reason",
  async (harness) => {
    await using denied = harness({ name: "pods" });
    await using fine = harness({ name: "nodes" });
    await using idle = harness({ name: "jobs" });
    denied.source.listError = forbidden();
    await denied.start();
    await fine.start();
    const registration = denied.informer.addEventHandler({});
    const error = await assertRejects(() =>
      denied.clock.run(
        waitForCacheSync(
          { timeoutMs: 5_000, clock: denied.clock },
          denied.informer,
          fine.informer,
          idle.informer,
          registration,
        ),
      ), Error);
    const refusal = "pods is forbidden (403 Forbidden)";
    assertEquals(
      error.message,
      `Timed out after 5000 ms waiting for caches to sync: pods: ${refusal}; ` +
        `jobs: it was not started; pods handler 1: ${refusal}`,
    );
  },
);

informerTest(
  "waitForCacheSync() rejects with the reason of the signal, or if a cache is stopped",
  async (harness) => {
    await using t = harness();
    const abort = new AbortController();
    const aborted = assertRejects(
      () => waitForCacheSync({ signal: abort.signal }, t.informer),
      Error,
      "enough",
    );
    abort.abort(new Error("enough"));
    await aborted;
    const stopped = assertRejects(
      () => waitForCacheSync({}, t.informer),
      Error,
      "Caches cannot sync: pods: ",
    );
    t.source.listError = forbidden();
    await t.start();
    await t.stop();
    await stopped;
  },
);

informerTest(
  "SharedInformer.snapshot() returns the state of the informer and its handlers",
  async (harness, mode) => {
    await using t = harness();
    t.informer.addEventHandler({});
    assertEquals(t.informer.snapshot().informer, undefined);
    t.source.add(pod("a", ""));
    await t.start();
    const { informer, objectBytes, ...rest } = t.informer.snapshot();
    if (mode.keeps !== "both") assertEquals(objectBytes === undefined, mode.keeps === "parsed");
    assertEquals(rest, {
      name: "pods",
      hasStarted: true,
      isStopped: false,
      hasSynced: true,
      objects: 1,
      keyChanges: 0,
      handlers: [{
        name: "pods handler 1",
        pending: 0,
        delivered: 1,
        errors: 0,
        hasSynced: true,
        resyncPeriodMs: 0,
      }],
    });
    assertEquals([informer?.phase, informer?.lists, informer?.queuedItems], ["watching", 1, 0]);
  },
);
