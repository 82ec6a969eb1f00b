import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isJson, MAX_PATH, parseJson } from "../../../src/testing/values/mod.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

function outcome(text: string): unknown {
  try {
    const { value, duplicates, literals } = parseJson(text, true);
    return { value, duplicates: [...duplicates], literals: [...literals] };
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

/** Asserts that a text means the same with a space before it, which the engine's own parser never gets to read. */
function assertSame(text: string): void {
  assertEquals(outcome(text), outcome(` ${text}`), text);
}

Deno.test("parseJson() reads what JSON.stringify() writes as it reads any other text", () => {
  assertProperty(fc.property(fc.jsonValue(), (value) => assertSame(JSON.stringify(value))));
});

Deno.test("parseJson() reads a text with a small change as any other text", () => {
  const part = fc.constantFrom(...'{}[]",:\\0129.-eE+ udn', "\\ud800", "\ud800", "1e21");
  assertProperty(
    fc.property(fc.jsonValue(), fc.nat(), part, (value, where, change) => {
      const text = JSON.stringify(value);
      const at = where % (text.length + 1);
      assertSame(text.slice(0, at) + change + text.slice(at));
      assertSame(text.slice(0, at) + change + text.slice(at + 1));
    }),
  );
});

Deno.test("parseJson() reads unusual numbers, keys and depths as in any other text", () => {
  const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const texts = [
    "9007199254740992",
    "9223372036854775807",
    "-9223372036854775809",
    "100000000000000000000",
    "1e+21",
    "1e-7",
    "-0",
    "0.1",
    "12345678.125",
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '{"1":0,"2":0}',
    '{"2":0,"1":0}',
    '{"__proto__":{"a":1}}',
    '{"a":{"b":1},"a":{"c":1}}',
    "",
    deep(500),
    deep(501),
    deep(502),
    deep(20_000),
  ];
  for (const text of texts) assertSame(text);
});

Deno.test("parseJson() reports errors with the messages of Go's decoder", () => {
  const beginning = "looking for beginning of value";
  const key = "looking for beginning of object key string";
  for (
    const [text, message] of [
      ["", "unexpected end of JSON input"],
      ["{", "unexpected end of JSON input"],
      ['{"a"', "unexpected end of JSON input"],
      ['{"a":1', "unexpected end of JSON input"],
      ["[1", "unexpected end of JSON input"],
      ['"a', "unexpected end of JSON input"],
      ['"a\\', "unexpected end of JSON input"],
      ['"\\u12', "unexpected end of JSON input"],
      ["{a", `invalid character 'a' ${key}`],
      ['{"a":1,}', `invalid character '}' ${key}`],
      ['{"a" 1}', "invalid character '1' after object key"],
      ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
      ["[1 2]", "invalid character '2' after array element"],
      ["[1,]", `invalid character ']' ${beginning}`],
      ["'", `invalid character '\\'' ${beginning}`],
      ["ä", `invalid character 'Ã' ${beginning}`],
      ["+1", `invalid character '+' ${beginning}`],
      ["1 2", "invalid character '2' after top-level value"],
      ["01", "invalid character '1' after top-level value"],
      ["tru", "invalid character ' ' in literal true (expecting 'e')"],
      ["fAlse", "invalid character 'A' in literal false (expecting 'a')"],
      ["nul1", "invalid character '1' in literal null (expecting 'l')"],
      ["-", "invalid character ' ' in numeric literal"],
      ["-a", "invalid character 'a' in numeric literal"],
      ["1.", "invalid character ' ' after decimal point in numeric literal"],
      ["1.e", "invalid character 'e' after decimal point in numeric literal"],
      ["1e", "invalid character ' ' in exponent of numeric literal"],
      ["1E+x", "invalid character 'x' in exponent of numeric literal"],
      ['"a\nb"', "invalid character '\\n' in string literal"],
      ['"a\\nb\u001f"', "invalid character '\\x1f' in string literal"],
      ['"\\x"', "invalid character 'x' in string escape code"],
      ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ] as const
  ) assertEquals(outcome(text), message, text);
});

Deno.test("parseJson() notes repeated keys, and merges objects under them on request", () => {
  const text = '{"a":{"b":{"x":1},"c":1},"a":{"b":{"y":2},"d":[1]},"l":[{"k":1,"k":{}}]}';
  const { value, duplicates } = parseJson(text, true);
  assertEquals(value, { a: { b: { x: 1, y: 2 }, c: 1, d: [1] }, l: [{ k: {} }] });
  assertEquals([...duplicates], ["a", "l[0].k"]);
  assertEquals(parseJson(text, false).value, { a: { b: { y: 2 }, d: [1] }, l: [{ k: {} }] });
});

Deno.test("parseJson() bounds what it notes", () => {
  const repeated = Array.from({ length: 101 }, (_, i) => `"k${i}":1,"k${i}":1`).join();
  assertEquals(parseJson(`{${repeated}}`, true).duplicates.size, 100);
  const floats = Array.from({ length: 1001 }, () => "1.0").join();
  assertEquals(parseJson(`[${floats}]`, true).literals.size, 1000);
  const key = (length: number) => "k".repeat(length);
  assertEquals(parseJson(`{"${key(MAX_PATH)}":1.0}`, true).literals.size, 1);
  assertEquals(parseJson(`{"${key(MAX_PATH + 1)}":1.0}`, true).literals.size, 0);
  const twice = (name: string) => parseJson(`{"${name}":1,"${name}":1}`, true).duplicates.size;
  assertEquals([twice(key(MAX_PATH)), twice(key(MAX_PATH + 1))], [1, 0]);
});

Deno.test("parseJson() notes the numbers that Go reads otherwise, and reads every escape", () => {
  const text =
    ' {"a":1.0,"b":[1e3,-0,2.5,1E-2],"c":9007199254740993,"d":-12,"e":0,"h":9223372036854775808,"f":1e21,"g":100.25}';
  assertEquals([...parseJson(text, true).literals], [
    ["a", "1.0"],
    ["b[0]", "1e3"],
    ["h", "9223372036854775808"],
    ["f", "1e21"],
  ]);
  const escapes = ' "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\uD83D\\ude00\\ud800x"';
  assertEquals(parseJson(escapes, true).value, '"\\/\b\f\n\r\tä😀\ufffdx');
});

Deno.test("parseJson() takes 500 levels and refuses more", () => {
  const nested = (depth: number) => ` ${"[".repeat(depth)}${"]".repeat(depth)}`;
  assertEquals(Array.isArray(parseJson(nested(501), true).value), true);
  assertEquals(outcome(nested(502)), "invalid character '[' exceeded max depth");
});

Deno.test("isJson() takes what Go takes, down to 10,000 levels", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  for (const text of ["{}", " null ", '"a\\"[{"', nested(10_000), `["${"[".repeat(20_000)}"]`]) {
    assertEquals(isJson(text), true, text.slice(0, 20));
  }
  for (const text of ["", "{", "nul", "{'a':1}", '"a', "{} x", nested(10_001)]) {
    assertEquals(isJson(text), false, text.slice(0, 20));
  }
});
