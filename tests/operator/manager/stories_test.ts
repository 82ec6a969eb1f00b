import { assertEquals } from "@std/assert";
import type { Manager } from "@kubeloop/controller";
import { Widgets, widgetWorld, type World } from "../_world.ts";

/** Begins to read the stories of a manager; returns their keys once the iteration has ended. */
async function keysOf(manager: Manager): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of manager.stories()) keys.push(key);
  return keys;
}

function managerOf(world: World): Manager {
  const manager = world.manager();
  manager.controller(Widgets).reconcile(() => {});
  return manager;
}

Deno.test("Manager.stories() ends when the manager has stopped, with the last stories", async () => {
  await using world = await widgetWorld();
  const manager = managerOf(world);
  const keys = keysOf(manager);
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  await world.do(manager[Symbol.asyncDispose]());
  assertEquals(await world.do(keys), ["default/a"]);
  assertEquals(await world.do(keysOf(manager)), []);
});

Deno.test("Manager.stories() ends when the manager fails, and when an unused manager is disposed", async () => {
  await using world = await widgetWorld();
  const failing = managerOf(world);
  failing.add({ name: "broken", run: () => Promise.reject(new Error("no")) });
  const keys = keysOf(failing);
  await world.do(world.start(failing).catch(() => {}));
  assertEquals(await world.do(keys), []);

  const unused = managerOf(world);
  const none = keysOf(unused);
  await unused[Symbol.asyncDispose]();
  assertEquals(await world.do(none), []);
});
