import { assertEquals } from "@std/assert";
import { checkFile, findCircles } from "./architecture.ts";

function problems(path: string, text: string): string[] {
  return checkFile(path, text).map((violation) => violation.problem);
}

Deno.test("checkFile() accepts an allowed import", () => {
  assertEquals(problems("cache/queue/a.ts", `import { delay } from "../../base/mod.ts";`), []);
  assertEquals(problems("cache/informer/a.ts", `import type { A } from "../queue/mod.ts";`), []);
  assertEquals(problems("testing/b.ts", `export * from "./api_server/mod.ts";`), []);
  assertEquals(
    problems("testing/b.ts", `import { delay } from "@kubeloop/controller/internal/base";`),
    [],
  );
});

Deno.test("checkFile() rejects a forbidden import", () => {
  assertEquals(problems("cache/store/a.ts", `import { Client } from "../../client/mod.ts";`), [
    "cache/store must not import client (../../client/mod.ts)",
  ]);
  assertEquals(problems("cache/reflector/a.ts", `import { DeltaFIFO } from "../queue/mod.ts";`), [
    "cache/reflector must not import cache/queue (../queue/mod.ts)",
  ]);
  assertEquals(problems("testing/api_server/a.ts", `import "@kubeloop/controller/cache";`), [
    "testing/api_server must not import @kubeloop/controller/cache",
  ]);
  assertEquals(problems("testing/a.ts", `import { delay } from "../base/mod.ts";`), [
    "testing must not import base (../base/mod.ts)",
  ]);
  assertEquals(problems("base/a.ts", `import x from "left-pad";`), ["imports left-pad"]);
});

Deno.test("checkFile() rejects an import of a room that bypasses its mod.ts", () => {
  assertEquals(problems("cache/queue/a.ts", `import { Store } from "../store/store.ts";`), [
    "cache/store is entered by its mod.ts, not by ../store/store.ts",
  ]);
  assertEquals(problems("cache/queue/mod.ts", `export * from "./a.ts";`), [
    "a room says in a @module comment what it is",
  ]);
});

Deno.test("findCircles() finds import cycles", () => {
  const texts = new Map([
    ["base/a.ts", `import { b } from "./b.ts";`],
    ["base/b.ts", `import { c } from "./c.ts";`],
    ["base/c.ts", `import type { b } from "./b.ts";`],
  ]);
  assertEquals(findCircles(texts), [["base/b.ts", "base/c.ts", "base/b.ts"]]);
});

Deno.test("checkFile() rejects ambient time, randomness and network outside the allowed files", () => {
  assertEquals(problems("cache/store/a.ts", `const t = Date.now();`).length, 1);
  assertEquals(problems("cache/store/a.ts", `setTimeout(() => {}, 1);`).length, 1);
  assertEquals(problems("client/a.ts", `await fetch("x");`).length, 1);
  assertEquals(problems("base/clock.ts", `setTimeout(() => {}, performance.now());`), []);
});

Deno.test("checkFile() ignores comments and methods", () => {
  assertEquals(
    problems("cache/store/a.ts", `// Date.now() is not used\nthis.fetch(x); /* fetch( */`),
    [],
  );
});

Deno.test("checkFile() reports the line", () => {
  assertEquals(checkFile("cache/store/a.ts", "\n\nMath.random();").map((v) => v.line), [3]);
});
