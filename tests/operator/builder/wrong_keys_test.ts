import { assertEquals, assertThrows } from "@std/assert";
import { ConfigMaps } from "@kubeloop/controller";
import { namespace, Widgets, widgetWorld } from "../_world.ts";

Deno.test("an invalid key of a trigger is skipped and named, and the trigger continues", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  async function* keys() {
    yield "a/b/c";
    yield "";
    yield 17 as never;
    yield { name: "a" } as never;
    await Promise.resolve();
    yield "default/a";
  }
  const handle = manager.controller(Widgets).triggeredBy("messages", keys())
    .reconcile(({ key }) => void seen.push(key));
  await world.widget("a");
  const running = world.start(manager);
  let ended = false;
  running.then(() => ended = true, () => ended = true);
  await world.pass(10_000);
  assertEquals([ended, seen.includes("default/a")], [false, true]);
  const lines = world.lines.filter((line) => line.startsWith("error "));
  assertEquals(lines.length, 3);
  assertEquals(
    lines[0]?.startsWith('error widget: trigger "messages" gave a key that is skipped: '),
    true,
  );
  // A program that triggers a wrong key itself learns of it at once.
  assertThrows(() => handle.trigger("a/b/c"), Error, "a/b/c");
});

Deno.test("invalid keys of a mapper are skipped, and at most ten are logged in ten seconds", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets).watches(ConfigMaps, {
    map: ({ metadata }) => ["a/b/c", `${metadata.namespace}/${metadata.labels?.["widget"]}`],
  }).reconcile(({ key }) => void seen.push(key));
  await world.widget("a");
  world.start(manager);
  await world.pass(1_000);
  seen.length = 0;
  for (let i = 0; i < 30; i++) {
    const metadata = { name: `m${i}`, namespace, labels: { widget: "a" } };
    await world.do(world.client.create(ConfigMaps, { metadata }));
    await world.pass(10);
  }
  assertEquals(seen.length, 30);
  assertEquals(
    world.lines.filter((line) => line.includes("gave a key that is skipped")).length,
    10,
  );
});
