import { assertEquals, assertThrows } from "@std/assert";
import { madeUpRun } from "./_made_up_run.ts";
import { tables } from "./report.ts";
import { merge, withRatios } from "./results.ts";

Deno.test("withRatios() takes the ratio round by round, and leaves out rounds that failed", () => {
  const [, ours] = withRatios([{ name: "ms", title: "", unit: "", isCompared: true }], [
    { client: "floor", runtime: "deno", runs: [{ ms: 10 }, {}, { ms: 40 }], failures: ["why"] },
    { client: "a", runtime: "deno", runs: [{ ms: 5 }, { ms: 5 }, { ms: 40 }], failures: [] },
  ]);
  assertEquals(ours?.ratios, { ms: { median: 0.75, low: 0.625, high: 0.875, count: 2 } });
});

Deno.test("withRatios() has no ratios to the floor of another runtime", () => {
  const figures = [{ name: "ms", title: "", unit: "", isCompared: true }];
  const results = withRatios(figures, [
    { client: "floor", runtime: "deno", runs: [{ ms: 10 }], failures: [] },
    { client: "a", runtime: "bun", runs: [{ ms: 5 }], failures: [] },
  ]);
  assertEquals(results.map(({ ratios }) => ratios), [{}, {}]);
});

Deno.test("merge() replaces the cases that were measured again", () => {
  const [flood, again, sync] = [
    madeUpRun("flood", { floor: { ms: 1 } }),
    madeUpRun("flood", { floor: { ms: 2 } }),
    madeUpRun("sync", { floor: { ms: 3 } }),
  ];
  const merged = merge(merge(flood, sync), again);
  assertEquals(merged.cases, [...sync.cases, ...again.cases]);
  const elsewhere = { ...again, facts: { ...again.facts, cpu: "C" } };
  assertThrows(() => merge(flood, elsewhere), Error, "C, 2");
});

Deno.test("tables() shows medians, ratios with their quartiles, and failures", () => {
  const { cases: [flood] } = madeUpRun("flood", {
    floor: { cpuUs: [40, 20, 30] },
    "kubeloop-objects": { cpuUs: [44, 22, 36] },
  });
  if (flood === undefined) throw new Error("There is no case");
  const [floor, ours] = flood.results;
  if (floor === undefined || ours === undefined) throw new Error("There are no results");
  const results = [floor, { ...ours, failures: ["because", "again"] }];
  assertEquals(tables({ ...flood, results }).split("\n"), [
    "## flood",
    "",
    "| client            | runtime | cpuUs, ms | × floor          |",
    "| ----------------- | ------- | --------- | ---------------- |",
    "| floor             | deno    | 30.0      |                  |",
    "| kubeloop, objects | deno    | 36.0      | 1.10 (1.10–1.15) |",
    "",
    "kubeloop, objects on deno failed: because",
  ]);
});
