import { assert, assertEquals } from "@std/assert";
import {
  type Cached,
  Client,
  ConfigMaps,
  installDefinitions,
  type KubeObject,
  Manager,
} from "@kubeloop/controller";
import { compareResourceVersions } from "@kubeloop/controller/types";
import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { forEachSeed } from "../../support/seeded_runs.ts";
import { namespace, Widgets, widgetWorld } from "../_world.ts";

Deno.test("A key waits until the caches show its writes; other keys and requests do not", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  const controller = manager.controller(Widgets).owns(ConfigMaps).reconcile(
    async ({ key, name, owned, apply, object }) => {
      seen.push(`${key} ${object.spec.size}: ${owned(ConfigMaps).length}`);
      await apply(ConfigMaps, { metadata: { name }, data: { size: `${object.spec.size}` } });
    },
  );
  world.start(manager);
  await world.pass(100);
  const hold = world.server.lag.hold({ when: (_watch, { name }) => name === "a" });
  // The hold keeps back the Widget as well, until it is released.
  await world.widget("a");
  await world.pass(10);
  hold.release();
  const late = world.server.lag.hold({
    when: ({ resource }, { name }) => resource === "configmaps" && name === "a",
  });
  await world.pass(50);
  const before = world.requests;
  await world.do(world.client.patch(Widgets, "a", { spec: { size: 2 } }, { namespace }));
  await world.widget("b");
  await world.pass(5_000);
  assertEquals(seen, ["default/a 1: 0", "default/b 1: 0"]);
  assertEquals(controller.snapshot().waitingForCaches, 1);
  // The patch, the Widget, and what was applied for it, after the question whether there is such an object.
  assertEquals(world.requests - before, 4);
  late.release();
  await world.pass(100);
  const after = ["default/a 2: 1", "default/a 2: 1", "default/b 1: 1"];
  assertEquals(seen.slice(2).toSorted(), after);
  assertEquals(controller.snapshot().waitingForCaches, 0);
});

Deno.test("A key that has waited too long is reconciled, logged and counted", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets, { staleSyncTimeoutMs: 10_000 }).owns(ConfigMaps).reconcile(
    async ({ name, apply }) => {
      reconciles++;
      await apply(ConfigMaps, { metadata: { name } });
    },
  );
  world.start(manager);
  await world.pass(100);
  const hold = world.server.lag.hold({ when: ({ resource }) => resource === "configmaps" });
  await world.widget("a");
  await world.pass(100);
  await world.do(world.client.patch(Widgets, "a", { spec: { size: 2 } }, { namespace }));
  await world.pass(9_800);
  assertEquals(reconciles, 1);
  await world.pass(300);
  assertEquals(reconciles, 2);
  const line = world.lines.find((one) => one.includes("has not shown its own writes"));
  assertEquals(
    line,
    'warn widget: "default/a" is reconciled on a cache that has not shown its own writes for 10000 ms: ' +
      "configmaps default/a",
  );
  const metrics = manager.metrics.text();
  assert(metrics.includes('stale_sync_skips_total{controller="widget"} 1'), metrics);
  assert(metrics.includes('kubeloop_stale_read_timeouts_total{controller="widget"} 1'), metrics);
  hold.release();
  await world.pass(100);
});

Deno.test("A key waits for its deletions, even if the answer has no object", async () => {
  await using world = await widgetWorld();
  await world.do(world.client.create(ConfigMaps, { metadata: { name: "old", namespace } }));
  const manager = world.manager();
  const seen: boolean[] = [];
  const controller = manager.controller(Widgets)
    .watches(ConfigMaps, { map: () => undefined })
    .reconcile(async ({ cache, client }) => {
      const old = cache(ConfigMaps).get("old", namespace);
      seen.push(old !== undefined);
      if (old !== undefined) await client.delete(ConfigMaps, "old", { namespace });
    });
  world.start(manager);
  await world.pass(100);
  const hold = world.server.lag.hold({ when: ({ resource }) => resource === "configmaps" });
  await world.widget("a");
  await world.pass(100);
  controller.trigger("default/a");
  await world.pass(1_000);
  assertEquals(seen, [true]);
  hold.release();
  await world.pass(1_100);
  assertEquals(seen, [true, false]);
});

