/**
 * Prints the table of the page about scale that says what a Manager needs: `sizing_table.ts RUN.json`.
 *
 * @module
 */

import { findCase } from "./cases/mod.ts";
import { type BenchResult, find, valuesOf } from "./results.ts";
import { spread } from "./stats.ts";

const RUNTIMES = [["deno", "Deno"], ["node", "Node 24"], ["bun", "Bun"]] as const;
const ENCODINGS = [
  ["kubeloop-manager", "JSON"],
  ["kubeloop-manager-protobuf", "protobuf"],
] as const;
/** The columns of runtime and encoding. */
const CONTESTANTS = RUNTIMES.flatMap(([runtime, title]) =>
  ENCODINGS.map(([client, encoding]) => ({ runtime, title, client, encoding }))
);
/** A limit is the highest peak and a quarter of it, rounded up to this number of Mi. */
const STEP_MI = 32;

/** Returns the table of a run: a row for each number of objects, runtime and encoding. */
export function sizingTable(run: BenchResult): string {
  const cases = run.cases.filter(({ name }) => name.startsWith("sizing-"))
    .toSorted((a, b) => a.size.pods - b.size.pods);
  const rates = (cases[0]?.figures ?? []).map(({ name }) => name)
    .filter((name) => name.startsWith("cpuAt"));
  const rows = cases.flatMap(({ name, size, results }) =>
    CONTESTANTS.flatMap(({ runtime, title, client, encoding }) => {
      const result = find(results, client, runtime);
      if (result === undefined) return [];
      const median = (figure: string) => spread(valuesOf(result, figure)).median;
      const peak = Math.max(...valuesOf(result, "peakMiB"));
      return [[
        size.pods.toLocaleString("en"),
        title,
        encoding,
        `${Math.round(median("peakMiB"))}`,
        `${Math.ceil(peak * 1.25 / STEP_MI) * STEP_MI}Mi`,
        runtime === "bun" ? "" : `${findCase(name).heapMiB}`,
        `${(median("startMs") / 1000).toFixed(1)}`,
        ...rates.map((rate) => `${Math.ceil(median(rate))}m`),
      ]];
    })
  );
  const header = [
    "objects",
    "runtime",
    "encoding",
    "peak, MiB",
    "memory limit",
    "`--max-old-space-size`",
    "CPU of the start, s",
    ...rates.map((rate) => `CPU at ${Number(rate.slice(5)).toLocaleString("en")} events/s`),
  ];
  return [header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join(
    "",
  );
}

if (import.meta.main) {
  const [file = "docs/sizing.json"] = Deno.args;
  console.log(sizingTable(JSON.parse(await Deno.readTextFile(file))));
}
