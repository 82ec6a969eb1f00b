import { assertEquals, assertThrows } from "@std/assert";
import { ConfigMaps, Nodes, Secrets } from "@kubeloop/controller";
import { SharedInformerFactory } from "../../../src/cache/mod.ts";
import { namespace, Widgets, widgetWorld } from "../_world.ts";

Deno.test("a cache that has not synced cannot be read", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const cache = manager.cache(ConfigMaps);
  const reads = [
    () => cache.get("a", namespace),
    () => cache.list(),
    () => cache.byIndex("namespace", namespace),
    () => cache.ownedBy("uid"),
  ];
  for (const read of reads) {
    assertThrows(read, Error, "The cache of configmaps has not synced (it was not started)");
  }
  world.start(manager);
  await world.pass(1_000);
  for (const read of reads) read();
});

Deno.test("a namespaced object cannot be read without its namespace", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const cache = manager.cache(ConfigMaps);
  const nodes = manager.cache(Nodes);
  world.start(manager);
  await world.pass(1_000);
  assertThrows(() => cache.get("a"), Error, "give the namespace");
  assertEquals(nodes.get("a"), undefined);
});

Deno.test("an unknown index is an error with its kind and the known indices", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).indexes({ color: ({ spec }) => [spec.color ?? ""] }).reconcile(
    () => {},
  );
  const cache = manager.cache(Widgets);
  const others = manager.cache(Secrets);
  world.start(manager);
  await world.pass(1_000);
  assertEquals(cache.byIndex("color", "red"), []);
  assertThrows(
    () => cache.byIndex("colour", "red"),
    Error,
    'The cache of widgets.acme.io has no index "colour", it has color',
  );
  assertThrows(() => others.byIndex("secrets", "a"), Error, 'has no index "secrets", it has none');
});

Deno.test("a mapper of a controller that is added later reads caches that have synced", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).reconcile(() => {});
  world.start(manager);
  await world.widget("a");
  const secret = { metadata: { name: "s", namespace, labels: { widget: "w" } } };
  await world.do(world.client.create(Secrets, secret));
  await world.do(world.client.create(ConfigMaps, { metadata: { name: "w", namespace } }));
  await world.pass(1_000);
  const causes: string[] = [];
  const maps = manager.cache(ConfigMaps);
  manager.controller(ConfigMaps, { name: "late" })
    .watches(Secrets, {
      map: ({ metadata }) =>
        maps.list().filter(({ metadata: { name } }) => name === metadata.labels?.["widget"]),
    })
    .reconcile((pass) => void causes.push(`${pass.name}: ${pass.causes.map(({ why }) => why)}`));
  await world.pass(1_000);
  assertEquals(causes.filter((cause) => cause.startsWith("w: ")).length, 1);
  assertEquals(world.lines.filter((line) => !line.startsWith("info ")), []);
});

Deno.test("SharedInformerFactory.waitForCacheSync() before start() is a warning", async () => {
  await using world = await widgetWorld();
  await using informers = new SharedInformerFactory(world.client);
  await informers.waitForCacheSync();
  informers.informer(ConfigMaps);
  await informers.waitForCacheSync();
  assertEquals(world.lines, [
    "warn waitForCacheSync() has nothing to wait for: call start() first, which starts configmaps",
  ]);
  informers.start();
  await world.do(informers.waitForCacheSync());
});

Deno.test("cached objects are frozen for a client of an in-process server, unless it says otherwise", async () => {
  await using world = await widgetWorld();
  for (const freezeObjects of [undefined, true, false]) {
    const manager = world.manager({ freezeObjects });
    const cache = manager.cache(ConfigMaps);
    const stop = new AbortController();
    const running = manager.run({ signal: stop.signal });
    await world.do(
      world.client.create(ConfigMaps, { metadata: { generateName: "a-", namespace } }),
    );
    await world.pass(1_000);
    const [object] = cache.list();
    assertEquals(Object.isFrozen(object?.metadata), freezeObjects ?? true);
    stop.abort();
    await world.do(running);
  }
});
