import { assertEquals } from "@std/assert";
import { Deployments, Nodes, type Pod, Pods, type Resource } from "../../../../mod.ts";
import { Kubelet } from "../../../../src/testing/mod.ts";
import {
  DaemonSets,
  type ReplicaSet,
  ReplicaSets,
  StatefulSets,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { CronJobs, Jobs } from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import { CronJobController } from "../../../../src/testing/actors/workloads/cron_job_controller.ts";
import { DaemonSetController } from "../../../../src/testing/actors/workloads/daemon_set_controller.ts";
import { DeploymentController } from "../../../../src/testing/actors/workloads/deployment_controller.ts";
import { JobController } from "../../../../src/testing/actors/workloads/job_controller.ts";
import { ReplicaSetController } from "../../../../src/testing/actors/workloads/replica_set_controller.ts";
import { StatefulSetController } from "../../../../src/testing/actors/workloads/stateful_set_controller.ts";
import { TtlAfterFinishedController } from "../../../../src/testing/actors/workloads/ttl_controller.ts";
import { World } from "../world.ts";
import { Alone } from "./alone.ts";
import { named, template } from "./cluster.ts";

const WORK = {
  spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "i" }] },
};

function app(rest: object = {}): object {
  return { selector: { matchLabels: { app: "w" } }, template: template("w"), ...rest };
}

Deno.test("Controllers send nothing when they look again and nothing has changed", async () => {
  for (
    const [Class, resource, spec] of [
      [ReplicaSetController, ReplicaSets, app({ replicas: 2 })],
      [DeploymentController, Deployments, app({ replicas: 2 })],
      [StatefulSetController, StatefulSets, app({ replicas: 1, serviceName: "s" })],
      [DaemonSetController, DaemonSets, app()],
      [JobController, Jobs, { completions: 2, parallelism: 2, template: WORK }],
      [CronJobController, CronJobs, {
        schedule: "0 0 1 1 *",
        jobTemplate: { spec: { template: WORK } },
      }],
    ] as const
  ) {
    await using world = await Alone.run(Class);
    await world.create(Nodes, { metadata: { name: "n" } });
    await world.patch(Nodes as Resource, "n", { spec: { taints: [] } });
    await world.create(resource as Resource, { metadata: named("w"), spec } as never);
    await world.clock.advance(100);
    await world.runPods(undefined, { ms: 1000 });
    const before = world.actorRequests;
    for (const look of ["once", "again"]) {
      await world.patch(resource as Resource, "w", { metadata: { labels: { look } } }, 1000);
    }
    for (const { metadata } of world.pods) {
      const labels = { labels: { look: "too" } };
      await world.patch(Pods as Resource, metadata.name!, { metadata: labels }, 1000);
    }
    assertEquals(world.actorRequests - before, 0, resource.kind);
  }
});

Deno.test("ReplicaSetController counts the Pods that have all labels of the template, and those available", async () => {
  await using world = await Alone.run(ReplicaSetController);
  const labels = { app: "w", tier: "web" };
  await world.create(ReplicaSets, {
    metadata: named("w"),
    spec: {
      replicas: 2,
      minReadySeconds: 5,
      selector: { matchLabels: { app: "w" } },
      template: { ...template("w"), metadata: { labels } },
    },
  });
  await world.clock.advance(100);
  const [first] = world.pods as [Pod];
  await world.patch(Pods as Resource, first.metadata.name!, {
    metadata: { labels: { tier: "x" } },
  });
  await world.runPods([first.metadata.name!]);
  const counts = () => {
    const {
      availableReplicas = 0,
      fullyLabeledReplicas = 0,
      readyReplicas = 0,
      replicas,
    } = world.get(ReplicaSets, "w").status as ReplicaSet["status"] & {
      fullyLabeledReplicas?: number;
    };
    return [replicas, fullyLabeledReplicas, readyReplicas, availableReplicas];
  };
  assertEquals(counts(), [2, 1, 1, 0]);
  await world.clock.advance(4500);
  assertEquals(counts(), [2, 1, 1, 0]);
  await world.clock.advance(500);
  assertEquals(counts(), [2, 1, 1, 1]);
});

Deno.test("TTL counts from the condition that says that the Job has finished", async () => {
  for (const [early, finish] of [["SuccessCriteriaMet", "Complete"], ["FailureTarget", "Failed"]]) {
    await using world = await Alone.run(TtlAfterFinishedController);
    await world.create(Jobs, {
      metadata: named("j"),
      spec: { template: WORK, ttlSecondsAfterFinished: 10 },
    });
    await world.create(Jobs, { metadata: named("kept"), spec: { template: WORK } });
    const condition = (type: string, second: number) => ({
      type,
      status: "True",
      lastTransitionTime: `2026-01-01T00:00:0${second}Z`,
    });
    for (const name of ["j", "kept"]) {
      await world.patchStatus(Jobs as Resource, name, {
        startTime: "2026-01-01T00:00:00Z",
        conditions: [condition(early!, 1), condition(finish!, 6)],
        ...(finish === "Complete" && { completionTime: "2026-01-01T00:00:06Z" }),
      }, 0);
    }
    await world.clock.advance(15_900);
    const isGone = () =>
      world.server.get(Jobs, "j", "default")?.metadata.deletionTimestamp !== undefined;
    assertEquals(isGone(), false);
    await world.clock.advance(200);
    assertEquals([isGone(), world.get(Jobs, "kept").metadata.deletionTimestamp], [true, undefined]);
    const { finalizers } = world.get(Jobs, "j").metadata;
    assertEquals(finalizers, ["foregroundDeletion"]);
  }
});

Deno.test("A kubelet registers its node although a request fails once", async () => {
  for (
    const failing of ["create nodes", "patch leases", "patch nodes/status", "create leases"]
  ) {
    await using world = new World();
    const fault = world.server.faults.fail(500, {
      times: 1,
      when: ({ resource, subresource, verb }) =>
        `${verb} ${resource}${subresource && `/${subresource}`}` === failing,
    });
    await world.start(new Kubelet({ ...world.options, nodeName: "node-1" }));
    await world.clock.advance(20_000);
    const node = world.server.get(Nodes, "node-1");
    assertEquals(node?.status?.conditions?.[0]?.status, "True", failing);
    assertEquals([fault.hits, world.warnings.length > 0], [1, true], failing);
  }
});
