/** References: what they show, to which handlers, and for how long. */

import { assert, assertEquals, assertNotStrictEquals, assertThrows } from "@std/assert";
import { inspect } from "node:util";
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  metaNamespaceKeyFunc,
  ObjectRef,
  SharedInformer,
  StaleReferenceError,
} from "../../../src/cache/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { ApiServer, FakeControllerSource, VirtualClock } from "../../../src/testing/mod.ts";
import {
  type Cached,
  type ConfigMap,
  ConfigMaps,
  type KubeObject,
  type Pod,
} from "../../../src/types/mod.ts";
import { type InformerHarness, refTest } from "../informer/_informer_harness.ts";
import { assertNoBytesLeft } from "../informer/_modes.ts";

/** Returns a Pod that can be recognized by its node. */
function pod(name: string, node: string, uid = "1"): Pod {
  return { metadata: { namespace: "x", name, uid }, spec: { nodeName: node, containers: [] } };
}
const nodeOf = (ref: ObjectRef<Pod> | undefined) => ref?.object().spec?.nodeName;

function assertGone(...refs: (ObjectRef<Pod> | undefined)[]): void {
  for (const ref of refs) {
    assert(ref !== undefined);
    const { key, resourceVersion } = ref;
    const error = assertThrows(() => ref.object(), StaleReferenceError);
    assertEquals(error.name, "StaleReferenceError");
    assert(error.message.includes(`"${key}" at resource version "${resourceVersion}"`));
    assertThrows(() => ref.valueAt("spec.nodeName"), StaleReferenceError);
  }
}

refTest("ObjectRef has the identity of an object, and reads the rest", async (t, pods) => {
  const refs: ObjectRef<Pod>[] = [];
  pods.addEventHandler({ onAdd: (ref) => void refs.push(ref) });
  await t.start();
  t.source.add({ kind: "Pod", apiVersion: "v1", ...pod("a", "n1") });
  await t.clock.advance(0);
  const [ref] = refs as [ObjectRef<Pod>];
  const { key, namespace, name, uid, resourceVersion, kind, apiVersion } = ref;
  assertEquals(
    { key, namespace, name, uid, resourceVersion, kind, apiVersion },
    {
      key: "x/a",
      namespace: "x",
      name: "a",
      uid: "1",
      resourceVersion: "1",
      kind: "Pod",
      apiVersion: "v1",
    },
  );
  assertEquals(ref.object().spec, { nodeName: "n1", containers: [] });
  assertEquals(ref.valueAt("spec.nodeName"), "n1");
  assertEquals(ref.valueAt(["metadata", "name"]), "a");
  assertEquals(ref.valueAt("spec.containers"), []);
  assertEquals(ref.valueAt("spec.nothing.there"), undefined);
  assertThrows(() => ref.valueAt("spec..nodeName"), SyntaxError, '"spec..nodeName"');
});

Deno.test("ObjectRef of a cluster-scoped object has an empty namespace, and no kind if the object has none", async () => {
  const clock = new VirtualClock();
  const source = new FakeControllerSource();
  const nodes = new SharedInformer<KubeObject, "compact">(source, { clock, cache: "compact" });
  source.add({ metadata: { name: "node-1" } });
  const stop = new AbortController();
  const running = nodes.run({ signal: stop.signal });
  const seen: unknown[] = [];
  nodes.addEventHandler({
    onAdd: (ref) => void seen.push(ref.key, ref.namespace, ref.uid, ref.kind),
  });
  await clock.advance(0);
  assertEquals(seen, ["node-1", "", "", undefined]);
  stop.abort();
  await clock.run(running);
});

