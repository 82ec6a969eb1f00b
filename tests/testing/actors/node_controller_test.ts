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
  const { requests } = world;
  await world.clock.advance(60_000);
  // Only six heartbeats of two requests each.
  assertEquals(world.requests - requests, 12);
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
