import { assertEquals, assertThrows } from "@std/assert";
import type { Cached } from "../../../../mod.ts";
import type { CronJob } from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import { CronSchedule } from "../../../../src/testing/actors/workloads/cron_schedule.ts";
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

Deno.test("CronSchedule says what is wrong with a schedule", () => {
  for (
    const [text, message] of [
      ["* * * * * *", "expected exactly 5 fields, found 6: [* * * * * *]"],
      ["1/2/3 * * * *", "too many slashes: 1/2/3"],
      ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
      ["60 * * * *", 'failed to parse "60": not a number from 0 to 59'],
      ["* 24 * * *", 'failed to parse "24": not a number from 0 to 23'],
      ["* * 0 * *", 'failed to parse "0": not a number from 1 to 31'],
      ["* * 32 * *", 'failed to parse "32": not a number from 1 to 31'],
      ["* * * 13 *", 'failed to parse "13": not a number from 1 to 12'],
      ["* * * * 7", 'failed to parse "7": not a number from 0 to 6'],
      ["* * * * 1.5", 'failed to parse "1.5": not a number from 0 to 6'],
      ["2-1 * * * *", "failed to parse the range 2-1"],
      ["*/0 * * * *", "failed to parse the range */0"],
      ["*/x * * * *", "failed to parse the range */x"],
      ["@every 5", "failed to parse duration @every 5"],
      ["@every 5d", "failed to parse duration @every 5d"],
      ["@every 1.2.3s", "failed to parse duration @every 1.2.3s"],
    ] as const
  ) assertEquals(assertThrows(() => new CronSchedule(text), SyntaxError).message, message);
});

Deno.test("CronSchedule.next() reads ranges, steps and durations to their ends", () => {
  const next = (text: string, from: string, timeZone?: string) =>
    new Date(new CronSchedule(text, timeZone).next(Date.parse(from))!).toISOString()
      .replace(/(\.000)?Z/, "");
  for (
    const [text, from, expected] of [
      ["3-3 * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:03:00"],
      ["0/30 * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:30:00"],
      ["59 23 31 12 *", "2026-01-01T00:00:00Z", "2026-12-31T23:59:00"],
      ["0 0 1 jan sun-tue", "2026-01-01T00:00:00Z", "2026-01-04T00:00:00"],
      ["0 0 * * 6", "2026-01-01T00:00:00Z", "2026-01-03T00:00:00"],
      ["0 0 2 * *", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00"],
      ["@weekly", "2026-01-01T00:00:00Z", "2026-01-04T00:00:00"],
      ["@yearly", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00"],
      ["@hourly", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00"],
      ["@daily", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00"],
      ["@every 1.5s", "2026-01-01T00:00:00.900Z", "2026-01-01T00:00:01"],
      ["@every 0s", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01"],
      ["@every 100ms", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01"],
      ["@every 1h1m1s", "2026-01-01T00:00:00Z", "2026-01-01T01:01:01"],
      ["0 5 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T05:00:00"],
      ["@monthly", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00"],
      ["@annually", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00"],
      ["@midnight", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00"],
      [" 0  5 * * * ", "2026-01-01T00:00:59.999Z", "2026-01-01T05:00:00"],
      ["0 5 * * *", "2026-01-01T04:59:59Z", "2026-01-01T05:00:00"],
      ["7 * * * *", "2026-01-01T00:07:00Z", "2026-01-01T01:07:00"],
      // A star means any day, whatever its step, and so does a question mark.
      ["0 0 ? * mon", "2026-01-01T00:00:00Z", "2026-01-05T00:00:00"],
      ["0 0 15 * ?", "2026-01-01T00:00:00Z", "2026-01-15T00:00:00"],
      ["0 0 */2 * fri", "2026-01-01T00:00:00Z", "2026-01-09T00:00:00"],
      ["0 0 9 * */2", "2026-01-01T00:00:00Z", "2026-04-09T00:00:00"],
    ] as const
  ) assertEquals(next(text, from), expected, text);
  for (
    const [month, name] of "jan feb mar apr may jun jul aug sep oct nov dec".split(" ").entries()
  ) {
    const dayMs = Date.UTC(2026, month, 1);
    assertEquals(new CronSchedule(`0 0 1 ${name} *`).next(dayMs - 1), dayMs, name);
  }
  for (const [day, name] of "sun mon tue wed thu fri sat".split(" ").entries()) {
    const dayMs = Date.UTC(2026, 0, 4 + day);
    assertEquals(new CronSchedule(`0 0 * * ${name}`).next(dayMs - 86_400_000), dayMs, name);
  }
  // The day begins at 01:00 when the clocks go forward at midnight.
  const [saturday, zone] = ["2017-10-14T12:00:00Z", "America/Sao_Paulo"];
  assertEquals(next("30 * 15 10 *", saturday, zone), "2017-10-15T03:30:00");
  assertEquals(next("0 0 15-16 10 *", saturday, zone), "2017-10-16T02:00:00");
});

Deno.test("zonedTime() shows offsets of half an hour, and of both signs", () => {
  const wallMs = Date.parse("2026-07-01T20:04:05Z");
  assertEquals(zonedTime(wallMs, "Asia/Kolkata"), "2026-07-02T01:34:05+05:30");
  assertEquals(zonedTime(wallMs, "America/St_Johns"), "2026-07-01T17:34:05-02:30");
});
