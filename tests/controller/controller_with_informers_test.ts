import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { silentLogger } from "../../src/base/mod.ts";
import { SharedInformer, SharedInformerFactory } from "../../src/cache/mod.ts";
import { Controller } from "../../src/controller/mod.ts";
import { type Mode, MODES, PLAIN, sourceOf } from "../cache/informer/_modes.ts";
import { FakeControllerSource, SeededRandom, VirtualClock } from "../../src/testing/mod.ts";
import { type ListerWatcherSource, type Pod, Pods } from "../../src/types/mod.ts";

function pod(name: string, labels: Readonly<Record<string, string>> = {}): Pod {
  return { metadata: { namespace: "default", name, labels } };
}

const BYTES = MODES.find(({ keeps }) => keeps === "bytes") as Mode;

/** Registers a test twice: with an informer that keeps parsed objects, and with an informer that keeps bytes. */
function controllerTest(
  name: string,
  test: (t: ReturnType<typeof setup>) => Promise<void>,
): void {
  Deno.test(name, () => test(setup(PLAIN)));
  Deno.test(`${name} (bytes)`, () => test(setup(BYTES)));
}

function setup(mode: Mode) {
  const clock = new VirtualClock();
  const random = new SeededRandom(6);
  const source = new FakeControllerSource<Pod>({ random });
  const environment = { clock, random, logger: silentLogger };
  const listerWatcher = sourceOf(mode, source, clock);
  const pods = new SharedInformer<Pod>(listerWatcher, { ...environment, name: "pods" });
  const stop = new AbortController();
  return { clock, source, listerWatcher, environment, pods, stop };
}

controllerTest(
  "Controller with a SharedInformer sees every object, change and deletion in the cache",
  async ({ clock, source, environment, pods, stop }) => {
    const seen: string[] = [];
    const controller = new Controller({
      ...environment,
      informer: pods,
      reconcile(key) {
        const { resourceVersion } = pods.indexer.getByKey(key)?.metadata ?? {};
        seen.push(`${key}@${resourceVersion}`);
      },
    });
    source.add(pod("a"));
    source.add(pod("b"));
    const running = controller.run({ workers: 3, signal: stop.signal });
    await clock.advance(10);
    assertEquals(seen.toSorted(), ["default/a@1", "default/b@2"]);
    source.modify(pod("a", { changed: "yes" }));
    await clock.advance(10);
    source.delete(pod("b"));
    await clock.advance(10);
    assertEquals(seen.slice(2), ["default/a@3", "default/b@undefined"]);
    stop.abort();
    await clock.run(running);
    assertEquals([pods.isStopped(), clock.pendingTimers, source.watchCount], [true, 0, 0]);
    assertEquals(pods.snapshot().handlers, []);
  },
);

controllerTest(
  "Controller reconciles an object whose deletion the watch missed",
  async ({ clock, source, environment, pods, stop }) => {
    const seen: string[] = [];
    const controller = new Controller({
      ...environment,
      informer: pods,
      reconcile: (key) => void seen.push(`${key} ${pods.indexer.getByKey(key) ? "is" : "was"}`),
    });
    source.add(pod("a"));
    const running = controller.run({ signal: stop.signal });
    await clock.advance(10);
    source.deleteDropWatch(pod("a"));
    source.resetWatch();
    await clock.advance(120_000);
    assertEquals(seen, ["default/a is", "default/a was"]);
    stop.abort();
    await clock.run(running);
  },
);

controllerTest(
  "Controller.run() reports why an informer has not synced in time",
  async ({ clock, source, environment, pods }) => {
    source.listError = new Error("pods is forbidden");
    const controller = new Controller({
      ...environment,
      informer: pods,
      cacheSyncTimeoutMs: 5000,
      reconcile: () => {},
    });
    const error = await assertRejects(() => clock.run(controller.run()), Error, "5000 ms");
    assertStringIncludes(error.message, "pods: ");
    assertStringIncludes(error.message, "pods is forbidden");
    assertEquals([pods.isStopped(), clock.pendingTimers], [true, 0]);
  },
);

controllerTest(
  "Controller.run() waits for a cache that syncs late",
  async ({ clock, source, environment, pods, stop }) => {
    const seen: string[] = [];
    const controller = new Controller({
      ...environment,
      informer: pods,
      reconcile: (key) => void seen.push(key),
    });
    source.listError = new Error("not yet");
    source.add(pod("a"));
    const running = controller.run({ signal: stop.signal });
    await clock.advance(60_000);
    assertEquals(seen, []);
    source.listError = undefined;
    await clock.advance(60_000);
    assertEquals(seen, ["default/a"]);
    stop.abort();
    await clock.run(running);
  },
);

controllerTest(
  "Controller.run() rejects if its informer has stopped before",
  async ({ clock, environment, pods, stop }) => {
    const finished = pods.run({ signal: stop.signal });
    stop.abort();
    await clock.run(finished);
    const controller = new Controller({ ...environment, informer: pods, reconcile: () => {} });
    await assertRejects(() => controller.run(), Error, "stopped already");
  },
);

controllerTest(
  "Controllers share the informer of a factory, and do not stop it",
  async ({ clock, source, listerWatcher, environment, stop }) => {
    const origin = { listerWatcher: () => listerWatcher } as unknown as ListerWatcherSource;
    const informers = new SharedInformerFactory(origin, environment);
    const pods = informers.informer<Pod>(Pods, { namespace: "default" });
    const seen: string[] = [];
    const make = (name: string) =>
      new Controller({
        ...environment,
        informer: pods,
        reconcile: (key) => void seen.push(`${name} ${key}`),
      });
    informers.start();
    const first = make("first").run({ signal: stop.signal });
    const second = new AbortController();
    const other = make("second").run({ signal: second.signal });
    source.add(pod("a"));
    await clock.advance(10);
    assertEquals(seen.toSorted(), ["first default/a", "second default/a"]);
    second.abort();
    await clock.run(other);
    assertEquals(pods.isStopped(), false);
    source.add(pod("b"));
    await clock.advance(10);
    assertEquals(seen.slice(2), ["first default/b"]);
    stop.abort();
    await clock.run(first);
    await clock.run(informers.shutdown());
    assertEquals(clock.pendingTimers, 0);
  },
);

controllerTest(
  "Controller reconciles the owner of an object of another informer",
  async ({ clock, source, environment, pods, stop }) => {
    const ownedSource = new FakeControllerSource();
    const owned = new SharedInformer(ownedSource, { ...environment, name: "configmaps" });
    const seen: string[] = [];
    const controller = new Controller({
      ...environment,
      informer: pods,
      waitFor: [owned],
      reconcile: (key) => void seen.push(`${key} owns ${owned.indexer.size}`),
    });
    const enqueueOwner = (
      { metadata }: { metadata: { labels?: Readonly<Record<string, string>> } },
    ) => controller.enqueue(`default/${metadata.labels?.["owner"]}`);
    owned.addEventHandler({ onAdd: enqueueOwner });

    source.add(pod("a"));
    ownedSource.add(pod("config-1", { owner: "a" }));
    const running = controller.run({ signal: stop.signal });
    await clock.advance(10);
    assertEquals(seen.at(-1), "default/a owns 1");
    ownedSource.add(pod("config-2", { owner: "a" }));
    await clock.advance(10);
    assertEquals(seen.at(-1), "default/a owns 2");
    stop.abort();
    await clock.run(running);
    assertEquals([owned.isStopped(), pods.isStopped(), clock.pendingTimers], [true, true, 0]);
  },
);
