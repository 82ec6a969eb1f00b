import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { ROOMS, sharedModule } from "./all_tests.ts";
import { exampleModules } from "./example_modules.ts";
import { testFilesBelow } from "./test_files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("each room that shares an isolate has tests, and no room is inside another, where its tests would run twice", async () => {
  for (const room of ROOMS) {
    assert((await testFilesBelow(ROOT, [room])).length > 0, room);
    assert(!ROOMS.some((other) => other.startsWith(`${room}/`)), room);
  }
});

Deno.test("testFilesBelow() finds the test files in all folders below, and sharedModule() imports them", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/a/b`, { recursive: true });
    for (const name of ["a/z_test.ts", "a/b/x_test.ts", "a/b/_harness.ts", "a/test.ts"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    const files = await testFilesBelow(`${folder}/`, ["a"]);
    assertEquals(files, ["a/b/x_test.ts", "a/z_test.ts"]);
    assertEquals(
      sharedModule("/odd #1/", files),
      'import "file:///odd%20%231/a/b/x_test.ts";\nimport "file:///odd%20%231/a/z_test.ts";\n',
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("exampleModules() makes a test of each example, with its lines where they are in the file", () => {
  const page = [
    "Text.",
    "```ts",
    'import { one } from "one";',
    "import {",
    "  two,",
    '} from "two";',
    "export const three: number = one + two;",
    "```",
    "```ts ignore",
    "nothing(",
    "```",
    "```ts",
    'Deno.test("own", () => {});',
    "```",
  ].join("\n");
  const [test, own, ...others] = exampleModules("docs/a.md", page);
  assertEquals(test, {
    path: "docs/a.md.2.ts",
    text:
      'import { one } from "one"; import {   two, } from "two";Deno.test("docs/a.md#2", async () => {' +
      "\n\n\n\n\n\nconst three: number = one + two;\n});\n",
  });
  assertEquals(own, {
    path: "docs/a.md.12.ts",
    text: `${"\n".repeat(12)}Deno.test("own", () => {});\n`,
  });
  assertEquals(others, []);
});

Deno.test("exampleModules() reads docstrings", () => {
  const source = "/**\n * @example\n * ```ts\n * one();\n *\n * two();\n * ```\n */\nthree();\n";
  assertEquals(exampleModules("src/a.ts", source), [{
    path: "src/a.ts.3.ts",
    text: 'Deno.test("src/a.ts#3", async () => {\n\n\none();\n\ntwo();\n});\n',
  }]);
});
