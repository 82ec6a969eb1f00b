/** A newer generation ends the older reconcile, if asked for. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ConfigMaps, Manager } from "@kubeloop/controller";
import { delay } from "@kubeloop/controller/base";
import { namespace, type Widget, Widgets, widgetWorld, type World } from "../_world.ts";

async function patchSize(world: World, size: number) {
  await world.do(world.client.patch(Widgets, "a", { spec: { size } }, { namespace }));
  await world.pass(100);
}

async function stories(manager: Manager): Promise<string> {
  return await (await manager.handler(new Request("http://pod/debug/reconciles"))).text();
}

const statusOf = (world: World) => (world.server.get(Widgets, "a", namespace) as Widget).status;

const metric = (manager: Manager, name: string) =>
  manager.metrics.text().split("\n").find((line) => line.startsWith(`${name}{`))?.split(" ").at(-1);

Deno.test("a newer generation ends the running reconcile at once, without a failure and without its status", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  const controller = manager.controller(Widgets, { supersede: true, maxRetries: 0 })
    .reconcile(async ({ clock, object, signal, status }) => {
      const { size } = object.spec;
      seen.push(`start ${size}`);
      status({ ready: size });
      await delay(60_000, { clock, signal });
      seen.push(`end ${size}`);
    });
  world.start(manager);
  await world.widget("a", 1);
  await world.pass(1000);
  await patchSize(world, 2);
  await patchSize(world, 3);
  assertEquals(seen, ["start 1", "start 2", "start 3"]);
  assertEquals(statusOf(world), undefined);
  await world.pass(60_000);
  assertEquals(seen, ["start 1", "start 2", "start 3", "end 3"]);
  assertEquals(statusOf(world)?.ready, 3);
  const text = await stories(manager);
  assertStringIncludes(text, "default/a: superseded by generation 2 in 1 s");
  assertStringIncludes(text, "default/a: superseded by generation 3 in 100 ms");
  assertEquals(text.includes("error"), false);
  assertEquals(metric(manager, "kubeloop_superseded_reconciles_total"), "2");
  const { errors, givenUp, retries } = controller.snapshot();
  assertEquals([errors, givenUp, retries], [0, 0, 0]);
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
});

Deno.test("without supersede, or without a new generation, the reconcile is completed", async () => {
  for (const supersede of [undefined, false, true]) {
    await using world = await widgetWorld();
    const manager = world.manager();
    const seen: string[] = [];
    manager.controller(Widgets, { supersede }).reconcile(async ({ clock, object, signal }) => {
      await delay(10_000, { clock, signal });
      seen.push(`size ${object.spec.size}`);
    });
    world.start(manager);
    await world.widget("a", 1);
    await world.pass(100);
    const labels = {
      metadata: { labels: { a: "b" } },
      ...(supersede ? {} : { spec: { size: 2 } }),
    };
    await world.do(world.client.patch(Widgets, "a", labels, { namespace }));
    await world.pass(30_000);
    assertEquals(seen, supersede ? ["size 1"] : ["size 1", "size 2"]);
  }
});

Deno.test("a write on its way is completed, later requests are not sent, and the next reconcile reads the write", async () => {
  await using world = await widgetWorld();
  let slow: { readonly release: () => void } | undefined;
  const sent: string[] = [];
  const client = world.clientWith((request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" || !pathname.includes("configmaps")) return undefined;
    sent.push(`${request.method} ${pathname.split("/").at(-1)}`);
    if (sent.length > 1) return undefined;
    assertEquals(request.signal.aborted, false);
    const { promise, resolve } = Promise.withResolvers<void>();
    slow = { release: resolve };
    return promise.then(() => {
      assertEquals(request.signal.aborted, false, "the write is not aborted");
      return world.server.fetch(request);
    });
  });
  const manager = new Manager(client);
  const found: unknown[] = [];
  manager.controller(Widgets, { supersede: true }).owns(ConfigMaps)
    .reconcile(async ({ apply, cache, client, object, signal }) => {
      found.push(cache(ConfigMaps).get("first", namespace)?.data?.["size"], signal.aborted);
      const size = `${object.spec.size}`;
      await Promise.all([
        apply(ConfigMaps, { metadata: { name: "first" }, data: { size } }),
        // A long read ends at once.
        client.get(ConfigMaps, "none", { namespace }).catch(() => {}),
      ]);
      if (found.length > 4) return;
      await client.create(ConfigMaps, { metadata: { name: `second-${size}` } }, { namespace });
    });
  world.start(manager);
  await world.widget("a", 1);
  await world.pass(1000);
  await patchSize(world, 2);
  assertEquals(sent, ["PATCH first"]);
  slow?.release();
  await world.pass(1000);
  assertEquals(sent, ["PATCH first", "PATCH first", "POST configmaps"]);
  assertEquals(
    found.slice(0, 4),
    [undefined, false, "1", false],
    "the second reconcile has read the write",
  );
  assertEquals(world.server.get(ConfigMaps, "second-1", namespace), undefined);
  assert(world.server.get(ConfigMaps, "second-2", namespace) !== undefined);
  await client.close();
});

Deno.test("the own writes of a reconcile to its object do not end it", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets, { supersede: true })
    .reconcile(async ({ client, clock, name, namespace, object, signal }) => {
      if (object.spec.color === undefined) {
        await client.patch(Widgets, name, { spec: { color: "red" } }, { namespace });
        await delay(5_000, { clock, signal });
        seen.push("painted");
      } else seen.push(`it is ${object.spec.color}`);
    });
  world.start(manager);
  await world.widget("a", 1);
  await world.pass(10_000);
  assertEquals(seen, ["painted", "it is red"]);
});

Deno.test("a deletion ends the reconcile, so that its cleanup starts at once", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets, { supersede: true })
    .finalizer("acme.io/x", { cleanup: ({ clock }) => void seen.push(`cleanup ${clock.now()}`) })
    .reconcile(({ clock, signal }) => delay(60_000, { clock, signal }));
  world.start(manager);
  await world.widget("a", 1);
  await world.pass(1000);
  const deletedMs = world.clock.now();
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  await world.pass(100);
  assertEquals(seen, [`cleanup ${deletedMs}`]);
});

Deno.test("a change that the predicate hides does not end a reconcile, because no other one follows", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: number[] = [];
  manager.controller(Widgets, { supersede: true, when: ({ type }) => type !== "updated" })
    .reconcile(async ({ clock, object, signal }) => {
      await delay(10_000, { clock, signal });
      seen.push(object.spec.size);
    });
  world.start(manager);
  await world.widget("a", 1);
  await world.pass(1000);
  await patchSize(world, 2);
  await world.pass(20_000);
  assertEquals(seen, [1]);
});

Deno.test("a reconcile that ignores its signal is superseded when it ends, and its result does not count", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: number[] = [];
  manager.controller(Widgets, { supersede: true })
    .reconcile(async ({ clock, object, status }) => {
      const { size } = object.spec;
      await delay(10_000, { clock });
      seen.push(size);
      status({ ready: size });
      if (size === 1) throw new Error("late");
      return size === 2 ? { requeueAfterMs: 60_000 } : undefined;
    });
  world.start(manager);
  await world.widget("a", 1);
  await world.pass(1000);
  await patchSize(world, 2);
  await world.pass(10_000);
  assertEquals([seen, statusOf(world)], [[1], undefined]);
  await patchSize(world, 3);
  await world.pass(600_000);
  assertEquals(seen, [1, 2, 3]);
  assertEquals(statusOf(world)?.ready, 3);
});
