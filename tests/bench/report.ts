/**
 * The report of the bench: a table for each case.
 *
 * @module
 */

import type { Figure } from "./cases/case.ts";
import type { BenchResult, CaseResult, ClientResult } from "./results.ts";
import { median, summarize } from "./stats.ts";
import type { Verdict } from "./targets.ts";

/** The client that others are compared with. */
const FLOOR = "floor";

/** Describes the machine and the versions. */
export function headline({ facts, pods }: BenchResult): string {
  const versions = Object.entries(facts.versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${facts.date}, ${facts.cores} cores of ${facts.cpu}, ${facts.memoryGiB} GiB, ${facts.os}`,
    versions.join(", "),
    `Pods of ${pods.bytes} B in the mean, keys in ${pods.keyOrder} order`,
    "Medians, with the least and the most of all runs; × is the ratio to the floor on the same runtime",
  ].join("\n");
}

/** Returns the table of one case. */
export function table(result: CaseResult): string {
  const figures = result.figures.filter(({ name }) => isMeasured(result, name));
  const [first] = figures;
  if (first === undefined) return [`## ${result.title}`, ...failures(result)].join("\n\n");
  const hasFloor = result.results.some(({ client }) => client === FLOOR);
  const header = [
    "client",
    "runtime",
    heading(first),
    ...(hasFloor ? ["× floor"] : []),
    ...figures.slice(1).map(heading),
  ];
  const rows = result.results.filter(({ runs }) => runs.length > 0).map((one) => [
    one.client,
    one.runtime,
    cell(one, first),
    ...(hasFloor ? [ratio(result, one, first)] : []),
    ...figures.slice(1).map((figure) => cell(one, figure)),
  ]);
  return [`## ${result.title}`, markdown([header, ...rows]), ...failures(result)].join("\n\n");
}

/** Formats a number with its significant digits. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

function isMeasured({ results }: CaseResult, figure: string): boolean {
  return results.some(({ runs }) => runs.some((run) => run[figure] !== undefined));
}

function heading({ title, unit }: Figure): string {
  return unit === "" ? title : `${title}, ${unit}`;
}

function valuesOf({ runs }: ClientResult, { name }: Figure): number[] {
  return runs.flatMap((run) => run[name] ?? []);
}

function cell(result: ClientResult, figure: Figure): string {
  const values = valuesOf(result, figure);
  if (values.length === 0) return "–";
  const { median, min, max } = summarize(values);
  return values.length === 1 ? number(median) : `${number(median)} (${number(min)}–${number(max)})`;
}

function ratio({ results }: CaseResult, one: ClientResult, figure: Figure): string {
  const floor = results.find(({ client, runtime }) => client === FLOOR && runtime === one.runtime);
  if (floor === undefined || floor.runs.length === 0) return "";
  return (median(valuesOf(one, figure)) / median(valuesOf(floor, figure))).toFixed(2);
}

function failures({ results }: CaseResult): string[] {
  const lines = results.flatMap(({ client, runtime, failures }) =>
    failures.slice(0, 1).map((why) => `${client} on ${runtime} failed: ${why}`)
  );
  return lines.length === 0 ? [] : [lines.join("\n")];
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
