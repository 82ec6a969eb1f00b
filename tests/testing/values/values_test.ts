import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { formatQuantity, parseQuantity } from "../../../src/base/mod.ts";
import { compareQuantities, parseMicroTime, parseTime } from "../../../src/testing/values/mod.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

function normal(text: string): string | undefined {
  const quantity = parseQuantity(text);
  return quantity && formatQuantity(quantity);
}

Deno.test("parseQuantity() and formatQuantity() normalize equal quantities to one text", () => {
  for (
    const [text, expected] of [
      ["0", "0"],
      ["0.5", "500m"],
      ["1.50", "1500m"],
      ["1000m", "1"],
      ["1024Mi", "1Gi"],
      ["1.5Gi", "1536Mi"],
      ["1000k", "1M"],
      ["1e3", "1e3"],
      ["100000u", "100m"],
      ["-2", "-2"],
      ["", undefined],
      ["x", undefined],
      ["1 Gi", undefined],
      ["1.2.3", undefined],
    ] as const
  ) assertEquals(normal(text), expected, text);
  assertProperty(fc.property(
    fc.integer({ min: -1e6, max: 1e6 }),
    fc.constantFrom("", "m", "k", "M", "Ki", "Mi", "Gi"),
    (number, suffix) => {
      const once = normal(`${number}${suffix}`)!;
      assertEquals(normal(once), once);
      assertEquals(compareQuantities(once, `${number}${suffix}`), 0);
    },
  ));
});

Deno.test("parseTime() parses every time that JavaScript formats, in seconds", () => {
  const date = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  });
  assertProperty(fc.property(date, (time) => {
    const seconds = `${time.toISOString().slice(0, 19)}Z`;
    assertEquals(parseTime(time.toISOString()), { text: seconds });
  }));
  assertEquals(parseTime("2026-03-01T00:30:00+01:00"), { text: "2026-02-28T23:30:00Z" });
});

Deno.test("parseTime() reads the usual form of a time as the others", () => {
  const two = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, "0"));
  const year = fc.constantFrom("0000", "0001", "1900", "2024", "2026", "9999");
  assertProperty(fc.property(year, two, two, two, two, two, (y, month, day, h, m, s) => {
    const time = `${y}-${month}-${day}T${h}:${m}:${s}`;
    const usual = parseTime(`${time}Z`);
    const other = parseTime(`${time}.0Z`);
    assertEquals("text" in usual ? usual : {}, "text" in other ? other : {}, time);
  }));
  for (const time of ["2026-02-29T00:00:00", "2026-01-01T24:00:00", "2026-01-01T00:00:60"]) {
    assertEquals("error" in parseTime(`${time}Z`), true, time);
  }
});

Deno.test("parseTime() rejects with the messages of Go", () => {
  const error = (text: string) => (parseTime(text) as { error: string }).error;
  assertEquals(
    error("yesterday"),
    'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
  );
  assertEquals(
    error("2026-13-01T00:00:00Z"),
    'parsing time "2026-13-01T00:00:00Z": month out of range',
  );
  assertEquals(
    error("2026-02-30T00:00:00Z"),
    'parsing time "2026-02-30T00:00:00Z": day out of range',
  );
  assertEquals(
    error("2026-01-01T00:00:00Zx"),
    'parsing time "2026-01-01T00:00:00Zx": extra text: "x"',
  );
});

Deno.test("parseMicroTime() requires six fractional digits", () => {
  assertEquals(parseMicroTime("2026-01-01T01:00:00.123456+01:00"), {
    text: "2026-01-01T00:00:00.123456Z",
  });
  for (const text of ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123Z"]) {
    assert("error" in parseMicroTime(text), text);
  }
});
