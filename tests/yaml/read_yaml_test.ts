/** Tests of the reader against what Go makes of the same texts. `deno task record yaml --check` compares the recorded values with Go itself. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { readYaml, readYamlDocuments } from "../../src/yaml/mod.ts";
import { entryDifferences } from "../conformance/recorded_set.ts";
import { readRecording } from "../conformance/recording.ts";
import { DEFAULT_MINOR } from "../e2e/minors.ts";
import { countTried } from "../support/seeded_runs.ts";
import { readCanonically } from "./_read_canonically.ts";
import { COUNT, yamlEntries } from "./_recorded.ts";

Deno.test("readYaml(), readYamlDocuments() and writeYaml() read and write as Go does", async () => {
  const found = await yamlEntries(async (requests) => {
    const read: (string | null)[] = [];
    for (const request of requests) read.push(await readCanonically(request));
    return read;
  });
  const differences = entryDifferences(found, await readRecording("yaml", DEFAULT_MINOR));
  assertEquals([...differences], []);
  countTried({ inputs: 2 * COUNT });
});

Deno.test("readYaml() returns integers beyond 2^53 as bigints, and those beyond 64 bits as numbers", async () => {
  const cases: [string, unknown][] = [
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["-9007199254740993", -9007199254740993n],
    ["0x7fffffffffffffff", 2n ** 63n - 1n],
    ["18446744073709551615", 2n ** 64n - 1n],
    ["-9223372036854775808", -(2n ** 63n)],
    // Go reads these as floats.
    ["18446744073709551616", 2 ** 64],
    ["-9223372036854775809", -(2 ** 63)],
    ["9007199254740993.0", 9007199254740992],
    ["1e20", 1e20],
  ];
  for (const [text, value] of cases) assertEquals(await readYaml(text), value, text);
});

Deno.test("readYaml() keeps keys with the names of JavaScript's own as fields", async () => {
  const value = await readYaml("__proto__: {a: 1}\nconstructor: b\n") as Record<string, unknown>;
  assertEquals(Object.keys(value), ["__proto__", "constructor"]);
  assertEquals(Object.getPrototypeOf(value), Object.prototype);
  assertEquals(Object.getOwnPropertyDescriptor(value, "__proto__")?.value, { a: 1 });
  const merged = await readYaml("<<: {__proto__: {a: 1}}\n") as Record<string, unknown>;
  assertEquals(Object.getPrototypeOf(merged), Object.prototype);
});

Deno.test("readYaml() copies the value of an alias, so that a change of the copy leaves the original unchanged", async () => {
  const { a, b } = await readYaml("a: &a {c: [1]}\nb: *a\n") as Record<string, { c: number[] }>;
  a!.c.push(2);
  assertEquals(b, { c: [1] });
});

Deno.test("readYamlDocuments() names the line and the column of the file, and what it expected", async () => {
  const cases: [string, string][] = [
    ["a: 1\nb: [\n", "line 3, column 1: unexpected end of the stream within a flow collection"],
    ["a: 1\n---\nb: 1\n---\nc:\n\t- d\n", "line 6, column 1: tab characters must not be used"],
    ["a: 1\r\n---\r\nb: .inf\r\n", "line 3, column 4: expected a number that JSON can hold"],
    ["a:\n  b: !!int x\n", "line 2, column 12: the tag does not fit this value"],
    ["a: *b\n", "line 1, column 4: no anchor has this name"],
    ["a: &b [*b]\n", "line 1, column 8: this alias (*) stands for a value that contains itself"],
    ["a: {<<: 1}\n", "line 1, column 9: expected a mapping, or a list of mappings, after <<"],
    ["[a]: 1\n", "line 1, column 1: expected a text as the key, found a list or a mapping"],
    ["null: 1\n", "line 1, column 1: expected a text as the key: use quotes"],
    ["a: 1\n--- b\n", "line 2, column 1: expected nothing behind --- but a comment"],
    ["a: 1\nb: \u0007\n", "line 2, column 4: expected a printable character, or an escape"],
    ['a: "\\q"\n', "line 1, column 6: unknown escape sequence"],
    // Behind what the reader has repaired.
    ["a: {\nb: c\n}# d\ne: *f\n", "line 4, column 4: no anchor has this name"],
    ["a: {\nb: *c\n}\n", "line 2, column 4: no anchor has this name"],
    ["[http://a?b=c]\n", 'line 1, column 10: a text with "?" between brackets needs quotes'],
    ["[a:,b]\n", 'line 1, column 3: expected a space after ":"'],
    ["[!!str,a]\n", "line 1, column 7: expected a space after a tag"],
    ["a: b # \u2028\n", "line 1, column 8: a line separator (U+2028, U+2029) needs double quotes"],
    ["a: &b.c 1\n", "line 1, column 5: the name of an anchor has letters, digits"],
    ['{"a":1}\n{"b":2}\n{c}\n', "line 3, column 1: expected an object of JSON, like the ones"],
    ['{"a":1}\n{"b":1e999}\n', "line 2, column 1: expected an object without numbers beyond 64"],
  ];
  for (const [text, message] of cases) {
    const error = await assertRejects(() => readYamlDocuments(text), SyntaxError);
    assert(error.message.startsWith(message), `${JSON.stringify(text)}: ${error.message}`);
  }
});

Deno.test("readYamlDocuments() quotes nothing of a text in its errors", async () => {
  const secret = "hunter2";
  const texts = [
    `a: "${secret}\n`,
    `a: &x ${secret}\nb: *${secret}\n`,
    `a: !h!${secret} b\n`,
    `a: !<${secret}"> b\n`,
    `a: !${secret}^ b\n`,
    `%TAG !h! ${secret}\n%TAG !h! ${secret}\n---\na`,
    `%YAML ${secret}\n---\na`,
    `a: ${secret}: ${secret}\n`,
    `a: [${secret}\n`,
    `a: "\\${secret}"\n`,
    `--- ${secret}\n`,
    `-----BEGIN ${secret}-----\n`,
    `{"a": "${secret}}`,
    `{"a": "${secret}"}\n{"a": "b"}\n{"${secret}: 1}`,
    `${secret}\u0000`,
    `!!int ${secret}`,
    `!!binary ${secret}`,
    `? [${secret}]\n: 1`,
    `<<: ${secret}`,
    `&${secret}.x a`,
    `a: ${secret}\n ${secret}: b`,
    `a: |${secret}`,
    `${secret}:\n\t- a`,
  ];
  for (const text of texts) {
    const { message } = await assertRejects(() => readYamlDocuments(text), SyntaxError);
    assert(!message.includes(secret), message);
  }
});
