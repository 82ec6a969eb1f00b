import { assertEquals } from "@std/assert";
import { ConfigMaps } from "@kubeloop/controller";
import { namespace, Widgets, widgetWorld } from "../_world.ts";

/** Makes a widget, and takes it back twice while the cache of its children is a second late. */
async function shrinkWhileLate(world: Awaited<ReturnType<typeof widgetWorld>>): Promise<void> {
  await world.widget("w", 1);
  await world.pass(1000);
  const late = world.server.lag.hold({
    forMs: 1000,
    when: ({ resource }) => resource === "configmaps",
  });
  await world.do(world.client.patch(Widgets, "w", { spec: { size: 0 } }, { namespace }));
  await world.pass(100);
  await world.do(world.client.patch(Widgets, "w", { spec: { size: -1 } }, { namespace }));
  await world.pass(5000);
  assertEquals(late.hits, 1);
}

Deno.test("owned objects are pruned when the controller watches the kind in another scope too", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: unknown[] = [];
  manager.controller(Widgets)
    .owns(ConfigMaps, { labelSelector: "copy" })
    .watches(ConfigMaps, { namespaces: ["kube-system"], map: () => [`${namespace}/w`] })
    .reconcile(async ({ object, apply, cache, owned }) => {
      const source = cache(ConfigMaps).get("source", "kube-system");
      const labels = { copy: "yes" };
      for (let i = 0; i < object.spec.size; i++) {
        await apply(ConfigMaps, { metadata: { name: `c${i}`, labels }, data: source?.data });
      }
      seen.push(owned(ConfigMaps).map(({ metadata: { name } }) => name).sort());
      return { prune: true };
    });
  world.start(manager);
  await world.clock.advance(1000);
  const system = { namespace: "kube-system" };
  await world.client.create(ConfigMaps, { metadata: { name: "source" }, data: { a: "1" } }, system);
  await world.client.create(Widgets, { metadata: { name: "w", namespace }, spec: { size: 2 } });
  await world.clock.advance(5000);
  assertEquals(world.server.get(ConfigMaps, "c1", namespace)?.data, { a: "1" });
  assertEquals(seen.at(-1), ["c0", "c1"]);
  await world.client.patch(Widgets, "w", { spec: { size: 1 } }, { namespace });
  await world.clock.advance(5000);
  assertEquals(world.server.get(ConfigMaps, "c1", namespace), undefined);
  assertEquals(seen.at(-1), ["c0"]);
});

Deno.test("a watch of one named object does not delay a key that has written other objects of the kind", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const times: number[] = [];
  manager.controller(Widgets)
    .owns(ConfigMaps, { labelSelector: "copy" })
    .watches(ConfigMaps, { fieldSelector: "metadata.name=settings", map: () => [] })
    .reconcile(async ({ object, apply, clock }) => {
      times.push(clock.now());
      const data = { size: `${object.spec.size}` };
      await apply(ConfigMaps, { metadata: { name: "w", labels: { copy: "yes" } }, data });
    });
  world.start(manager);
  await world.clock.advance(1000);
  await world.client.create(Widgets, { metadata: { name: "w", namespace }, spec: { size: 1 } });
  await world.clock.advance(100);
  await world.client.patch(Widgets, "w", { spec: { size: 2 } }, { namespace });
  const changed = world.clock.now();
  await world.clock.advance(70_000);
  assertEquals(world.server.get(ConfigMaps, "w", namespace)?.data, { size: "2" });
  assertEquals(times.filter((time) => time > changed + 100), []);
});

Deno.test("a key waits until a cache with a label selector shows what it has deleted", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: number[] = [];
  manager.controller(Widgets)
    .owns(ConfigMaps, { labelSelector: "copy" })
    .reconcile(async ({ object: { spec }, apply, owned, remove }) => {
      const children = owned(ConfigMaps);
      seen.push(children.length);
      if (spec.size > 0) {
        await apply(ConfigMaps, { metadata: { name: "c", labels: { copy: "yes" } } });
      }
      for (const child of spec.size > 0 ? [] : children) await remove(ConfigMaps, child);
    });
  world.start(manager);
  await shrinkWhileLate(world);
  assertEquals(seen, [0, 1, 1, 0]);
});

Deno.test("a key waits until a cache with a label selector has dropped an object that the key relabelled", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: number[] = [];
  manager.controller(Widgets)
    .owns(ConfigMaps, { labelSelector: "copy" })
    .reconcile(async ({ object: { spec }, apply, owned, client }) => {
      const children = owned(ConfigMaps);
      seen.push(children.length);
      if (spec.size > 0) {
        await apply(ConfigMaps, { metadata: { name: "c", labels: { copy: "yes" } } });
      } else if (children.length > 0) {
        const release = { metadata: { labels: { copy: null } } };
        await client.patch(ConfigMaps, "c", release, { namespace });
      }
    });
  world.start(manager);
  await shrinkWhileLate(world);
  assertEquals(seen, [0, 1, 1, 0]);
});

Deno.test("two controllers own a kind in scopes that share a namespace", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  const scopes = [["default"], ["default", "kube-system"]];
  for (const [i, namespaces] of scopes.entries()) {
    manager.controller(Widgets, { name: `c${i}` })
      .owns(ConfigMaps, { namespaces })
      .reconcile(async ({ apply, owned }) => {
        await apply(ConfigMaps, { metadata: { name: `c${i}` } });
        seen.push(`c${i}: ${owned(ConfigMaps).map(({ metadata: { name } }) => name).sort()}`);
      });
  }
  world.start(manager);
  await world.widget("w");
  await world.pass(5000);
  assertEquals(seen.slice(-2).sort(), ["c0: c0,c1", "c1: c0,c1"]);
});

Deno.test("an object in several declared scopes is read once, in its newest version", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets)
    .owns(ConfigMaps, { labelSelector: "copy" })
    .watches(ConfigMaps, { namespaces: [namespace], map: () => `${namespace}/w` })
    .reconcile(({ cache }) => {
      const maps = cache(ConfigMaps);
      const read = [...maps.list(), ...maps.list({ namespace }), maps.get("c", namespace)];
      seen.push(read.map((map) => map?.data?.["size"]).join());
    });
  world.start(manager);
  await world.widget("w");
  const copy = { metadata: { name: "c", namespace, labels: { copy: "yes" } }, data: { size: "1" } };
  await world.do(world.client.create(ConfigMaps, copy));
  await world.pass(1000);
  assertEquals(seen.at(-1), "1,1,1");
  // The watch of the selected objects is late, the watch of the namespace is not.
  const late = world.server.lag.hold({
    forMs: 5000,
    when: (watch) => watch.resource === "configmaps" && watch.namespace === "",
  });
  const change = { data: { size: "2" } };
  await world.do(world.client.patch(ConfigMaps, "c", change, { namespace }));
  await world.pass(1000);
  assertEquals([late.hits, seen.at(-1)], [1, "2,2,2"]);
});
