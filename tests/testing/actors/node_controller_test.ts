import { assertEquals } from "@std/assert";
import { Leases, type Node, Nodes, type Pod, Pods } from "../../../mod.ts";
import { GarbageCollector, Kubelet, NodeController } from "../../../src/testing/mod.ts";
import { NAMESPACE, World } from "./world.ts";

async function cluster(): Promise<[World, Kubelet]> {
  const world = new World();
  const kubelet = await world.start(new Kubelet({ ...world.options, nodeName: "node-1" }));
  await world.start(new NodeController(world.options));
  for (const name of ["patient", "hasty", "faithful"]) {
    const tolerations = name === "patient" ? undefined : [{
      key: "node.kubernetes.io/unreachable",
      operator: "Exists",
      effect: "NoExecute",
      ...(name === "hasty" && { tolerationSeconds: 10 }),
    }];
    const spec = { nodeName: "node-1", containers: [{ name: "main", image: "i" }], tolerations };
    await world.create<Pod>(Pods, {
      metadata: { name, ...NAMESPACE },
      spec: spec as NonNullable<Pod["spec"]>,
    });
  }
  await world.clock.advance(5000);
  return [world, kubelet];
}

function taints({ spec }: Node): string[] {
  return (spec?.taints ?? []).map(({ key, effect }) => `${key.split("/")[1]} ${effect}`);
}

function readiness({ status }: Node | Pod): string | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready")?.status;
}

Deno.test("NodeController removes the not-ready taint from a ready node", async () => {
  const [world] = await cluster();
  await using _ = world;
  assertEquals(taints(world.server.get(Nodes, "node-1")!), []);
  const { actorRequests: requests } = world;
  await world.clock.advance(60_000);
  // Only six heartbeats of one request each.
  assertEquals(world.actorRequests - requests, 6);
});

Deno.test("NodeController marks a lost node, evicts its Pods in time, and accepts the node again", async () => {
  const [world, kubelet] = await cluster();
  await using _ = world;
  const node = () => world.server.get(Nodes, "node-1")!;
  const pods = () =>
    world.server.objects(Pods).map((pod) =>
      `${pod.metadata.name} ${readiness(pod)}${pod.metadata.deletionTimestamp ? " deleted" : ""}`
    );
  kubelet.crashNode();
  await world.clock.advance(44_000);
  assertEquals([readiness(node()), ...taints(node())], ["True"]);
  await world.clock.advance(2000);
  assertEquals([readiness(node()), ...taints(node())], [
    "Unknown",
    "unreachable NoSchedule",
    "unreachable NoExecute",
  ]);
  assertEquals(pods(), ["faithful False", "hasty False", "patient False"]);
  await world.clock.advance(10_000);
  assertEquals(pods(), ["faithful False", "hasty False deleted", "patient False"]);
  await world.clock.advance(290_000);
  assertEquals(pods(), ["faithful False", "hasty False deleted", "patient False deleted"]);
  await world.clock.advance(600_000);
  assertEquals(pods().length, 3);

  kubelet.restartNode();
  await world.clock.advance(5000);
  assertEquals([readiness(node()), ...taints(node())], ["True"]);
  assertEquals(pods(), ["faithful True"]);
  assertEquals(world.warnings, []);
});

Deno.test("NodeController removes the Pods of a deleted node; its Lease is garbage-collected", async () => {
  const [world, kubelet] = await cluster();
  await using _ = world;
  await world.start(new GarbageCollector(world.options));
  kubelet.crashNode();
  await world.client.delete(Nodes, "node-1");
  await world.clock.advance(1000);
  assertEquals([world.names(Pods), world.names(Leases)], ["", ""]);
  kubelet.restartNode();
  await world.clock.advance(1000);
  assertEquals([world.names(Nodes), world.names(Leases)], ["node-1", "node-1"]);
});

