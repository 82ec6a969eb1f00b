import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { hasBigInteger, mayHaveBigInteger, parseJson, stringifyJson } from "../../src/base/mod.ts";
import { exactJson, exactly, integers } from "../support/hard_json.ts";
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

PAIRS.forEach(([hostile, victim, keys], index) => {
  Deno.test(`parseJson() reads ${victim} after ${hostile}, also if the program has copied that`, () => {
    for (let i = 0; i < 50; i++) {
      const name = (text: string) => text.replace("#", `copied ${index} ${i}`);
      parseJson(name(hostile));
      // Like this, V8 certainly knows the shape. It depends on much whether a copy does it.
      JSON.parse(name(hostile));
      const read = parseJson(name(victim)) as Record<string, object>;
      const inner = keys.length === 1 ? Object.values(read)[0]! : read;
      assertEquals(Object.keys(inner), keys.map(name));
    }
  });
});

Deno.test("parseJson() remembers a bounded number of keys with a backslash, and then expects any", () => {
  for (let i = 0; i < 100; i++) parseJson(String.raw`{"k${i}\\":1}`);
  for (let i = 0; i < 100; i++) {
    JSON.parse(String.raw`{"many ${i}":1,"k${i}\\":2}`);
    const victim = parseJson(
      String.raw`{"many ${i}":1,"k${i}\t":{"a\/\b\f\n\r\t\u00E9\"":[]}}`,
    );
    assertEquals(victim, { [`many ${i}`]: 1, [`k${i}\t`]: { 'a/\b\f\n\r\té"': [] } });
  }
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
      String.raw`{"\\":1,"\x":1}`,
      String.raw`{"\\":1,"\U0041":1}`,
      String.raw`{"\\":1,"\u004":1}`,
      '{"\\\\":1,"\n":1}',
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

const { MAX_SAFE_INTEGER } = Number;

for (
  const [text, expected] of [
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["9007199254740991", MAX_SAFE_INTEGER],
    ["-9007199254740991", -MAX_SAFE_INTEGER],
    ["9007199254740992", 9007199254740992n],
    ["-9007199254740992", -9007199254740992n],
    ["[ 18446744073709551616 ]", [18446744073709551616n]],
    ['{"a":[9223372036854775807,1],"b":2}', { a: [9223372036854775807n, 1], b: 2 }],
    ['{"a":\n-9223372036854775808\t}', { a: -9223372036854775808n }],
    // A fraction or an exponent makes a number, as for Kubernetes.
    ["[9007199254740993.0,9007199254740993e0,1E400]", [
      9007199254740992,
      9007199254740992,
      Infinity,
    ]],
    // Kubernetes refuses it.
    ["9".repeat(309), Infinity],
    ["9".repeat(308), BigInt("9".repeat(308))],
    ['"9007199254740993"', "9007199254740993"],
    [String.raw`{"a":"{\"b\": 9007199254740993}"}`, { a: '{"b": 9007199254740993}' }],
    [String.raw`{"\\":9007199254740993}`, { "\\": 9007199254740993n }],
    [
      '{"__proto__":9007199254740993}',
      JSON.parse('{"__proto__":0}', (_, v) => v === 0 ? 9007199254740993n : v),
    ],
    // The character that marks what the parser has rewritten.
    ['{"\ue000":9007199254740993,"\\ue000b":"\ue0001"}', {
      "\ue000": 9007199254740993n,
      "\ue000b": "\ue0001",
    }],
    ['["\ue0005",9007199254740993,"\\uE000"]', ["\ue0005", 9007199254740993n, "\ue000"]],
    ['{"a":1,"a":9007199254740993,"a":2}', { a: 2 }],
  ] as const
) {
  Deno.test(`parseJson() reads ${text.slice(0, 60)}`, () => {
    const parsed = parseJson(text);
    assertEquals(parsed, expected);
    assertEquals(Object.getPrototypeOf(parsed), Object.getPrototypeOf(expected));
  });
}

Deno.test("parseJson() reads keys with all private-use characters beside a backslash key", () => {
  const all = Array.from(
    { length: 0xf8ff - 0xe000 + 1 },
    (_, i) => String.fromCharCode(0xe000 + i),
  );
  const key = all.join("");
  // The parser once searched the whole text for each of the characters.
  const text = `[{"\\\\":1,"${key}":2},"${"x".repeat(4_000_000)}"]`;
  const [object] = parseJson(text) as [object];
  assertEquals(object, { "\\": 1, [key]: 2 });
});

Deno.test("parseJson() does not search a text that is known to have no large integer", () => {
  assertEquals(parseJson("[9007199254740993]", false), [9007199254740992]);
});

/** Pieces of JSON, and of what is almost JSON. */
const pieces = fc.array(
  fc.oneof(
    integers,
    fc.constantFrom(
      ...'{}[]:,":", \n\\-0.e',
      '"a"',
      '"\\\\"',
      '"\ue000"',
      '"\\ue000b"',
      "\ue000",
      "true",
      "null",
    ),
  ),
  { maxLength: 12 },
).map((all) => all.join(""));

Deno.test("parseJson() reads the same as a reviver that is given the text of each number", () => {
  assertProperty(
    fc.property(exactJson, (text) => {
      // A key with a backslash would teach V8 to read others wrong.
      if (!/\\\\|\\u005c/i.test(text)) assertEquals(parseJson(text), exactly(text));
      assertEquals(parseJson(stringifyJson(parseJson(text))), parseJson(text));
    }),
    1000,
  );
});

Deno.test("parseJson() refuses what JSON.parse refuses", () => {
  assertProperty(
    fc.property(pieces, (text) => {
      const accepts = (parse: (text: string) => unknown) => {
        try {
          parse(text);
          return true;
        } catch (error) {
          assert(error instanceof SyntaxError);
          return false;
        }
      };
      assertEquals(accepts(parseJson), accepts(JSON.parse), text);
    }),
    2000,
  );
});

Deno.test("parseJson() refuses a large integer in place of a key", () => {
  assertThrows(() => parseJson("{9007199254740993 :1}"), SyntaxError);
});

Deno.test("stringifyJson() writes what parseJson() has read, whatever integers it has", () => {
  assertProperty(
    fc.property(exactJson, (text) => {
      const written = stringifyJson(parseJson(text));
      if (!/\\\\|\\u005c/i.test(text)) assertEquals(exactly(written), exactly(text));
      assertEquals(stringifyJson(parseJson(written)), written);
    }),
    500,
  );
});

Deno.test("hasBigInteger() and mayHaveBigInteger() find exactly what stands where JSON has integers", () => {
  const long = /(?:^|[:,[\s])-?\d{16,}(?:[,\]}\s]|$)/;
  const parts = fc.array(
    fc.oneof(
      fc.string({ unit: fc.constantFrom(..."1234567890"), maxLength: 24 }),
      fc.constantFrom("x", ":", ",", "-", " ", "]", '"', ".", "é", "[["),
    ),
    { maxLength: 8 },
  ).map((all) => all.join(""));
  assertProperty(
    fc.property(parts, fc.integer({ min: 0, max: 7 }), (text, offset) => {
      assertEquals(hasBigInteger(text), long.test(text));
      const bytes = new TextEncoder().encode(`${"9".repeat(offset)}${text}99999`);
      assertEquals(mayHaveBigInteger(bytes.subarray(offset, -5)), long.test(text));
    }),
    3000,
  );
});