refTest(
  "ObjectRef can be read until the handler's promise settles, however many versions follow meanwhile",
  async (t, pods) => {
    const gate = Promise.withResolvers<void>();
    const seen: unknown[] = [];
    const handed: ObjectRef<Pod>[] = [];
    pods.addEventHandler({
      async onUpdate(old, ref) {
        handed.push(old, ref);
        seen.push(nodeOf(old), nodeOf(ref));
        await gate.promise;
        seen.push(nodeOf(old), nodeOf(ref));
      },
    });
    const quick: ObjectRef<Pod>[] = [];
    pods.addEventHandler({
      onAdd: (ref) => void quick.push(ref),
      onUpdate: (_old, ref) => void quick.push(ref),
    });
    await t.start();
    t.source.add(pod("a", "n0"));
    for (let i = 1; i <= 10; i++) t.source.modify(pod("a", `n${i}`));
    await t.clock.advance(0);
    assertEquals(seen, ["n0", "n1"]);
    assertEquals(nodeOf(quick.at(-1)), "n10");
    assertEquals(nodeOf(quick[3]), "n3", "the slow handler has not received it yet");
    gate.resolve();
    await t.clock.advance(0);
    assertEquals(seen.slice(2, 6), ["n0", "n1", "n1", "n2"]);
    assertEquals(seen.length, 40);
    assertGone(...handed.slice(0, -1), ...quick.slice(0, -1));
    assertEquals(nodeOf(handed.at(-1)), "n10", "the current version");
    assertNoBytesLeft(pods as unknown as SharedInformer<Pod>);
  },
);

refTest(
  "ObjectRef of an older version can be read only during the call if no handler is behind",
  async (t, pods) => {
    const seen: unknown[] = [];
    let last: ObjectRef<Pod> | undefined;
    pods.addEventHandler({
      onUpdate(old, ref) {
        if (last !== undefined) assertGone(last);
        last = old;
        seen.push(`${nodeOf(old)}→${nodeOf(ref)}`);
      },
    });
    await t.start();
    t.source.add(pod("a", "n0"));
    for (let i = 1; i <= 3; i++) {
      await t.clock.advance(10);
      t.source.modify(pod("a", `n${i}`));
    }
    await t.clock.advance(10);
    assertEquals(seen, ["n0→n1", "n1→n2", "n2→n3"]);
  },
);

refTest(
  "ObjectRef can be read by a handler that was added late, and throws after a call that threw",
  async (t, pods) => {
    t.source.add(pod("a", "n0"));
    t.source.add(pod("b", "n0"));
    await t.start();
    const seen: unknown[] = [];
    const handed: ObjectRef<Pod>[] = [];
    const gate = Promise.withResolvers<void>();
    pods.addEventHandler({
      async onAdd(ref) {
        handed.push(ref);
        await gate.promise;
        seen.push(nodeOf(ref));
        throw new Error("no luck");
      },
      onUpdate(old, ref) {
        handed.push(old, ref);
        seen.push(`${nodeOf(old)}→${nodeOf(ref)}`);
        throw new Error("no luck either");
      },
    });
    t.source.modify(pod("a", "n1"));
    t.source.modify(pod("b", "n1"));
    t.source.modify(pod("b", "n2"));
    await t.clock.advance(10);
    assertEquals(seen, []);
    gate.resolve();
    await t.clock.advance(10);
    assertEquals(seen, ["n0", "n0", "n0→n1", "n0→n1", "n1→n2"]);
    assertEquals(handed.map((ref) => `${ref.name}${ref.resourceVersion}`).length, 8);
    for (const ref of handed) {
      const isPresent =
        pods.indexer.getByKey(ref.key)?.metadata.resourceVersion === ref.resourceVersion;
      if (isPresent) ref.object();
      else assertGone(ref);
    }
    assertNoBytesLeft(pods as unknown as SharedInformer<Pod>);
  },
);

