import { assertEquals } from "@std/assert";
import { type Node, Nodes, type Pod, Pods } from "../../../mod.ts";
import { Scheduler, type SchedulerOptions } from "../../../src/testing/mod.ts";
import { pod } from "../../support/world.ts";
import { NAMESPACE, World } from "./world.ts";

type Placement = Omit<SchedulerOptions, "client">;

async function scheduled(options: Placement = {}, seed?: number): Promise<World> {
  const world = new World(seed);
  await world.start(new Scheduler({ ...world.options, ...options }));
  return world;
}

/** Creates a node with only the taints of `rest`. */
async function node(world: World, name: string, rest: Partial<Node> = {}): Promise<void> {
  await world.create(Nodes, { ...rest, metadata: { name, ...rest.metadata } });
  const { taints = null } = rest.spec ?? {};
  await world.clock.run(world.client.patch(Nodes, name, { spec: { taints } }));
}

async function createPod(world: World, name: string, spec: object = {}): Promise<void> {
  await world.create(Pods, pod(name, { spec }));
}

function places(world: World): Record<string, string | undefined> {
  const pods = world.server.objects(Pods);
  return Object.fromEntries(pods.map(({ metadata, spec }) => [metadata.name, spec?.nodeName]));
}

function why(world: World, name: string): string | undefined {
  const conditions = world.server.get(Pods, name, "default")?.status?.conditions;
  return conditions?.find(({ type, status }) => type === "PodScheduled" && status === "False")
    ?.message;
}

Deno.test("Scheduler binds each Pod to the node with the fewest", async () => {
  await using world = await scheduled();
  for (const name of ["a", "b", "c"]) await node(world, name);
  for (let i = 0; i < 9; i++) await createPod(world, `pod-${i}`);
  await world.clock.advance(100);
  const counts = Map.groupBy(Object.values(places(world)), (name) => name);
  assertEquals([...counts].map(([name, pods]) => `${name} ${pods.length}`).sort(), [
    "a 3",
    "b 3",
    "c 3",
  ]);
  const scheduledAt = world.server.get(Pods, "pod-0", "default")?.status?.conditions;
  assertEquals(scheduledAt?.map(({ type, status }) => `${type} ${status}`), ["PodScheduled True"]);
});

Deno.test("Scheduler spreads Pods that are created at once, before its cache shows the bindings", async () => {
  await using world = await scheduled();
  for (const name of ["a", "b"]) await node(world, name);
  const creates = Array.from({ length: 6 }, (_, i) => world.client.create(Pods, pod(`pod-${i}`)));
  await world.clock.run(Promise.all(creates));
  await world.clock.advance(100);
  assertEquals(Object.values(places(world)).filter((name) => name === "a").length, 3);
});

Deno.test("Scheduler chooses among equal nodes at random, in the same way with the same seed", async () => {
  const run = async (seed: number) => {
    await using world = await scheduled({}, seed);
    for (const name of ["a", "b", "c"]) await node(world, name);
    for (let i = 0; i < 6; i++) await createPod(world, `pod-${i}`);
    await world.clock.advance(100);
    return Object.values(places(world)).join("");
  };
  assertEquals(await run(1), await run(1));
  const results = new Set(await Promise.all([1, 2, 3, 4, 5].map(run)));
  assertEquals(results.size > 1, true);
});

Deno.test("Scheduler: one more Pod moves no other Pod to another node", async () => {
  const run = async (extra: boolean) => {
    await using world = await scheduled({}, 1);
    for (const name of ["a", "b", "c", "d"]) await node(world, name);
    const found: (string | undefined)[] = [];
    for (let i = 0; i < 8; i++) {
      const names = extra ? [`extra-${i}`, `pod-${i}`] : [`pod-${i}`];
      for (const name of names) {
        await createPod(world, name);
        await world.clock.advance(100);
        if (name === `pod-${i}`) found.push(places(world)[name]);
        await world.clock.run(
          world.client.delete(Pods, name, { namespace: "default", gracePeriodSeconds: 0 }),
        );
        await world.clock.advance(100);
      }
    }
    return found;
  };
  assertEquals(await run(true), await run(false));
});

Deno.test("Scheduler uses the nodes in turn with the strategy round-robin", async () => {
  await using world = await scheduled({ strategy: "round-robin" });
  for (const name of ["b", "a", "c"]) await node(world, name);
  for (let i = 0; i < 5; i++) await createPod(world, `pod-${i}`);
  await world.clock.advance(100);
  assertEquals(Object.values(places(world)).join(""), "abcab");
});

Deno.test("Scheduler takes delayMs for each Pod", async () => {
  await using world = await scheduled({ delayMs: 1000 });
  await node(world, "a");
  for (const name of ["first", "second"]) await createPod(world, name);
  await world.clock.advance(1500);
  assertEquals(places(world), { first: "a", second: undefined });
  await world.clock.advance(1000);
  assertEquals(places(world), { first: "a", second: "a" });
});

