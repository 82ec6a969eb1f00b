import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { ConfigMaps, Secrets } from "@kubeloop/controller";
import { workloadOf } from "@kubeloop/testing/simulation";
import { namespace, Widgets, widgetWorld, type World } from "../operator/_world.ts";
import { Seen } from "./_seen.ts";

/** Lets time pass until a request of a page is answered. */
async function answered<T>(world: World, answer: Promise<T>): Promise<T> {
  let isDone = false;
  const end = () => isDone = true;
  answer.then(end, end);
  while (!isDone) {
    await world.pass(1);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return await answer;
}

function act(seen: Seen, action: Record<string, string>): Promise<Response> {
  return seen.fetch("/see/act", { method: "POST", body: JSON.stringify(action) });
}

Deno.test("Manager.see() serves a page on loopback until the manager has stopped, and logs its URL once", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ see: true });
  manager.controller(Widgets).reconcile(() => {});
  world.start(manager);
  const page = await manager.see();
  await world.pass(100);
  const token = new URL(page.url).searchParams.get("token") ?? "";
  const lines = world.lines.filter((line) => line.includes(token));
  assertEquals(lines, [`info operator: see it at work at ${page.url}`]);
  assertEquals((await manager.see()).url, page.url, "a second page was opened");
  const seen = await Seen.open(manager);
  assertEquals((await fetch(page.url).then((one) => (one.body?.cancel(), one))).status, 200);
  const state = await seen.state();
  assertEquals([state.title, state.kind, state.phase, state.server], [
    "operator",
    "manager",
    "leading",
    "in this process",
  ]);
  const stream = await seen.stream();
  await stream.next();
  await world.do(manager[Symbol.asyncDispose]());
  await stream.ended();
  await page.finished;
  await assertRejects(() => fetch(page.url));
  await assertRejects(() => manager.see(), Error, "The manager has stopped");
});

Deno.test("Manager.see() names wrong options, and fails the start with a port that is taken", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  await assertRejects(() => manager.see({ port: -1 }), RangeError, "port must be");
  await assertRejects(() => manager.see({ token: "short" }), RangeError, "token must have");
  await assertRejects(() => manager.see({ prot: 1 } as object), TypeError, "prot");
  for (const see of ["yes", null, {}, { port: "9" }, { port: 65_536 }, { port: 1, host: "::" }]) {
    assertThrows(() => world.manager({ see } as object), Error, "see");
  }
  const { port } = await manager.see({ token: "a-token-of-my-own-choice" });
  const other = world.manager({ see: { port } });
  await assertRejects(() => world.start(other), Error, String(port));
  await manager[Symbol.asyncDispose]();
});

Deno.test("a page shows the versions of an object, and what was written and skipped", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).owns(ConfigMaps).reconcile(
    async ({ apply, name, object, status }) => {
      await apply(ConfigMaps, { metadata: { name }, data: { size: `${object.spec.size}` } });
      status({ ready: 1 });
    },
  );
  const seen = await Seen.open(manager);
  world.start(manager);
  await world.pass(100);
  const stream = await seen.stream();
  await world.widget("a");
  await world.pass(1_000);
  await world.do(world.client.patch(Widgets, "a", { spec: { size: 2 } }, { namespace }));
  await world.pass(1_000);
  const key = "default/a";
  const { after, before } = JSON.parse(
    await seen.text(`/see/versions?controller=widget&key=${key}`),
  );
  assertEquals([before.spec ?? before, after.spec, after.metadata.managedFields], [
    { size: 2 },
    { size: 2 },
    undefined,
  ]);
  const stories = await seen.stories("widget", key);
  const sent = stories.flatMap(({ requests }) => requests).map(({ sent }) => sent)
    .filter((one) => one !== undefined);
  assertEquals(sent[0]?.fields, ["metadata.ownerReferences", "data.size"]);
  assertEquals((sent[0]?.values as { data: unknown }).data, { size: "1" });
  assertEquals(stories.flatMap(({ skipped = [] }) => skipped)[0], {
    write: "apply",
    path: "/api/v1/namespaces/default/configmaps/a",
  });
  const gone = await seen.fetch("/see/versions?controller=widget&key=a/gone");
  assertEquals([gone.status, await gone.json()], [200, null]);
  const unknown = await seen.fetch("/see/versions?controller=x&key=a/gone");
  assertEquals([unknown.status, await unknown.json()], [404, {
    error: 'The controller "x" does not exist',
  }]);
  await stream[Symbol.asyncDispose]();
});

Deno.test("a page shows the versions of a Secret without its values", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Secrets).reconcile(() => {});
  world.start(manager);
  const seen = await Seen.open(manager);
  await using stream = await seen.stream();
  await stream.next();
  const create = (stringData: Record<string, string>) =>
    world.do(world.client.apply(Secrets, { metadata: { name: "a", namespace }, stringData }, {
      fieldManager: "kubectl",
      force: true,
    }));
  await create({ password: "hunter-2" });
  await world.pass(100);
  await create({ password: "hunter-3" });
  await world.pass(100);
  const query = new URLSearchParams({ controller: "secret", key: `${namespace}/a` });
  const { before, after } = JSON.parse(
    await answered(world, seen.text(`/see/versions?${query}`)),
  );
  assertEquals([before, after].map(({ data }) => data), [{ password: "•••" }, { password: "•••" }]);
});