refTest(
  "ObjectRef of a removed handler throws when the last call has ended",
  async (t, pods) => {
    const gate = Promise.withResolvers<void>();
    const seen: unknown[] = [];
    let first: ObjectRef<Pod> | undefined;
    const registration = pods.addEventHandler({
      async onAdd(ref) {
        first = ref;
        await gate.promise;
        seen.push(nodeOf(ref));
      },
    });
    await t.start();
    t.source.add(pod("a", "n0"));
    for (let i = 1; i < 5; i++) t.source.modify(pod("a", `n${i}`));
    await t.clock.advance(0);
    pods.removeEventHandler(registration);
    t.source.modify(pod("a", "n5"));
    t.source.delete(pod("a", "n5"));
    await t.clock.advance(0);
    assertEquals(nodeOf(first), "n0");
    gate.resolve();
    await t.clock.advance(0);
    assertEquals(seen, ["n0"]);
    assertGone(first);
    assertNoBytesLeft(pods as unknown as SharedInformer<Pod>);
  },
);

/**
 * Sets up a handler that is busy with its first object, and returns a reference to the second object. Only that handler
 * keeps the reference readable.
 */
async function waitingRef(t: InformerHarness, pods: SharedInformer<Pod, "compact">) {
  const gate = Promise.withResolvers<void>();
  const refs: ObjectRef<Pod>[] = [];
  const slow = pods.addEventHandler({ onAdd: () => gate.promise });
  pods.addEventHandler({ onAdd: (ref) => void refs.push(ref) });
  await t.start();
  t.source.add(pod("a", "n0"));
  t.source.add(pod("b", "n0"));
  t.source.modify(pod("b", "n1"));
  await t.clock.settle();
  const ref = refs[1];
  assertEquals(nodeOf(ref), "n0");
  return { slow, ref, gate };
}

refTest(
  "ObjectRef that only one handler keeps readable throws when the handler is removed",
  async (t, pods) => {
    const { slow, ref, gate } = await waitingRef(t, pods);
    pods.removeEventHandler(slow);
    gate.resolve();
    await t.clock.settle();
    assertGone(ref);
    assertNoBytesLeft(pods as unknown as SharedInformer<Pod>);
  },
);

refTest(
  "ObjectRef survives resyncs, and a list replaces it by a reference to the same version",
  async (t, pods) => {
    const seen: unknown[] = [];
    let first: ObjectRef<Pod> | undefined;
    pods.addEventHandler({
      onAdd: (ref) => void (first ??= ref),
      onUpdate: (old, ref) => void seen.push(`${nodeOf(old)}→${nodeOf(ref)} ${old === ref}`),
    });
    t.source.add(pod("a", "n0"));
    await t.start(3_500);
    assertEquals(seen.splice(0), Array(3).fill("n0→n0 true"));
    assertEquals(nodeOf(first), "n0");
    t.source.addDropWatch(pod("b", "n0"));
    t.source.resetWatch();
    await t.clock.advance(3_000);
    assert(seen.includes("n0→n0 false"), "the list contains the object in other bytes");
    assertGone(first);
    assertEquals(pods.indexer.list().map(({ spec }) => spec?.nodeName), ["n0", "n0"]);
    assertNoBytesLeft(pods as unknown as SharedInformer<Pod>);
  },
  { resyncPeriodMs: 1_000 },
);

refTest(
  "ObjectRef shows the final state in onDelete, and the last observed state in a tombstone",
  async (t, pods) => {
    const seen: unknown[] = [];
    const gone: (ObjectRef<Pod> | undefined)[] = [];
    pods.addEventHandler({
      async onDelete(obj) {
        await Promise.resolve();
        const ref = DeletedFinalStateUnknown.lastKnownState(obj);
        assert(ObjectRef.is(ref));
        gone.push(ref);
        seen.push(
          `${deletionHandlingMetaNamespaceKeyFunc(obj)} ${ref.resourceVersion} ${nodeOf(ref)}` +
            (DeletedFinalStateUnknown.is(obj) ? " unseen" : ""),
        );
      },
    });
    t.source.add(pod("a", "n0"));
    t.source.add(pod("b", "n0"));
    await t.start(1_000);
    t.source.delete(pod("a", "last"));
    await t.clock.advance(1_000);
    t.source.deleteDropWatch(pod("b", "never shown"));
    t.source.resetWatch();
    await t.clock.advance(5_000);
    assertEquals(seen, ["x/a 3 last", "x/b 2 n0 unseen"]);
    assertGone(...gone);
    assertNoBytesLeft(pods as unknown as SharedInformer<Pod>);
  },
);

