import { assert, assertEquals } from "@std/assert";
import { type Node, Nodes } from "../../../../mod.ts";
import { type DaemonSet, DaemonSets } from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { Cluster, named, template } from "./cluster.ts";

type Spec = NonNullable<DaemonSet["spec"]>;

async function daemon(cluster: Cluster, spec: Partial<Spec> = {}): Promise<void> {
  await cluster.create(DaemonSets, {
    metadata: named("agent"),
    spec: { selector: { matchLabels: { app: "agent" } }, template: template("agent"), ...spec },
  });
}

function places(cluster: Cluster): string[] {
  return cluster.pods.map(({ spec }) => `${spec?.nodeName} ${spec?.containers[0]?.image}`).sort();
}

Deno.test("DaemonSetController runs one Pod on each node, also on nodes that take no other Pods", async () => {
  await using cluster = await Cluster.start({ nodes: 3 });
  await cluster.patch(Nodes, "node-3", { spec: { unschedulable: true } });
  await daemon(cluster);
  await cluster.clock.advance(5000);
  assertEquals(places(cluster), ["node-1 nginx:1", "node-2 nginx:1", "node-3 nginx:1"]);
  assertEquals(cluster.get(DaemonSets, "agent").status, {
    observedGeneration: 1,
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    numberMisscheduled: 0,
    numberReady: 3,
    numberAvailable: 3,
    updatedNumberScheduled: 3,
  });
  assertEquals(cluster.warnings, []);
  const { resourceVersion } = cluster.get(DaemonSets, "agent").metadata;
  await cluster.clock.advance(60_000);
  assertEquals(cluster.get(DaemonSets, "agent").metadata.resourceVersion, resourceVersion);
});

Deno.test("DaemonSetController follows the labels and taints of nodes", async () => {
  await using cluster = await Cluster.start({ nodes: 2 });
  const selective = template("agent") as Spec["template"];
  selective.spec!.nodeSelector = { disk: "ssd" };
  await daemon(cluster, { template: selective });
  await cluster.clock.advance(3000);
  assertEquals(places(cluster), []);
  const label = (value: string | null) => ({ metadata: { labels: { disk: value } } });
  await cluster.patch(Nodes, "node-2", label("ssd"), 3000);
  assertEquals(places(cluster), ["node-2 nginx:1"]);
  // A NoSchedule taint keeps the Pod, which is counted as misscheduled; the lost label removes it.
  const taints = [{ key: "example.com/t", effect: "NoSchedule" }];
  await cluster.patch(Nodes, "node-2", { spec: { taints } }, 3000);
  assertEquals(cluster.get(DaemonSets, "agent").status?.numberMisscheduled, 1);
  await cluster.patch(Nodes, "node-2", label(null), 5000);
  assertEquals(places(cluster), []);
  const node: Node = { metadata: { name: "node-9", labels: { disk: "ssd" } } };
  await cluster.create(Nodes, node);
  await cluster.patch(Nodes, "node-9", { spec: { taints: null } }, 3000);
  assertEquals(places(cluster), ["node-9 nginx:1"]);
});

Deno.test("DaemonSetController updates within maxUnavailable, or first adds Pods within maxSurge", async () => {
  for (const maxSurge of [0, 1]) {
    await using cluster = await Cluster.start({ nodes: 3, kubelet: { readyDelayMs: 2000 } });
    await daemon(cluster, {
      updateStrategy: {
        type: "RollingUpdate",
        rollingUpdate: { maxSurge, maxUnavailable: maxSurge === 0 ? 1 : 0 },
      },
    });
    await cluster.clock.advance(8000);
    const next = { spec: { template: template("agent", "nginx:2") } };
    await cluster.patch(DaemonSets, "agent", next);
    let [least, most] = [3, 3];
    for (let i = 0; i < 120; i++) {
      await cluster.clock.advance(250);
      least = Math.min(least, cluster.get(DaemonSets, "agent").status?.numberAvailable ?? 0);
      most = Math.max(most, cluster.pods.length);
    }
    assertEquals([least, most], maxSurge === 0 ? [2, 3] : [3, 4]);
    assertEquals(places(cluster), ["node-1 nginx:2", "node-2 nginx:2", "node-3 nginx:2"]);
    assertEquals(cluster.get(DaemonSets, "agent").status?.updatedNumberScheduled, 3);
  }
});

Deno.test("DaemonSetController replaces a Pod that has failed", async () => {
  await using cluster = await Cluster.start({ nodes: 1 });
  await daemon(cluster);
  await cluster.clock.advance(3000);
  const [name = ""] = cluster.pods.map(({ metadata }) => metadata.name);
  await cluster.clock.run(
    cluster.client.patchStatus(
      { group: "", version: "v1", plural: "pods", kind: "Pod", namespaced: true },
      name,
      { status: { phase: "Failed" } } as object,
      { namespace: "default" },
    ),
  );
  await cluster.clock.advance(8000);
  assertEquals(places(cluster), ["node-1 nginx:1"]);
  assert(!cluster.pods.some(({ metadata }) => metadata.name === name));
  assert(
    cluster.events("agent").some((one) =>
      one ===
        `FailedDaemonPod: Found failed daemon pod default/${name} on node node-1, will try to kill it`
    ),
  );
});