Deno.test("A key that creates and deletes an object in one reconcile does not see it later", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: boolean[] = [];
  const controller = manager.controller(Widgets)
    .watches(ConfigMaps, { map: () => undefined })
    .reconcile(async ({ cache, client }) => {
      seen.push(cache(ConfigMaps).get("brief", namespace) !== undefined);
      if (seen.length > 1) return;
      await client.create(ConfigMaps, { metadata: { name: "brief", namespace } });
      await client.delete(ConfigMaps, "brief", { namespace });
    });
  world.start(manager);
  await world.pass(100);
  const isMap = ({ resource }: { resource: string }) => resource === "configmaps";
  const hold = world.server.lag.hold({
    when: (watch, { type }) => isMap(watch) && type === "ADDED",
  });
  await world.widget("a");
  await world.pass(100);
  controller.trigger("default/a");
  await world.pass(2_000);
  assertEquals([seen, controller.snapshot().waitingForCaches], [[false], 1]);
  hold.release();
  await world.pass(1_100);
  assertEquals(seen, [false, false]);
});

Deno.test("A key waits until an object that is no longer selected has left the cache", async () => {
  await using world = await widgetWorld();
  const labels = { app: "web" };
  await world.do(world.client.create(ConfigMaps, { metadata: { name: "x", namespace, labels } }));
  const manager = world.manager();
  const seen: boolean[] = [];
  const controller = manager.controller(Widgets)
    .watches(ConfigMaps, { map: () => undefined, labelSelector: "app=web" })
    .reconcile(async ({ cache, client }) => {
      const isThere = cache(ConfigMaps).get("x", namespace) !== undefined;
      seen.push(isThere);
      const metadata = { labels: { app: isThere ? "other" : "third" } };
      await client.patch(ConfigMaps, "x", { metadata }, { namespace });
    });
  world.start(manager);
  await world.pass(100);
  const hold = world.server.lag.hold({ when: ({ resource }) => resource === "configmaps" });
  await world.widget("a");
  await world.pass(100);
  controller.trigger("default/a");
  await world.pass(2_000);
  assertEquals(seen, [true]);
  hold.release();
  await world.pass(100);
  controller.trigger("default/a");
  await world.pass(100);
  assertEquals(seen, [true, false, false]);
});

Deno.test("A key does not wait for an object that a field selector excludes", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  const controller = manager.controller(Widgets)
    .watches(ConfigMaps, { map: () => undefined, fieldSelector: "metadata.name=other" })
    .reconcile(async ({ client, name }) => {
      const data = { reconciles: `${++reconciles}` };
      await client.apply(ConfigMaps, { metadata: { name, namespace }, data }, {
        fieldManager: "x",
      });
    });
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  controller.trigger("default/a");
  await world.pass(100);
  assertEquals([reconciles, controller.snapshot().waitingForCaches], [2, 0]);
});

