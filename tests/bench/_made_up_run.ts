import { type BenchResult, withRatios } from "./results.ts";

/** The values of each figure: one for every round, or the same for all rounds. */
type MadeUp = Readonly<Record<string, number | readonly number[]>>;

/** Returns the result of a run of one case, with these measurements of clients on a runtime. */
export function madeUpRun(
  name: string,
  measured: Readonly<Record<string, MadeUp>>,
  runtime = "deno",
): BenchResult {
  const named = Object.keys(Object.values(measured)[0] ?? {});
  const figures = named.map((name) => ({ name, title: name, unit: "ms", isCompared: true }));
  const rounds = Math.max(...Object.values(measured).flatMap(Object.values).map(lengthOf));
  const results = Object.entries(measured).map(([client, ofClient]) => ({
    client,
    runtime: client.startsWith("client-go") ? "go" : runtime,
    runs: Array.from(
      { length: rounds },
      (_, round) =>
        Object.fromEntries(
          Object.entries(ofClient).map(([figure, values]) => [figure, at(values, round)]),
        ),
    ),
    failures: [],
  }));
  return {
    facts: { date: "2026-01-02", cpu: "A & B", cores: 2, memoryGiB: 4, os: "Linux", versions: {} },
    pods: { bytes: 3800, keyOrder: "typed" },
    cases: [{
      name,
      title: name,
      size: { pods: 1, count: 1 },
      figures,
      results: withRatios(figures, results),
    }],
  };
}

function lengthOf(values: number | readonly number[]): number {
  return typeof values === "number" ? 1 : values.length;
}

function at(values: number | readonly number[], round: number): number {
  return typeof values === "number" ? values : values[round] ?? NaN;
}
