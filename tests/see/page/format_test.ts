import { assertEquals } from "@std/assert";
import {
  count,
  duration,
  plural,
  rate,
  relative,
  timeOfDay,
  visible,
} from "../../../src/see/page/kit/format.ts";

Deno.test("duration() has the unit that suits its length", () => {
  const shown: Record<string, number> = {
    "0 ms": NaN,
    "0.4 ms": 0.42,
    "12 ms": 12.4,
    "1.5 s": 1_520,
    "12 s": 12_400,
    "119 s": 119_000,
    "3 min": 180_000,
    "2 h": 7_200_000,
    "2 d": 172_800_000,
  };
  for (const [text, ms] of Object.entries(shown)) assertEquals(duration(ms), text);
  assertEquals(duration(-5), "0 ms");
});

Deno.test("count(), rate() and plural() are short", () => {
  assertEquals([count(1_024), rate(0), rate(0.44), rate(1_234.4)], [
    "1,024",
    "0/s",
    "0.4/s",
    "1,234/s",
  ]);
  assertEquals([plural(1, "key"), plural(1_000, "key")], ["1 key", "1,000 keys"]);
});

Deno.test("relative() tells the past from the future", () => {
  const now = "2026-03-01T14:00:00Z";
  assertEquals(relative("2026-03-01T13:59:57Z", now), "3 s ago");
  assertEquals(relative("2026-03-01T14:00:10Z", now), "in 10 s");
  assertEquals(relative("2026-03-01T14:00:00.400Z", now), "now");
  assertEquals(relative("yesterday", now), undefined);
});

Deno.test("timeOfDay() is in UTC", () => {
  assertEquals(timeOfDay("2026-03-01T15:03:22.120+01:00"), "14:03:22.120");
  assertEquals(timeOfDay("\u202ex"), "\\u202ex");
});

Deno.test("visible() shows marks that turn the writing", () => {
  assertEquals(visible("a\u202eb\nc<b>"), "a\\u202eb\\nc<b>");
});