Deno.test("A key does not wait for a write without changes, a dry run, or an uncached kind", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  const controller = manager.controller(Widgets).reconcile(async ({ client, name }) => {
    reconciles++;
    const call = { namespace };
    await client.patch(Widgets, name, { metadata: { labels: { tried: "yes" } } }, {
      ...call,
      dryRun: true,
    });
    await client.patch(Widgets, name, { spec: { size: 1 } }, call);
    await client.apply(ConfigMaps, { metadata: { name, namespace } }, {
      fieldManager: "test",
    });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  const hold = world.server.lag.hold();
  controller.trigger("default/a");
  await world.pass(10);
  assertEquals(reconciles, 2);
  hold.release();
  await world.pass(10);
});

Deno.test("No reconcile sees a state older than the writes of its key, however late the caches are", async () => {
  await forEachSeed(40, async (random) => {
    const clock = new VirtualClock();
    await using server = new ApiServer({ clock, random: random.fork("server"), lag: true });
    await using client = new Client({ ...server.clientOptions, random: random.fork("client") });
    await clock.run(installDefinitions(client, [Widgets]));
    await using manager = new Manager(client, { logger: silent });
    /** The newest version that the reconciles of each key have written, by the name of the object. */
    const written = new Map<string, Map<string, string>>();
    let older = 0;
    const isOlder = (object: Cached<KubeObject> | undefined, version: string) =>
      (compareResourceVersions(object?.metadata.resourceVersion ?? "0", version) ?? -1) < 0;
    manager.controller(Widgets, { workers: 3 }).owns(ConfigMaps).reconcile(
      async ({ key, name, cache, client, object }) => {
        const mine = written.get(key) ?? new Map<string, string>();
        written.set(key, mine);
        for (const [child, version] of mine) {
          if (isOlder(cache(ConfigMaps).get(child, namespace), version)) older++;
        }
        const child = `${name}-${object.spec.size % 3}`;
        const data = { size: `${object.spec.size}` };
        const fieldManager = "test";
        const { metadata } = await client.apply(ConfigMaps, {
          metadata: { name: child, namespace },
          data,
        }, { fieldManager });
        mine.set(child, metadata.resourceVersion);
      },
    );
    const running = manager.run();
    const names = ["a", "b", "c"];
    for (const name of names) {
      await clock.run(client.create(Widgets, { metadata: { name, namespace }, spec: { size: 0 } }));
    }
    for (let size = 1; size < 12; size++) {
      const name = names[Math.floor(random.next() * names.length)] ?? "a";
      await clock.run(client.patch(Widgets, name, { spec: { size } }, { namespace }));
      await clock.advance(random.next() * 200);
    }
    await clock.advance(10_000);
    assertEquals(older, 0);
    assert(written.size === 3);
    await clock.run(manager[Symbol.asyncDispose]());
    await clock.run(running);
  });
});

Deno.test("No reconcile sees reverted writes of its key, with late, interrupted and relisted caches", async () => {
  let reconciles = 0;
  let runs = 0;
  await forEachSeed(30, async (random) => {
    const clock = new VirtualClock();
    await using server = new ApiServer({ clock, random: random.fork("server"), lag: true });
    await using client = new Client({
      ...server.clientOptions,
      logger: silent,
      random: random.fork("client"),
    });
    await clock.run(installDefinitions(client, [Widgets]));
    await using manager = new Manager(client);
    const chance = (probability: number) => random.next() < probability;
    /** The result of the last write of each object: its version, or the UID of the deleted object. */
    const left = new Map<string, { version?: string; gone?: string }>();
    const wrong: string[] = [];
    const labelSelector = chance(0.5) ? "app=web" : undefined;
    const controller = manager.controller(Widgets, { staleSyncTimeoutMs: 600_000 })
      .watches(ConfigMaps, { map: () => undefined, labelSelector })
      .reconcile(async ({ cache, client }) => {
        reconciles++;
        for (const [name, { version, gone }] of left) {
          const cached = cache(ConfigMaps).get(name, namespace);
          const { uid, resourceVersion = "0" } = cached?.metadata ?? {};
          if (cached === undefined ? version !== undefined : uid === gone) wrong.push(name);
          if (cached !== undefined && version !== undefined) {
            if ((compareResourceVersions(resourceVersion, version) ?? -1) < 0) wrong.push(name);
          }
        }
        for (let writes = 1 + Math.floor(3 * random.next()); writes > 0; writes--) {
          const name = chance(0.5) ? "x" : "y";
          if (left.get(name)?.version !== undefined && chance(0.4)) {
            const { metadata: { uid } } = await client.get(ConfigMaps, name, { namespace });
            await client.delete(ConfigMaps, name, { namespace });
            left.set(name, { gone: uid });
            continue;
          }
          const isSelected = chance(0.7);
          const { metadata } = await client.apply(ConfigMaps, {
            metadata: { name, namespace, labels: { app: isSelected ? "web" : "other" } },
            data: { at: `${reconciles} ${writes}` },
          }, { fieldManager: "test" });
          const { uid, resourceVersion } = metadata;
          const isCached = labelSelector === undefined || isSelected;
          left.set(name, isCached ? { version: resourceVersion } : { gone: uid });
        }
      });
    const running = manager.run();
    await clock.run(
      client.create(Widgets, { metadata: { name: "a", namespace }, spec: { size: 0 } }),
    );
    for (let rounds = 0; rounds < 15; rounds++) {
      controller.trigger("default/a");
      await clock.advance(random.next() * 400);
      if (chance(0.1)) server.restart();
      if (chance(0.1)) server.compact({ watches: true });
      if (chance(0.1)) server.closeWatches();
    }
    await clock.advance(90_000);
    assertEquals(wrong, []);
    assertEquals(controller.snapshot().waitingForCaches, 0);
    runs++;
    await clock.run(manager[Symbol.asyncDispose]());
    await clock.run(running);
  });
  assert(reconciles > 6 * runs, `only ${reconciles} reconciles in ${runs} runs`);
});

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
