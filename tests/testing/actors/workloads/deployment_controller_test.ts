import { assert, assertEquals } from "@std/assert";
import { Deployments as PlainDeployments, type Resource } from "../../../../mod.ts";
import type {
  Deployment,
  ReplicaSet,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { ReplicaSets } from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { Cluster, named, template } from "./cluster.ts";

const Deployments = PlainDeployments as Resource<Deployment>;

async function deploy(
  cluster: Cluster,
  spec: Partial<NonNullable<Deployment["spec"]>> = {},
  name = "web",
): Promise<void> {
  await cluster.create(Deployments, {
    metadata: named(name),
    spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
  });
}

/** Returns `image:replicas` of the ReplicaSets, oldest revision first. */
function sets(cluster: Cluster): string[] {
  return cluster.server.objects(ReplicaSets, "default")
    .map((set) => [revision(set), `${image(set)} ${set.spec?.replicas}`] as const)
    .sort(([a], [b]) => a - b)
    .map(([number, text]) => `${number}: ${text}`);
}

function revision({ metadata }: { metadata: ReplicaSet["metadata"] }): number {
  return Number(metadata.annotations?.["deployment.kubernetes.io/revision"]);
}

function image({ spec }: Pick<ReplicaSet, "spec">): string | undefined {
  return spec?.template?.spec?.containers[0]?.image;
}

function conditions(cluster: Cluster, name = "web"): string[] {
  return (cluster.get(Deployments, name).status?.conditions ?? [])
    .map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`)
    .sort();
}

Deno.test("DeploymentController rolls out a Deployment and then writes nothing", async () => {
  await using cluster = await Cluster.start();
  await deploy(cluster, { replicas: 3 });
  await cluster.clock.advance(10_000);
  const found = cluster.get(Deployments, "web");
  const { conditions: _, ...status } = found.status ?? {};
  assertEquals(status, {
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    terminatingReplicas: 0,
  });
  const [set] = cluster.server.objects(ReplicaSets, "default");
  const name = set?.metadata.name;
  const hash = set?.metadata.labels?.["pod-template-hash"];
  assertEquals([name, revision(found)], [`web-${hash}`, 1]);
  assertEquals(cluster.pods.map(({ metadata }) => metadata.labels), [
    { app: "web", "pod-template-hash": hash },
    { app: "web", "pod-template-hash": hash },
    { app: "web", "pod-template-hash": hash },
  ] as never);
  assertEquals(conditions(cluster), [
    "Available True MinimumReplicasAvailable: Deployment has minimum availability.",
    `Progressing True NewReplicaSetAvailable: ReplicaSet "${name}" has successfully progressed.`,
  ]);
  assertEquals(cluster.events("web"), [
    `ScalingReplicaSet: Scaled up replica set ${name} from 0 to 3`,
  ]);
  assertEquals(cluster.warnings, []);
  const writes = () =>
    [Deployments, ReplicaSets].map((one) =>
      cluster.server.objects(one as Resource).map(({ metadata }) => metadata.resourceVersion)
    );
  const before = writes();
  await cluster.clock.advance(600_000);
  assertEquals(writes(), before);
});

Deno.test("DeploymentController replaces Pods within maxSurge and maxUnavailable", async () => {
  for (const [maxSurge, maxUnavailable] of [[1, 0], [0, 1], ["50%", "25%"]] as const) {
    await using cluster = await Cluster.start({ kubelet: { readyDelayMs: 3000 } });
    const rollingUpdate = { maxSurge, maxUnavailable };
    await deploy(cluster, { replicas: 4, strategy: { type: "RollingUpdate", rollingUpdate } });
    await cluster.clock.advance(20_000);
    const surge = maxSurge === "50%" ? 2 : maxSurge;
    const unavailable = maxUnavailable === "25%" ? 1 : maxUnavailable;
    await cluster.patch(Deployments, "web", { spec: { template: template("web", "nginx:2") } });
    const counts = new Set<number>();
    for (let i = 0; i < 120; i++) {
      await cluster.clock.advance(500);
      const { availableReplicas = 0 } = cluster.get(Deployments, "web").status ?? {};
      counts.add(cluster.pods.length);
      assert(cluster.pods.length <= 4 + surge, `${cluster.pods.length} Pods`);
      assert(availableReplicas >= 4 - unavailable, `${availableReplicas} available`);
    }
    assert(counts.has(4 + surge));
    assertEquals(sets(cluster), ["1: nginx:1 0", "2: nginx:2 4"]);
    assertEquals(revision(cluster.get(Deployments, "web")), 2);
    assertEquals(cluster.warnings, []);
  }
});

Deno.test("DeploymentController waits for the end of the old Pods with the strategy Recreate", async () => {
  await using cluster = await Cluster.start({ kubelet: { stopDelayMs: 5000 } });
  await deploy(cluster, { replicas: 2, strategy: { type: "Recreate" } });
  await cluster.clock.advance(5000);
  await cluster.patch(Deployments, "web", { spec: { template: template("web", "nginx:2") } }, 4000);
  assertEquals(sets(cluster), ["1: nginx:1 0"]);
  await cluster.clock.advance(6000);
  assertEquals(sets(cluster), ["1: nginx:1 0", "2: nginx:2 2"]);
  assertEquals(cluster.get(Deployments, "web").status?.availableReplicas, 2);
});

Deno.test("DeploymentController rolls back to an old ReplicaSet, with a new revision", async () => {
  await using cluster = await Cluster.start();
  await deploy(cluster, { replicas: 1 });
  await cluster.clock.advance(5000);
  await cluster.patch(Deployments, "web", { spec: { template: template("web", "nginx:2") } }, 9000);
  await cluster.patch(Deployments, "web", { spec: { template: template("web", "nginx:1") } }, 9000);
  assertEquals(sets(cluster), ["2: nginx:2 0", "3: nginx:1 1"]);
  const back = cluster.server.objects(ReplicaSets, "default").find((set) => revision(set) === 3);
  const { annotations } = back?.metadata ?? {};
  assertEquals(annotations?.["deployment.kubernetes.io/revision-history"], "1");
  assertEquals(revision(cluster.get(Deployments, "web")), 3);
});

Deno.test("DeploymentController keeps as many old ReplicaSets as revisionHistoryLimit says", async () => {
  await using cluster = await Cluster.start();
  await deploy(cluster, { replicas: 1, revisionHistoryLimit: 1 });
  for (const version of [2, 3, 4]) {
    await cluster.clock.advance(9000);
    const next = template("web", `nginx:${version}`);
    await cluster.patch(Deployments, "web", { spec: { template: next } });
  }
  await cluster.clock.advance(9000);
  assertEquals(sets(cluster), ["3: nginx:3 0", "4: nginx:4 1"]);
});

Deno.test("DeploymentController reports a rollout that exceeds its deadline, and its recovery", async () => {
  await using cluster = await Cluster.start({ kubelet: { readyDelayMs: 100_000 } });
  await deploy(cluster, { replicas: 1, progressDeadlineSeconds: 30 });
  await cluster.clock.advance(35_000);
  const [set] = cluster.server.objects(ReplicaSets, "default");
  const name = set?.metadata.name;
  assertEquals(conditions(cluster), [
    "Available False MinimumReplicasUnavailable: Deployment does not have minimum availability.",
    `Progressing False ProgressDeadlineExceeded: ReplicaSet "${name}" has timed out progressing.`,
  ]);
  await cluster.clock.advance(100_000);
  assertEquals(conditions(cluster), [
    "Available True MinimumReplicasAvailable: Deployment has minimum availability.",
    `Progressing True NewReplicaSetAvailable: ReplicaSet "${name}" has successfully progressed.`,
  ]);
});

Deno.test("DeploymentController does not roll out while paused, but scales", async () => {
  await using cluster = await Cluster.start();
  await deploy(cluster, { replicas: 2 });
  await cluster.clock.advance(5000);
  const spec = { paused: true, template: template("web", "nginx:2"), replicas: 3 };
  await cluster.patch(Deployments, "web", { spec }, 9000);
  assertEquals(sets(cluster), ["1: nginx:1 3"]);
  assertEquals(
    conditions(cluster)[1],
    "Progressing Unknown DeploymentPaused: Deployment is paused",
  );
  await cluster.patch(Deployments, "web", { spec: { paused: false } }, 20_000);
  assertEquals(sets(cluster), ["1: nginx:1 0", "2: nginx:2 3"]);
});

Deno.test("DeploymentController scales in proportion in the middle of a rollout", async () => {
  await using cluster = await Cluster.start({ kubelet: { readyDelayMs: 60_000 } });
  const rollingUpdate = { maxSurge: 3, maxUnavailable: 2 };
  const strategy = { type: "RollingUpdate", rollingUpdate };
  await deploy(cluster, { replicas: 10, strategy });
  await cluster.clock.advance(70_000);
  const next = { spec: { template: template("web", "broken") } };
  await cluster.patch(Deployments, "web", next, 3000);
  assertEquals(sets(cluster), ["1: nginx:1 8", "2: broken 5"]);
  await cluster.patch(Deployments, "web", { spec: { replicas: 15 } }, 3000);
  assertEquals(sets(cluster), ["1: nginx:1 11", "2: broken 7"]);
});

Deno.test("DeploymentController leaves its Pods when it is deleted with the policy Orphan", async () => {
  await using cluster = await Cluster.start();
  await deploy(cluster, { replicas: 2 });
  await cluster.clock.advance(5000);
  await cluster.delete(Deployments, "web", 5000, { propagationPolicy: "Orphan" });
  assertEquals([sets(cluster), cluster.pods.length], [["1: nginx:1 2"], 2]);
  // A Deployment with the same selector and template adopts the ReplicaSet.
  await deploy(cluster, { replicas: 2 });
  await cluster.clock.advance(5000);
  assertEquals([sets(cluster), cluster.pods.length], [["1: nginx:1 2"], 2]);
  await cluster.delete(Deployments, "web", 10_000);
  assertEquals([sets(cluster), cluster.pods.length], [[], 0]);
  assertEquals(cluster.warnings, []);
});
