import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseJson } from "../../src/base/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

/** A hostile object, and an object that is read after it. Each test has a shape of its own. */
const PAIRS: readonly (readonly [hostile: string, victim: string, keys: readonly string[]])[] = [
  [String.raw`{"#":1,"\\":2}`, String.raw`{"#":1,"\u003c":1}`, ["#", "<"]],
  [String.raw`{"#":1,"\u005c":2}`, String.raw`{"#":1,"\u003c":1}`, ["#", "<"]],
  [String.raw`{"#":1,"\u005C" : 2}`, String.raw`{"#":1,"\n":1}`, ["#", "\n"]],
  [String.raw`{"#":1,"a\\":2}`, String.raw`{"#":1,"a\u003c":1}`, ["#", "a<"]],
  [String.raw`{"#":{"\\u":2}}`, String.raw`{"#":{"\u003cb":1}}`, ["<b"]],
  [
    String.raw`{"#":1,"k:{\\\"a\\\":":2}`,
    String.raw`{"#":1,"k:{\"a\":1}":1}`,
    ["#", 'k:{"a":1}'],
  ],
];

PAIRS.forEach(([hostile, victim, keys], index) => {
  Deno.test(`parseJson() reads ${victim} right after ${hostile}`, () => {
    for (let i = 0; i < 50; i++) {
      const name = (text: string) => text.replace("#", `shape ${index} ${i}`);
      parseJson(name(hostile));
      const read = parseJson(name(victim)) as Record<string, object>;
      const inner = keys.length === 1 ? Object.values(read)[0]! : read;
      assertEquals(Object.keys(inner), keys.map(name));
    }
  });
});

/** JSON with many escapes, in keys and in values. */
const text = fc.string({
  unit: fc.constantFrom("\\", '"', "a", "<", ":", " ", "\ue000", "\n", "é", "0", "u"),
});
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.integer(),
    tie("object"),
    fc.array(tie("value")),
  ),
  object: fc.dictionary(text, tie("value"), { noNullPrototype: true }),
}));

Deno.test("parseJson() reads what JSON.stringify has written, whatever is escaped and how", () => {
  assertProperty(
    fc.property(json.value, fc.integer({ min: 0, max: 3 }), (value, how) => {
      let written = JSON.stringify(value, null, how % 2);
      if (how > 1) written = written.replaceAll("\\\\", how === 2 ? "\\u005c" : "\\u005C");
      assertEquals(parseJson(written), value);
      assertEquals(JSON.stringify(parseJson(written)), JSON.stringify(value));
    }),
    500,
  );
});

Deno.test("parseJson() refuses what is not JSON", () => {
  for (
    const bad of [
      "",
      "{",
      String.raw`{"\\":`,
      String.raw`"\\`,
      String.raw`{"\\"}`,
      "\\u005c",
      "\\\\",
    ]
  ) {
    assertThrows(() => parseJson(bad), SyntaxError);
  }
});

Deno.test("parseJson() keeps an own __proto__, and the order of keys beside one with a backslash", () => {
  const parsed = parseJson(String.raw`{"b":1,"__proto__":{"x":1},"\\":2,"a":3}`) as object;
  assertEquals(Object.keys(parsed), ["b", "__proto__", "\\", "a"]);
  assertEquals(Object.getPrototypeOf(parsed), Object.prototype);
});

Deno.test("parseJson() reads an object that is nested 100,000 deep, with backslashes in its keys", () => {
  const depth = 100_000;
  let value = parseJson('{"\\\\":'.repeat(depth) + "1" + "}".repeat(depth)) as object | number;
  let levels = 0;
  for (; typeof value === "object"; levels++) value = (value as Record<string, object>)["\\"]!;
  assertEquals(levels, depth);
});
