import { assertEquals } from "@std/assert";
import {
  controllerReference,
  type Event,
  Events,
  type KubeObject,
  type Resource,
  type Stored,
} from "../../../../mod.ts";
import {
  type CronJob,
  CronJobs,
  Jobs,
} from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import { CronJobController } from "../../../../src/testing/actors/workloads/cron_job_controller.ts";
import { World } from "../world.ts";
import { named } from "./cluster.ts";

type Spec = NonNullable<CronJob["spec"]>;

const MINUTE = 60_000;
const TEMPLATE = {
  spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "i" }] },
};

/** A server with this controller alone: a test ends the Jobs itself. */
class Cron extends World {
  static async start(spec: Partial<Spec> = {}): Promise<Cron> {
    const cluster = new Cron();
    await cluster.start(new CronJobController(cluster.options));
    const jobTemplate = {
      metadata: { labels: { a: "b" }, annotations: { c: "d" } },
      spec: { backoffLimit: 0, template: TEMPLATE },
    };
    await cluster.create(CronJobs, {
      metadata: named("cron"),
      spec: { schedule: "* * * * *", jobTemplate, ...spec },
    });
    return cluster;
  }

  get<T extends KubeObject>(resource: Resource<T>, name: string): T {
    return this.server.get(resource, name, "default") as T;
  }

  /** Ends a Job now. */
  async end(name: string, type: "Complete" | "Failed"): Promise<void> {
    const time = new Date(this.clock.wallNow()).toISOString().replace(".000", "");
    const early = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
    const conditions = [early, type].map((one) => ({
      type: one,
      status: "True" as const,
      lastTransitionTime: time,
    }));
    const status = {
      startTime: time,
      conditions,
      ...(type === "Complete" && { completionTime: time }),
    };
    const call = { namespace: "default" };
    await this.clock.run(this.client.patchStatus(Jobs, name, { status }, call));
    await this.clock.advance(1000);
  }

  /** The Jobs, each by its minute and its end. */
  get jobs(): string[] {
    return this.server.objects(Jobs, "default").map(({ metadata, status }) =>
      `${Number(metadata.name?.slice(5)) % 60} ${status?.conditions?.at(-1)?.type ?? "Running"}`
    );
  }

  get events(): string[] {
    return (this.server.objects(Events, "default") as Event[])
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(({ message, reason }) => `${reason}: ${message}`);
  }

  get reasons(): string[] {
    return this.events.map((one) => one.split(":")[0] ?? "");
  }
}

Deno.test("CronJobController gives a Job the metadata of its template, its time and its owner", async () => {
  await using cluster = await Cron.start({ timeZone: "Asia/Kolkata" });
  await cluster.clock.advance(MINUTE + 500);
  const [job] = cluster.server.objects(Jobs, "default");
  assertEquals(job?.metadata.labels, { a: "b" });
  assertEquals(job?.metadata.annotations, {
    c: "d",
    "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T05:31:00+05:30",
  });
  const [owner] = job?.metadata.ownerReferences ?? [];
  assertEquals([owner?.kind, owner?.name, owner?.controller], ["CronJob", "cron", true]);
  const [{ resourceVersion: _, uid, ...active } = {}] = cluster.get(CronJobs, "cron").status
    ?.active ?? [];
  assertEquals([uid, active], [job?.metadata.uid, {
    apiVersion: "batch/v1",
    kind: "Job",
    name: job?.metadata.name,
    namespace: "default",
  }]);
});

