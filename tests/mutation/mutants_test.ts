import { assertEquals } from "@std/assert";
import { applyMutant, describeMutant, mutantsOf } from "./mutants.ts";

/** Returns what the mutants of a text are, each as its operator and the text that it gives. */
function shown(text: string): string[] {
  return mutantsOf("a.ts", text).map((mutant) =>
    `${mutant.operator}: ${applyMutant(text, mutant)}`
  );
}

Deno.test("mutantsOf() shifts boundaries, and swaps equality and logic", () => {
  assertEquals(shown("a < b;"), ["statement: ;", "boundary: a <= b;"]);
  assertEquals(shown("x = a >= b;").at(-1), "boundary: x = a > b;");
  assertEquals(shown("x = a === b;").at(-1), "equality: x = a !== b;");
  assertEquals(shown("x = a !== b;").at(-1), "equality: x = a === b;");
  assertEquals(shown("x = a && b;").at(-1), "logic: x = a || b;");
  assertEquals(shown("x = a || b;").at(-1), "logic: x = a && b;");
});

Deno.test("mutantsOf() negates the conditions of branches, but not of loops", () => {
  assertEquals(shown("if (a) {}"), ["condition: if (!(a)) {}"]);
  assertEquals(shown("const x = a ? b : c;"), ["condition: const x = !(a) ? b : c;"]);
  assertEquals(shown("while (a) {}"), []);
});

Deno.test("mutantsOf() removes statements and returned values", () => {
  assertEquals(shown("a.b();"), ["statement: ;"]);
  assertEquals(shown("await b();"), ["statement: ;"]);
  assertEquals(shown("i++;"), ["statement: ;"]);
  assertEquals(shown("const f = () => { return a; };"), ["return: const f = () => { return; };"]);
  assertEquals(shown("const f = () => { return undefined; };"), []);
  assertEquals(shown("const f = () => { return false; };"), [
    "constant: const f = () => { return true; };",
  ]);
  assertEquals(shown("class A extends B { constructor() { super(); } }"), []);
  assertEquals(shown('"use strict";').filter((one) => one.startsWith("statement")), []);
});

Deno.test("mutantsOf() replaces constants, but not the names of modules and properties", () => {
  assertEquals(shown("const x = 1_000;"), ["constant: const x = 1001;"]);
  assertEquals(shown("const x = true;"), ["constant: const x = false;"]);
  assertEquals(shown('const x = "a";'), ['constant: const x = "";']);
  assertEquals(shown('const x = "";'), ['constant: const x = "?";']);
  assertEquals(shown('import { a } from "./a.ts"; export * from "./b.ts";'), []);
  assertEquals(shown('const x = { "a": b, 1: c };'), []);
});

Deno.test("mutantsOf() leaves types, comments and the log of the progress alone", () => {
  assertEquals(shown('type A = "a" | 1; interface B { c: true } // if (a) b();'), []);
  assertEquals(shown("const x = a as 1 | 2;"), []);
  assertEquals(shown('this.#logger.debug("a", 1);'), []);
  assertEquals(shown("logger.warn();"), ["statement: ;"]);
});

Deno.test("describeMutant() names the place and the change in one line", () => {
  const text = "a();\nb(\n  c,\n);\nif (a < b) {}\n";
  assertEquals(mutantsOf("src/a.ts", text).map(describeMutant), [
    "src/a.ts:1 statement: a(); -> ;",
    "src/a.ts:2 statement: b( c, ); -> ;",
    "src/a.ts:5 condition: a < b -> !(a < b)",
    "src/a.ts:5 boundary: < -> <=",
  ]);
});
