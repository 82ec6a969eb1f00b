/**
 * The promises of the original, in the order of its `Reconcile`:
 *
 * 1. It reports the Jobs that run, and the time of the last one.
 * 2. It keeps as many finished Jobs as the history limits say, the youngest ones; all of them without a limit.
 * 3. It creates no Job while it is suspended.
 * 4. A Job has a name from its time, the labels and annotations of the template, its time as an annotation, and the
 *    CronJob as its owner.
 * 5. It catches up with the last missed time only, and not if that is more than the deadline ago.
 * 6. More than 100 missed times, or a schedule that cannot be read, are logged, and not retried.
 * 7. `Forbid` waits for the Job that runs, `Replace` deletes it, `Allow` runs both.
 *
 * Two differences. `lastScheduleTime` never goes back: in the original it is lost with the last Job, so that a history
 * limit of 0 runs each time twice. And Jobs belong to their CronJob by its UID: the original adopts Jobs of a
 * deleted CronJob of the same name.
 */

import {
  controllerOf,
  crd,
  formatTime,
  type Job,
  Jobs,
  Manager,
  TerminalError,
} from "@kubeloop/controller";
import { startActors } from "@kubeloop/testing";
import {
  assertClean,
  create,
  patch,
  type ProcessEnv,
  settle,
  simulation,
  wait,
} from "@kubeloop/testing/simulation";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { namespace, World } from "../operator/_world.ts";
import { slowTest } from "../support/kinds_of_tests.ts";
import { nextRun } from "./_cron.ts";
import { type CronJob, cronJobController, CronJobs } from "./cron_job.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A cluster in which the controller runs, from 00:00:05 on. */
class CronWorld extends World {
  readonly #actors = startActors(this.server, { token: "admin" });
  #operator: Manager | undefined;

  static async create(): Promise<CronWorld> {
    const world = new CronWorld();
    await world.startOperator();
    await world.pass(5 * SECOND);
    return world;
  }