Deno.test("NodeController keeps a taint that is added just before it removes its own", async () => {
  await using world = new World();
  await world.start(new Kubelet({ ...world.options, nodeName: "node-1" }));
  await world.clock.advance(100);
  world.server.faults.delay(1000, {
    times: 1,
    when: ({ method, name, subresource }) =>
      method === "PATCH" && name === "node-1" && subresource === "",
  });
  await world.start(new NodeController(world.options));
  await world.clock.advance(500);
  const present = world.server.get(Nodes, "node-1")!;
  const mine = { key: "example.com/mine", effect: "NoSchedule" };
  const spec = { taints: [...(present.spec?.taints ?? []), mine] };
  await world.clock.run(world.client.update(Nodes, { ...present, spec }));
  const seen = await world.watch(Nodes, (node) => taints(node).join());
  await world.clock.advance(5000);
  assertEquals(seen.map((line) => line.replace(/^[0-9.]+ /, "")), ["MODIFIED mine NoSchedule"]);
});

/** A NodeController of a node whose kubelet the test is. */
async function nodeAlone(options: { gracePeriodMs?: number } = {}) {
  const world = new World();
  await world.start(new NodeController({ ...world.options, ...options }));
  await world.create<Node>(Nodes, { metadata: { name: "n" } });
  const node = () => world.server.get(Nodes, "n")!;
  const ready = async (status: string) => {
    const patch = { status: { conditions: [{ type: "Ready", status }] } };
    await world.clock.run(world.client.patchStatus(Nodes, "n", patch as object));
    await world.clock.advance(0);
  };
  const renew = async (renewTime: string) => {
    const call = { namespace: "kube-node-lease" };
    const patch = { spec: { renewTime } };
    await world.clock.run(world.client.patch(Leases, "n", patch, call));
    await world.clock.advance(0);
  };
  await world.create(Leases, { metadata: { name: "n", namespace: "kube-node-lease" } });
  await ready("True");
  return { node, ready, renew, world };
}

Deno.test("NodeController marks a node lost when the grace period is over, and not before", async () => {
  for (const gracePeriodMs of [undefined, 1000]) {
    const { node, renew, world } = await nodeAlone(gracePeriodMs ? { gracePeriodMs } : {});
    await using _ = world;
    const graceMs = gracePeriodMs ?? 50_000;
    await world.clock.advance(500);
    await renew("2026-01-01T00:00:00.000000Z");
    // The clock of the node is not trusted: it counts when a renewal is seen.
    await world.clock.advance(graceMs - 1);
    assertEquals(readiness(node()), "True");
    await world.clock.advance(1);
    const [condition] = node().status?.conditions ?? [];
    const now = new Date(world.clock.wallNow()).toISOString().replace(/\.\d+/, "");
    assertEquals(condition, {
      type: "Ready",
      status: "Unknown",
      reason: "NodeStatusUnknown",
      message: "Kubelet stopped posting node status.",
      lastHeartbeatTime: null,
      lastTransitionTime: now,
    } as never);
    assertEquals(node().spec?.taints?.map((taint) => (taint as { timeAdded?: string }).timeAdded), [
      now,
      now,
    ]);
    // It is marked once.
    await world.clock.advance(5000);
    await world.clock.run(world.client.patch(Nodes, "n", { metadata: { labels: { a: "b" } } }));
    await world.clock.advance(0);
    assertEquals(node().status?.conditions?.[0]?.lastTransitionTime, now);
    assertEquals(world.warnings, []);
  }
});

Deno.test("NodeController knows nothing of an earlier node of that name", async () => {
  const { node, ready, world } = await nodeAlone({ gracePeriodMs: 1000 });
  await using _ = world;
  await world.clock.advance(900);
  await world.clock.run(world.client.delete(Nodes, "n"));
  await world.clock.advance(600);
  await world.create<Node>(Nodes, { metadata: { name: "n" } });
  await ready("True");
  await world.clock.advance(999);
  assertEquals(readiness(node()), "True");
  await world.clock.advance(1);
  assertEquals(readiness(node()), "Unknown");
});

