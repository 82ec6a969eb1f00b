import {
  assertEquals,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import {
  type ListerWatcher,
  type ListerWatcherOptions,
  type ListerWatcherSource,
  SharedInformerFactory,
} from "../../src/cache/mod.ts";
import { FakeControllerSource, VirtualClock } from "../../src/testing/mod.ts";
import { ConfigMaps, type KubeObject, Pods, type Resource } from "../../src/types/mod.ts";
import { RecordingLogger } from "./_reflector_harness.ts";

/** One fake source for each thing that is asked for. */
class FakeSource implements ListerWatcherSource {
  readonly asked: string[] = [];
  readonly sources: FakeControllerSource[] = [];

  listerWatcher<T extends KubeObject>(
    resource: Resource<T>,
    options: ListerWatcherOptions = {},
  ): ListerWatcher<T> {
    this.asked.push(`${resource.plural} ${JSON.stringify(options)}`);
    const source = new FakeControllerSource<T>();
    this.sources.push(source as unknown as FakeControllerSource);
    return source;
  }
}

function setUp(options: { namespace?: string } = {}) {
  const clock = new VirtualClock();
  const source = new FakeSource();
  const logger = new RecordingLogger();
  const factory = new SharedInformerFactory(source, { clock, logger, ...options });
  return { clock, source, factory, logger };
}

Deno.test("SharedInformerFactory makes one informer for each resource and selection", () => {
  const { source, factory } = setUp();
  const all = factory.informer(Pods);
  assertStrictEquals(factory.informer(Pods, {}), all);
  const some = factory.informer(Pods, {
    namespace: "x",
    labelSelector: "a=b",
    fieldSelector: "c=d",
  });
  assertStrictEquals(
    factory.informer(Pods, { namespace: "x", labelSelector: "a=b", fieldSelector: "c=d" }),
    some,
  );
  assertNotStrictEquals<unknown>(some, all);
  assertNotStrictEquals<unknown>(
    factory.informer(Pods, { labelSelector: "c=d" }),
    factory.informer(Pods, { fieldSelector: "c=d" }),
  );
  assertNotStrictEquals<unknown>(factory.informer(ConfigMaps), all);
  assertEquals(source.asked.slice(0, 2), [
    "pods {}",
    'pods {"namespace":"x","labelSelector":"a=b","fieldSelector":"c=d"}',
  ]);
  assertEquals([all.name, some.name], ["pods", "pods (in x, a=b, c=d)"]);
});

Deno.test("SharedInformerFactory has a namespace for informers that name none", () => {
  const { source, factory } = setUp({ namespace: "x" });
  factory.informer(Pods);
  factory.informer(Pods, { namespace: "y" });
  assertEquals(source.asked, ['pods {"namespace":"x"}', 'pods {"namespace":"y"}']);
});

Deno.test("SharedInformerFactory.start() starts what has not been started, whenever it is called", async () => {
  const { clock, source, factory } = setUp();
  const first = factory.informer(Pods);
  const stop = new AbortController();
  factory.start({ signal: stop.signal });
  factory.start({ signal: stop.signal });
  const second = factory.informer(ConfigMaps);
  await clock.advance(0);
  assertEquals([first.hasSynced(), second.hasStarted], [true, false]);
  factory.start({ signal: stop.signal });
  await clock.run(factory.waitForCacheSync({ timeoutMs: 1_000 }));
  assertEquals(second.hasSynced(), true);
  assertEquals(source.sources.map(({ watchCount }) => watchCount), [1, 1]);
  assertEquals(second.snapshot().informer?.lists, 1);
  assertEquals(factory.snapshot().map(({ name }) => name), ["pods", "configmaps"]);
  stop.abort();
  await clock.run(factory.shutdown());
});

Deno.test("SharedInformerFactory leaves informers alone that somebody else runs", async () => {
  const { clock, factory, logger } = setUp();
  const pods = factory.informer(Pods);
  const stop = new AbortController();
  const running = pods.run({ signal: stop.signal });
  factory.start();
  await clock.advance(0);
  await clock.run(factory.shutdown());
  assertEquals([pods.isStopped, logger.lines], [false, []]);
  stop.abort();
  await clock.run(running);
});

Deno.test("SharedInformerFactory waits only for informers that were started, and says why they do not sync", async () => {
  const { clock, source, factory } = setUp();
  factory.informer(Pods);
  await factory.waitForCacheSync();
  factory.start();
  (source.sources[0] as FakeControllerSource).listError = new Error("no route");
  await assertRejects(
    () => clock.run(factory.waitForCacheSync({ timeoutMs: 5_000 })),
    Error,
    "Timed out after 5000 ms waiting for caches to sync: pods: no route",
  );
  await clock.run(factory.shutdown());
});

Deno.test("SharedInformerFactory.shutdown() waits for all that were started with a signal, and starts nothing more", async () => {
  const { clock, source, factory } = setUp();
  const pods = factory.informer(Pods);
  const stop = new AbortController();
  factory.start({ signal: stop.signal });
  await clock.advance(0);
  let isDown = false;
  const down = factory.shutdown().then(() => isDown = true);
  await clock.advance(10_000);
  assertEquals(isDown, false);
  const late = factory.informer(ConfigMaps);
  factory.start({ signal: stop.signal });
  assertEquals(late.hasStarted, false);
  stop.abort();
  await clock.run(down);
  assertEquals([pods.isStopped, source.sources[0]?.watchCount, clock.pendingTimers], [true, 0, 0]);
});

Deno.test("SharedInformerFactory stops everything at disposal, and what has no signal at shutdown()", async () => {
  for (const end of ["dispose", "shutdown"] as const) {
    const { clock, factory } = setUp();
    const pods = factory.informer(Pods);
    factory.start(end === "dispose" ? { signal: new AbortController().signal } : {});
    await clock.advance(0);
    await clock.run(end === "dispose" ? factory[Symbol.asyncDispose]() : factory.shutdown());
    assertEquals(pods.isStopped, true);
    await factory.shutdown();
  }
});
