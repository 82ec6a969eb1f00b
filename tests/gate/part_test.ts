import { assertEquals } from "@std/assert";
import { countOf, failureOf, failuresOf, type Part, startable, tableOf } from "./part.ts";

const part = (name: string, ...after: string[]): Part => ({ name, command: ["true"], after });
const names = (parts: readonly Part[]) => parts.map(({ name }) => name);

Deno.test("countOf() reads the last test run of an output", () => {
  const output = "ok | 1 passed | 0 failed (1s)\nFAILED | 11 passed (3 steps) | 2 failed (1s)\nbye";
  assertEquals(countOf(output, false), { passed: 11, failed: 2 });
});

Deno.test("countOf() counts a command without tests as one test", () => {
  assertEquals(countOf("built", true), { passed: 1, failed: 0 });
  assertEquals(countOf("broken", false), { passed: 0, failed: 1 });
});

Deno.test("countOf() counts a failure if only the exit code shows it", () => {
  assertEquals(countOf("ok | 3 passed | 0 failed (1s)\nleaked", false), { passed: 3, failed: 1 });
});

Deno.test("failureOf() starts at the first failure, or returns the last lines", () => {
  const passed = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  const failed = [" ERRORS ", "", "a test => a.ts:1:1"];
  assertEquals(failureOf([...passed, ...failed, ""].join("\n")), failed.join("\n"));
  assertEquals(failureOf([...passed, "FAILED: a test", "why"].join("\n")), "FAILED: a test\nwhy");
  assertEquals(failureOf(`${passed.join("\n")}\n`), passed.slice(40).join("\n"));
  assertEquals(failureOf(["FAILED: a", ...passed].join("\n")).split("\n").length, 60);
});

Deno.test("failuresOf() names the failed parts, with their output", () => {
  const result = { passed: 1, failed: 0, seconds: 1, cpuSeconds: 1 };
  const results = [{ ...result, name: "a" }, { ...result, name: "b", failed: 1, failure: "why" }];
  assertEquals(failuresOf(results), "== b failed:\nwhy\n\n");
});

Deno.test("startable() fills the free lanes in order", () => {
  const waiting = [part("a"), part("b"), part("c")];
  assertEquals(names(startable(waiting, [], 2)), ["a", "b"]);
  assertEquals(names(startable(waiting, [part("x")], 2)), ["a"]);
  assertEquals(names(startable(waiting, [part("x"), part("y")], 2)), []);
});

Deno.test("startable() holds a part back until its predecessors have ended", () => {
  const late = part("late", "early");
  assertEquals(names(startable([late, part("other")], [part("early")], 3)), ["other"]);
  assertEquals(names(startable([late, part("early")], [], 3)), ["early"]);
  assertEquals(names(startable([late], [], 3)), ["late"]);
});

Deno.test("startable() does not wait for a part that is not run", () => {
  assertEquals(names(startable([part("late", "not chosen")], [], 1)), ["late"]);
});

Deno.test("tableOf() ends with the sums", () => {
  const results = [
    { name: "quick", passed: 1, failed: 0, seconds: 4.4, cpuSeconds: 3 },
    { name: "slow", passed: 20, failed: 2, seconds: 125, cpuSeconds: 200 },
  ];
  assertEquals(
    tableOf(results, 126).split("\n").map((line) => line.trim().split(/\s+/)),
    [
      ["part", "time", "processors", "passed", "failed"],
      ["slow", "2:05", "3:20", "20", "2"],
      ["quick", "0:04", "0:03", "1", "0"],
      ["together", "2:06", "3:23", "21", "2"],
      [""],
      ["21", "passed,", "2", "failed"],
    ],
  );
});
