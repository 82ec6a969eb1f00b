import { assertEquals, assertThrows } from "@std/assert";
import { formatMicroTime, formatTime } from "../../src/types/mod.ts";

Deno.test("formatTime() and formatMicroTime() write the years from 0 to 9999", () => {
  const first = Date.UTC(2000, 0) - (2000 * 365 + 485) * 86_400_000;
  const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
  assertEquals(formatTime(first), "0000-01-01T00:00:00Z");
  assertEquals(formatTime(last), "9999-12-31T23:59:59Z");
  assertEquals(formatMicroTime(last), "9999-12-31T23:59:59.999000Z");
  for (const wallMs of [first - 1, last + 1, 8.64e15, -8.64e15, 1e300, NaN, Infinity]) {
    for (const format of [formatTime, formatMicroTime]) {
      const message =
        `Cannot write the time ${wallMs} ms after 1970: expected one of the years 0 to 9999`;
      assertThrows(() => format(wallMs), RangeError, message);
    }
  }
});
