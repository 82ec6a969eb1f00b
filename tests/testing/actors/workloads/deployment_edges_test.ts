import { assertEquals } from "@std/assert";
import {
  Deployments as PlainDeployments,
  type Event,
  Events,
  type Pod,
  Pods,
  type Resource,
} from "../../../../mod.ts";
import {
  type Deployment,
  ReplicaSets,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { DeploymentController } from "../../../../src/testing/actors/workloads/deployment_controller.ts";
import { ReplicaSetController } from "../../../../src/testing/actors/workloads/replica_set_controller.ts";
import { Alone } from "./alone.ts";
import { named, template } from "./cluster.ts";

const Deployments = PlainDeployments as Resource<Deployment>;

type Spec = NonNullable<Deployment["spec"]>;

async function deploy(spec: Partial<Spec>): Promise<Alone> {
  const world = await Alone.run(DeploymentController, ReplicaSetController);
  await world.create(Deployments, {
    metadata: named("web"),
    spec: { selector: { matchLabels: { app: "web" } }, template: template("web"), ...spec },
  });
  await world.clock.advance(100);
  return world;
}

async function image(world: Alone, version: number): Promise<void> {
  const spec = { template: template("web", `nginx:${version}`) };
  await world.patch(Deployments as Resource, "web", { spec });
}

/** Returns `revision: version*replicas` of the ReplicaSets, oldest revision first. */
function sets(world: Alone): string {
  return world.server.objects(ReplicaSets, "default").map(({ metadata, spec }) => {
    const revision = metadata.annotations?.["deployment.kubernetes.io/revision"];
    const version = spec?.template?.spec?.containers[0]?.image?.slice(6);
    return `${revision}: ${version}*${spec?.replicas}`;
  }).sort().join(" ");
}

/** Returns the condition Progressing as `status reason`. */
function progress(world: Alone): string | undefined {
  const found = world.get(Deployments, "web").status?.conditions
    ?.find(({ type }) => type === "Progressing");
  return found && `${found.status} ${found.reason}`;
}

Deno.test("DeploymentController gives its ReplicaSet the hash, the selector and the owner", async () => {
  await using world = await deploy({ replicas: 2, minReadySeconds: 7 });
  const [set] = world.server.objects(ReplicaSets, "default");
  const hash = set?.metadata.labels?.["pod-template-hash"]!;
  assertEquals([set?.metadata.name, set?.metadata.labels], [`web-${hash}`, {
    app: "web",
    "pod-template-hash": hash,
  }]);
  assertEquals([set?.spec?.minReadySeconds, set?.spec?.selector.matchLabels], [7, {
    app: "web",
    "pod-template-hash": hash,
  }]);
  const [owner] = set?.metadata.ownerReferences ?? [];
  assertEquals([owner?.kind, owner?.name, owner?.blockOwnerDeletion], ["Deployment", "web", true]);
  await world.patch(Deployments as Resource, "web", { spec: { minReadySeconds: 9 } });
  assertEquals(world.server.objects(ReplicaSets, "default")[0]?.spec?.minReadySeconds, 9);
  assertEquals(sets(world), "1: 1*2");
});

Deno.test("DeploymentController tells nothing of a ReplicaSet without replicas", async () => {
  await using world = await deploy({ replicas: 0, progressDeadlineSeconds: 60 });
  assertEquals([sets(world), world.events("web")], ["1: 1*0", []]);
  await world.patch(Deployments as Resource, "web", { spec: { replicas: 1 } });
  const [set] = world.server.objects(ReplicaSets, "default");
  assertEquals(world.events("web"), [
    `ScalingReplicaSet: Scaled up replica set ${set?.metadata.name} from 0 to 1`,
  ]);
});

Deno.test("DeploymentController reports no progress of a Deployment without a deadline", async () => {
  await using world = await deploy({ replicas: 1, progressDeadlineSeconds: 2 ** 31 - 1 });
  await world.runPods();
  const { metadata, status } = world.get(Deployments, "web");
  assertEquals(status?.conditions?.map(({ status, type }) => `${type} ${status}`), [
    "Available True",
  ]);
  assertEquals(metadata.annotations, { "deployment.kubernetes.io/revision": "1" });
  await image(world, 2);
  assertEquals(
    world.get(Deployments, "web").metadata.annotations?.["deployment.kubernetes.io/revision"],
    "2",
  );
});

Deno.test("DeploymentController takes the oldest of several ReplicaSets with its template", async () => {
  await using world = await Alone.run(DeploymentController);
  const make = (name: string) =>
    world.create(ReplicaSets, {
      metadata: { ...named(name), labels: { app: "web" } },
      spec: { replicas: 0, selector: { matchLabels: { app: "web" } }, template: template("web") },
    });
  await make("z");
  await world.clock.advance(1000);
  await make("b");
  await make("a");
  await world.create(Deployments, {
    metadata: named("web"),
    spec: { replicas: 2, selector: { matchLabels: { app: "web" } }, template: template("web") },
  });
  await world.clock.advance(1000);
  const replicas = () =>
    world.server.objects(ReplicaSets, "default").map(({ metadata, spec }) =>
      `${metadata.name}*${spec?.replicas}`
    ).join();
  assertEquals(replicas(), "a*0,b*0,z*2");
  await world.delete(ReplicaSets as Resource, "z", 1000);
  assertEquals(replicas(), "a*2,b*0");
});

Deno.test("DeploymentController deletes no old ReplicaSet that has Pods or that its controller has not seen", async () => {
  await using world = await Alone.run(DeploymentController);
  const make = async (name: string, replicas: number, status?: object) => {
    const spec = {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: template("web", name),
    };
    await world.create(ReplicaSets, {
      metadata: { ...named(name), labels: { app: "web" } },
      spec,
    });
    if (status) await world.patchStatus(ReplicaSets as Resource, name, status, 0);
  };
  await make("empty", 0, { replicas: 0, observedGeneration: 1 });
  await make("full", 0, { replicas: 1, observedGeneration: 1 });
  await make("unseen", 0);
  await make("wanted", 1, { replicas: 0, observedGeneration: 1 });
  await world.create(Deployments, {
    metadata: named("web"),
    spec: {
      paused: true,
      replicas: 1,
      revisionHistoryLimit: 0,
      selector: { matchLabels: { app: "web" } },
      template: template("web"),
    },
  });
  await world.clock.advance(1000);
  assertEquals(world.names(ReplicaSets, "default"), "full unseen wanted");
  await world.patch(Deployments as Resource, "web", {
    spec: { revisionHistoryLimit: 2 ** 31 - 1 },
  });
  await world.patchStatus(ReplicaSets as Resource, "full", { replicas: 0 });
  assertEquals(world.names(ReplicaSets, "default"), "full unseen wanted");
});

Deno.test("DeploymentController knows its ReplicaSet before its cache shows it", async () => {
  await using world = await Alone.run(DeploymentController);
  const hold = world.server.lag.hold({
    scope: "resource",
    forMs: 5000,
    times: 1,
    when: ({ resource }, { type }) => resource === "replicasets" && type === "ADDED",
  });
  await world.create(Deployments, {
    metadata: named("web"),
    spec: { replicas: 1, selector: { matchLabels: { app: "web" } }, template: template("web") },
  });
  await world.clock.advance(100);
  await world.patch(Deployments as Resource, "web", { metadata: { labels: { a: "b" } } });
  const { status } = world.get(Deployments, "web");
  assertEquals([hold.hits, status?.collisionCount, sets(world)], [1, undefined, "1: 1*1"]);
  await world.clock.advance(6000);
  assertEquals(world.get(Deployments, "web").status?.collisionCount, undefined);
  assertEquals([sets(world), world.warnings], ["1: 1*1", []]);
  assertEquals(world.events("web").length, 1);
});

Deno.test("DeploymentController pauses a rollout and its deadline, but still scales", async () => {
  await using world = await deploy({ replicas: 2, progressDeadlineSeconds: 60 });
  await world.runPods();
  await world.patch(Deployments as Resource, "web", { spec: { paused: true } });
  assertEquals(progress(world), "Unknown DeploymentPaused");
  await image(world, 2);
  await world.patch(Deployments as Resource, "web", { spec: { replicas: 3 } });
  assertEquals([sets(world), progress(world)], ["1: 1*3", "Unknown DeploymentPaused"]);
  await world.clock.advance(600_000);
  await world.patch(Deployments as Resource, "web", { spec: { paused: false } });
  assertEquals(sets(world), "1: 1*3 2: 2*1");
  assertEquals(progress(world), "True ReplicaSetUpdated");
  await world.clock.advance(59_000);
  assertEquals(progress(world), "True ReplicaSetUpdated");
  await world.clock.advance(3000);
  assertEquals(progress(world), "False ProgressDeadlineExceeded");
});

Deno.test("DeploymentController scales in the middle of a rollout, each ReplicaSet by its share", async () => {
  const rollingUpdate = { maxSurge: 2, maxUnavailable: 0 };
  await using world = await deploy({
    replicas: 4,
    strategy: { type: "RollingUpdate", rollingUpdate },
  });
  await world.runPods();
  await image(world, 2);
  assertEquals(sets(world), "1: 1*4 2: 2*2");
  await world.patch(Deployments as Resource, "web", { spec: { replicas: 10 } });
  assertEquals(sets(world), "1: 1*8 2: 2*4");
  await world.patch(Deployments as Resource, "web", { spec: { replicas: 4 } });
  assertEquals(sets(world), "1: 1*4 2: 2*2");
  const types = (world.server.objects(Events, "default") as Event[]).map(({ type }) => type);
  assertEquals(types.filter((type) => type !== "Normal"), []);
  const names = world.events("web").map((text) => text.replace(/web-\w+/, "SET"));
  assertEquals(names.slice(2), [
    "ScalingReplicaSet: Scaled up replica set SET from 4 to 8",
    "ScalingReplicaSet: Scaled up replica set SET from 2 to 4",
    "ScalingReplicaSet: Scaled down replica set SET from 8 to 4",
    "ScalingReplicaSet: Scaled down replica set SET from 4 to 2",
  ]);
});

Deno.test("DeploymentController has no more Pods, and no fewer ready ones, than it may", async () => {
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
  await using world = await deploy({
    replicas: 4,
    strategy: { type: "RollingUpdate", rollingUpdate },
  });
  await world.runPods();
  await image(world, 2);
  // One old Pod may go, and there may be one more: so there are two new ones, which are not ready.
  assertEquals(sets(world), "1: 1*3 2: 2*2");
  await world.endPods();
  assertEquals(sets(world), "1: 1*3 2: 2*2");
  await world.runPods();
  await world.endPods();
  assertEquals(sets(world), "1: 1*1 2: 2*4");
  await world.runPods();
  assertEquals(sets(world), "1: 1*0 2: 2*4");
});

Deno.test("DeploymentController does not wait for old Pods that are not ready", async () => {
  const rollingUpdate = { maxSurge: 0, maxUnavailable: 1 };
  await using world = await deploy({
    replicas: 2,
    strategy: { type: "RollingUpdate", rollingUpdate },
  });
  const names = world.pods.map(({ metadata }) => metadata.name!);
  await world.runPods([names[0]!]);
  await image(world, 2);
  assertEquals(sets(world), "1: 1*1 2: 2*1");
  assertEquals(world.server.get(Pods, names[1]!, "default"), undefined);
  await world.runPods();
  assertEquals(sets(world), "1: 1*0 2: 2*2");
});

Deno.test("DeploymentController keeps as many old ReplicaSets as the limit, once it is complete", async () => {
  await using world = await deploy({
    replicas: 1,
    revisionHistoryLimit: 1,
    strategy: { type: "Recreate" },
  });
  const next = async (version: number) => {
    await image(world, version);
    await world.endPods();
    const before = sets(world);
    await world.runPods();
    return [before, sets(world)];
  };
  await world.runPods();
  assertEquals(await next(2), ["1: 1*0 2: 2*1", "1: 1*0 2: 2*1"]);
  assertEquals(await next(3), ["1: 1*0 2: 2*0 3: 3*1", "2: 2*0 3: 3*1"]);
  await world.patch(Deployments as Resource, "web", { spec: { revisionHistoryLimit: 0 } });
  assertEquals(sets(world), "3: 3*1");
  await world.patch(Deployments as Resource, "web", {
    spec: { revisionHistoryLimit: 2 ** 31 - 1 },
  });
  assertEquals((await next(4))[1], "3: 3*0 4: 4*1");
});

Deno.test("DeploymentController waits with Recreate for running Pods, not for Pods that have ended", async () => {
  await using world = await deploy({ replicas: 1, strategy: { type: "Recreate" } });
  await world.runPods();
  const [pod] = world.pods as [Pod];
  await world.patch(Pods as Resource, pod.metadata.name!, {
    metadata: { finalizers: ["example.com/kept"] },
  });
  await image(world, 2);
  await world.endPods(1000);
  assertEquals(sets(world), "1: 1*0");
  await world.patchStatus(Pods as Resource, pod.metadata.name!, { phase: "Failed" });
  await world.clock.advance(1000);
  await world.patch(Deployments as Resource, "web", { metadata: { labels: { look: "again" } } });
  assertEquals(sets(world), "1: 1*0 2: 2*1");
});

Deno.test("DeploymentController that is being deleted counts, and creates nothing", async () => {
  await using world = await deploy({ replicas: 1 });
  await world.patch(Deployments as Resource, "web", { metadata: { finalizers: ["a.io/b"] } });
  await world.delete(Deployments as Resource, "web");
  await world.patch(Deployments as Resource, "web", { spec: { replicas: 5 } });
  await image(world, 2);
  assertEquals(sets(world), "1: 1*1");
  const { observedGeneration } = world.get(Deployments, "web").status ?? {};
  assertEquals(observedGeneration, world.get(Deployments, "web").metadata.generation);
});
