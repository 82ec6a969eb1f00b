/** Controllers that share informers: none works on a cache that is no longer updated. */

import { assertEquals, assertRejects } from "@std/assert";
import { SharedInformer, SharedInformerFactory } from "../../src/cache/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { Controller } from "../../src/controller/mod.ts";
import { ApiServer, FakeControllerSource, VirtualClock } from "../../src/testing/mod.ts";
import { ConfigMaps, type KubeObject, type Pod, Pods } from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";

const pod = (name: string): Pod => ({ metadata: { namespace: "default", name } });

/** An environment that nothing but the source of an informer has, so that everything else inherits it. */
function world() {
  const clock = new VirtualClock();
  const logger = new RecordingLogger();
  const informer = <T extends KubeObject>(name: string) => {
    const source = new FakeControllerSource<T>();
    return { source, informer: new SharedInformer<T>(source, { clock, logger, name }) };
  };
  return { clock, logger, informer };
}

Deno.test("Controller continues when another user of its informer stops", async () => {
  const { clock, informer } = world();
  const { source, informer: pods } = informer<Pod>("pods");
  const seen: string[] = [];
  const run = (name: string) => {
    const stop = new AbortController();
    const reconcile = (key: string) => void seen.push(`${name} ${key}`);
    const controller = new Controller({ informer: pods, name, reconcile });
    return { stop, running: controller.run({ signal: stop.signal }) };
  };
  const [first, second] = [run("first"), run("second")];
  await clock.settle();
  first.stop.abort();
  await clock.run(first.running);
  source.add(pod("a"));
  await clock.settle();
  assertEquals(seen, ["second default/a"]);
  second.stop.abort();
  await clock.run(second.running);
  assertEquals([pods.isStopped(), source.watchCount, clock.pendingTimers], [true, 0, 0]);
});

Deno.test("Controller.run() rejects with the informer's name when that stops before it", async () => {
  const { clock, informer } = world();
  const { informer: pods } = informer<Pod>("pods");
  const owner = new AbortController();
  const owned = pods.run({ signal: owner.signal });
  const controller = new Controller({ informer: pods, reconcile: () => {} });
  const running = assertRejects(
    () => controller.run(),
    Error,
    "Informer pods has stopped, so its cache is no longer updated",
  );
  await clock.settle();
  owner.abort();
  await clock.run(owned);
  await clock.run(running);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("Controller.run() rejects when an informer in waitFor stops, and stops its own", async () => {
  const { clock, informer } = world();
  const { source, informer: pods } = informer<Pod>("pods");
  const { informer: configMaps } = informer("configmaps");
  const owner = new AbortController();
  const owned = configMaps.run({ signal: owner.signal });
  const seen: string[] = [];
  const controller = new Controller({
    informer: pods,
    waitFor: [configMaps],
    reconcile: (key) => void seen.push(key),
  });
  const running = assertRejects(() => controller.run(), Error, "Informer configmaps has stopped");
  await clock.settle();
  owner.abort();
  await clock.run(owned);
  await clock.run(running);
  source.add(pod("a"));
  await clock.settle();
  assertEquals([seen, pods.isStopped(), clock.pendingTimers], [[], true, 0]);
});

Deno.test("Controller.run() rejects when the factory's signal aborts first", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  const factory = new SharedInformerFactory(client);
  const pods = factory.informer(Pods);
  const stop = new AbortController();
  factory.start({ signal: stop.signal });
  const controller = new Controller({ informer: pods, reconcile: () => {} });
  const running = assertRejects(() => controller.run(), Error, "Informer pods has stopped");
  await clock.run(factory.waitForCacheSync());
  stop.abort();
  await clock.run(running);
});

Deno.test("A closed client ends its informers, and the controllers that use them, with that error", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  const client = new Client({ fetch: server.fetch, clock, logger: new RecordingLogger() });
  const factory = new SharedInformerFactory(client);
  const controller = new Controller({
    informer: factory.informer(Pods),
    waitFor: [factory.informer(ConfigMaps)],
    reconcile: () => {},
  });
  const running = assertRejects(() => controller.run(), Error, "Client is closed");
  await clock.run(factory.informer(Pods).whenSynced());
  await client.close();
  await clock.run(running);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("A controller inherits clock, logger and name from its informer, and the informer from its client", async () => {
  const clock = new VirtualClock();
  const logger = new RecordingLogger();
  await using server = new ApiServer({ clock });
  await using client = new Client({ fetch: server.fetch, clock, logger });
  const pods = new SharedInformerFactory(client).informer(Pods);
  const seen: number[] = [];
  const controller = new Controller({
    informer: pods,
    reconcile() {
      seen.push(clock.now());
      throw new Error("not yet");
    },
  });
  assertEquals(controller.name, "pods");
  const stop = new AbortController();
  const running = controller.run({ signal: stop.signal });
  const create = client.create(Pods, {
    ...pod("a"),
    spec: { containers: [{ name: "main", image: "busybox" }] },
  });
  await clock.run(create);
  const startMs = clock.now();
  await clock.advance(40);
  assertEquals(seen.map((ms) => ms - startMs).slice(1, 4), [5, 15, 35], "retries on that clock");
  assertEquals(
    logger.lines.filter((line) => line.includes('pods: reconcile of "default/a" failed')).length,
    seen.length,
  );
  stop.abort();
  await clock.run(running);
});
