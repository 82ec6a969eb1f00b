import { assert, assertEquals } from "@std/assert";
import { ConfigMaps } from "@kubeloop/controller";
import { anyChange } from "@kubeloop/controller/operator";
import { namespace, Widgets, widgetWorld } from "../_world.ts";

Deno.test("A status that changes in each reconcile is found, named and slowed down", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets, { when: anyChange }).reconcile(({ status }) => {
    status({ ready: reconciles++ });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(10_000);
  const afterTenSeconds = reconciles;
  assert(afterTenSeconds < 200, `${afterTenSeconds}`);
  await world.pass(10_000);
  assert(reconciles - afterTenSeconds <= 11, `${reconciles - afterTenSeconds}`);
  const [line, ...more] = world.lines.filter((one) => one.includes("was reconciled 100 times"));
  assertEquals(
    line,
    'warn widget: "default/a" was reconciled 100 times within 10 s: status.ready of widgets.acme.io default/a ' +
      "changes 97 times of 98, written by widget-controller (status); it is slowed down to one reconcile a second " +
      "(logged once per field)",
  );
  assertEquals(more, []);
  const metrics = manager.metrics.text();
  assert(metrics.includes('field="status.ready"'), metrics);
});

Deno.test("A key that others change often is named, and not slowed down", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets).reconcile(() => void reconciles++);
  world.start(manager);
  await world.widget("a");
  for (let size = 2; size < 152; size++) {
    await world.do(world.client.patch(Widgets, "a", { spec: { size } }, { namespace }));
    await world.pass(20);
  }
  assert(reconciles >= 150, `${reconciles}`);
  const line = world.lines.find((one) => one.includes("was reconciled 100 times"));
  assert(line?.includes("spec.size of widgets.acme.io default/a changes each time"), line);
  assert(!line?.includes("slowed down"), line);
});

Deno.test("Changes of users come before the objects of the initial list", async () => {
  await using world = await widgetWorld();
  for (let i = 0; i < 20; i++) await world.widget(`w${i}`);
  const manager = world.manager();
  const seen: string[] = [];
  const turns: (() => void)[] = [];
  manager.controller(Widgets).reconcile(({ name, object }) => {
    seen.push(`${name} ${object.spec.size}`);
    return new Promise<void>((resolve) => void turns.push(resolve));
  });
  world.start(manager);
  await world.pass(100);
  await world.do(world.client.patch(Widgets, "w15", { spec: { size: 9 } }, { namespace }));
  await world.pass(100);
  for (let i = 0; i < 20; i++) {
    turns.shift()?.();
    await world.pass(1);
  }
  assertEquals(seen.length, 20);
  assertEquals(seen.indexOf("w15 9"), 1);
});

Deno.test("A reconcile that makes one more object each time is slowed down", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ apply, name }) => {
    await apply(ConfigMaps, { metadata: { name: `${name}-${reconciles++}` } });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(20_000);
  assert(reconciles < 250, `${reconciles}`);
  const line = world.lines.find((one) => one.includes("was reconciled 100 times"));
  assert(line?.includes("each reconcile writes something"), line);
});

Deno.test("A reconcile that makes many objects, and then none, is not slowed down", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ apply, name, object }) => {
    for (let i = 0; i < object.spec.size; i++) {
      await apply(ConfigMaps, { metadata: { name: `${name}-${i}` } });
    }
  });
  world.start(manager);
  await world.widget("a", 150);
  await world.pass(20_000);
  assertEquals(world.lines.filter((one) => one.includes("slowed down")), []);
});

Deno.test("A controller that updates its own spec with the client is found, named and slowed down", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  const handle = manager.controller(Widgets).reconcile(async ({ client, name, object }) => {
    reconciles++;
    const spec = { size: object.spec.size + 1 };
    await client.patch(Widgets, name, { spec }, { namespace });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(20_000);
  assert(reconciles < 250, `${reconciles}`);
  const line = world.lines.find((one) => one.includes("was reconciled 100 times"));
  assert(line?.includes("spec.size of widgets.acme.io default/a changes"), line);
  assert(line?.includes("slowed down"), line);
  assertEquals(handle.snapshot().hotLoops, 1);
  const metrics = manager.metrics.text();
  assert(metrics.includes('controller_hot_loops_total{controller="widget"} 1'), metrics);
});

Deno.test("A requeueAfterMs that is probably meant in seconds is named", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets).reconcile(() => {
    reconciles++;
    return { requeueAfterMs: 60 };
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(60_000);
  assert(reconciles > 900, `${reconciles}`);
  const lines = world.lines.filter((one) => one.includes("was reconciled 100 times"));
  assertEquals(lines, [
    'warn widget: "default/a" was reconciled 100 times within 10 s: it returns { requeueAfterMs: 60 }, in milliseconds ' +
    "(logged once per field)",
  ]);
});

Deno.test("A key that requeues itself more than 300 times a second is slowed down and logged once", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  const handle = manager.controller(Widgets).reconcile(() => {
    reconciles++;
    return { requeueAfterMs: 1 };
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(20_000);
  assert(reconciles < 150, `${reconciles}`);
  assertEquals(world.lines.filter((one) => one.includes("slow")), [
    'warn widget: "default/a" was reconciled 100 times within 10 s: it returns { requeueAfterMs: 1 }, in milliseconds; ' +
    "it is slowed down to one reconcile a second (logged once per field)",
  ]);
  assertEquals(handle.snapshot().hotLoops, 1);
});

Deno.test("A key that is triggered often, and has written nothing, is not slowed down", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  const handle = manager.controller(Widgets).reconcile(() => void reconciles++);
  world.start(manager);
  await world.widget("a");
  for (let i = 0; i < 200; i++) {
    handle.trigger("default/a");
    await world.pass(20);
  }
  assert(reconciles >= 200, `${reconciles}`);
  assertEquals(world.lines.filter((one) => one.includes("slowed down")), []);
});
