import { assertEquals } from "@std/assert";
import { CronSchedule } from "../../../src/testing/cron/mod.ts";

/** Returns the error of a schedule; undefined if it is valid. */
function scheduleError(schedule: string): string | undefined {
  try {
    new CronSchedule(schedule);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

Deno.test("CronSchedule accepts each field from its first to its last value, and names", () => {
  for (
    const schedule of [
      "0 0 1 1 0",
      "59 23 31 12 6",
      "0-59 0-23 1-31 1-12 0-6",
      "*/15 * ? * *",
      "5/10 * * * *",
      "1,2,3-5 * * * *",
      "0 0 * jan sun",
      "0 0 * DEC sat",
      "0 0 * jan-mar mon-fri",
    ]
  ) assertEquals(scheduleError(schedule), undefined, schedule);
});

Deno.test("CronSchedule refuses a wrong schedule with the error of Kubernetes", () => {
  const parsing = (text: string) =>
    `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`;
  const cases: readonly (readonly [string, string])[] = [
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* 24 * * *", "end of range (24) above maximum (23): 24"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["* * 32 * *", "end of range (32) above maximum (31): 32"],
    ["* * * 13 *", "end of range (13) above maximum (12): 13"],
    ["* * * * 7", "end of range (7) above maximum (6): 7"],
    ["5-4 * * * *", "beginning of range (5) beyond end of range (4): 5-4"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["*/2/3 * * * *", "too many slashes: */2/3"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["a * * * *", parsing("a")],
    ["1-b * * * *", parsing("b")],
    ["*/c * * * *", parsing("c")],
    ["sun * * * *", parsing("sun")],
    ["* * * * 1.5", parsing("1.5")],
    ["", "empty spec string"],
    ["* * * * * *", "expected exactly 5 fields, found 6: [* * * * * *]"],
    ["@never", "unrecognized descriptor: @never"],
    ["@every 5", 'failed to parse duration @every 5: time: invalid duration "5"'],
    ["@every 1.2.3s", 'failed to parse duration @every 1.2.3s: time: invalid duration "1.2.3s"'],
  ];
  for (const [schedule, expected] of cases) {
    assertEquals(scheduleError(schedule), expected, schedule);
  }
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
