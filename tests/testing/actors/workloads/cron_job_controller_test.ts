import { assertEquals, assertThrows } from "@std/assert";
import type { PodOutcome } from "../../../../src/testing/mod.ts";
import {
  type CronJob,
  CronJobs,
  Jobs,
} from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import { CronSchedule } from "../../../../src/testing/cron/mod.ts";
import { zonedTime } from "../../../../src/testing/actors/workloads/cron_times.ts";
import { Cluster, named } from "./cluster.ts";

type Spec = NonNullable<CronJob["spec"]>;

const MINUTE = 60_000;

async function cron(
  spec: Partial<Spec> = {},
  outcome: PodOutcome = { afterMs: 1000, exitCode: 0 },
): Promise<Cluster> {
  const cluster = await Cluster.start({ nodes: 1, kubelet: { outcome: () => outcome } });
  const containers = [{ name: "main", image: "i" }];
  const template = { spec: { restartPolicy: "Never" as const, containers } };
  await cluster.create(CronJobs, {
    metadata: named("cron"),
    spec: { schedule: "* * * * *", jobTemplate: { spec: { backoffLimit: 0, template } }, ...spec },
  });
  return cluster;
}

/** Returns the minutes of the Jobs, counted from the start. */
function minutes(cluster: Cluster): number[] {
  const startMs = Date.parse("2026-01-01T00:00:00Z");
  return cluster.server.objects(Jobs, "default")
    .map(({ metadata }) => Number(metadata.name?.slice(5)) - startMs / MINUTE).sort((a, b) =>
      a - b
    );
}

function reasons(cluster: Cluster): string[] {
  return cluster.events("cron").map((one) => one.split(":")[0] ?? "");
}

Deno.test("CronJobController creates Jobs on schedule and keeps as many as the limits say", async () => {
  await using cluster = await cron({ successfulJobsHistoryLimit: 2, timeZone: "Asia/Kolkata" });
  await cluster.clock.advance(4 * MINUTE);
  assertEquals(minutes(cluster), [2, 3, 4]);
  await cluster.clock.advance(10_000);
  assertEquals(minutes(cluster), [3, 4]);
  const [first] = cluster.server.objects(Jobs, "default");
  assertEquals(
    first?.metadata.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"],
    "2026-01-01T05:33:00+05:30",
  );
  const { active, lastScheduleTime, lastSuccessfulTime } = cluster.get(CronJobs, "cron").status ??
    {};
  assertEquals([active, lastScheduleTime, lastSuccessfulTime], [
    undefined,
    "2026-01-01T00:04:00Z",
    "2026-01-01T00:04:02Z",
  ]);
  assertEquals(cluster.events("cron").slice(0, 2), [
    "SuccessfulCreate: Created job cron-29453761",
    "SawCompletedJob: Saw completed job: cron-29453761, condition: Complete",
  ]);
  assertEquals(cluster.warnings, []);
});

Deno.test("CronJobController allows, forbids or replaces Jobs that still run", async () => {
  const long = { afterMs: 150_000, exitCode: 0 };
  for (const concurrencyPolicy of ["Allow", "Forbid", "Replace"]) {
    await using cluster = await cron({ concurrencyPolicy }, long);
    await cluster.clock.advance(2.5 * MINUTE);
    const { active = [] } = cluster.get(CronJobs, "cron").status ?? {};
    const expected = { Allow: [[1, 2], 2], Forbid: [[1], 1], Replace: [[2], 1] }[concurrencyPolicy];
    assertEquals([minutes(cluster), active.length], expected as [number[], number]);
    assertEquals(reasons(cluster).includes("JobAlreadyActive"), concurrencyPolicy === "Forbid");
  }
});

Deno.test("CronJobController creates nothing while suspended, nor what it missed for too long", async () => {
  await using cluster = await cron({ suspend: true, schedule: "*/10 * * * *" });
  await cluster.clock.advance(35 * MINUTE);
  assertEquals(minutes(cluster), []);
  await cluster.patch(CronJobs, "cron", { spec: { suspend: false, startingDeadlineSeconds: 60 } });
  await cluster.clock.advance(MINUTE);
  assertEquals(minutes(cluster), []);
  await cluster.clock.advance(5 * MINUTE);
  assertEquals(minutes(cluster), [40]);
  // Without a deadline, the last of the missed times counts.
  const late = { spec: { suspend: true, startingDeadlineSeconds: null } };
  await cluster.patch(CronJobs, "cron", late, 35 * MINUTE);
  await cluster.patch(CronJobs, "cron", { spec: { suspend: false } }, 1000);
  assertEquals(minutes(cluster), [40, 70]);
});

Deno.test("CronSchedule.next() finds the times of cron expressions", () => {
  const times = (text: string, from: string, count = 3, timeZone?: string) => {
    const schedule = new CronSchedule(text, timeZone);
    let atMs: number | undefined = Date.parse(from);
    return Array.from({ length: count }, () => {
      atMs = atMs === undefined ? undefined : schedule.next(atMs);
      return atMs === undefined ? "never" : new Date(atMs).toISOString().slice(5, 16);
    });
  };
  const from = "2026-01-01T00:00:30Z";
  assertEquals(times("*/20 * * * *", from), ["01-01T00:20", "01-01T00:40", "01-01T01:00"]);
  assertEquals(times("5,10-11 3 * * *", from), ["01-01T03:05", "01-01T03:10", "01-01T03:11"]);
  assertEquals(times("0 0 29 FEB ?", from, 1), ["02-29T00:00"]);
  assertEquals(times("0 12 13 * FRI", from), ["01-02T12:00", "01-09T12:00", "01-13T12:00"]);
  assertEquals(times("30 6-16/4 * * 1-5", from), ["01-01T06:30", "01-01T10:30", "01-01T14:30"]);
  assertEquals(times("@monthly", from, 2), ["02-01T00:00", "03-01T00:00"]);
  assertEquals(times("@every 1h30m", from, 2), ["01-01T01:30", "01-01T03:00"]);
  assertEquals(times("59 23 31 2 *", from, 1), ["never"]);
  assertEquals(times("0 9 * * *", from, 1, "America/New_York"), ["01-01T14:00"]);
  // The clocks go forward on March 8 and back on November 1.
  assertEquals(times("0 9 * * *", "2026-03-07T15:00:00Z", 2, "America/New_York"), [
    "03-08T13:00",
    "03-09T13:00",
  ]);
  assertEquals(times("30 2 * * *", "2026-03-07T12:00:00Z", 1, "America/New_York"), ["03-09T06:30"]);
  assertEquals(times("0 0 * * *", "2026-10-31T12:00:00Z", 2, "America/New_York"), [
    "11-01T04:00",
    "11-02T05:00",
  ]);
});

Deno.test("CronSchedule rejects what is not a schedule", () => {
  const bad = ["", "* * * *", "60 * * * *", "* * 0 * *", "5-1 * * * *", "*/0 * * * *", "@every x"];
  for (const text of bad) assertThrows(() => new CronSchedule(text), SyntaxError);
  assertThrows(() => new CronSchedule("* * * * *", "Nowhere/City"), RangeError);
});

Deno.test("zonedTime() shows the offset of the zone", () => {
  const wallMs = Date.parse("2026-07-01T12:34:56.789Z");
  assertEquals(zonedTime(wallMs), "2026-07-01T12:34:56Z");
  assertEquals(zonedTime(wallMs, "America/New_York"), "2026-07-01T08:34:56-04:00");
});
