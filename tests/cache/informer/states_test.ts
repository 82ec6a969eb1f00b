/** The states of an informer, which keeps bytes or parsed objects. Its users see no difference. */

import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import {
  DeletedFinalStateUnknown,
  metaNamespaceIndexFunc,
  type ObjectChange,
  pathIndexFunc,
  SharedInformer,
  type SharedInformerOptions,
} from "../../../src/cache/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { ApiServer, FakeControllerSource, VirtualClock } from "../../../src/testing/mod.ts";
import { type Cached, ConfigMaps, type Pod, Pods } from "../../../src/types/mod.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";
import { overBytes } from "./_over_bytes.ts";

function pod(name: string, node = "n0", uid = "1"): Pod {
  return { metadata: { namespace: "x", name, uid }, spec: { nodeName: node, containers: [] } };
}

/** An informer whose source delivers bytes. */
class Fixture {
  readonly clock = new VirtualClock();
  readonly source = new FakeControllerSource<Pod>();
  readonly logger = new RecordingLogger();
  readonly pods: SharedInformer<Pod>;
  readonly changes: ObjectChange[] = [];
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: SharedInformerOptions<Pod> = {}) {
    const { clock, logger } = this;
    this.pods = new SharedInformer<Pod>(overBytes(this.source, clock), {
      name: "pods",
      clock,
      logger,
      random: { next: () => 0 },
      resource: Pods,
      ...options,
    });
  }

  get keepsBytes(): boolean {
    return this.pods.snapshot().objectBytes !== undefined;
  }

  /** Adds a handler of changes. */
  watch(options?: { readonly replays: boolean }): void {
    this.pods.addChangeHandler((change) => void this.changes.push(change), options);
  }

  async start(ms = 10): Promise<void> {
    this.#running = this.pods.run({ signal: this.#stop.signal });
    await this.clock.advance(ms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.clock.run(this.#running ?? Promise.resolve(), 5_000);
  }
}

Deno.test("A handler of changes receives the type of change, the object and its version", async () => {
  await using t = new Fixture();
  t.watch();
  t.source.add(pod("a"));
  await t.start(1_000);
  t.source.modify(pod("a"));
  t.source.delete(pod("a"));
  t.source.add(pod("b"));
  await t.clock.advance(1_000);
  t.source.deleteDropWatch(pod("b"));
  t.source.resetWatch();
  await t.clock.advance(5_000);
  const of = (name: string, resourceVersion: string) => ({
    key: `x/${name}`,
    namespace: "x",
    name,
    uid: "1",
    resourceVersion,
  });
  const otherwise = { old: undefined, isInInitialList: false, isFinalStateUnknown: false };
  assertEquals(t.changes, [
    { ...of("a", "1"), ...otherwise, type: "Added", isInInitialList: true },
    { ...of("a", "2"), ...otherwise, type: "Updated", old: of("a", "1") },
    { ...of("a", "3"), ...otherwise, type: "Deleted" },
    { ...of("b", "4"), ...otherwise, type: "Added" },
    { ...of("b", "4"), ...otherwise, type: "Deleted", isFinalStateUnknown: true },
  ]);
  assert(t.keepsBytes);
});

Deno.test("A handler of changes gets the same changes of parsed objects as of bytes", async () => {
  const told: ObjectChange[][] = [];
  for (const keepParsed of [true, false]) {
    await using t = new Fixture({ keepParsed });
    t.watch();
    t.source.add({ metadata: { name: "cluster-scoped" } });
    t.source.add({ metadata: { name: "odd", uid: 5 as never } });
    await t.start(1_000);
    t.source.modify({ metadata: { name: "cluster-scoped" } });
    t.source.add(pod("a"));
    t.source.deleteDropWatch(pod("a"));
    t.source.resetWatch();
    await t.clock.advance(5_000);
    assertEquals(t.keepsBytes, !keepParsed);
    told.push(t.changes);
  }
  assertEquals(told[0], told[1]);
  assertEquals(JSON.stringify(told[0]), JSON.stringify(told[1]));
  for (const { uid } of told.flat()) assertEquals(typeof uid, "string");
});

Deno.test("An informer keeps bytes until something needs parsed objects", async () => {
  const options: Record<string, SharedInformerOptions<Pod>> = {
    "keepParsed": { keepParsed: true },
    "a transform": { transform: (obj) => obj },
    "an index function": { indexers: { node: ({ spec }) => [spec?.nodeName ?? ""] } },
  };
  for (const [what, each] of Object.entries(options)) {
    await using t = new Fixture(each);
    assertEquals(t.keepsBytes, false, what);
  }
  const calls: Record<string, (pods: SharedInformer<Pod>) => unknown> = {
    "keepParsed()": (pods) => pods.keepParsed(),
    "setTransform()": (pods) => pods.setTransform((obj) => obj),
    "addIndexers()": (pods) => pods.addIndexers({ node: ({ spec }) => [spec?.nodeName ?? ""] }),
    "addEventHandler()": (pods) => pods.addEventHandler({}),
  };
  for (const [what, call] of Object.entries(calls)) {
    await using t = new Fixture({
      indexers: { node2: pathIndexFunc("spec.nodeName"), namespace: metaNamespaceIndexFunc },
    });
    assertEquals(t.keepsBytes, true, what);
    call(t.pods);
    assertEquals(t.keepsBytes, false, what);
    assertEquals(t.logger.lines, [], "nothing was parsed");
  }
  const plain = new SharedInformer<Pod>(new FakeControllerSource<Pod>());
  assertEquals(plain.snapshot().objectBytes, undefined, "the source has no bytes");
});

Deno.test("Objects read from bytes are copies, and parsed objects are shared", async () => {
  await using t = new Fixture({ indexers: { node: pathIndexFunc("spec.nodeName") } });
  t.source.add(pod("a"));
  t.watch();
  await t.start();
  const { pods } = t;
  const other = pod("other") as Cached<Pod>;
  const reads: (() => unknown)[] = [
    () => pods.indexer.getByKey("x/a"),
    () => pods.indexer.get(pod("a") as Cached<Pod>),
    () => pods.indexer.list()[0],
    () => pods.indexer.byIndex("node", "n0")[0],
    () => pods.indexer.index("node", other)[0],
    () => pods.lister().byNamespace("x").get("a"),
    () => pods.lister().list()[0],
  ];
  const expected = { ...pod("a"), metadata: { ...pod("a").metadata, resourceVersion: "1" } };
  for (const read of reads) {
    const own = read() as Pod;
    assertEquals(own, expected);
    own.metadata.name = "changed";
    delete own.spec;
    assertEquals(read(), expected);
    assertNotStrictEquals(read(), read());
  }
  pods.keepParsed();
  await t.clock.advance(10);
  for (const read of reads) {
    assertEquals(read(), expected);
    assertStrictEquals(read(), pods.indexer.getByKey("x/a"));
  }
});

Deno.test("freezeObjects freezes copies, shared objects, and what is parsed later", async () => {
  await using t = new Fixture({ freezeObjects: true });
  t.source.add(pod("a"));
  t.watch();
  await t.start();
  const assertFrozen = (obj: unknown) =>
    void assertThrows(
      () => ((obj as Pod).spec ??= { containers: [] }).nodeName = "other",
      TypeError,
    );
  assertFrozen(t.pods.indexer.getByKey("x/a"));
  t.pods.addEventHandler({
    onAdd: assertFrozen,
    onUpdate: (_, obj) => assertFrozen(obj),
    onDelete: assertFrozen,
  });
  t.source.modify(pod("a"));
  t.source.add(pod("b"));
  t.source.add(pod("c"));
  t.source.delete(pod("c"));
  await t.clock.advance(10);
  assertFrozen(t.pods.indexer.getByKey("x/b"));
  assertEquals(t.pods.snapshot().handlers.map(({ errors }) => errors), [0, 0]);
});

Deno.test("The first handler that wants objects of a running informer has all parsed, over several turns, said once", async () => {
  await using t = new Fixture();
  for (let i = 0; i < 2_000; i++) t.source.add(pod(`p${i}`));
  t.watch();
  await t.start();
  assertEquals([t.pods.indexer.size, t.keepsBytes], [2_000, true]);
  const seen: Cached<Pod>[] = [];
  t.pods.addEventHandler({ onAdd: (obj) => void seen.push(obj) });
  assertEquals(seen, [], "no call from within addEventHandler()");
  assertEquals(t.keepsBytes, false);
  t.source.add(pod("late"));
  await t.clock.advance(100);
  assertEquals(seen.length, 2_001);
  for (const obj of seen) assertStrictEquals(t.pods.indexer.get(obj), obj);
  t.pods.addEventHandler({});
  t.pods.keepParsed();
  assertEquals(t.logger.lines, [
    "info pods: parses its 2000 objects, to keep them parsed from now on",
  ]);
});

Deno.test("A handler that is added to bytes sees the old object of each update and deletion", async () => {
  await using t = new Fixture();
  for (const name of ["a", "b", "c", "d"]) t.source.add(pod(name));
  t.watch();
  await t.start();
  const gate = Promise.withResolvers<void>();
  const lines: string[] = [];
  const node = (obj: Cached<Pod> | undefined) => obj?.spec?.nodeName;
  t.pods.addEventHandler({
    // The versions leave the cache before this handler is called with them.
    onAdd: (obj) => (lines.push(`add ${obj.metadata.name} ${node(obj)}`), gate.promise),
    onUpdate: (old, obj) => void lines.push(`${obj.metadata.name} ${node(old)} to ${node(obj)}`),
    onDelete: (obj) => {
      const last = DeletedFinalStateUnknown.lastKnownState(obj);
      lines.push(`delete ${last?.metadata.name} ${node(last)}`);
    },
  });
  t.source.modify(pod("a", "n1"));
  t.source.modify(pod("a", "n2"));
  t.source.delete(pod("b", "last"));
  await t.clock.advance(10);
  t.source.deleteDropWatch(pod("c"));
  t.source.resetWatch();
  await t.clock.advance(5_000);
  assertEquals(lines.splice(0), ["add a n0"]);
  gate.resolve();
  await t.clock.advance(10);
  assertEquals(lines.sort(), [
    "a n0 to n1",
    "a n1 to n2",
    "a n2 to n2",
    "add b n0",
    "add c n0",
    "add d n0",
    "d n0 to n0",
    "delete b last",
    "delete c n0",
  ]);
});

Deno.test("A stop during the change to parsed objects ends the informer, and its cache stays readable", async () => {
  const t = new Fixture();
  for (let i = 0; i < 2_000; i++) t.source.add(pod(`p${i}`));
  {
    await using running = t;
    await running.start();
    t.pods.keepParsed();
  }
  assertEquals(t.clock.pendingTimers, 0);
  assertEquals(t.pods.indexer.list().filter(({ spec }) => spec?.nodeName === "n0").length, 2_000);
});

Deno.test("An index function that is added to bytes finds all objects at once", async () => {
  await using t = new Fixture();
  t.source.add(pod("a", "n1"));
  await t.start();
  t.pods.addIndexers({ node: ({ spec }) => [spec?.nodeName ?? ""] });
  assertEquals(t.pods.indexer.indexKeys("node", "n1"), ["x/a"]);
  assertEquals(Object.keys(t.pods.indexer.getIndexers()), ["node"]);
  t.source.modify(pod("a", "n2"));
  await t.clock.advance(10);
  assertEquals(t.pods.indexer.listIndexFuncValues("node"), ["n2"]);
});

Deno.test("A handler without replays is not called for a resync, nor for a list that changes nothing", async () => {
  await using t = new Fixture({ resyncPeriodMs: 1_000 });
  const replayed: string[] = [];
  t.watch({ replays: false });
  t.pods.addChangeHandler(({ key }) => void replayed.push(key));
  t.source.add(pod("a"));
  await t.start(3_500);
  t.source.addDropWatch(pod("b"));
  t.source.resetWatch();
  await t.clock.advance(3_000);
  t.source.modify(pod("a"));
  await t.clock.advance(10);
  assertEquals(t.changes.map(({ type, key }) => `${type} ${key}`), [
    "Added x/a",
    "Added x/b",
    "Updated x/a",
  ]);
  assert(replayed.length > 6, `${replayed.length}`);
});

Deno.test("An informer that keeps bytes tells its user once that most of the work is reading", async () => {
  await using t = new Fixture();
  for (let i = 0; i < 100; i++) t.source.add(pod(`p${i}`));
  await t.start();
  for (let i = 0; i < 999; i++) t.pods.indexer.list();
  assertEquals(t.logger.lines, []);
  for (let i = 0; i < 100; i++) t.pods.lister().list();
  assertEquals(t.logger.lines, [
    "warn pods: 100000 reads have parsed an object each, and only 100 objects have arrived: " +
    "keepParsed: true makes the reads cheap",
  ]);
});

Deno.test("Objects have the kind of their list, in both states", async () => {
  const clock = new VirtualClock();
  for (const streaming of [false, true]) {
    await using server = new ApiServer({ clock });
    await using client = new Client(server.clientOptions);
    await client.create(ConfigMaps, {
      metadata: { name: "a", namespace: "default" },
      data: { k: "v" },
    });
    const source = client.listerWatcher(ConfigMaps);
    const maps = new SharedInformer(
      { ...source, isWatchListSemanticsUnsupported: !streaming },
      { indexers: { kind: pathIndexFunc("kind") } },
    );
    const stop = new AbortController();
    const running = maps.run({ signal: stop.signal });
    await clock.run(maps.whenSynced());
    const read = () => {
      const { kind, apiVersion, data } = maps.indexer.list()[0] ?? {};
      return { kind, apiVersion, data };
    };
    assertEquals(read(), { kind: "ConfigMap", apiVersion: "v1", data: { k: "v" } });
    assertEquals(maps.indexer.listIndexFuncValues("kind"), ["ConfigMap"]);
    maps.keepParsed();
    await clock.settle();
    assertEquals(read(), { kind: "ConfigMap", apiVersion: "v1", data: { k: "v" } });
    stop.abort();
    await clock.run(running);
  }
});
