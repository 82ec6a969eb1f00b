import { assertEquals, assertStringIncludes } from "@std/assert";
import { madeUpRun } from "./_made_up_run.ts";
import type { BenchResult } from "./results.ts";
import { sizingTable } from "./sizing_table.ts";

const DOCS = new URL("../../docs/", import.meta.url);

function run(): BenchResult {
  const of = (name: string, pods: number, peakMiB: readonly number[]) => {
    const { cases, ...run } = madeUpRun(name, {
      "kubeloop-manager": { peakMiB, startMs: 840, cpuAt10: 0.4, cpuAt1000: 71 },
    });
    return { ...run, cases: cases.map((one) => ({ ...one, size: { pods, count: 1 } })) };
  };
  const [many, few] = [of("sizing-10k", 10_000, [150, 160, 180]), of("sizing-1k", 1_000, [80])];
  return { ...many, cases: [...many.cases, ...few.cases, ...madeUpRun("sync", {}).cases] };
}

Deno.test("sizingTable() has a row for each number of objects, and a limit above the highest peak", () => {
  const [header = [], , ...rows] = sizingTable(run()).trimEnd().split("\n").map((line) =>
    line.slice(2, -2).split(" | ")
  );
  assertEquals(header.slice(-2), ["CPU at 10 events/s", "CPU at 1,000 events/s"]);
  assertEquals(rows, [
    ["1,000", "Deno", "JSON", "80", "128Mi", "128", "0.8", "1m", "71m"],
    ["10,000", "Deno", "JSON", "160", "256Mi", "256", "0.8", "1m", "71m"],
  ]);
});

Deno.test("the page about scale has the table of docs/sizing.json", async () => {
  const withoutPadding = (text: string) => text.replace(/ +|-{2,}/g, " ");
  const kept = JSON.parse(await Deno.readTextFile(new URL("sizing.json", DOCS)));
  const page = await Deno.readTextFile(new URL("scale.md", DOCS));
  assertStringIncludes(withoutPadding(page), withoutPadding(sizingTable(kept)));
});
