import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { yamlText } from "../../../../src/testing/api_server/http/yaml_text.ts";
import type { Json } from "../../../../src/testing/values/mod.ts";
import { YamlError, yamlToJson } from "../../../../src/testing/api_server/yaml/mod.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

const read = (text: string) => yamlToJson(text).value;

const anyJson = () =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e21, "", "yes", "0o17", "a: b", "#"),
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: "grapheme-ascii", maxLength: 6 }), tie("value"), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
    ),
  })).value as fc.Arbitrary<Json>;

Deno.test("yamlToJson() reads JSON, and what yamlText() writes", () => {
  assertProperty(
    fc.property(anyJson(), (value) => {
      assertEquals(read(JSON.stringify(value)), value);
      assertEquals(read(JSON.stringify(value, null, 2)), value);
      const json = JSON.stringify(value);
      const text = yamlText(json);
      // A real server folds line breaks of Unicode, and refuses control characters.
      if (text !== undefined && !json.includes("\x85")) assertEquals(read(text), value);
    }),
  );
});

Deno.test("yamlToJson() reads scalars as YAML 1.1, with the integers of Go", () => {
  const cases: [string, Json][] = [
    ...["0o17", "017", "0O17", "0b1111", "0xF", "15", "+15", "1_5", "0x_f", "1_5_"].map((
      text,
    ): [string, Json] => [text, 15]),
    ...["-0o17", "-017", "-0b1111", "-0xF"].map((text): [string, Json] => [text, -15]),
    ...["y", "Y", "yes", "Yes", "on", "ON", "true", "TRUE"].map((t): [string, Json] => [t, true]),
    ...["n", "no", "off", "Off", "false", "False"].map((t): [string, Json] => [t, false]),
    ...["~", "null", "Null", "NULL", ""].map((t): [string, Json] => [t, null]),
    ...["0o9", "0xg", "_1", "1:30", "nul", "yEs", "1e400", "=", "2001-01-01", "0b2", ".", "-", "+"]
      .filter((text) => text !== "-").map((text): [string, Json] => [text, text]),
    ["1e3", 1000],
    [".5e1", 5],
    ["5.", 5],
    ["08", 8],
    ["-.5", -0.5],
    ["!!str 5", "5"],
    ['!!int "5"', 5],
    ["!!float 5", 5],
    ["!foo 5", "5"],
    ['"5"', "5"],
    ["'it''s'", "it's"],
    ['"\\x41\\u0042\\U00000043\\e"', "ABC\x1b"],
    ["|\n    x\n     y\n", "x\n y\n"],
    [">-\n    a\n    b\n\n    c\n", "a b\nc"],
    ["|+\n    x\n\n", "x\n\n"],
    ["a\n  b", "a b"],
  ];
  for (const [text, expected] of cases) assertEquals(read(`a: ${text}`), { a: expected }, text);
});

Deno.test("yamlToJson() turns keys into texts, and sorts them", () => {
  for (
    const [text, expected] of [
      ["{yes: 1, 0x10: 2, 1e3: 3, 0.1: 4, b: 5}", '{"0.1":4,"1000":3,"16":2,"b":5,"true":1}'],
      ["a: {<<: {b: 1, c: 2}, b: 3}", '{"a":{"b":3,"c":2}}'],
      ["a: {<<: [{b: 1}, {b: 2, c: 3}]}", '{"a":{"b":1,"c":3}}'],
      ['a: {"<<": {b: 1}}', '{"a":{"<<":{"b":1}}}'],
      ["? a\n: b\n? c\n", '{"a":"b","c":null}'],
      ["[a b, c: d, {e}]", '["a b",{"c":"d"},{"e":null}]'],
      ["a:\n- b\n- - c\n  - d\n-\n", '{"a":["b",["c","d"],null]}'],
      ["a:\n-\nb: c", '{"a":[null],"b":"c"}'],
    ] as const
  ) {
    const value = read(text);
    const json = JSON.stringify(
      value,
      (_, one) =>
        one !== null && typeof one === "object" && !Array.isArray(one)
          ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
          : one,
    );
    // Engines list the keys that are array indexes first.
    assertEquals(JSON.parse(json), JSON.parse(expected), text);
  }
  assertEquals(Object.keys(read("c: 1\nb: 2\na: 3") as object), ["a", "b", "c"]);
});

