/** The cost of whole operators. */

import {
  ConfigMaps,
  Controller,
  defineResource,
  type KubeObject,
  Manager,
  metadataOf,
  Namespaces,
  Nodes,
  type Resource,
  Secrets,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  act,
  type CostOptions,
  type CostPart,
  create,
  type MeasuredCost,
  patch,
  type Process,
  type ProcessEnv,
  simulation,
  type SimulationOptions,
} from "@kubeloop/testing/simulation";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { nightlyTest } from "../support/kinds_of_tests.ts";

interface Widget extends KubeObject {
  spec?: { size?: number };
  status?: { color?: string };
}
const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

const node = { resource: Nodes, object: { metadata: { name: "node-1" } } };
const settings = { resource: ConfigMaps, object: { metadata: { name: "settings" } } };
const each = (i: number) => create(Widgets, `w-${i}`);
const change = (i: number) => patch(Widgets, `w-${i}`, { spec: { size: 2 } });

function sim(process: Process, options: Partial<SimulationOptions> = {}) {
  return simulation({ process, workload: [], ...options });
}

/** Colors each Widget as the settings say. */
function managed({ client, signal }: ProcessEnv): Promise<void> {
  const manager = new Manager(client);
  const widgets = manager.cache(Widgets);
  manager.controller(Widgets)
    .indexes({ all: () => ["all"] })
    .watches(ConfigMaps, { map: () => widgets.byIndex("all", "all") })
    .reconcile(async ({ object, cache, client }) => {
      const color = cache(ConfigMaps).get("settings", "default")?.data?.color ?? "red";
      if (object.status?.color === color) return;
      const { name, namespace } = object.metadata;
      await client.patchStatus(Widgets, name, { status: { color } }, { namespace });
    });
  return manager.run({ signal });
}

function part(measured: MeasuredCost | undefined, what: string): CostPart {
  const found = measured?.parts.find((one) => one.what === what);
  assert(found !== undefined, `${what} is not in ${JSON.stringify(measured)}`);
  return found;
}

Deno.test("cost() of a Manager: each phase has its orders, and a shared object costs each object one write", async () => {
  const cost = await sim(managed, { objects: [settings] }).cost({
    each,
    change,
    shared: patch(ConfigMaps, "settings", { data: { color: "blue" } }),
    quietHours: 2,
  });
  const { change: changed, quiet, restart, shared, start } = cost.phases;
  assertEquals(start?.writes.counts, [2, 8, 32]);
  const body = JSON.stringify({ status: { color: "red" } }).length;
  const patches = part(start?.sent, "patch widgets.example.com/status");
  assertEquals(patches.counts, [2 * body, 8 * body, 32 * body]);
  assertEquals(quiet?.requests.order, "O(1)");
  assertEquals(quiet?.cache, start?.cache, "watches that are opened again hold nothing twice");
  assertEquals(quiet?.writes.counts, [0, 0, 0]);
  assertEquals(changed?.reconciles.order, "O(1)");
  assertEquals(shared?.writes.counts, [2, 8, 32]);
  assertEquals(restart?.writes.counts, [0, 0, 0]);
  assertEquals(restart?.reconciles.counts, [2, 8, 32]);
  const { cause, handler, line } = part(shared?.writes, "patch widgets.example.com/status");
  assertMatch(handler!, /cost_test\.ts:\d+:\d+$/);
  assertStringIncludes(cause, "each event of configmaps (there are 1) reconciles 2, 8, 32 of");
  assertMatch(line!, /cost_test\.ts:\d+:\d+$/);
});

Deno.test("cost() of two replicas: the writes of the election are requests, but no writes", async () => {
  const cost = await sim(({ client, identity, signal }) => {
    const leaderElection = { name: "widgets", namespace: "default", identity };
    const manager = new Manager(client, { leaderElection });
    manager.controller(Widgets).reconcile(() => {});
    return manager.run({ signal });
  }, { replicas: 2 }).cost({ each, quietHours: 0.1 });
  const { quiet, restart } = cost.phases;
  assertEquals(quiet?.writes.counts, [0, 0, 0]);
  assert(part(quiet?.requests, "update leases.coordination.k8s.io").counts[0]! > 100);
  assertEquals(restart?.writes.counts, [0, 0, 0]);
  assertEquals(restart?.reconciles.counts, [2, 8, 32]);
});

Deno.test("cost() gives the same counts and causes each time", async () => {
  const options = { each, change, quietHours: 0.1 };
  const simulated = sim(managed, { objects: [settings] });
  const [one, another] = [await simulated.cost(options), await simulated.cost(options)];
  assertEquals(JSON.stringify(one), JSON.stringify(another));
});

Deno.test("cost() of a program without a controller tells what comes before its requests", async () => {
  const cost = await sim(async ({ client, clock, signal }) => {
    while (!signal.aborted) {
      for (const { metadata } of (await client.list(Widgets, { namespace: "default" })).items) {
        await client.get(Widgets, metadata.name!, { namespace: "default" });
      }
      await new Promise<void>((resolve) => clock.setTimer(() => resolve(), 60_000));
    }
  }).cost({ each });
  const { quiet } = cost.phases;
  assertEquals(quiet?.requests.counts, [60 + 120, 60 + 480, 60 + 1920]);
  const { cause, line, order } = part(quiet?.requests, "get widgets.example.com");
  assertEquals([order, cause], ["O(n)", "it is sent 1,920 times after a timer"]);
  assertMatch(line!, /cost_test\.ts:\d+:\d+$/);
  const list = part(quiet?.received, "list widgets.example.com");
  assertEquals([list.order, quiet?.reconciles.counts], ["O(n)", [0, 0, 0]]);
  assertStringIncludes(list.cause, "as if it had all objects");
});

