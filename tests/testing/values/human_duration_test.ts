import { assertEquals } from "@std/assert";
import { humanAge, humanDuration } from "../../../src/testing/values/mod.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

Deno.test("humanDuration() shows two figures, and drops the second one at each bound", () => {
  for (
    const [milliseconds, shown] of [
      [-2 * SECOND, "<invalid>"],
      [-1999, "0s"],
      [-SECOND, "0s"],
      [-1, "0s"],
      [0, "0s"],
      [999, "0s"],
      [SECOND, "1s"],
      [2 * MINUTE - 1, "119s"],
      [2 * MINUTE, "2m"],
      [3 * MINUTE + 10 * SECOND, "3m10s"],
      [10 * MINUTE - SECOND, "9m59s"],
      [10 * MINUTE, "10m"],
      [10 * MINUTE + 30 * SECOND, "10m"],
      [3 * HOUR - SECOND, "179m"],
      [3 * HOUR, "3h"],
      [3 * HOUR + MINUTE, "3h1m"],
      [8 * HOUR - MINUTE, "7h59m"],
      [8 * HOUR + MINUTE, "8h"],
      [48 * HOUR - SECOND, "47h"],
      [2 * DAY, "2d"],
      [2 * DAY + HOUR, "2d1h"],
      [8 * DAY - HOUR, "7d23h"],
      [8 * DAY + 2 * HOUR, "8d"],
      [2 * YEAR - HOUR, "729d"],
      [2 * YEAR, "2y"],
      [2 * YEAR + DAY + HOUR, "2y1d"],
      [8 * YEAR - DAY, "7y364d"],
      [8 * YEAR + 2 * DAY, "8y"],
    ] as const
  ) assertEquals(humanDuration(milliseconds), shown, `${milliseconds} ms`);
});

Deno.test("humanAge() shows the time since a time that the server wrote", () => {
  assertEquals(humanAge("1970-01-01T00:00:00Z", 90 * SECOND), "90s");
  assertEquals(humanAge("", 90 * SECOND), "<unknown>");
});
