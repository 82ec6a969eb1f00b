import { assertEquals } from "@std/assert";
import { type Pod, Pods, type Resource } from "../../../../mod.ts";
import { Jobs, type JobSpec } from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import { JobController } from "../../../../src/testing/actors/workloads/job_controller.ts";
import { Alone } from "./alone.ts";
import { named } from "./cluster.ts";

const TEMPLATE = {
  spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "i" }] },
};

async function work(spec: Partial<JobSpec>): Promise<Alone> {
  const world = await Alone.run(JobController);
  await world.create(Jobs, { metadata: named("job"), spec: { template: TEMPLATE, ...spec } });
  await world.clock.advance(100);
  return world;
}

/** Ends the first Pods that still run. */
async function end(world: Alone, phase: string, count: number): Promise<void> {
  const running = world.pods.filter(({ status }) =>
    status?.phase !== "Succeeded" && status?.phase !== "Failed"
  );
  for (const { metadata } of running.slice(0, count)) {
    await world.patchStatus(Pods as Resource, metadata.name!, { phase }, 0);
  }
  await world.clock.advance(200);
}

function status(world: Alone): string {
  const { active = 0, conditions = [], failed = 0, succeeded = 0 } = world.get(Jobs, "job").status!;
  return [active, succeeded, failed, conditions.at(-1)?.type].join(" ").trim();
}

function tracked(pods: readonly Pod[]): number {
  return pods.filter(({ metadata }) => metadata.finalizers !== undefined).length;
}

Deno.test("A Job without completions is complete when one Pod has succeeded and none is left", async () => {
  await using world = await work({ parallelism: 3 });
  assertEquals(status(world), "3 0 0");
  await end(world, "Succeeded", 1);
  assertEquals(status(world), "2 1 0");
  await end(world, "Succeeded", 1);
  assertEquals([status(world), world.pods.length], ["1 2 0", 3]);
  await end(world, "Succeeded", 1);
  assertEquals([status(world), tracked(world.pods)], ["0 3 0 Complete", 0]);
});

Deno.test("A Job has as many Pods as its parallelism and its completions allow", async () => {
  await using world = await work({ parallelism: 3, completions: 4 });
  assertEquals(world.pods.length, 3);
  await end(world, "Succeeded", 2);
  assertEquals(status(world), "2 2 0");
  await world.patch(Jobs as Resource, "job", { spec: { parallelism: 1 } }, 1000);
  assertEquals(status(world), "1 2 0");
  await world.patch(Jobs as Resource, "job", { spec: { parallelism: 0 } }, 1000);
  assertEquals(status(world), "0 2 0");
  await world.patch(Jobs as Resource, "job", { spec: { parallelism: 9 } }, 1000);
  assertEquals(status(world), "2 2 0");
  await end(world, "Succeeded", 9);
  assertEquals([status(world), tracked(world.pods)], ["0 4 0 Complete", 0]);
});

Deno.test("A Job deletes what still runs when it has failed, and counts it", async () => {
  await using world = await work({ parallelism: 3, completions: 3, backoffLimit: 0 });
  await end(world, "Failed", 1);
  await world.clock.advance(1000);
  assertEquals(status(world), "0 0 3 Failed");
  assertEquals(world.pods.map(({ status }) => status?.phase), ["Failed"]);
  assertEquals(tracked(world.pods), 0);
});

Deno.test("A Job with another manager is left alone", async () => {
  await using world = await work({ managedBy: "example.com/other" } as Partial<JobSpec>);
  await world.clock.advance(1000);
  assertEquals([world.pods.length, world.get(Jobs, "job").status], [0, {}]);
});

Deno.test("A Pod that waits to be counted is released if it has no Job, or belongs to another one", async () => {
  await using world = await work({ parallelism: 1 });
  const [own] = world.pods;
  const uid = "00000000-0000-4000-8000-000000000000";
  const owner = { apiVersion: "batch/v1", kind: "Job", name: "job", uid, controller: true };
  const finalizers = ["batch.kubernetes.io/job-tracking"];
  const labels = { "batch.kubernetes.io/job-name": "job" };
  const spec = { ...TEMPLATE.spec };
  for (
    const [name, rest] of [
      ["alone", { labels }],
      ["elsewhere", { labels: { "batch.kubernetes.io/job-name": "gone" } }],
      ["earlier", { labels, ownerReferences: [owner] }],
    ] as const
  ) {
    await world.create(Pods, { metadata: { ...named(name), finalizers, ...rest } as never, spec });
  }
  await world.clock.advance(100);
  const kept = world.pods.filter(({ metadata }) => metadata.finalizers !== undefined);
  assertEquals(kept.map(({ metadata }) => metadata.name), [own?.metadata.name]);
});
