import { assertEquals } from "@std/assert";
import { callingPlace, placeIn } from "../../../src/testing/simulation/record/mod.ts";

const stack = (...lines: readonly string[]) =>
  ["Error: x", ...lines.map((line) => `    at ${line}`)].join("\n");

Deno.test("placeIn() names the first three frames of the program, relative to its folder", () => {
  const frames = stack(
    "Client.patch (file:///app/node_modules/@kubeloop/controller/chunks/a.js:1:2)",
    "Object.fetch (node:internal/x:1:2)",
    "ext:core/01_core.js:4:5",
    "Sync.store (file:///app/src/sync%20it.ts:12:5)",
    "Sync.store (file:///app/src/sync%20it.ts:12:9)",
    "async Object.reconcile (file:///app/src/main.ts:40:7)",
    "async Promise.all (index 0)",
    "new Program (/app/src/program.ts:3:1)",
    "late (file:///app/src/late.ts:1:1)",
  );
  assertEquals(
    placeIn(frames, "/app"),
    "src/sync it.ts:12 (Sync.store), from src/main.ts:40 (reconcile), from src/program.ts:3 (Program)",
  );
});

Deno.test("placeIn() reads the stacks of Bun, and shows no path of a machine", () => {
  const frames = stack(
    "reconcile (/home/me/app/src/main.ts:40:7)",
    "<anonymous> (/home/me/b.ts:1:1)",
  );
  assertEquals(placeIn(frames, "/home/me/app"), "src/main.ts:40 (reconcile), from me/b.ts:1");
  assertEquals(placeIn(frames, undefined), "src/main.ts:40 (reconcile), from me/b.ts:1");
  assertEquals(placeIn(stack("https://example.com/a.ts:1:2"), "/"), "https://example.com/a.ts:1");
});

Deno.test("placeIn() returns undefined if no frame is of the program", () => {
  for (
    const text of ["", "Error", stack(), stack("native", "f (native)", "eval:1:1", "f (a:1:1")]
  ) {
    assertEquals(placeIn(text, "/"), undefined, text);
  }
});

Deno.test("callingPlace() names this line", () => {
  assertEquals(/\.[jt]s:\d+/.test(callingPlace() ?? ""), true);
});
