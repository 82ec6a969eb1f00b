/** Tests of texts that are made to cost time, memory or stack. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { readYaml, readYamlDocuments } from "../../src/yaml/mod.ts";

/** Returns lines of anchors. Each expands to `width` times the one before it. */
function bomb(levels: number, width: number, [open, close]: string): string {
  const lines = [`x0: &x0 ${open}lol: lol${close}`];
  for (let i = 1; i <= levels; i++) {
    const aliases = Array.from(
      { length: width },
      (_, n) => open === "[" ? `*x${i - 1} ` : `k${n}: *x${i - 1} `,
    );
    lines.push(`x${i}: &x${i} ${open}${aliases.join(", ")}${close}`);
  }
  return lines.join("\n");
}

const BOMBS: Readonly<Record<string, string>> = {
  "aliases of lists": bomb(9, 9, "[]"),
  "aliases of mappings": bomb(9, 9, "{}"),
  "many levels of few aliases": bomb(60, 2, "[]"),
  "merge keys of merge keys": Array.from(
    { length: 30 },
    (_, i) => `x${i}: &x${i} {${i === 0 ? "a: b" : `<<: [*x${i - 1}, *x${i - 1}]`}}`,
  ).join("\n"),
  "many merges of many keys": `a: &a {${
    Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join(", ")
  }}\nb: {<<: [${Array(20_000).fill("*a").join(", ")}]}`,
  "a chain of aliases": Array.from(
    { length: 5000 },
    (_, i) => `x${i}: &x${i} [${i === 0 ? 1 : `*x${i - 1}`}]`,
  ).join("\n"),
};

for (const [what, text] of Object.entries(BOMBS)) {
  Deno.test(`readYaml() refuses ${what}`, async () => {
    const { message } = await assertRejects(() => readYaml(text), RangeError);
    assert(message.endsWith(": its aliases (*) stand for too much"), message);
  });
}

const DEEP: Readonly<Record<string, string>> = {
  "opening brackets": "[".repeat(1_000_000),
  "opening braces": "{a: ".repeat(300_000),
  "dashes": "- ".repeat(300_000),
  "question marks": "? ".repeat(300_000),
  "indented keys": Array.from({ length: 3000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
  "anchors": "&a [".repeat(300_000),
  "objects of JSON": '{"a":'.repeat(300_000),
  "closed objects of JSON": `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`,
};

for (const [what, text] of Object.entries(DEEP)) {
  Deno.test(`readYamlDocuments() refuses a text of nothing but ${what}`, async () => {
    const { message } = await assertRejects(() => readYamlDocuments(text), SyntaxError);
    assert(message.endsWith(": it is nested too deeply"), message);
  });
}

Deno.test("readYamlDocuments() reads values of 1,000 levels, in YAML and in JSON", async () => {
  const levels = 990;
  const texts = [
    `${"[".repeat(levels)}1${"]".repeat(levels)}`,
    `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
    `${Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}a:\n`).join("")}${
      " ".repeat(levels)
    }1\n`,
    `${"- ".repeat(levels)}1`,
  ];
  for (const text of texts) {
    let [value] = await readYamlDocuments(text);
    let depth = 0;
    for (; typeof value === "object" && value !== null; depth++) [value] = Object.values(value);
    assertEquals([value, depth], [1, levels]);
  }
});

const LONG: Readonly<Record<string, string>> = {
  "blank lines": `a: b${"\n".repeat(300_000)}c: d`,
  "comments": `${"# x\n".repeat(300_000)}a: b`,
  "separators": "---\n".repeat(300_000),
  "documents": "a\n---\n".repeat(50_000),
  "objects of JSON": "{} ".repeat(100_000),
  "a key that is repeated": "a: 1\n".repeat(100_000),
  "line separators": "- '\u2028x\u2028'\n".repeat(50_000),
  "quoted texts": `${'- "x"\n'.repeat(200_000)}- '\\n'`,
  "anchors of one name": "- &a x\n- *a\n".repeat(20_000),
  "digits": `a: ${"9".repeat(1_000_000)}\nb: 0x${"f".repeat(1_000_000)}`,
  "bytes that are no characters": `a: !!binary ${"////".repeat(100_000)}`,
  "a folded text": `a: >\n${"  x\n\n".repeat(100_000)}`,
  "lines of one text": `a: "${"x\n  ".repeat(100_000)}"`,
  "a long line of spaces": `a:${" ".repeat(1_000_000)}b`,
};

for (const [what, text] of Object.entries(LONG)) {
  Deno.test(`readYamlDocuments() reads ${what}`, async () => {
    assert((await readYamlDocuments(text)).length > 0);
  });
}

Deno.test("readYamlDocuments() gives up on a large text whose lines all need repair", async () => {
  const lines = "b: c,\n".repeat(100_000);
  const { message } = await assertRejects(() => readYaml(`a: {\n${lines}}\n`), SyntaxError);
  assert(message.includes("expected more indentation than that of the key"), message);
  const few = await readYaml(`a: {\n${"b: c,\n".repeat(500)}}\n`);
  assertEquals(few, { a: { b: "c" } });
});