refTest(
  "ObjectRef distinguishes objects that had the same name one after the other",
  async (t, pods) => {
    const gate = Promise.withResolvers<void>();
    const seen: string[] = [];
    const show = (what: string) => async (...refs: unknown[]) => {
      await gate.promise;
      const texts = (refs.filter((ref) => ObjectRef.is(ref)) as ObjectRef<Pod>[])
        .map((ref) => `${ref.uid}=${ref.object().metadata.uid}:${nodeOf(ref)}`);
      seen.push(`${what} ${texts.join(" ")}`);
    };
    pods.addEventHandler({
      onAdd: show("add"),
      onUpdate: show("update"),
      onDelete: show("delete"),
    });
    await t.start();
    t.source.add(pod("a", "n0", "1"));
    t.source.delete(pod("a", "n1", "1"));
    t.source.add(pod("a", "n2", "2"));
    t.source.modify(pod("a", "n3", "2"));
    await t.clock.advance(10);
    gate.resolve();
    await t.clock.advance(10);
    assertEquals(seen, ["add 1=1:n0", "delete 1=1:n1", "add 2=2:n2", "update 2=2:n2 2=2:n3"]);
    assertNoBytesLeft(pods as unknown as SharedInformer<Pod>);
  },
);

refTest(
  "ObjectRef can be read by the last call after the informer was stopped",
  async (t, pods) => {
    const gate = Promise.withResolvers<void>();
    const seen: unknown[] = [];
    pods.addEventHandler({
      async onAdd(ref) {
        await gate.promise;
        seen.push(nodeOf(ref));
      },
    });
    await t.start();
    t.source.add(pod("a", "n0"));
    t.source.modify(pod("a", "n1"));
    await t.clock.advance(0);
    t.abort();
    await t.clock.advance(0);
    gate.resolve();
    await t.clock.advance(0);
    assertEquals(seen, ["n0"]);
    assertEquals(pods.indexer.getByKey("x/a")?.spec?.nodeName, "n1", "the cache stays readable");
    assertNoBytesLeft(pods as unknown as SharedInformer<Pod>);
  },
);

refTest(
  "ObjectRef that only one handler keeps readable throws when the informer is stopped",
  async (t, pods) => {
    const { ref, gate } = await waitingRef(t, pods);
    t.abort();
    gate.resolve();
    await t.stop();
    assertGone(ref);
    assertNoBytesLeft(pods as unknown as SharedInformer<Pod>);
  },
);

refTest("Objects read from a compact cache are copies", async (t, pods) => {
  t.source.add(pod("a", "n0"));
  let ref: ObjectRef<Pod> | undefined;
  pods.addEventHandler({ onAdd: (added) => void (ref = added) });
  pods.addIndexers({ node: (obj) => [obj.spec?.nodeName ?? ""] });
  await t.start();
  const cached = (name: string, node: string) => pod(name, node) as Cached<Pod>;
  const reads: (() => unknown)[] = [
    () => ref?.object(),
    () => pods.indexer.getByKey("x/a"),
    () => pods.indexer.get(cached("a", "")),
    () => pods.indexer.list()[0],
    () => pods.indexer.byIndex("node", "n0")[0],
    () => pods.indexer.index("node", cached("other", "n0"))[0],
    () => pods.lister().byNamespace("x").get("a"),
    () => pods.lister().list()[0],
  ];
  for (const read of reads) {
    const own = read() as Pod;
    assertEquals(own.spec?.nodeName, "n0");
    own.metadata.name = "changed";
    delete own.spec;
    const again = read();
    assertNotStrictEquals(again, own);
    assertEquals(again, {
      ...pod("a", "n0"),
      metadata: { ...pod("a", "").metadata, resourceVersion: "1" },
    });
  }
  assertEquals(pods.indexer.indexKeys("node", "n0"), ["x/a"]);
}, { resource: { group: "", version: "v1", plural: "pods", kind: "Pod", namespaced: true } });

