import { assertEquals } from "@std/assert";
import { madeUpRun } from "./_made_up_run.ts";
import type { BenchResult } from "./results.ts";
import { sizingTable } from "./sizing_table.ts";

function run(): BenchResult {
  const of = (pods: number, peakMiB: readonly number[]) => {
    const { cases, ...run } = madeUpRun(`sizing-${pods}`, {
      "kubeloop-manager": { peakMiB, startMs: 840, cpuAt10: 0.4, cpuAt1000: 71 },
    });
    return { ...run, cases: cases.map((one) => ({ ...one, size: { pods, count: 1 } })) };
  };
  const [many, few] = [of(10_000, [150, 160, 180]), of(1_000, [80])];
  return { ...many, cases: [...many.cases, ...few.cases, ...madeUpRun("sync", {}).cases] };
}

Deno.test("sizingTable() has a row for each number of objects, and a limit above the highest peak", () => {
  const [header = [], , ...rows] = sizingTable(run()).trimEnd().split("\n").map((line) =>
    line.slice(2, -2).split(" | ")
  );
  assertEquals(header.slice(-2), ["CPU at 10 events/s", "CPU at 1,000 events/s"]);
  assertEquals(rows, [
    ["1,000", "Deno", "80", "128Mi", "0.8", "1m", "71m"],
    ["10,000", "Deno", "160", "256Mi", "0.8", "1m", "71m"],
  ]);
});
