import { assertEquals } from "@std/assert";
import {
  durationError,
  durationMs,
  goFormatString,
  goPrint,
  type Json,
  jsonTypeName,
  parseMicroTime,
  parseTime,
  quote,
  timeMs,
} from "../../../src/testing/values/mod.ts";

Deno.test("durationMs() reads Go's durations", () => {
  const cases: [text: string, ms: number][] = [
    ["0", 0],
    ["1.5s", 1500],
    ["2m3s", 123_000],
    ["1h2ms", 3_600_002],
    ["-1s", -1000],
    [".5s", 500],
    ["500us", 0.5],
  ];
  for (const [text, ms] of cases) assertEquals(durationMs(text), ms, text);
});

Deno.test("durationError() says what Go's time.ParseDuration() says", () => {
  const invalid = (text: string) => `time: invalid duration "${text}"`;
  for (
    const [text, error] of [
      ["0", undefined],
      ["-0", undefined],
      ["+5s", undefined],
      ["1.5h", undefined],
      [".5m", undefined],
      ["5.s", undefined],
      ["1h2m3s4ms5us6ns", undefined],
      ["1µs1μs", undefined],
      ["", invalid("")],
      ["-", invalid("-")],
      ["+-5s", invalid("+-5s")],
      ["s", invalid("s")],
      [".s", invalid(".s")],
      ["x", invalid("x")],
      ["1s ", 'time: unknown unit "s " in duration "1s "'],
      ["1d", 'time: unknown unit "d" in duration "1d"'],
      ["10", 'time: missing unit in duration "10"'],
      ["1h10", 'time: missing unit in duration "1h10"'],
      ["00", 'time: missing unit in duration "00"'],
    ] as const
  ) assertEquals(durationError(text), error, text);
});

Deno.test("goPrint() and goFormatString() format values as %v and %s", () => {
  for (
    const [value, v, s] of [
      [null, "<nil>", "%!s(<nil>)"],
      ["a", "a", "a"],
      [true, "true", "%!s(bool=true)"],
      [1, "1", "%!s(int64=1)"],
      [1.5, "1.5", "%!s(float64=1.5)"],
      [["a", 1, []], "[a 1 []]", "[a %!s(int64=1) []]"],
      [{ b: null, a: [false] }, "map[a:[false] b:<nil>]", "map[a:[%!s(bool=false)] b:%!s(<nil>)]"],
      [{}, "map[]", "map[]"],
    ] satisfies [Json, string, string][]
  ) assertEquals([goPrint(value), goFormatString(value)], [v, s]);
});

Deno.test("jsonTypeName() names types as Go's decoder does", () => {
  const values = [null, undefined, [], {}, true, 1, ""];
  assertEquals(values.map(jsonTypeName), [
    "null",
    "null",
    "array",
    "object",
    "bool",
    "number",
    "string",
  ]);
});

Deno.test("quote() escapes as %q does", () => {
  for (
    const [text, quoted] of [
      ['a"\\', '"a\\"\\\\"'],
      ["\n\t\r\b\f", '"\\n\\t\\r\\b\\f"'],
      ["\u0000\u001f\u007f", '"\\x00\\x1f\\x7f"'],
      ["ä€😀", '"ä€😀"'],
      ["\u0080\u00a0\u200b", '"\\u0080\\u00a0\\u200b"'],
      ["\u{e0001}", '"\\U000e0001"'],
    ] as const
  ) assertEquals(quote(text), quoted);
});

/** Go's errors for invalid times. */
const TIMES: readonly (readonly [string, string])[] = [
  ["202-01-01T00:00:00Z", 'cannot parse "202-01-01T00:00:00Z" as "2006"'],
  ["2026x01-01T00:00:00Z", 'cannot parse "x01-01T00:00:00Z" as "-"'],
  ["2026-1-01T00:00:00Z", 'cannot parse "1-01T00:00:00Z" as "01"'],
  ["2026-01-01 00:00:00Z", 'cannot parse " 00:00:00Z" as "T"'],
  ["2026-01-01T00.00:00Z", 'cannot parse ".00:00Z" as ":"'],
  ["2026-01-01T00:0:00Z", 'cannot parse "0:00Z" as "04"'],
  ["2026-01-01T00:00:00", 'cannot parse "" as "Z07:00"'],
  ["2026-01-01T00:00:00.Z", 'cannot parse ".Z" as "Z07:00"'],
  ["2026-01-01T00:00:00+1:00", 'cannot parse "+1:00" as "Z07:00"'],
];

Deno.test("parseTime() names what it cannot parse, and the range that a number leaves", () => {
  const layout = '"2006-01-02T15:04:05Z07:00"';
  for (const [text, why] of TIMES) {
    assertEquals(parseTime(text), { error: `parsing time "${text}" as ${layout}: ${why}` });
  }
  for (
    const [text, why] of [
      ["2026-00-01T00:00:00Z", "month out of range"],
      ["2026-01-00T00:00:00Z", "day out of range"],
      ["2026-01-32T00:00:00Z", "day out of range"],
      ["2025-02-29T00:00:00Z", "day out of range"],
      ["2026-01-01T24:00:00Z", "hour out of range"],
      ["2026-01-01T00:60:00Z", "minute out of range"],
      ["2026-01-01T00:00:60Z", "second out of range"],
      ["2026-01-01T00:00:00+00:00Z", 'extra text: "Z"'],
    ] as const
  ) assertEquals(parseTime(text), { error: `parsing time "${text}": ${why}` });
});

Deno.test("parseTime() and parseMicroTime() turn offsets into UTC", () => {
  for (
    const [text, utc] of [
      ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"],
      ["2026-01-01T00:00:00.999Z", "2026-01-01T00:00:00Z"],
      ["2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00Z"],
      ["2026-12-31T23:30:00-01:30", "2027-01-01T01:00:00Z"],
      ["2026-01-01T00:30:00+01:15", "2025-12-31T23:15:00Z"],
      ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
    ] as const
  ) assertEquals(parseTime(text), { text: utc });
  assertEquals(parseMicroTime("2026-01-01T00:00:00.000001Z"), {
    text: "2026-01-01T00:00:00.000001Z",
  });
  assertEquals(parseMicroTime("2026-01-01T00:00:00.00001Z"), {
    error:
      'parsing time "2026-01-01T00:00:00.00001Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".00001Z" as ".000000"',
  });
  assertEquals([timeMs("1970-01-01T00:00:01Z"), timeMs("")], [1000, NaN]);
});