Deno.test("CronJobController keeps the newest of each kind of finished Job", async () => {
  await using cluster = await Cron.start({
    successfulJobsHistoryLimit: 1,
    failedJobsHistoryLimit: 2,
  });
  await cluster.clock.advance(1500);
  for (const end of ["Failed", "Complete", "Failed", "Complete", "Failed"] as const) {
    await cluster.clock.advance(MINUTE - 1000);
    const { active: [job] = [] } = cluster.get(CronJobs, "cron").status ?? {};
    await cluster.end(job?.name ?? "", end);
  }
  assertEquals(cluster.jobs, ["3 Failed", "4 Complete", "5 Failed"]);
  assertEquals(cluster.reasons.filter((one) => one === "SuccessfulDelete").length, 2);
  const { lastScheduleTime, lastSuccessfulTime } = cluster.get(CronJobs, "cron").status ?? {};
  assertEquals([lastScheduleTime, lastSuccessfulTime?.slice(11, 16)], [
    "2026-01-01T00:05:00Z",
    "00:04",
  ]);
  const none = { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 };
  const call = { namespace: "default" };
  await cluster.clock.run(cluster.client.patch(CronJobs, "cron", { spec: none }, call));
  await cluster.clock.advance(1000);
  assertEquals(cluster.jobs, []);
});

Deno.test("CronJobController notices Jobs that it did not create, and missing Jobs", async () => {
  await using cluster = await Cron.start({ schedule: "0 1 * * *" });
  const owner = cluster.get(CronJobs, "cron") as Stored<CronJob>;
  const { uid = "" } = await cluster.create(Jobs, {
    metadata: { ...named("mine"), ownerReferences: [controllerReference(owner, CronJobs)] },
    spec: { template: TEMPLATE },
  }).then(({ metadata }) => metadata);
  await cluster.clock.advance(1000);
  assertEquals(cluster.events, [
    "UnexpectedJob: Saw a job that the controller did not create or forgot: mine",
  ]);
  const active = [
    { kind: "Job", apiVersion: "batch/v1", name: "mine", namespace: "default", uid },
    { kind: "Job", apiVersion: "batch/v1", name: "lost", namespace: "default", uid: "lost" },
  ];
  const patch = cluster.client.patchStatus(CronJobs, "cron", { status: { active } }, {
    namespace: "default",
  });
  await cluster.clock.run(patch);
  await cluster.clock.advance(1000);
  assertEquals(cluster.events.slice(1), ["MissingJob: Active job went missing: lost"]);
  const listed = () => cluster.get(CronJobs, "cron").status?.active?.map(({ name }) => name);
  assertEquals(listed(), ["mine"]);
  await cluster.end("mine", "Complete");
  assertEquals([listed(), cluster.events.at(-1)], [
    undefined,
    "SawCompletedJob: Saw completed job: mine, condition: Complete",
  ]);
});

Deno.test("CronJobController does not count a Job of another owner with the name of its next one", async () => {
  await using cluster = await Cron.start();
  const minute = Date.parse("2026-01-01T00:01:00Z") / MINUTE;
  await cluster.create(Jobs, {
    metadata: named(`cron-${minute}`),
    spec: { template: TEMPLATE },
  });
  await cluster.clock.advance(MINUTE + 500);
  const { status } = cluster.get(CronJobs, "cron");
  assertEquals([status?.active, status?.lastScheduleTime], [undefined, undefined]);
});

Deno.test("CronJobController adopts the Job that it created before its status was written", async () => {
  await using cluster = await Cron.start();
  const fault = cluster.server.faults.fail(500, {
    times: 1,
    when: ({ resource, subresource, verb }) =>
      verb === "update" && resource === "cronjobs" && subresource === "status",
  });
  await cluster.clock.advance(MINUTE + 5000);
  const { status } = cluster.get(CronJobs, "cron");
  assertEquals([fault.hits, cluster.jobs, status?.active?.length], [1, ["1 Running"], 1]);
  assertEquals(status?.lastScheduleTime, "2026-01-01T00:01:00Z");
});

Deno.test("CronJobController says when it missed a time or very many of them", async () => {
  await using cluster = await Cron.start({ suspend: true });
  await cluster.clock.advance(101 * MINUTE + 30_000);
  assertEquals(cluster.events, []);
  const call = { namespace: "default" };
  await cluster.clock.run(
    cluster.client.patch(CronJobs, "cron", { spec: { suspend: false } }, call),
  );
  await cluster.clock.advance(1000);
  assertEquals(cluster.reasons, ["TooManyMissedTimes", "SuccessfulCreate"]);
  assertEquals(cluster.jobs.length, 1);
});
