import { assert, assertEquals } from "@std/assert";
import { type Pod, Pods } from "../../../../mod.ts";
import { ReplicaSets } from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { leastMissedFirst } from "../../../../src/testing/actors/workloads/victims.ts";
import { Cluster, named, template } from "./cluster.ts";

async function replicate(cluster: Cluster, replicas: number, spec: object = {}): Promise<void> {
  await cluster.create(ReplicaSets, {
    metadata: named("web"),
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: template("web"),
      ...spec,
    },
  });
}

function owners({ metadata }: Pod): string[] {
  return (metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`);
}

Deno.test("ReplicaSetController creates and deletes Pods, and counts them", async () => {
  await using cluster = await Cluster.start();
  await replicate(cluster, 2);
  await cluster.clock.advance(5000);
  const names = cluster.pods.map(({ metadata }) => metadata.name ?? "");
  assertEquals(names.every((name) => /^web-[a-z0-9]{5}$/.test(name)), true);
  assertEquals(cluster.get(ReplicaSets, "web").status, {
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    terminatingReplicas: 0,
    observedGeneration: 1,
  });
  assertEquals(
    cluster.events("web").sort(),
    names.map((name) => `SuccessfulCreate: Created pod: ${name}`).sort(),
  );
  await cluster.patch(ReplicaSets, "web", { spec: { replicas: 0 } }, 100);
  assertEquals(cluster.get(ReplicaSets, "web").status?.terminatingReplicas, 2);
  await cluster.clock.advance(5000);
  assertEquals(cluster.names(Pods), "");
  assertEquals(
    cluster.events("web").slice(2).sort(),
    names.map((name) => `SuccessfulDelete: Deleted pod: ${name}`).sort(),
  );
});

Deno.test("ReplicaSetController replaces Pods that are deleted, that failed and that lost their label", async () => {
  await using cluster = await Cluster.start();
  await replicate(cluster, 3);
  await cluster.clock.advance(5000);
  const [first = "", second = "", third = ""] = cluster.pods.map(({ metadata }) => metadata.name);
  await cluster.delete(Pods, first);
  await cluster.clock.run(
    cluster.client.patchStatus(Pods, second, { status: { phase: "Failed" } }, {
      namespace: "default",
    }),
  );
  await cluster.patch(Pods, third, { metadata: { labels: { app: "other" } } }, 5000);
  assertEquals(owners(cluster.get(Pods, third)), []);
  assertEquals(cluster.get(ReplicaSets, "web").status?.availableReplicas, 3);
  // A matching orphan is adopted, and then the Pod that does not run yet is one too many.
  await cluster.create(Pods, {
    metadata: { ...named("late"), labels: { app: "web" } },
    spec: { containers: [{ name: "main", image: "i" }] },
  });
  await cluster.clock.advance(5000);
  assertEquals(cluster.server.get(Pods, "late", "default"), undefined);
  assertEquals(cluster.events("web").at(-1), "SuccessfulDelete: Deleted pod: late");
});

Deno.test("ReplicaSetController counts Pods as available after minReadySeconds", async () => {
  await using cluster = await Cluster.start();
  await replicate(cluster, 1, { minReadySeconds: 10 });
  const available = () => cluster.get(ReplicaSets, "web").status?.availableReplicas ?? 0;
  await cluster.clock.advance(9000);
  assertEquals([cluster.get(ReplicaSets, "web").status?.readyReplicas, available()], [1, 0]);
  await cluster.clock.advance(4000);
  assertEquals(available(), 1);
});

Deno.test("ReplicaSetController creates no Pod twice while its cache is behind", async () => {
  await using cluster = await Cluster.start();
  await replicate(cluster, 1);
  await cluster.clock.advance(5000);
  cluster.server.faults.delay(60_000, {
    when: ({ resource, verb }) => resource === "pods" && verb === "watch",
  });
  cluster.server.closeWatches({ resource: "pods" });
  await cluster.patch(ReplicaSets, "web", { spec: { replicas: 4 } }, 10_000);
  // Another change of the ReplicaSet, while the cache shows one Pod.
  await cluster.patch(ReplicaSets, "web", { metadata: { labels: { a: "b" } } }, 10_000);
  assertEquals(cluster.pods.length, 4);
});

Deno.test("ReplicaSetController reports Pods that it cannot create, without a flood of requests", async () => {
  await using cluster = await Cluster.start();
  let tries = 0;
  cluster.server.faults.fail(403, {
    when: ({ resource, verb }) => resource === "pods" && verb === "create" && ++tries > 0,
  });
  await replicate(cluster, 50);
  await cluster.clock.advance(3000);
  assert(tries < 15, `${tries} tries`);
  const [condition] = cluster.get(ReplicaSets, "web").status?.conditions ?? [];
  assertEquals([condition?.type, condition?.status, condition?.reason], [
    "ReplicaFailure",
    "True",
    "FailedCreate",
  ]);
  assertEquals(cluster.events("web")[0], `FailedCreate: Error creating: ${condition?.message}`);
});

Deno.test("leastMissedFirst() orders Pods as kube-controller-manager deletes them", () => {
  const pod = (
    name: string,
    { node = "a", phase = "Running", ready = "", cost = "", restarts = 0 },
  ) => ({
    metadata: {
      name,
      uid: name,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      annotations: cost ? { "controller.kubernetes.io/pod-deletion-cost": cost } : {},
    },
    spec: { nodeName: node, containers: [] },
    status: {
      phase: phase as "Running",
      containerStatuses: [{ name: "c", ready: true, restartCount: restarts }],
      conditions: ready
        ? [{ type: "Ready", status: "True" as const, lastTransitionTime: ready }]
        : [],
    },
  });
  const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z"];
  const pods = [
    pod("old", { ready: early, node: "b" }),
    pod("young", { ready: late, node: "c" }),
    pod("doubled", { ready: early }),
    pod("doubled too", { ready: early, restarts: 2 }),
    pod("dear", { ready: late, cost: "10", node: "d" }),
    pod("cheap", { ready: early, cost: "-1", node: "e" }),
    pod("unready", {}),
    pod("pending", { phase: "Pending" }),
    pod("homeless", { phase: "Pending", node: "" }),
  ];
  assertEquals(leastMissedFirst(pods).map(({ metadata }) => metadata.name), [
    "homeless",
    "pending",
    "unready",
    "cheap",
    "doubled too",
    "doubled",
    "young",
    "old",
    "dear",
  ]);
});
