import { assertEquals } from "@std/assert";
import { callingPlace, lineIn, placeIn } from "../../../src/testing/simulation/record/mod.ts";

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

Deno.test("lineIn() reads the stacks of V8 and of JavaScriptCore", () => {
  const own = new URL("../../../src/client/client.ts", import.meta.url).href;
  const v8 = `Error
    at CallLines.note (${own}:12:3)
    at Client.get (file:///app/node_modules/@kubeloop/controller/client.js:1:2)
    at Proxy.list (https://jsr.io/@kubeloop/controller/0.1.0/src/client/client.ts:1:2)
    at Object.reconcile (file:///app/operator.ts:40:21)
    at file:///app/main.ts:3:4`;
  assertEquals(lineIn(v8), "/app/operator.ts:40:21");
  assertEquals(lineIn("Error\n    at file:///app/main.ts:3:4"), "/app/main.ts:3:4");
  assertEquals(lineIn("Error\n    at f (C:\\app\\main.ts:3:4)"), "C:\\app\\main.ts:3:4");
  assertEquals(
    lineIn("note@/app/node_modules/@kubeloop/a.js:1:2\nrun@/app/b.js:3:4\n"),
    "/app/b.js:3:4",
  );
});

Deno.test("lineIn() does not take code that waits, or code of a runtime, for the caller", () => {
  assertEquals(lineIn("Error\n    at async main (file:///app/main.ts:3:4)"), undefined);
  assertEquals(lineIn("Error\n    at node:internal/timers:594:17"), undefined);
  assertEquals(lineIn("Error\n    at ext:core/01_core.js:1:2\n    at <anonymous>"), undefined);
  assertEquals(lineIn(""), undefined);
});
