import { assertEquals } from "@std/assert";
import { pathToFileURL } from "node:url";
import { mutantsOf } from "./mutants.ts";
import { MutatedTree } from "./mutated_tree.ts";

const SOURCE = "export function isLarge(n: number): boolean {\n  return n > 5;\n}\n";
const FILES = {
  "deno.json": "{}",
  "src/large.ts": SOURCE,
  "src/mod.ts": 'export * from "./large.ts";\n',
  "tests/large_test.ts": `import { isLarge } from "../src/mod.ts";
Deno.test("isLarge()", () => {
  if (!isLarge(6) || isLarge(4)) throw new Error("wrong");
});
`,
};

Deno.test("MutatedTree tells which mutants the tests of a copy notice, and leaves the original alone", async () => {
  const root = await Deno.makeTempDir();
  try {
    for (const folder of ["src", "tests"]) await Deno.mkdir(`${root}/${folder}`);
    for (const [name, text] of Object.entries(FILES)) {
      await Deno.writeTextFile(`${root}/${name}`, text);
    }
    await using tree = await MutatedTree.copy(pathToFileURL(root));
    assertEquals(await tree.files("src"), ["src/large.ts", "src/mod.ts"]);
    const tests = await tree.files("tests");
    assertEquals(Object.fromEntries(await tree.imports(tests)), {
      "all_tests.ts": ["tests/large_test.ts"],
      "tests/large_test.ts": ["src/mod.ts"],
      "src/mod.ts": ["src/large.ts"],
      "src/large.ts": [],
    });
    const outcomes: Record<string, string> = {};
    for (const mutant of mutantsOf("src/large.ts", SOURCE)) {
      outcomes[mutant.replacement] = await tree.test(tests, { mutant, seconds: 60 });
    }
    // Whether 5 is large is not tested.
    assertEquals(outcomes, { "return;": "failed", ">=": "passed", "6": "failed" });
    assertEquals(await tree.test(tests, { seconds: 60 }), "passed");
    assertEquals(await Deno.readTextFile(`${root}/src/large.ts`), SOURCE);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("MutatedTree ends tests that take too long", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${root}/deno.json`, FILES["deno.json"]);
    await Deno.writeTextFile(`${root}/a_test.ts`, 'Deno.test("loop", () => { for (;;); });\n');
    await using tree = await MutatedTree.copy(pathToFileURL(root));
    assertEquals(await tree.test(["a_test.ts"], { seconds: 1 }), "timeout");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
