import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  ConfigMaps,
  defineResource,
  installDefinitions,
  Manager,
  Secrets,
} from "@kubeloop/controller";
import { anyChange } from "@kubeloop/controller/operator";
import { namespace, Widgets, widgetWorld, type World } from "../operator/_world.ts";
import { Seen } from "./_seen.ts";

/** Runs a manager until its page is open and its caches have synced. */
async function started(world: World, manager: Manager): Promise<Seen> {
  const seen = await Seen.open(manager);
  world.start(manager);
  await world.pass(100);
  return seen;
}

Deno.test("a hot loop needs attention: its key, its field and its writer are named", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets, { when: anyChange }).reconcile(({ status }) => {
    status({ ready: reconciles++ });
  });
  const seen = await started(world, manager);
  await world.widget("quiet-before");
  await world.pass(10_000);
  const [loop, ...more] = await seen.attention("hot_loop");
  assertEquals([loop?.controller, loop?.key, more], ["widget", "default/quiet-before", []]);
  assertStringIncludes(
    loop?.text ?? "",
    "status.ready of widgets.acme.io default/quiet-before changes 97 times of 98, written by widget-controller (status)",
  );
  assertMatch(loop?.since ?? "", /^2026-01-01T00:00:0/);
});

Deno.test("a watch that the server forbids needs attention: it names the right, and its controller", async () => {
  await using world = await widgetWorld();
  const message =
    'secrets is forbidden: User "me" cannot list resource "secrets" in API group "" at the cluster scope';
  const client = world.clientWith((request) =>
    !new URL(request.url).pathname.endsWith("/secrets") ? undefined : Promise.resolve(
      Response.json(
        { kind: "Status", status: "Failure", reason: "Forbidden", code: 403, message },
        {
          status: 403,
        },
      ),
    )
  );
  const manager = new Manager(client);
  manager.controller(Widgets).reconcile(() => {});
  const seen = await started(world, manager);
  // A right that is missing at the start is an error of run().
  manager.controller(Widgets, { name: "late" }).owns(Secrets).reconcile(() => {});
  await world.pass(5_000);
  const [failing, ...more] = await seen.attention("right_missing");
  assertEquals([failing?.controller, failing?.watch, more], ["late", "secrets", []]);
  assertStringIncludes(failing?.text ?? "", message);
  assertStringIncludes(failing?.remedy ?? "", "Grant the right with a Role");
  const { controllers, watches } = await seen.state();
  const watch = watches.find(({ name }) => name === "secrets");
  assertEquals([watch?.phase, watch?.objects, watch?.controllers], ["retrying", 0, ["late"]]);
  assertStringIncludes(watch?.problem?.text ?? "", message);
  assertEquals(controllers.map(({ isRunning, name }) => [name, isRunning]), [
    ["widget", true],
    ["late", true],
  ]);
  await world.do(client.close());
});

Deno.test("a write that the server forbids needs attention: it names the request and the key", async () => {
  await using world = await widgetWorld();
  const message =
    'configmaps is forbidden: User "me" cannot create resource "configmaps" in API group "" in the namespace "default"';
  const client = world.clientWith(({ method }) =>
    method !== "POST" ? undefined : Promise.resolve(
      Response.json(
        { kind: "Status", status: "Failure", reason: "Forbidden", code: 403, message },
        {
          status: 403,
        },
      ),
    )
  );
  const manager = new Manager(client);
  manager.controller(Widgets).reconcile(async ({ client, name }) => {
    // The reconcile ignores the error.
    await client.create(ConfigMaps, { metadata: { name } }, { namespace }).catch(() => {});
  });
  const seen = await started(world, manager);
  await world.do(
    world.client.create(Widgets, { metadata: { name: "a", namespace }, spec: { size: 1 } }),
  );
  await world.pass(1_000);
  const [refused, ...more] = await seen.attention("right_missing");
  assertEquals([refused?.controller, refused?.key, more], ["widget", "default/a", []]);
  assertStringIncludes(
    refused?.text ?? "",
    `POST /api/v1/namespaces/default/configmaps is refused: `,
  );
  await world.do(client.close());
});

Deno.test("a missing definition needs attention, until it is installed", async () => {
  const Gadgets = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Gadget",
    plural: "gadgets",
    namespaced: true,
  });
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).owns(Gadgets, { optional: true }).reconcile(() => {});
  const seen = await started(world, manager);
  const [missing, ...more] = await seen.attention("definition_missing");
  assertStringIncludes(missing?.text ?? "", "does not serve gadgets.acme.io");
  assertStringIncludes(missing?.remedy ?? "", "Install the CustomResourceDefinition");
  assertEquals(more, []);
  const spec = { type: "object" as const, properties: {} };
  const { group, kind, version } = Gadgets;
  const definition = defineResource({ group, kind, version, spec });
  await world.do(installDefinitions(world.client, [definition]));
  await world.pass(5_000);
  assertEquals((await seen.state()).attention, []);
});