Deno.test("cost() of a program without a controller that follows a watch", async () => {
  const cost = await sim(async ({ client }) => {
    for await (const { object, type } of await client.watch(Widgets, { namespace: "default" })) {
      if (type !== "ADDED") continue;
      const { name } = object.metadata;
      await client.patchStatus(Widgets, name!, { status: { color: "red" } }, {
        namespace: "default",
      });
    }
  }).cost({ each, quietHours: 0 });
  const { cause } = part(cost.phases.start?.writes, "patch widgets.example.com/status");
  assertStringIncludes(cause, "times after an event of widgets.example.com");
});

Deno.test("cost() weighs what each watch covers", async () => {
  const secret = (i: number) =>
    create(Secrets, `other/s-${i}`, { data: { key: "H4sI".repeat(100) } });
  const cost = await sim(async ({ client, signal }) => {
    const informers = new SharedInformerFactory(client);
    informers.informer(Secrets);
    informers.informer(metadataOf(Secrets));
    informers.informer(Secrets, { namespace: "default" });
    informers.informer(Secrets, { labelSelector: "mine" });
    informers.start({ signal });
    await new Promise(() => {});
  }, { objects: [{ resource: Namespaces, object: { metadata: { name: "other" } } }] }).cost({
    each: secret,
    quietHours: 0,
  });
  const parts = cost.phases.restart!.cache.parts;
  assertEquals(parts.map(({ order, what }) => [what, order]), [
    ["secrets", "O(n)"],
    ["secrets of one namespace", "O(1)"],
    ["secrets with a selector", "O(1)"],
  ]);
  // Once whole, and once without the data.
  const perObject = parts[0]!.counts.at(-1)! / 32;
  assert(perObject > 600 && perObject < 1200, String(perObject));
});

Deno.test("cost() counts the heartbeats of Nodes as events, in the quiet phase", async () => {
  const cost = await sim(async ({ client, signal }) => {
    const nodes = new SharedInformerFactory(client).informer(Nodes);
    await new Controller({ informer: nodes, reconcile: () => {} }).run({ signal });
  }, { objects: [node] }).cost({ each, quietHours: 0.5 });
  assertEquals(cost.phases.quiet?.reconciles.counts, [6, 6, 6]);
  assertEquals(part(cost.phases.quiet?.reconciles, "nodes").order, "O(1)");
});

Deno.test("cost() rejects if a process fails again and again, or a step does not succeed", async () => {
  await assertRejects(
    () => sim(() => Promise.reject(new Error("No license"))).cost({ each }),
    Error,
    "The cost of the phase start with 2 objects is unknown: operator fails again and again: No license",
  );
  const idle = () => new Promise(() => {});
  const broken = act("fail", () => Promise.reject(new Error("Broken")));
  await assertRejects(
    () => sim(idle).cost({ each, change: () => broken, quietHours: 0 }),
    Error,
    "phase change with 2 objects is unknown: The step [fail] does not succeed: Broken",
  );
});

nightlyTest("cost() rejects if a process sends requests without an end", async () => {
  const loop: Process = async ({ client }) => {
    for (;;) await client.list(Widgets, { namespace: "default" });
  };
  await assertRejects(
    () => sim(loop).cost({ each, quietHours: 0 }),
    Error,
    "phase start with 2 objects is unknown: the processes have made more than 22000 requests; the last is list widgets.example.com",
  );
});

Deno.test("cost() names the writes of a process that reconcile it again", async () => {
  const cost = await sim(async ({ client, clock, signal }) => {
    const widgets = new SharedInformerFactory(client).informer(Widgets);
    const controller = new Controller({
      informer: widgets,
      async reconcile(key) {
        const status = { color: `${Math.floor(clock.now() / 60_000)}` };
        await client.patchStatus(Widgets, key.slice(8), { status }, { namespace: "default" });
        return { requeueAfterMs: 60_000 };
      },
    });
    await controller.run({ signal });
  }).cost({ each, quietHours: 0.2 });
  const { cause } = part(cost.phases.quiet?.writes, "patch widgets.example.com/status");
  assertStringIncludes(cause, "a timer (a delay or a resync) adds");
  assertStringIncludes(cause, "from its own writes) reconciles 1 of widgets.example.com");
});

Deno.test("cost() refuses options that it cannot measure with", async () => {
  const refuse = async (options: unknown, message: string) => {
    const error = await assertRejects(() => sim(() => {}).cost(options as CostOptions), Error);
    assertStringIncludes(error.message, message);
  };
  await refuse({}, "cost() needs the option each");
  await refuse({ each, sizes: [1, 2] }, "at least 3 numbers, to tell n from n²: received [1,2]");
  await refuse({ each, sizes: [2, 1, 3] }, "must ascend");
  await refuse({ each, sizes: [0, 1, 2] }, "sizes");
  await refuse({ each, quietHours: -1 }, "quietHours of cost() must be from 0 to 720: received -1");
  await refuse({ each: () => ({}) }, "each of cost() must give steps, such as create() returns");
  await refuse({ each: () => Promise.resolve() }, "each of cost()");
  await refuse({ each, change: 1 }, "change of cost() must be a function");
  await refuse({ each, shared: [1] }, "shared of cost() must give steps");
});
