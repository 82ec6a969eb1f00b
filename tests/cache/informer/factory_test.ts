import {
  assertEquals,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { SharedInformerFactory } from "../../../src/cache/mod.ts";
import { FakeControllerSource, VirtualClock } from "../../../src/testing/mod.ts";
import {
  ConfigMaps,
  type KubeObject,
  type ListerWatcher,
  type ListerWatcherSource,
  type ListWatchScope,
  Pods,
  type Resource,
} from "../../../src/types/mod.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";

/** A source of lister-watchers that creates a fake source for each request. */
class FakeSource implements ListerWatcherSource {
  readonly asked: string[] = [];
  readonly sources: FakeControllerSource[] = [];

  listerWatcher<T extends KubeObject>(
    resource: Resource<T>,
    options: ListWatchScope = {},
  ): ListerWatcher<T> {
    this.asked.push(`${resource.plural} ${JSON.stringify(options)}`);
    const source = new FakeControllerSource<T>();
    this.sources.push(source as unknown as FakeControllerSource);
    return source;
  }
}

/** Registers a test once for each kind of cache. `inform` creates informers of that kind. */
function factoryTest(
  name: string,
  test: (t: ReturnType<typeof setUp>) => void | Promise<void>,
  options: { namespace?: string } = {},
): void {
  Deno.test(name, () => test(setUp(options)));
}

function setUp(options: { namespace?: string } = {}) {
  const clock = new VirtualClock();
  const source = new FakeSource();
  const logger = new RecordingLogger();
  const factory = new SharedInformerFactory(source, { clock, logger, ...options });
  const inform = <T extends KubeObject>(resource: Resource<T>, of: ListWatchScope = {}) =>
    factory.informer<T>(resource, of);
  return { clock, source, factory, logger, inform };
}

factoryTest(
  "SharedInformerFactory creates one informer for each resource and selection",
  ({ source, inform }) => {
    const all = inform(Pods);
    assertStrictEquals(inform(Pods, {}), all);
    const some = inform(Pods, {
      namespace: "x",
      labelSelector: "a=b",
      fieldSelector: "c=d",
    });
    assertStrictEquals(
      inform(Pods, { namespace: "x", labelSelector: "a=b", fieldSelector: "c=d" }),
      some,
    );
    assertNotStrictEquals<unknown>(some, all);
    assertNotStrictEquals<unknown>(
      inform(Pods, { labelSelector: "c=d" }),
      inform(Pods, { fieldSelector: "c=d" }),
    );
    assertNotStrictEquals<unknown>(inform(ConfigMaps), all);
    assertEquals(source.asked.slice(0, 2), [
      "pods {}",
      'pods {"namespace":"x","labelSelector":"a=b","fieldSelector":"c=d"}',
    ]);
    assertEquals([all.name, some.name], ["pods", "pods (in x, a=b, c=d)"]);
  },
);

factoryTest(
  "SharedInformerFactory uses its namespace for informers that are requested without one",
  ({ source, inform }) => {
    inform(Pods);
    inform(Pods, { namespace: "y" });
    assertEquals(source.asked, ['pods {"namespace":"x"}', 'pods {"namespace":"y"}']);
  },
  { namespace: "x" },
);

factoryTest(
  "SharedInformerFactory.start() starts the informers that have not been started, on each call",
  async ({ clock, source, factory, inform }) => {
    const first = inform(Pods);
    const stop = new AbortController();
    factory.start({ signal: stop.signal });
    factory.start({ signal: stop.signal });
    const second = inform(ConfigMaps);
    await clock.advance(0);
    assertEquals([first.hasSynced(), second.hasStarted()], [true, false]);
    factory.start({ signal: stop.signal });
    await clock.run(factory.waitForCacheSync({ timeoutMs: 1_000 }));
    assertEquals(second.hasSynced(), true);
    assertEquals(source.sources.map(({ watchCount }) => watchCount), [1, 1]);
    assertEquals(second.snapshot().informer?.lists, 1);
    assertEquals(factory.snapshot().map(({ name }) => name), ["pods", "configmaps"]);
    stop.abort();
    await clock.run(factory.shutdown());
  },
);

factoryTest(
  "SharedInformerFactory does not start or stop informers that another owner runs",
  async ({ clock, factory, logger, inform }) => {
    const pods = inform(Pods);
    const stop = new AbortController();
    const running = pods.run({ signal: stop.signal });
    factory.start();
    await clock.advance(0);
    await clock.run(factory.shutdown());
    assertEquals([pods.isStopped(), logger.lines], [false, []]);
    stop.abort();
    await clock.run(running);
  },
);

factoryTest(
  "SharedInformerFactory.waitForCacheSync() waits only for started informers, and reports why they have not synced",
  async ({ clock, source, factory, inform }) => {
    inform(Pods);
    await factory.waitForCacheSync();
    factory.start();
    (source.sources[0] as FakeControllerSource).listError = new Error("no route");
    await assertRejects(
      () => clock.run(factory.waitForCacheSync({ timeoutMs: 5_000 })),
      Error,
      "Timed out after 5000 ms waiting for caches to sync: pods: no route",
    );
    await clock.run(factory.shutdown());
  },
);

factoryTest(
  "SharedInformerFactory.shutdown() waits for informers that were started with a signal, and no more are started",
  async ({ clock, source, factory, inform }) => {
    const pods = inform(Pods);
    const stop = new AbortController();
    factory.start({ signal: stop.signal });
    await clock.advance(0);
    let isDown = false;
    const down = factory.shutdown().then(() => isDown = true);
    await clock.advance(10_000);
    assertEquals(isDown, false);
    const late = inform(ConfigMaps);
    factory.start({ signal: stop.signal });
    assertEquals(late.hasStarted(), false);
    stop.abort();
    await clock.run(down);
    assertEquals([pods.isStopped(), source.sources[0]?.watchCount, clock.pendingTimers], [
      true,
      0,
      0,
    ]);
  },
);

factoryTest(
  "SharedInformerFactory stops all its informers on disposal, and those without a signal on shutdown()",
  async () => {
    for (const end of ["dispose", "shutdown"] as const) {
      const { clock, factory, inform } = setUp();
      const pods = inform(Pods);
      factory.start(end === "dispose" ? { signal: new AbortController().signal } : {});
      await clock.advance(0);
      await clock.run(end === "dispose" ? factory[Symbol.asyncDispose]() : factory.shutdown());
      assertEquals(pods.isStopped(), true);
      await factory.shutdown();
    }
  },
);

factoryTest(
  "SharedInformerFactory keeps an informer running that its users have started",
  async ({ clock, factory, inform }) => {
    const pods = inform(Pods);
    const user = new AbortController();
    const use = pods.runShared({ signal: user.signal });
    factory.start();
    user.abort();
    await clock.run(use);
    assertEquals(pods.isStopped(), false);
    await clock.run(factory.shutdown());
    assertEquals([pods.isStopped(), clock.pendingTimers], [true, 0]);
  },
);

Deno.test("SharedInformerFactory gives its informers its watchErrorHandler", async () => {
  const clock = new VirtualClock();
  const source = new FakeSource();
  const seen: string[] = [];
  const factory = new SharedInformerFactory(source, {
    clock,
    watchErrorHandler: (reflector, error) => void seen.push(`${reflector.name}: ${error}`),
  });
  factory.informer(Pods);
  factory.informer(ConfigMaps);
  for (const fake of source.sources) fake.listError = new Error("no luck");
  factory.start();
  await clock.settle();
  assertEquals(seen, [
    "pods: Error: Failed to list Pod: no luck",
    "configmaps: Error: Failed to list ConfigMap: no luck",
  ]);
  await clock.run(factory.shutdown());
});