  async startOperator(): Promise<void> {
    this.#operator = this.manager({ name: "cron", definitions: [CronJobs] });
    cronJobController(this.#operator);
    this.start(this.#operator);
    await this.pass(0);
  }

  async stopOperator(): Promise<void> {
    await this.do(this.#operator![Symbol.asyncDispose]());
  }

  async cronJob(spec: Partial<CronJob["spec"]>, runsMs = 10 * SECOND, exitCode = 0): Promise<void> {
    const annotations = {
      "kubeloop.dev/exit-after-ms": `${runsMs}`,
      "kubeloop.dev/exit-code": `${exitCode}`,
    };
    const jobTemplate = {
      metadata: { labels: { app: "backup" }, annotations: { team: "a" } },
      spec: {
        backoffLimit: 0,
        template: {
          metadata: { annotations },
          spec: {
            restartPolicy: "Never" as const,
            containers: [{ name: "main", image: "backup" }],
          },
        },
      },
    };
    await this.do(this.client.create(CronJobs, {
      metadata: { name: "backup", namespace },
      spec: { schedule: "* * * * *", concurrencyPolicy: "Allow", jobTemplate, ...spec },
    }));
  }

  patch(spec: Partial<CronJob["spec"]>): Promise<unknown> {
    return this.do(this.client.patch(CronJobs, "backup", { spec }, { namespace }));
  }

  async jobs(): Promise<Job[]> {
    return (await this.do(this.client.list(Jobs, { namespace }))).items;
  }

  /** Returns the times of the Jobs, as in `00:01`. */
  async times(): Promise<string[]> {
    const jobs = await this.jobs();
    return jobs.map(({ metadata: { name = "" } }) =>
      new Date(Number(name.slice("backup-".length)) * SECOND).toISOString().slice(11, 16)
    );
  }

  async status(): Promise<CronJob["status"]> {
    return (await this.do(this.client.get(CronJobs, "backup", { namespace }))).status;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.do(this.#actors.stop());
    await super[Symbol.asyncDispose]();
  }
}

Deno.test("CronJob: a Job at each time of the schedule, and its status", async () => {
  await using world = await CronWorld.create();
  await world.cronJob({});
  await world.pass(50 * SECOND);
  assertEquals(await world.jobs(), []);
  await world.pass(10 * SECOND);
  const [job] = await world.jobs();
  assertEquals(job?.metadata.name, "backup-1767225660");
  assertEquals(job?.metadata.labels, { app: "backup" });
  assertEquals(job?.metadata.annotations, {
    team: "a",
    "batch.tutorial.kubebuilder.io/scheduled-at": "2026-01-01T00:01:00Z",
  });
  assertEquals(controllerOf(job!)?.name, "backup");
  const status = await world.status();
  assertEquals(status?.lastScheduleTime, "2026-01-01T00:01:00Z");
  assertEquals(status?.active, [{
    apiVersion: "batch/v1",
    kind: "Job",
    namespace,
    name: "backup-1767225660",
    uid: job?.metadata.uid ?? "",
  }]);
  await world.pass(20 * SECOND);
  assertEquals((await world.status())?.active, []);
  await world.pass(2 * MINUTE);
  assertEquals(await world.times(), ["00:01", "00:02", "00:03"]);
});

slowTest("CronJob: the history limits keep the youngest Jobs", async () => {
  await using world = await CronWorld.create();
  await world.cronJob({ successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 });
  await world.pass(5 * MINUTE + 20 * SECOND);
  assertEquals(await world.times(), ["00:04", "00:05"]);
  await world.patch({ successfulJobsHistoryLimit: 0 });
  await world.pass(2 * MINUTE);
  // No Job is left that tells when the last one was.
  assertEquals(await world.times(), []);
  assertEquals((await world.status())?.lastScheduleTime, "2026-01-01T00:07:00Z");
});

Deno.test("CronJob: failed Jobs have their own limit", async () => {
  await using world = await CronWorld.create();
  await world.cronJob({ successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 1 }, 10 * SECOND, 1);
  await world.pass(3 * MINUTE + 30 * SECOND);
  assertEquals(await world.times(), ["00:03"]);
});

Deno.test("CronJob: a suspended CronJob creates no Job; after it is resumed, it creates one missed Job", async () => {
  await using world = await CronWorld.create();
  await world.cronJob({ suspend: true });
  await world.pass(5 * MINUTE);
  assertEquals(await world.times(), []);
  await world.patch({ suspend: false });
  await world.pass(10 * SECOND);
  assertEquals(await world.times(), ["00:05"]);
});

slowTest("CronJob: a time that was missed for longer than the deadline is skipped", async () => {
  await using world = await CronWorld.create();
  await world.cronJob({ schedule: "*/10 * * * *", startingDeadlineSeconds: 120 });
  await world.pass(5 * MINUTE);
  await world.stopOperator();
  await world.pass(8 * MINUTE);
  await world.startOperator();
  await world.pass(10 * SECOND);
  assertEquals(await world.times(), []);
  await world.pass(7 * MINUTE);
  assertEquals(await world.times(), ["00:20"]);
});

slowTest(
  "CronJob: more than 100 missed times, and a wrong schedule, are logged and not retried",
  async () => {
    await using world = await CronWorld.create();
    await world.cronJob({});
    await world.pass(MINUTE);
    await world.stopOperator();
    await world.pass(102 * MINUTE);
    await world.startOperator();
    await world.pass(10 * MINUTE);
    const lines = () => world.lines.filter((line) => line.includes("giving up on"));
    assertEquals(lines().length, 1);
    assert(lines()[0]?.includes("Too many missed start times"), lines()[0]);
    assertEquals((await world.jobs()).length, 1);
    await world.patch({ schedule: "61 * * * *", startingDeadlineSeconds: 200 });
    await world.pass(MINUTE);
    assertEquals(lines().length, 2);
    await world.patch({ schedule: "* * * * *" });
    await world.pass(MINUTE);
    assertEquals((await world.jobs()).length, 3);
  },
);

for (
  const [concurrencyPolicy, expected] of [
    ["Allow", ["00:01", "00:02", "00:03"]],
    ["Forbid", ["00:01", "00:02"]],
    ["Replace", ["00:03"]],
  ] as const
) {
  Deno.test(`CronJob: concurrencyPolicy ${concurrencyPolicy}`, async () => {
    await using world = await CronWorld.create();
    await world.cronJob({ concurrencyPolicy }, 80 * SECOND);
    await world.pass(3 * MINUTE + 5 * SECOND);
    assertEquals(await world.times(), [...expected]);
  });
}

Deno.test("CronJob: the controller waits for a time that is months away", async () => {
  await using world = await CronWorld.create();
  await world.stopOperator();
  const { clock } = world;
  await world.cronJob({ schedule: "0 0 1 3 *" });
  const manager = world.manager();
  cronJobController(manager);
  world.start(manager);
  await world.pass(MINUTE);
  assertEquals(await world.jobs(), []);
  assert(clock.pendingTimers > 0);
});

Deno.test("CronJob: the Jobs of a deleted CronJob are deleted", async () => {
  await using world = await CronWorld.create();
  await world.cronJob({});
  await world.pass(70 * SECOND);
  assertEquals((await world.jobs()).length, 1);
  await world.do(world.client.delete(CronJobs, "backup", { namespace }));
  await world.pass(2 * MINUTE);
  assertEquals(await world.jobs(), []);
});

/** Says that a Job is complete, a minute after it was created. */
function completingController(manager: Manager): void {
  manager.controller(Jobs, { name: "completing" }).reconcile(({ object, status, clock }) => {
    const { creationTimestamp: startTime = "" } = object.metadata;
    const leftMs = Date.parse(startTime) + MINUTE - clock.wallNow();
    if (leftMs > 0) {
      status({ startTime });
      return { requeueAfterMs: leftMs };
    }
    const completionTime = formatTime(Date.parse(startTime) + MINUTE);
    const draft = status({ startTime, completionTime });
    draft.condition("SuccessCriteriaMet", "True", "Completed");
    draft.condition("Complete", "True", "Completed");
    return;
  });
}

slowTest("CronJob passes a simulation", async () => {
  const spec = { containers: [{ name: "main", image: "backup" }], restartPolicy: "Never" as const };
  const run = (declare: (manager: Manager) => unknown) => ({ client, signal }: ProcessEnv) => {
    const manager = new Manager(client);
    declare(manager);
    return manager.run({ signal });
  };
  const sim = simulation({
    process: { operator: run(cronJobController), jobs: run(completingController) },
    resources: [crd(CronJobs)],
    workload: [
      create(CronJobs, "backup", {
        spec: {
          schedule: "10 0 1 1 *",
          concurrencyPolicy: "Forbid",
          successfulJobsHistoryLimit: 0,
          jobTemplate: { spec: { template: { spec } } },
        },
      }),
      wait(11 * MINUTE),
      settle(),
      patch(CronJobs, "backup", {
        spec: { schedule: "30 0 1 1 *", successfulJobsHistoryLimit: 1 },
      }),
      wait(20 * MINUTE),
      settle(),
    ],
    always: [({ server }) => {
      const running = server.objects(Jobs).filter(({ status }) => status?.conditions === undefined);
      return running.length <= 1 || "two Jobs run at the same time";
    }],
  });
  assertClean(await sim.explore({ budget: { plans: 30, ms: Infinity } }));
});

Deno.test("nextRun() finds the next time of a schedule", () => {
  const next = (schedule: string, after = "2026-01-01T00:00:00Z") =>
    new Date(nextRun(schedule, Date.parse(after))).toISOString().slice(0, 16);
  assertEquals(next("* * * * *"), "2026-01-01T00:01");
  assertEquals(next("*/15 * * * *", "2026-01-01T00:50:59Z"), "2026-01-01T01:00");
  assertEquals(next("30 2-4/2 * * *", "2026-01-01T02:30:00Z"), "2026-01-01T04:30");
  assertEquals(next("0 0 29 2 *"), "2028-02-29T00:00");
  assertEquals(next("0 9 13 * 5"), "2026-01-02T09:00");
  assertEquals(next("0 9 * * 0,6"), "2026-01-03T09:00");
  for (
    const wrong of [
      "",
      "* * * *",
      "60 * * * *",
      "* * 0 * *",
      "5-1 * * * *",
      "*/0 * * * *",
      "a * * * *",
    ]
  ) {
    assertThrows(() => nextRun(wrong, 0), TerminalError);
  }
  assertThrows(() => nextRun("0 0 30 2 *", 0), TerminalError);
});
