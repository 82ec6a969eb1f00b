import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseJson } from "../../../../src/testing/api_server/values/json_parser.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

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