Deno.test("a gate that times out needs attention: it names the key and what the caches lack", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets, { staleSyncTimeoutMs: 10_000 }).owns(ConfigMaps).reconcile(
    async ({ apply, name }) => void await apply(ConfigMaps, { metadata: { name } }),
  );
  const seen = await started(world, manager);
  const hold = world.server.lag.hold({ when: ({ resource }) => resource === "configmaps" });
  const lags = async () => (await seen.state()).watches.map(({ lagMs, name }) => [name, lagMs]);
  await world.widget("a");
  await world.pass(100);
  await world.do(world.client.patch(Widgets, "a", { spec: { size: 2 } }, { namespace }));
  await world.pass(5_000);
  assertEquals(await lags(), [["widgets.acme.io", undefined], ["configmaps", 5_100]]);
  await world.pass(5_100);
  const [late, ...more] = await seen.attention("gate_timeout");
  assertEquals([late?.controller, late?.key, more], ["widget", "default/a", []]);
  assertStringIncludes(late?.text ?? "", "configmaps default/a");
  const story = (await seen.stories("widget", "default/a")).at(-1);
  assertEquals(story?.waits, { queueMs: 0, gateMs: 10_000, backoffMs: 0 });
  assertStringIncludes(
    await seen.text("/see/export?controller=widget&key=default/a&form=markdown"),
    "after 10 s in the queue, 10 s of it until the caches had its writes",
  );
  hold.release();
  await world.pass(1_000);
  assertEquals(await lags(), [["widgets.acme.io", undefined], ["configmaps", 10_100]]);
  await world.pass(60_000);
  assertEquals(await lags(), [["widgets.acme.io", undefined], ["configmaps", undefined]]);
  await world.pass(600_000);
  assertEquals(await seen.attention("gate_timeout"), []);
});

Deno.test("a stuck finalizer needs attention: it names the finalizer and the failing cleanup", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let isBroken = true;
  manager.controller(Widgets)
    .finalizer("acme.io/disk", {
      cleanup: () => {
        if (isBroken) throw new Error("the disk is in use");
      },
    })
    .reconcile(() => {});
  const seen = await started(world, manager);
  await world.widget("a");
  await world.pass(100);
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  await world.pass(59_000);
  assertEquals(await seen.attention("stuck_finalizer"), []);
  await world.pass(2_000);
  const [stuck, ...more] = await seen.attention("stuck_finalizer");
  assertEquals([stuck?.controller, stuck?.key, more], ["widget", "default/a", []]);
  assertStringIncludes(stuck?.text ?? "", "acme.io/disk: the disk is in use");
  assertEquals(await seen.attention("backoff"), [], "its failures are listed twice");
  isBroken = false;
  await world.pass(1_000_000);
  assertEquals((await seen.state()).attention, []);
});

Deno.test("a key that backs off needs attention after three failures, and has its waits and its next run", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let isBroken = true;
  manager.controller(Widgets).reconcile(({ name }) => {
    if (isBroken && name === "a") throw new Error("no disk");
  });
  const seen = await started(world, manager);
  await world.widget("a");
  await world.widget("b");
  await world.pass(10_000);
  const [failing, ...more] = await seen.attention("backoff");
  assertEquals([failing?.controller, failing?.key, more], ["widget", "default/a", []]);
  assertStringIncludes(failing?.text ?? "", "times in a row: no disk");
  const [controller] = (await seen.state()).controllers;
  assertEquals([controller?.failing, controller?.delayed, controller?.queued], [1, 1, 0]);
  const [first, second] = await seen.keys();
  assertEquals([first?.key, first?.result, second?.key, second?.result], [
    "default/a",
    "error",
    "default/b",
    "success",
  ]);
  assertMatch(first?.nextAt ?? "", /^2026-01-01T00:00:/);
  const stories = await seen.stories("widget", "default/a");
  const waits = stories.slice(1, 4).map(({ waits }) => waits?.backoffMs);
  assertEquals(waits, [5, 10, 20]);
  isBroken = false;
  await world.pass(100_000);
  assertEquals((await seen.state()).attention, []);
});

Deno.test("a terminal error and a hung reconcile need attention", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const { promise, resolve } = Promise.withResolvers<void>();
  const controller = manager.controller(Widgets, {
    workers: 2,
    maxRetries: 1,
    reconcileTimeoutMs: 1_000,
  });
  controller.reconcile(async ({ name }) => {
    if (name === "hung") await promise;
    else throw new Error("no");
  });
  const seen = await started(world, manager);
  await world.widget("given-up");
  await world.widget("hung");
  await world.pass(2_000);
  const { attention, controllers: [view] } = await seen.state();
  assertEquals(attention.map(({ key, kind }) => [kind, key]), [
    ["hung_reconcile", "default/hung"],
    ["backoff", "default/given-up"],
  ]);
  assertStringIncludes(attention[1]?.text ?? "", "has given up on default/given-up");
  assertEquals([view?.busy, view?.workers, view?.failing], [1, 2, 0]);
  resolve();
});

Deno.test("a key that failed needs no attention while its object goes, and the controller has nothing to clean up", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).reconcile(() => {
    throw new Error("no disk");
  });
  const seen = await started(world, manager);
  const metadata = { name: "a", namespace, finalizers: ["other.io/x"] };
  await world.do(world.client.create(Widgets, { metadata, spec: { size: 1 } }));
  await world.pass(10_000);
  assertEquals((await seen.attention("backoff")).map(({ key }) => key), ["default/a"]);
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  await world.pass(200_000);
  const { attention, controllers } = await seen.state();
  assertEquals([attention, controllers[0]?.failing], [[], 0]);
});
