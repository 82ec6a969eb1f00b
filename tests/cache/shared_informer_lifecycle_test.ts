import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { deferred } from "../../src/base/mod.ts";
import { waitForCacheSync } from "../../src/cache/mod.ts";
import { type Pod, Pods, StatusError } from "../../src/types/mod.ts";
import { InformerHarness, RecordingHandler } from "./_informer_harness.ts";
import { pod } from "./_scripted_source.ts";

const forbidden = () =>
  new StatusError({ code: 403, reason: "Forbidden", message: "pods is forbidden" });

Deno.test("SharedInformer can be run once", async () => {
  await using t = new InformerHarness();
  assertEquals([t.informer.hasStarted, t.informer.isStopped], [false, false]);
  await t.start();
  assertEquals([t.informer.hasStarted, t.informer.isStopped], [true, false]);
  await t.informer.run();
  assertStringIncludes(t.logger.lines[0] ?? "", "has been started before");
  await t.stop();
  assertEquals([t.informer.hasStarted, t.informer.isStopped], [true, true]);
  await t.informer.run();
  assertEquals(t.source.watchCount, 0);
});

Deno.test("SharedInformer refuses what comes too late", async () => {
  await using t = new InformerHarness();
  t.informer.setTransform((obj) => obj);
  t.informer.setWatchErrorHandler(() => {});
  await t.start();
  assertThrows(() => t.informer.setTransform((obj) => obj), Error, "informer has already started");
  assertThrows(
    () => t.informer.setWatchErrorHandler(() => {}),
    Error,
    "informer has already started",
  );
  t.informer.addIndexers({ late: () => ["x"] });
  await t.stop();
  const error = assertThrows(() => t.informer.addEventHandler({}), Error);
  assert(error.message.endsWith("was not added to shared informer because it has stopped already"));
  assertThrows(() => t.informer.addIndexers({ later: () => [] }), Error, "stopped already");
});

Deno.test("SharedInformer knows its version from the list on", async () => {
  await using t = new InformerHarness();
  t.source.add(pod("a", ""));
  assertEquals(t.informer.lastSyncResourceVersion(), "");
  assertEquals(t.informer.hasSynced(), false);
  await t.start();
  assertEquals(t.informer.lastSyncResourceVersion(), "1");
  t.source.add(pod("b", ""));
  await t.clock.advance(0);
  assertEquals(t.informer.lastSyncResourceVersion(), "2");
});

Deno.test("SharedInformer adds indices before and after the start", async () => {
  await using t = new InformerHarness({ indexers: { name: (obj) => [obj.metadata.name ?? ""] } });
  t.source.add(pod("a", ""));
  await t.start();
  t.informer.addIndexers({ namespace: (obj) => [obj.metadata.namespace ?? ""] });
  assertEquals(t.informer.indexer.indexKeys("name", "a"), ["x/a"]);
  assertEquals(t.informer.indexer.indexKeys("namespace", "x"), ["x/a"]);
  assertThrows(() => t.informer.addIndexers({ name: () => [] }), Error, "conflict");
});

