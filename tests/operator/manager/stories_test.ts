import { assertEquals, assertStringIncludes } from "@std/assert";
import { ConfigMaps, Manager } from "@kubeloop/controller";
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

Deno.test("the requests of a story have the Audit-Id of the server, if it is a valid one", async () => {
  await using world = await widgetWorld();
  const ids = ["6a1b", "x\u001b[2J".replace("\u001b", "%1b"), "a".repeat(100)];
  const client = world.clientWith((request) => {
    if (request.method !== "POST" || !request.url.includes("/configmaps")) return undefined;
    const id = ids.shift() ?? "6a1c";
    const headers = { "audit-id": id, "content-type": "application/json" };
    return Promise.resolve(
      Response.json({ kind: "Status", code: 403, message: "no" }, { status: 403, headers }),
    );
  });
  const manager = new Manager(client);
  manager.controller(Widgets).reconcile(async ({ client, namespace }) => {
    for (let i = 0; i < 4; i++) {
      await client.create(ConfigMaps, { metadata: { name: "x" } }, { namespace }).catch(() => {});
    }
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  const read = async (format: string) =>
    await (await manager.handler(new Request(`http://m/debug/reconciles?format=${format}`))).text();
  const [story] = JSON.parse(await read("json")).stories;
  assertEquals(
    story.requests.map(({ auditId }: { auditId?: string }) => auditId),
    ["6a1b", undefined, undefined, "6a1c"],
  );
  assertStringIncludes(await read("text"), "/configmaps: 403 in 0 ms, Audit-Id 6a1b\n");
  await client.close();
});