Deno.test("Scheduler reports why no node fits a Pod, and binds the Pod when one does", async () => {
  await using world = await scheduled();
  await createPod(world, "web", { nodeSelector: { disk: "ssd" } });
  await world.clock.advance(100);
  assertEquals(why(world, "web"), "no nodes available to schedule pods");
  await node(world, "plain");
  await node(world, "closed", {
    metadata: { labels: { disk: "ssd" } },
    spec: { unschedulable: true },
  });
  const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" }];
  await node(world, "special", { metadata: { labels: { disk: "ssd" } }, spec: { taints } });
  await world.clock.advance(100);
  assertEquals(
    why(world, "web"),
    "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, " +
      "1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.",
  );
  const { actorRequests: requests } = world;
  await world.clock.advance(60_000);
  assertEquals(world.actorRequests, requests);
  await world.client.patch(Nodes, "closed", { spec: { unschedulable: null } });
  await world.clock.advance(100);
  assertEquals(places(world), { web: "closed" });
});

Deno.test("Scheduler binds Pods to a node whose taint they tolerate", async () => {
  await using world = await scheduled();
  const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" }];
  await node(world, "special", { spec: { taints } });
  const gpu = { key: "gpu", operator: "Equal", value: "yes", effect: "NoSchedule" };
  const tolerations = {
    equal: gpu,
    exists: { operator: "Exists" },
    of_no_value: { ...gpu, value: "no" },
    of_no_effect: { ...gpu, effect: "NoExecute" },
    of_no_key: { ...gpu, key: "cpu" },
  };
  for (const [name, toleration] of Object.entries(tolerations)) {
    const spec = { tolerations: [toleration] } as Partial<Pod["spec"]>;
    await createPod(world, name.replaceAll("_", "-"), spec);
  }
  await world.clock.advance(100);
  assertEquals(places(world), {
    equal: "special",
    exists: "special",
    "of-no-value": undefined,
    "of-no-effect": undefined,
    "of-no-key": undefined,
  });
});

Deno.test("Scheduler respects the capacity of nodes, and uses capacity that becomes free", async () => {
  await using world = await scheduled();
  await node(world, "small", { status: { capacity: { pods: "2" }, allocatable: { pods: "2" } } });
  for (const name of ["a", "b", "c"]) await createPod(world, name);
  await world.clock.advance(100);
  assertEquals([places(world), why(world, "c")], [
    { a: "small", b: "small", c: undefined },
    "0/1 nodes are available: 1 Too many pods.",
  ]);
  const gone = { ...NAMESPACE, gracePeriodSeconds: 0 };
  await world.client.delete(Pods, "a", gone);
  await world.clock.advance(100);
  assertEquals(places(world), { b: "small", c: "small" });
  await createPod(world, "d");
  await world.clock.advance(100);
  await world.client.patchStatus(Pods, "b", { status: { phase: "Succeeded" } }, NAMESPACE);
  await world.clock.advance(100);
  assertEquals(places(world), { b: "small", c: "small", d: "small" });
});

Deno.test("Scheduler counts the Pods that it has bound before its cache shows them", async () => {
  await using world = await scheduled();
  for (const name of ["a", "b", "c"]) await createPod(world, name);
  await world.clock.advance(100);
  world.server.faults.delay(60_000, {
    when: ({ resource, verb }) => resource === "pods" && verb === "watch",
  });
  world.server.closeWatches({ resource: "pods" });
  await node(world, "small", { status: { capacity: { pods: "2" }, allocatable: { pods: "2" } } });
  await world.clock.advance(30_000);
  assertEquals(Object.values(places(world)).filter(Boolean).length, 2);
});

Deno.test("Scheduler ignores Pods of other schedulers, gated Pods and Pods that are being deleted", async () => {
  await using world = await scheduled();
  await createPod(world, "foreign", { schedulerName: "mine" } as Partial<Pod["spec"]>);
  await createPod(world, "gated", { schedulingGates: [{ name: "x" }] } as Partial<Pod["spec"]>);
  await world.create(Pods, {
    metadata: { name: "going", ...NAMESPACE, finalizers: ["example.com/f"] },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  await world.client.delete(Pods, "going", NAMESPACE);
  await world.clock.advance(100);
  await node(world, "a");
  await world.clock.advance(100);
  assertEquals(places(world), { foreign: undefined, gated: undefined, going: undefined });
  await world.stop();
  assertEquals([world.server.openWatches, world.clock.pendingTimers], [0, 0]);
});

Deno.test("Scheduler tries a Pod again whose binding failed, and gives its place to others meanwhile", async () => {
  await using world = await scheduled();
  await node(world, "small", { status: { capacity: { pods: "1" }, allocatable: { pods: "1" } } });
  const broken = world.server.faults.fail(500, {
    when: ({ name, subresource }) => subresource === "binding" && name === "first",
  });
  await createPod(world, "first");
  await world.clock.advance(10);
  await createPod(world, "second");
  await world.clock.advance(10_000);
  assertEquals(places(world), { first: undefined, second: "small" });
  broken.remove();
  await world.client.delete(Pods, "second", { ...NAMESPACE, gracePeriodSeconds: 0 });
  await world.clock.advance(10_000);
  assertEquals(places(world), { first: "small" });
});

Deno.test("Scheduler does not bind a Pod that took the name of the one it has placed", async () => {
  await using world = await scheduled();
  await node(world, "small");
  world.server.faults.delay(1000, {
    times: 1,
    when: ({ subresource }) => subresource === "binding",
  });
  await createPod(world, "web");
  await world.clock.advance(500);
  await world.client.delete(Pods, "web", { ...NAMESPACE, gracePeriodSeconds: 0 });
  await createPod(world, "web", { nodeSelector: { disk: "fast" } });
  await world.clock.advance(10_000);
  assertEquals(places(world), { web: undefined });
});
