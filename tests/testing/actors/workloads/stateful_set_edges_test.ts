import { assertEquals } from "@std/assert";
import { Pods, type Resource } from "../../../../mod.ts";
import {
  ControllerRevisions,
  type StatefulSet,
  StatefulSets,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { StatefulSetController } from "../../../../src/testing/actors/workloads/stateful_set_controller.ts";
import { Alone } from "./alone.ts";
import { named, template } from "./cluster.ts";

const SETS = StatefulSets as Resource;

type Spec = NonNullable<StatefulSet["spec"]>;

async function stateful(spec: Partial<Spec>): Promise<Alone> {
  const world = await Alone.run(StatefulSetController);
  await world.create(StatefulSets, {
    metadata: named("db"),
    spec: {
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: template("db"),
      ...spec,
    },
  });
  await world.clock.advance(100);
  return world;
}

/** Runs all Pods that there are, as often as `times`. */
async function run(world: Alone, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await world.runPods();
}

/** Returns `ordinal:version` of the Pods that are not being deleted. */
function pods(world: Alone): string {
  return world.pods.map(({ metadata, spec }) =>
    `${metadata.name?.slice(3)}:${spec?.containers[0]?.image?.slice(6)}`
  ).sort().join(" ");
}

async function image(world: Alone, version: number): Promise<void> {
  await world.patch(SETS, "db", { spec: { template: template("db", `nginx:${version}`) } });
}

Deno.test("StatefulSetController waits for each Pod to be ready, and available", async () => {
  await using world = await stateful({ replicas: 2, minReadySeconds: 5 });
  assertEquals(pods(world), "0:1");
  await world.runPods(undefined, { ready: false, ms: 9000 });
  assertEquals(pods(world), "0:1");
  await world.runPods(undefined, { ms: 4000 });
  const counts = () => {
    const { availableReplicas, readyReplicas, replicas } = world.get(StatefulSets, "db").status!;
    return [replicas, readyReplicas, availableReplicas];
  };
  assertEquals([pods(world), counts()], ["0:1", [1, 1, 0]]);
  await world.clock.advance(1100);
  assertEquals([pods(world), counts()], ["0:1 1:1", [2, 1, 1]]);
});

Deno.test("StatefulSetController creates all Pods at once with Parallel, from the first ordinal on", async () => {
  await using world = await stateful({
    replicas: 3,
    podManagementPolicy: "Parallel",
    ordinals: { start: 2 },
  });
  assertEquals(pods(world), "2:1 3:1 4:1");
  await run(world, 1);
  await world.patch(SETS, "db", { spec: { ordinals: { start: 3 }, replicas: 1 } });
  assertEquals(pods(world), "3:1");
});

Deno.test("StatefulSetController scales down from the top, after the Pods before are healthy", async () => {
  const onNode = { ...template("db"), spec: { ...template("db").spec, nodeName: "n" } };
  await using world = await stateful({ replicas: 4, template: onNode });
  await run(world, 4);
  assertEquals(pods(world), "0:1 1:1 2:1 3:1");
  await world.runPods(["db-0"], { ready: false });
  await world.patch(SETS, "db", { spec: { replicas: 2 } });
  assertEquals(pods(world), "0:1 1:1 2:1 3:1");
  await world.runPods(["db-0"]);
  assertEquals(pods(world), "0:1 1:1 2:1");
  await world.clock.advance(10_000);
  // The one above is still there.
  assertEquals(pods(world), "0:1 1:1 2:1");
  await world.endPods();
  assertEquals(pods(world), "0:1 1:1");
  await world.endPods(10_000);
  assertEquals(world.names(Pods, "default"), "db-0 db-1");
});

Deno.test("StatefulSetController updates from the top down to the partition", async () => {
  await using world = await stateful({
    replicas: 3,
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
  });
  await run(world, 3);
  await image(world, 2);
  await world.endPods();
  assertEquals(pods(world), "0:1 1:1 2:2");
  await world.endPods(1000);
  // The next one waits until this one is ready.
  assertEquals(pods(world), "0:1 1:1 2:2");
  await run(world, 1);
  await world.endPods();
  await run(world, 1);
  await world.endPods(1000);
  assertEquals(pods(world), "0:1 1:2 2:2");
  const { currentReplicas, currentRevision, updatedReplicas, updateRevision } = world.get(
    StatefulSets,
    "db",
  ).status!;
  assertEquals([currentReplicas, updatedReplicas, currentRevision === updateRevision], [
    1,
    2,
    false,
  ]);
  // A Pod below the partition comes back as it was.
  await world.delete(Pods as Resource, "db-0");
  assertEquals(pods(world), "0:1 1:2 2:2");
  await run(world, 1);
  const partition = { type: "RollingUpdate", rollingUpdate: { partition: 0 } };
  await world.patch(SETS, "db", { spec: { updateStrategy: partition } });
  await world.endPods();
  await run(world, 1);
  assertEquals(pods(world), "0:2 1:2 2:2");
  const { status } = world.get(StatefulSets, "db");
  assertEquals([status?.currentReplicas, status?.currentRevision], [3, status?.updateRevision]);
});

Deno.test("StatefulSetController replaces a Pod with OnDelete only after a deletion", async () => {
  await using world = await stateful({ replicas: 2, updateStrategy: { type: "OnDelete" } });
  await run(world, 2);
  await image(world, 2);
  await world.endPods(5000);
  assertEquals(pods(world), "0:1 1:1");
  await world.delete(Pods as Resource, "db-0");
  assertEquals(pods(world), "0:2 1:1");
  await run(world, 1);
  const { currentRevision, updateRevision } = world.get(StatefulSets, "db").status!;
  assertEquals(currentRevision === updateRevision, false);
});

Deno.test("StatefulSetController replaces a Pod that has ended, with events", async () => {
  await using world = await stateful({ replicas: 2 });
  await run(world, 2);
  for (const phase of ["Failed", "Succeeded"]) {
    await world.patchStatus(Pods as Resource, "db-0", { phase });
    await world.endPods();
    await run(world, 1);
    assertEquals(pods(world), "0:1 1:1");
  }
  const [create, remove] = ["Create", "Delete"].map((verb) =>
    `Successful${verb}: ${verb} Pod db-0 in StatefulSet db successful`
  );
  assertEquals(
    new Set(world.events("db").filter((text) => text.includes("db-0"))),
    [
      create,
      remove,
    ].reduce((all, one) => all.add(one!), new Set<string>()),
  );
});

Deno.test("StatefulSetController reports a Pod with its name that it does not own, and ignores other names", async () => {
  const world = await Alone.run(StatefulSetController);
  await using _ = world;
  const spec = { containers: [{ name: "main", image: "nginx:9" }] };
  await world.create(Pods, { metadata: named("db-0"), spec });
  // It matches the selector, but its name has no ordinal: it is adopted, and not counted.
  await world.create(Pods, { metadata: { ...named("db-x"), labels: { app: "db" } }, spec });
  await world.create(StatefulSets, {
    metadata: named("db"),
    spec: {
      replicas: 1,
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: template("db"),
    },
  });
  await world.clock.advance(1000);
  assertEquals(
    world.events("db")[0]?.slice(0, 70),
    [
      "FailedCreate: Create Pod db-0 in StatefulSet db failed error: ",
      'pods "db-0" already exists',
    ].join("").slice(0, 70),
  );
  assertEquals(world.get(StatefulSets, "db").status?.replicas, 0);
  await world.delete(Pods as Resource, "db-0", 10_000);
  assertEquals(pods(world), "0:1 x:9");
});

Deno.test("StatefulSetController keeps revisions that are in use, and as many others as the limit", async () => {
  await using world = await stateful({ replicas: 1, revisionHistoryLimit: 1 });
  await run(world, 1);
  const revisions = () =>
    world.server.objects(ControllerRevisions, "default").map(({ revision }) => revision).sort()
      .join(" ");
  for (const version of [2, 3, 4]) {
    await image(world, version);
    await world.endPods();
    await run(world, 1);
  }
  assertEquals(revisions(), "3 4");
  // A template of before has a revision: that one becomes the newest.
  await image(world, 3);
  assertEquals(revisions(), "4 5");
  await world.endPods();
  await run(world, 1);
  assertEquals([revisions(), pods(world)], ["4 5", "0:3"]);
});

Deno.test("StatefulSetController that is being deleted counts, and creates nothing", async () => {
  await using world = await stateful({ replicas: 1 });
  await run(world, 1);
  await world.patch(SETS, "db", { metadata: { finalizers: ["a.io/b"] } });
  await world.delete(SETS, "db");
  await world.patch(SETS, "db", { spec: { replicas: 3 } });
  assertEquals(pods(world), "0:1");
  assertEquals(world.get(StatefulSets, "db").status?.observedGeneration, 3);
});