Deno.test("yamlToJson() reads the first document only", () => {
  for (
    const text of [
      "a: b",
      "---\na: b",
      "%YAML 1.1\n---\na: b",
      "a: b\n---\nc: d",
      "a: b\n...\n---\n- d",
      "\ufeffa: b",
    ]
  ) assertEquals(read(text), { a: "b" }, text);
  for (const text of ["", "# c", "\n\n", "---\n", "--- \n# x\n---\na: b"]) {
    assertEquals(read(text), null, text);
  }
});

Deno.test("yamlToJson() finds keys that occur twice", () => {
  const { value, strict } = yamlToJson(
    "a: 1\nb: {c: 1,\n  c: 2}\na: 3\n<<: {d: 1}\n",
  );
  assertEquals(strict, [
    'line 3: key "c" already set in map',
    'line 4: key "a" already set in map',
  ]);
  assertEquals((value as { a: number }).a, 3);
});

Deno.test("yamlToJson() rejects common mistakes with the messages of the API server", () => {
  for (
    const [text, message] of [
      ["a:\n\tb: c", "line 2: found character that cannot start any token"],
      ["a:\n  b: c\n d: e", "line 2: did not find expected key"],
      ["a: b\nc\n", "line 3: could not find expected ':'"],
      ["[", "line 1: did not find expected node content"],
      ["a: b: c", "mapping values are not allowed in this context"],
      ["a: b\nc: - d", "line 2: block sequence entries are not allowed in this context"],
      ["a: b\nc: @d", "line 2: found character that cannot start any token"],
      ["a: b\nc: [", "line 2: did not find expected node content"],
      ["'a", "found unexpected end of stream"],
      ['"a\n\nb', "line 3: found unexpected end of stream"],
      ['"\\ud83d"', "found invalid Unicode character escape code"],
      ["*a", "unknown anchor 'a' referenced"],
      ["a: &a {b: *a}", "anchor 'a' value contains itself"],
      ["a: x\x01", "control characters are not allowed"],
      ["<<: 5", "map merge requires map or sequence of maps as the value"],
      ["{a: b}: c", "invalid map key: a list or an object"],
      ["!!int a", "cannot decode !!str `a` as a !!int"],
      ["[\nb}'", "line 1: did not find expected ',' or ']'"],
    ] as const
  ) {
    const error = assertThrows(() => read(text), YamlError);
    assertEquals(error.message, `yaml: ${message}`, text);
  }
  for (
    const [text, message] of [
      ["a: [.inf]", "json: unsupported value: +Inf"],
      ["~: b", "unsupported map key of type: %!s(<nil>), key: <nil>"],
    ] as const
  ) assertEquals(assertThrows(() => read(text), YamlError).message, message, text);
});

Deno.test("yamlToJson() takes brackets and quotes that are not indented", () => {
  assertEquals(read("a: [\n  b\n]\nc:\n- {\nd: e\n}\n"), { a: ["b"], c: [{ d: "e" }] });
  assertEquals(read("a: 'b\nc'\n"), { a: "b c" });
});

Deno.test("yamlToJson() takes the line breaks of Windows and of old Macs", () => {
  for (
    const [text, value] of [
      ["|\r\n  b\r\n  c\r\n", "b\nc\n"],
      ["'b\r\n c'", "b c"],
      ['"b\r\n\r\n c"', "b\nc"],
      ["'b\r c'", "b c"],
      [">\r\n  b\r\n  c\r\n\r\n  d\r\n", "b c\nd\n"],
    ] as const
  ) assertEquals(read(`a: ${text}`), { a: value }, JSON.stringify(text));
});