Deno.test("NodeController taints a node that is not ready, and leaves the taints of others", async () => {
  const { node, ready, world } = await nodeAlone();
  await using _ = world;
  assertEquals(node().spec?.taints, undefined);
  // A node that says nothing.
  await world.create<Node>(Nodes, { metadata: { name: "silent" } });
  assertEquals(taints(world.server.get(Nodes, "silent")!), [
    "unreachable NoSchedule",
    "unreachable NoExecute",
  ]);
  const mine = { key: "example.com/mine", effect: "NoSchedule" };
  await world.clock.run(world.client.patch(Nodes, "n", { spec: { taints: [mine] } }));
  await ready("False");
  const both = ["mine NoSchedule", "not-ready NoSchedule", "not-ready NoExecute"];
  assertEquals(taints(node()), both);
  const { actorRequests: requests } = world;
  await world.clock.run(world.client.patch(Nodes, "n", { metadata: { labels: { a: "b" } } }));
  await world.clock.advance(0);
  assertEquals([taints(node()), world.actorRequests], [both, requests]);
  // One of the two is missing.
  const half = { ...mine, key: "node.kubernetes.io/not-ready" };
  await world.clock.run(world.client.patch(Nodes, "n", { spec: { taints: [half] } }));
  await world.clock.advance(0);
  assertEquals(taints(node()), both.slice(1));
  await world.clock.run(world.client.patch(Nodes, "n", { spec: { taints: [mine] } }));
  await ready("Unknown");
  assertEquals(taints(node()), [
    "mine NoSchedule",
    "unreachable NoSchedule",
    "unreachable NoExecute",
  ]);
  await ready("True");
  assertEquals(taints(node()), ["mine NoSchedule"]);
});

Deno.test("NodeController evicts a Pod when its own toleration ends, and one without any at once", async () => {
  const { ready, world } = await nodeAlone();
  await using _ = world;
  const tolerate = (key: string, tolerationSeconds?: number) => ({
    key: `node.kubernetes.io/${key}`,
    operator: "Exists",
    effect: "NoExecute",
    ...(tolerationSeconds !== undefined && { tolerationSeconds }),
  });
  for (
    const [name, ...tolerations] of [
      ["ten", tolerate("not-ready", 10)],
      ["least", tolerate("not-ready", 20), tolerate("not-ready", 5)],
      ["ever", tolerate("not-ready")],
    ] as const
  ) {
    const containers = [{ name: "main", image: "i" }];
    const spec = { nodeName: "n", containers, terminationGracePeriodSeconds: 0, tolerations };
    await world.create<Pod>(Pods, { metadata: { name, ...NAMESPACE }, spec: spec as never });
  }
  const left = () =>
    (world.server.objects(Pods) as Pod[])
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name).join(" ");
  await ready("False");
  await world.clock.advance(4999);
  assertEquals(left(), "ever least ten");
  await world.clock.advance(1);
  assertEquals(left(), "ever ten");
  await world.clock.advance(4999);
  assertEquals(left(), "ever ten");
  await world.clock.advance(1);
  assertEquals(left(), "ever");
  await ready("Unknown");
  await world.clock.advance(299_999);
  assertEquals(left(), "ever");
  await world.clock.advance(1);
  assertEquals(left(), "");
});

Deno.test("NodeController marks only those Pods of a lost node that are ready, and tries again what fails", async () => {
  const { world } = await nodeAlone();
  await using _ = world;
  const conditions: Record<string, object[]> = {
    ready: [{ type: "Initialized", status: "True" }, { type: "Ready", status: "True" }],
    waiting: [{ type: "Initialized", status: "True" }, { type: "Ready", status: "False" }],
  };
  for (const name of ["ready", "waiting"]) {
    const spec = { nodeName: "n", containers: [{ name: "main", image: "i" }] };
    await world.create<Pod>(Pods, { metadata: { name, ...NAMESPACE }, spec });
    const patch = { status: { conditions: conditions[name] } } as object;
    await world.clock.run(world.client.patchStatus(Pods, name, patch, NAMESPACE));
  }
  const seen = await world.watch(Pods, (pod) => `${pod.metadata.name} ${readiness(pod)}`);
  const fault = world.server.faults.fail(500, {
    times: 1,
    when: ({ resource, verb }) => resource === "pods" && verb === "patch",
  });
  await world.clock.advance(60_000);
  assertEquals([fault.hits, seen.map((line) => line.replace(/^[0-9.]+ /, ""))], [1, [
    "MODIFIED ready False",
  ]]);
  assertEquals(world.warnings.length, 1);
});
