/**
 * The report of the bench: tables for each case.
 *
 * @module
 */

import type { Figure } from "./cases/case.ts";
import {
  type BenchResult,
  type CaseResult,
  type ClientResult,
  label,
  valuesOf,
} from "./results.ts";
import { type Spread, spread } from "./stats.ts";
import type { Verdict } from "./targets.ts";

/** Describes the machine and the versions. */
export function headline({ facts, pods }: BenchResult): string {
  const versions = Object.entries(facts.versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${facts.date}, ${facts.cores} cores of ${facts.cpu}, ${facts.memoryGiB} GiB, ${facts.os}`,
    versions.join(", "),
    `Pods of ${pods.bytes} B in the mean, keys in ${pods.keyOrder} order`,
    "Medians; × is the median of the ratios of each round to the floor on the same runtime, with their quartiles",
  ].join("\n");
}

/** Returns the tables of one case. */
export function tables(result: CaseResult): string {
  const { title, results } = result;
  const measured = result.figures.filter(({ name }) =>
    results.some((one) => valuesOf(one, name).some(Number.isFinite))
  );
  const groups = Map.groupBy(measured, ({ table = title }) => table);
  const parts = [...groups].map(([title, figures]) => `## ${title}\n\n${table(results, figures)}`);
  const failed = results.filter(({ failures }) => failures.length > 0).map((one) =>
    `${label(one.client)} on ${one.runtime} failed: ${one.failures[0]}`
  );
  return [...parts.length > 0 ? parts : [`## ${title}`], ...failed].join("\n\n");
}

function table(results: readonly ClientResult[], figures: readonly Figure[]): string {
  const columns = figures.flatMap(({ name, title, unit, isCompared = false }) => {
    const heading = unit === "" ? title : `${title}, ${unit}`;
    const value = (one: ClientResult) => number(spread(valuesOf(one, name)).median);
    const ratio = (one: ClientResult) => {
      const found = one.ratios[name];
      return found === undefined ? "" : withQuartiles(found);
    };
    return [{ heading, cell: value }, ...isCompared ? [{ heading: "× floor", cell: ratio }] : []];
  });
  const rows = results.map((one) => ({
    names: [label(one.client), one.runtime],
    cells: columns.map(({ cell }) => cell(one)),
  })).filter(({ cells }) => cells.some((cell) => cell !== "–" && cell !== ""));
  return markdown([
    ["client", "runtime", ...columns.map(({ heading }) => heading)],
    ...rows.map(({ names, cells }) => [...names, ...cells]),
  ]);
}

/** Formats a ratio: "0.55 (0.54–0.57)". */
export function withQuartiles({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

/** Formats a number with its significant digits. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** Formats a Markdown table with aligned columns, so that the text itself is readable. */
function markdown(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  const [header = [], ...body] = rows;
  return [line(header), rule, ...body.map(line)].join("\n");
}

/** Returns the table of the targets and whether this run reaches them. */
export function verdictTable(verdicts: readonly Verdict[]): string {
  const measured = verdicts.filter(({ isReached }) => isReached !== undefined);
  const missing = verdicts.length - measured.length;
  const rows = measured.map(({ what, runtime, value, limit, isReached }) => [
    what,
    runtime,
    number(value),
    limit,
    isReached ? "reached" : "NOT reached",
  ]);
  const table = markdown([["target", "runtime", "median", "wanted", ""], ...rows]);
  return missing === 0
    ? table
    : `${table}\n\nNot measured in this run: ${missing} of ${verdicts.length}`;
}