Deno.test("SharedInformer transforms what store, handlers, old objects and tombstones contain", async () => {
  await using t = new InformerHarness();
  const seen: unknown[] = [];
  const label = (obj: Pod) => obj.metadata.labels?.["slim"];
  t.informer.setTransform((obj) => ({ metadata: { ...obj.metadata, labels: { slim: "yes" } } }));
  t.informer.addEventHandler({
    onAdd: (obj) => void seen.push(label(obj)),
    onUpdate: (old, obj) => void seen.push(label(old), label(obj)),
    onDelete: (obj) => void seen.push("obj" in obj && obj.obj ? label(obj.obj) : "no tombstone"),
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
  assertEquals(label(t.informer.indexer.getByKey("x/b") as Pod), "yes");
});

Deno.test("SharedInformer freezes what it caches when it is asked to", async () => {
  await using t = new InformerHarness({ freezeObjects: true });
  t.source.add(pod("a", ""));
  const seen: unknown[] = [];
  t.informer.addEventHandler({
    onAdd(obj) {
      seen.push(assertThrows(() => obj.metadata.name = "b", TypeError).name);
    },
  });
  await t.start();
  assertEquals(seen, ["TypeError"]);
});

Deno.test("SharedInformer.lister() reads the cache, and needs a resource", async () => {
  await using t = new InformerHarness({ resource: Pods });
  t.source.add(pod("a", ""));
  await t.start();
  assertEquals(t.informer.lister().byNamespace("x").get("a").metadata.name, "a");
  assertThrows(() => new InformerHarness().informer.lister(), TypeError, "without a resource");
});

Deno.test("SharedInformer tells its watchErrorHandler of failures", async () => {
  await using t = new InformerHarness();
  const errors: string[] = [];
  t.informer.setWatchErrorHandler((reflector, error) =>
    void errors.push(`${reflector.name} ${error}`)
  );
  t.source.listError = forbidden();
  await t.start(1_000);
  assertEquals(errors, Array(2).fill("pods StatusError: pods is forbidden"));
});

Deno.test("SharedInformer does nothing any more once it is stopped", async () => {
  const t = new InformerHarness({ defaultResyncPeriodMs: 1_000 });
  const handler = new RecordingHandler();
  const slow: string[] = [];
  const gate = deferred();
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
  assertEquals(hasEnded, false, "the call that has begun is waited for");
  gate.resolve();
  await t.clock.advance(0);
  assertEquals(hasEnded, true);
  assertEquals([handler.lines, slow], [[], ["a"]]);
  assertEquals(t.informer.indexer.listKeys().sort(), ["x/a", "x/b"]);
  assertEquals([t.clock.pendingTimers, t.source.watchCount], [0, 0]);
});

Deno.test("SharedInformer that is stopped from within a handler ends", async () => {
  const t = new InformerHarness();
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

Deno.test("SharedInformer.whenSynced() waits for the start and the list, and rejects on abort and stop", async () => {
  await using t = new InformerHarness();
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

  const never = new InformerHarness();
  never.source.listError = forbidden();
  const outcome = assertRejects(
    () => never.informer.whenSynced(),
    Error,
    "pods was stopped before it had synced",
  );
  await never.start(100);
  await never.stop();
  await outcome;
});

Deno.test("waitForCacheSync() resolves without caches, and with synced ones even when it is aborted", async () => {
  await waitForCacheSync({ signal: AbortSignal.abort() });
  await using t = new InformerHarness();
  await t.start();
  await waitForCacheSync({ signal: AbortSignal.abort() }, t.informer);
});

Deno.test("waitForCacheSync() leaves no timer", async () => {
  await using t = new InformerHarness();
  const waiting = waitForCacheSync({ timeoutMs: 86_400_000, clock: t.clock }, t.informer);
  await t.start();
  await waiting;
  await t.stop();
  assertEquals(t.clock.pendingTimers, 0);
});

Deno.test("waitForCacheSync() names all that have not synced when the time is over, and why", async () => {
  await using denied = new InformerHarness({ name: "pods" });
  await using fine = new InformerHarness({ name: "nodes" });
  await using idle = new InformerHarness({ name: "jobs" });
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
  assertEquals(
    error.message,
    "Timed out after 5000 ms waiting for caches to sync: pods: 403 Forbidden: pods is forbidden; " +
      "jobs: it was not started; pods handler 1: 403 Forbidden: pods is forbidden",
  );
});

Deno.test("waitForCacheSync() rejects with the signal's reason, and when a cache is stopped", async () => {
  await using t = new InformerHarness();
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
});

Deno.test("SharedInformer.snapshot() shows what it is doing", async () => {
  await using t = new InformerHarness();
  t.informer.addEventHandler({});
  assertEquals(t.informer.snapshot().informer, undefined);
  t.source.add(pod("a", ""));
  await t.start();
  const { informer, ...rest } = t.informer.snapshot();
  assertEquals(rest, {
    name: "pods",
    hasStarted: true,
    isStopped: false,
    hasSynced: true,
    objects: 1,
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
});
