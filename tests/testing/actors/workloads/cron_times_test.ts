import { assertEquals } from "@std/assert";
import type { Cached } from "../../../../mod.ts";
import type { CronJob } from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import { CronSchedule } from "../../../../src/testing/cron/mod.ts";
import { cronTimes, zonedTime } from "../../../../src/testing/actors/workloads/cron_times.ts";

const DAY = "2026-01-01T";

function times(
  schedule: string,
  { created = "00:00:00", last, now, deadline }: {
    readonly created?: string;
    readonly last?: string;
    readonly now: string;
    readonly deadline?: number;
  },
): string {
  const cron = {
    metadata: { creationTimestamp: `${DAY}${created}Z` },
    spec: { ...(deadline !== undefined && { startingDeadlineSeconds: deadline }) },
    status: last === undefined ? {} : { lastScheduleTime: `${DAY}${last}Z` },
  } as unknown as Cached<CronJob>;
  const { dueMs, missedMany, nextMs } = cronTimes(
    cron,
    new CronSchedule(schedule),
    Date.parse(`${DAY}${now}Z`),
  );
  const show = (ms: number | undefined) =>
    ms === undefined ? "-" : new Date(ms).toISOString().slice(11, 16);
  return `${show(dueMs)} ${show(nextMs)}${missedMany ? " many" : ""}`;
}

Deno.test("cronTimes() finds the last time that was missed, and when there were too many", () => {
  const quarters = "*/15 * * * *";
  assertEquals(times(quarters, { now: "00:14:59" }), "- 00:15");
  assertEquals(times(quarters, { now: "00:15:00" }), "00:15 00:30");
  assertEquals(times(quarters, { now: "00:29:59" }), "00:15 00:30");
  assertEquals(times(quarters, { now: "00:30:00" }), "00:30 00:45");
  assertEquals(times(quarters, { now: "03:10:00" }), "03:00 03:15");
  assertEquals(times(quarters, { last: "03:00:00", now: "03:10:00" }), "- 03:15");
  assertEquals(times(quarters, { last: "02:45:00", now: "03:10:00" }), "03:00 03:15");
  // Steps that differ: the last one is found although the first one is shorter.
  assertEquals(times("0,5 * * * *", { now: "04:30:00" }), "04:05 05:00");
  assertEquals(times("0 9 * * *", { now: "10:00:00" }), "09:00 09:00");
  assertEquals(times("59 23 31 2 *", { now: "10:00:00" }), "- -");
  // 100 missed minutes are not many yet.
  assertEquals(times("* * * * *", { now: "01:40:00" }), "01:40 01:41");
  assertEquals(times("* * * * *", { now: "01:41:00" }), "01:41 01:42 many");
  assertEquals(times("* * * * *", { now: "03:00:30", deadline: 60 }), "03:00 03:01");
  // Times before the deadline do not count.
  assertEquals(times(quarters, { now: "03:10:00", deadline: 599 }), "- 03:15");
  assertEquals(times(quarters, { now: "03:10:00", deadline: 601 }), "03:00 03:15");
});

Deno.test("zonedTime() shows offsets of half an hour, and of both signs", () => {
  const wallMs = Date.parse("2026-07-01T20:04:05Z");
  assertEquals(zonedTime(wallMs, "Asia/Kolkata"), "2026-07-02T01:34:05+05:30");
  assertEquals(zonedTime(wallMs, "America/St_Johns"), "2026-07-01T17:34:05-02:30");
});
