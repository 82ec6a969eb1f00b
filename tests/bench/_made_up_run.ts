import type { Measured } from "./cases/case.ts";
import type { BenchResult } from "./results.ts";

/** Returns the result of a run of one case, with these measurements of clients on Deno. */
export function madeUpRun(name: string, measured: Readonly<Record<string, Measured>>): BenchResult {
  const figures = Object.keys(Object.values(measured)[0] ?? {});
  return {
    facts: { date: "2026-01-02", cpu: "A & B", cores: 2, memoryGiB: 4, os: "Linux", versions: {} },
    pods: { bytes: 3800, keyOrder: "typed" },
    cases: [{
      name,
      title: name,
      size: { pods: 1, count: 1 },
      figures: figures.map((figure) => ({ name: figure, title: figure, unit: "ms" })),
      results: Object.entries(measured).map(([client, figuresOfClient]) => ({
        client,
        runtime: client.startsWith("client-go") ? "go" : "deno",
        runs: [figuresOfClient],
        failures: [],
      })),
    }],
  };
}