Deno.test("a page shows no former version once an object has changed while no page was open", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).reconcile(() => {});
  const seen = await Seen.open(manager);
  world.start(manager);
  await world.pass(100);
  await world.widget("a");
  const resize = async (size: number) => {
    await world.do(world.client.patch(Widgets, "a", { spec: { size } }, { namespace }));
    await world.pass(1_000);
  };
  const sizes = async () => {
    const path = "/see/versions?controller=widget&key=default/a";
    const { after, before } = JSON.parse(await seen.text(path));
    return [before?.spec.size, after.spec.size];
  };
  {
    await using stream = await seen.stream();
    await stream.next();
    await resize(2);
  }
  assertEquals(await sizes(), [1, 2]);
  // The server may notice a moment later that the stream was closed.
  let size = 2;
  do await resize(++size); while ((await sizes())[0] !== undefined && size < 50);
  assertEquals(await sizes(), [undefined, size]);
  await manager[Symbol.asyncDispose]();
});

Deno.test("stories keep no values before a page is opened", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ apply, name }) => {
    await apply(ConfigMaps, { metadata: { name }, data: { color: "blue" } });
  });
  const seen = await Seen.open(manager);
  world.start(manager);
  await world.widget("a");
  await world.pass(1_000);
  const [story] = await seen.stories("widget", "default/a");
  const sent = story?.requests.find(({ method }) => method === "PATCH")?.sent;
  assertEquals(sent, { fields: ["metadata.ownerReferences", "data.color"] });
  assert(!JSON.stringify(story).includes("blue"));
});

Deno.test("the actions of a page pause, resume and reconcile an object by its annotations", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets).reconcile(() => void reconciles++);
  const seen = await Seen.open(manager);
  world.start(manager);
  await world.widget("a");
  await world.pass(1_000);
  const subject = { controller: "widget", key: "default/a" };
  const done = async (name: string) => {
    const response = await answered(world, act(seen, { ...subject, name }));
    await world.pass(100);
    return (await response.json()).text;
  };
  assertEquals(await done("reconcile"), "default/a is to be reconciled now");
  assertEquals(reconciles, 2);
  assertStringIncludes(await done("pause"), "default/a is paused");
  const [paused] = await seen.attention("paused");
  assertEquals([paused?.controller, paused?.key], ["widget", "default/a"]);
  const [view] = await seen.keys("text=default/a");
  assertEquals(view?.paused, "Paused by the annotation kubeloop.dev/paused");
  assertEquals(await done("resume"), "default/a is resumed");
  assertEquals([reconciles, (await seen.state()).attention], [3, []]);
  const gone = await answered(world, act(seen, { ...subject, key: "default/b", name: "pause" }));
  assertEquals(gone.status, 500);
  assertStringIncludes((await gone.json()).error, "widgets.acme.io default/b was not set");
});

Deno.test("a manager with dryRun offers no actions", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ dryRun: true });
  manager.controller(Widgets).reconcile(() => {});
  const seen = await Seen.open(manager);
  assertEquals((await seen.state()).actions, []);
  const refused = await act(seen, { controller: "widget", key: "default/a", name: "pause" });
  assertEquals([refused.status, await refused.json()], [500, {
    error: "The manager writes nothing: it has dryRun",
  }]);
  await manager[Symbol.asyncDispose]();
});

Deno.test("an exported workload has the steps of the users, with recordObjects", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ recordObjects: true });
  manager.controller(Widgets).reconcile(() => {});
  const seen = await Seen.open(manager);
  world.start(manager);
  await world.pass(100);
  await world.widget("a", 3);
  await world.pass(1_000);
  const text = await seen.text("/see/export?controller=widget&key=default/a&form=workload");
  const part = (name: string) =>
    JSON.parse(new RegExp(`^(?:export )?const ${name} = (.*);$`, "m").exec(text)?.[1] ?? "");
  assertStringIncludes(text, "export default workloadOf(stories, { resources });");
  assertEquals(
    workloadOf(part("stories"), { resources: part("resources") }).map(({ text }) => text),
    ["create Widget default/a", "settle"],
  );
});

Deno.test("a search finds cached keys without stories, and bounds what it returns", async () => {
  await using world = await widgetWorld();
  for (let i = 0; i < 30; i++) await world.widget(`w${i}`);
  const manager = world.manager();
  manager.controller(Widgets, { every: { ms: 3_600_000, firstList: "due" } }).reconcile(
    () => {},
  );
  const seen = await Seen.open(manager);
  world.start(manager);
  await world.pass(1_000);
  const found = JSON.parse(await seen.text("/see/keys?text=w1&limit=5"));
  assertEquals([found.keys.length, found.total], [5, 11]);
  assertEquals(JSON.parse(await seen.text("/see/keys?text=nothing")), { keys: [], total: 0 });
});
