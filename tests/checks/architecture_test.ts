import { assertEquals } from "@std/assert";
import { checkFile } from "./architecture.ts";

function problems(path: string, text: string): string[] {
  return checkFile(path, text).map((violation) => violation.problem);
}

Deno.test("checkFile() accepts an arrow of the house", () => {
  assertEquals(problems("cache/a.ts", `import { delay } from "../base/mod.ts";`), []);
  assertEquals(problems("testing/b.ts", `export * from "./api_server/mod.ts";`), []);
});

Deno.test("checkFile() refuses an arrow against the house", () => {
  assertEquals(problems("cache/a.ts", `import { Client } from "../client/mod.ts";`), [
    "cache must not import client (../client/mod.ts)",
  ]);
  assertEquals(problems("testing/api_server/a.ts", `export * from "../../cache/mod.ts";`), [
    "testing/api_server must not import cache (../../cache/mod.ts)",
  ]);
  assertEquals(problems("base/a.ts", `import x from "left-pad";`), ["imports left-pad"]);
});

Deno.test("checkFile() refuses ambient time, chance and network outside their homes", () => {
  assertEquals(problems("cache/a.ts", `const t = Date.now();`).length, 1);
  assertEquals(problems("cache/a.ts", `setTimeout(() => {}, 1);`).length, 1);
  assertEquals(problems("client/a.ts", `await fetch("x");`).length, 1);
  assertEquals(problems("base/clock.ts", `setTimeout(() => {}, performance.now());`), []);
});

Deno.test("checkFile() leaves comments, strings' imports and methods alone", () => {
  assertEquals(
    problems("cache/a.ts", `// Date.now() is not used\nthis.fetch(x); /* fetch( */`),
    [],
  );
});

Deno.test("checkFile() names the line", () => {
  assertEquals(checkFile("cache/a.ts", "\n\nMath.random();").map((v) => v.line), [3]);
});
