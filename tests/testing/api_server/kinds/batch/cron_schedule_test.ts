import { assertEquals } from "@std/assert";
import { scheduleError } from "../../../../../src/testing/api_server/kinds/batch/cron_schedule.ts";

Deno.test("scheduleError() accepts each field from its first to its last value, and names", () => {
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

Deno.test("scheduleError() says what is wrong with a field", () => {
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
  ];
  for (const [schedule, expected] of cases) {
    assertEquals(scheduleError(schedule), expected, schedule);
  }
});