refTest("ObjectRef can be spread, cloned, serialized and inspected", async (t, pods) => {
  t.source.add(pod("a", "n0"));
  let found: ObjectRef<Pod> | undefined;
  pods.addEventHandler({ onAdd: (ref) => void (found = ref) });
  await t.start();
  const ref = found as ObjectRef<Pod>;
  const identity = { key: "x/a", namespace: "x", name: "a", uid: "1", resourceVersion: "1" };
  for (const copy of [ref, { ...ref }, structuredClone(ref)]) {
    assertEquals(JSON.parse(JSON.stringify(copy)), identity);
  }
  assert(inspect(ref).includes("x/a") && !inspect(ref).includes("n0"));
  assertEquals([String(ref), `${ObjectRef.is(ref)}`], ["[object Object]", "true"]);
  assertEquals(metaNamespaceKeyFunc(ref), "x/a");
  assertEquals(pods.indexer.get(ref as unknown as Cached<Pod>)?.spec?.nodeName, "n0");
  assertEquals(nodeOf(ref), "n0");
});

refTest(
  "ObjectRef throws for fields that it does not have, so that they do not seem empty",
  async (t, pods) => {
    t.source.add(pod("a", "n0"));
    const seen: string[] = [];
    const meantForPods = (obj: Pod) => void seen.push(obj.spec?.nodeName ?? "none");
    // @ts-expect-error The call does not compile either.
    pods.addEventHandler({ onAdd: (ref) => meantForPods(ref) });
    pods.addEventHandler({
      onAdd: ({ metadata }) => void seen.push(typeof (metadata as Pod["metadata"]).labels),
    });
    await t.start();
    assertEquals(seen, []);
    const failures = t.logger.lines.filter((line) => line.includes("Cannot read"));
    assertEquals(failures.length, 2);
    assert(failures[0]?.includes('Cannot read "spec" of a reference to "x/a"'), failures[0]);
    assert(failures[1]?.includes('Cannot read "labels" of a reference to "x/a"'), failures[1]);
  },
);

Deno.test("ObjectRef has the kind of the list that its object came with", async () => {
  const clock = new VirtualClock();
  for (const streaming of [false, true]) {
    await using server = new ApiServer({ clock });
    await using client = new Client(server.clientOptions);
    await client.create(ConfigMaps, {
      metadata: { name: "a", namespace: "default" },
      data: { k: "v" },
    });
    const source = client.listerWatcher(ConfigMaps);
    const maps = new SharedInformer<ConfigMap, "compact">(
      { ...source, isWatchListSemanticsUnsupported: !streaming },
      { cache: "compact" },
    );
    const refs: ObjectRef<ConfigMap>[] = [];
    maps.addEventHandler({ onAdd: (ref) => void refs.push(ref) });
    const stop = new AbortController();
    const running = maps.run({ signal: stop.signal });
    await clock.run(maps.whenSynced());
    await clock.settle();
    const [ref] = refs;
    const expected = ["ConfigMap", "v1"];
    assertEquals([ref?.kind, ref?.apiVersion], expected);
    assertEquals([ref?.valueAt("kind"), ref?.valueAt("apiVersion")], expected);
    const { kind, apiVersion, data } = ref?.object() ?? {};
    assertEquals([kind, apiVersion, data], [...expected, { k: "v" }]);
    assertEquals(maps.indexer.list()[0]?.kind, "ConfigMap");
    stop.abort();
    await clock.run(running);
  }
});
