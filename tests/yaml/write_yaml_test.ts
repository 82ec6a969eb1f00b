/** Tests of the writer; read_yaml_test.ts compares the recorded texts. */

import { assertEquals, assertThrows } from "@std/assert";
import { parse } from "@std/yaml/parse";
import fc from "fast-check";
import { readYaml, writeYaml, yamlText } from "../../src/yaml/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

Deno.test("writeYaml() writes as kubectl does where that is not ambiguous", () => {
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", labels: {}, finalizers: [] },
    data: {
      script: "#!/bin/sh\necho hi\n",
      keep: "a\n\n",
      strip: "a\nb",
      json: '{"a": "b"}',
      empty: "",
      yes: "yes",
      octal: "08",
      "0o7": "0o7",
      star: "*",
      quote: "it's",
      quoted: "'a'",
      date: "2024-01-01T00:00:00Z",
      url: "http://a/b?c=d",
      control: "a\u0007b",
      tab: "a\tb",
      colon: "a: b",
      comment: "a #b",
      dash: "- a",
      flag: "--flag",
    },
    list: [1, 1.5, true, null, "100m", [2, [3]], { a: 1, b: [4] }, [], {}],
    big: 9007199254740993n,
  };
  const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  labels: {}
  finalizers: []
data:
  script: |
    #!/bin/sh
    echo hi
  keep: |+
    a

  strip: |-
    a
    b
  json: '{"a": "b"}'
  empty: ""
  "yes": "yes"
  octal: "08"
  "0o7": "0o7"
  star: '*'
  quote: it's
  quoted: '''a'''
  date: "2024-01-01T00:00:00Z"
  url: http://a/b?c=d
  control: "a\\u0007b"
  tab: "a\\tb"
  colon: 'a: b'
  comment: 'a #b'
  dash: '- a'
  flag: --flag
list:
  - 1
  - 1.5
  - true
  - null
  - 100m
  - - 2
    - - 3
  - a: 1
    b:
      - 4
  - []
  - {}
big: 9007199254740993
`;
  assertEquals(writeYaml(object), text);
  const sorted = writeYaml({ b: 1, a: { d: 1, c: 2 } }, { sortKeys: true });
  assertEquals(sorted, "a:\n  c: 2\n  d: 1\nb: 1\n");
});

Deno.test("writeYaml() leaves out what JSON leaves out, and refuses what it does not have", () => {
  const at = new Date(Date.UTC(2026, 0, 2));
  const value = { a: undefined, b: [undefined, () => 1], c: at, d: { e: undefined } };
  assertEquals(
    writeYaml(value),
    'b:\n  - null\n  - null\nc: "2026-01-02T00:00:00.000Z"\nd: {}\n',
  );
  for (const number of [NaN, Infinity, -Infinity]) {
    assertThrows(() => writeYaml({ a: number }), TypeError, "expected a finite number");
  }
  assertThrows(() => writeYaml(undefined), TypeError, "Cannot write undefined as YAML");
  const loop: unknown[] = [];
  loop.push({ loop });
  assertThrows(() => writeYaml(loop), RangeError, "the value may contain itself");
});

/** Texts with the characters that mean something in YAML. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(..."ab \n\t:#-'\"\\,[]{}&*!|>%@?0123.e_~=x"), maxLength: 12 }),
  fc.constantFrom("y", "no", "null", "0x1F", "1e3", "1:30", "<<", "2001-01-01", "a\n", "\n"),
);

/** Values that JSON has, with integers of 64 bits. */
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

Deno.test("readYaml() reads what writeYaml() writes", async () => {
  await assertProperty(
    fc.asyncProperty(value, fc.boolean(), async (given, sortKeys) => {
      assertEquals(await readYaml(writeYaml(given, { sortKeys })), given);
    }),
    1000,
  );
});

Deno.test("Other parsers of YAML read the texts that writeYaml() writes", () => {
  assertProperty(
    fc.property(fc.dictionary(text, fc.array(text), { noNullPrototype: true }), (given) => {
      assertEquals(parse(writeYaml(given)), given);
    }),
    1000,
  );
});

Deno.test("yamlText() is the same text in a list between brackets", async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(text, { minLength: 1 }), async (given) => {
      const list = `[${given.map(yamlText).join(", ")}]`;
      assertEquals(await readYaml(list), given);
      assertEquals(parse(list), given);
    }),
    1000,
  );
});
