import { list } from "./causes.ts";
import type { CostJson, CostPart, MeasuredCost } from "./cost_data.ts";
import { type CostOrder, ORDERS } from "./fit.ts";
import { type CostMeasure, type CostPhase, MEASURES, PHASES } from "./phases.ts";

/** The parts of a measure that are named, at most. */
const MAX_PARTS = 3;

/** Returns a cost as a table, with the causes of what grows. */
export function costTable({ phases, simulation, sizes }: CostJson): string {
  const rows = [["phase", "measure", ...sizes.map((size) => `n = ${size}`), "order", "formula"]];
  const causes: string[] = [];
  for (const phase of PHASES) {
    const measures = phases[phase];
    if (measures === undefined) continue;
    for (const measure of MEASURES) {
      const measured = measures[measure];
      if (measured.counts.every((count) => count === 0)) continue;
      const counts = measured.counts.map((count) => list([count]));
      rows.push([phase, measure, ...counts, measured.order, measured.formula]);
      if (!isSurprising(phase, measure, measured)) continue;
      causes.push("", `${phase}: ${measure} ${measured.order}`, ...partLines(growing(measured)));
    }
  }
  const title = `${simulation === undefined ? "" : `${simulation}: `}cost of ${
    list(sizes)
  } objects`;
  return [title, "", ...aligned(rows), ...causes].join("\n");
}

/** Returns the parts of a measure as lines: the counts, the cause and the lines of the code. */
export function partLines(parts: readonly CostPart[]): string[] {
  return parts.slice(0, MAX_PARTS).flatMap(({ cause, counts, formula, handler, line, what }) => [
    `  ${what}: ${list(counts)} (${formula})`,
    `    Cause: ${cause}`,
    ...(line === undefined ? [] : [`    Line: ${line}`]),
    ...(handler === undefined ? [] : [`    Handler: ${handler}`]),
  ]);
}

/** Returns the parts of a measure that grow as fast as the whole; all parts if none does. */
export function growing({ order, parts }: MeasuredCost): readonly CostPart[] {
  const fast = parts.filter((part) => ORDERS.indexOf(part.order) >= ORDERS.indexOf(order));
  return fast.length > 0 ? fast : parts;
}

/** Reports whether a measure grows faster than what the phase itself does. */
function isSurprising(phase: CostPhase, measure: CostMeasure, { order }: MeasuredCost): boolean {
  return ORDERS.indexOf(order) > ORDERS.indexOf(natural(phase, measure));
}

/** Returns how a measure of a good controller grows. */
function natural(phase: CostPhase, measure: CostMeasure): CostOrder {
  // The memory is the same in each phase, and its cause is shown once.
  if (measure === "cache") return phase === "start" ? "O(1)" : "O(n²)";
  if (phase === "start" || phase === "shared") return "O(n)";
  const reads = measure === "received" || measure === "reconciles";
  return phase === "restart" && reads ? "O(n)" : "O(1)";
}

/** Returns rows with columns of equal width: words to the left, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const last = widths.length - 2;
  return rows.map((row) =>
    row.map((cell, i) => i < 2 || i >= last ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))
      .join("  ").trimEnd()
  );
}
