import {
  type Cause,
  causeOfBytes,
  causeOfCache,
  causeOfReconciles,
  causeOfRequests,
  type PhaseRecord,
} from "./causes.ts";
import type { CostJson, CostPart, Growth, MeasuredCost, PhaseCost } from "./cost_data.ts";
import { combine, type Fit, fit, formula } from "./fit.ts";
import { type CostMeasure, type CostPhase, MEASURES, PHASES } from "./phases.ts";
import { costTable } from "./report.ts";
import type { RunTallies } from "./cost_run.ts";
import type { CallLines } from "./call_lines.ts";
import type { Tally } from "./tally.ts";

/**
 * The cost of the processes of a simulation by the number of objects: requests, bytes, reconciles and memory.
 * {@linkcode Simulation.cost} measures it.
 */
export class Cost {
  /** The name of the simulation, if it has one. */
  readonly simulation: string | undefined;
  /** The numbers of objects. */
  readonly sizes: readonly number[];
  /** The phases that were run. */
  readonly phases: { readonly [P in CostPhase]?: PhaseCost };

  /** Creates the result of a measurement. */
  constructor({ phases, simulation, sizes }: CostJson) {
    this.simulation = simulation;
    this.sizes = sizes;
    this.phases = phases;
  }

  /** Returns a table of the phases, and the causes of what grows. */
  toString(): string {
    return costTable(this);
  }

  /** Returns the cost as data. Apart from the lines, it is the same on every runtime. */
  toJSON(): CostJson {
    const { phases, simulation, sizes } = this;
    return { ...(simulation !== undefined && { simulation }), sizes, phases };
  }
}

/** Makes a cost of the counts of runs with several sizes. */
export function costOf(
  simulation: string | undefined,
  sizes: readonly number[],
  runs: readonly RunTallies[],
  lines: CallLines,
): Cost {
  const phases: Partial<Record<CostPhase, PhaseCost>> = {};
  for (const phase of PHASES) {
    const tallies = runs.flatMap((run) => run.get(phase) ?? []);
    if (tallies.length === 0) continue;
    const record = { sizes, tallies, lines };
    phases[phase] = Object.fromEntries(
      MEASURES.map((measure) => [measure, measured(measure, record)]),
    ) as PhaseCost;
  }
  return new Cost({ simulation, sizes, phases });
}

function measured(measure: CostMeasure, record: PhaseRecord): MeasuredCost {
  const { sizes } = record;
  const counts = record.tallies.map((tally) => partsOf(measure, tally));
  const names = new Set(counts.flatMap((parts) => [...parts.keys()]));
  const parts = [...names].map((what) => ({
    what,
    ...growth(sizes, counts.map((parts) => parts.get(what) ?? 0)),
    ...described(causeOf(measure, what, record)),
  }));
  parts.sort((a, b) => b.counts.at(-1)! - a.counts.at(-1)! || (a.what < b.what ? -1 : 1));
  const sums = counts.map((parts) => [...parts.values()].reduce((sum, count) => sum + count, 0));
  const whole = parts.length === 0 ? undefined : combine(parts);
  return { ...growth(sizes, sums, whole), parts };
}

function partsOf(measure: CostMeasure, tally: Tally): ReadonlyMap<string, number> {
  if (measure === "reconciles") return tally.reconciles;
  const out = new Map<string, number>();
  if (measure === "cache") {
    for (const [what, { bytes }] of tally.caches) out.set(what, bytes);
    return out;
  }
  for (const [kind, counts] of tally.kinds) {
    if (measure === "writes" && !counts.isWrite) continue;
    const count = counts[measure === "writes" ? "requests" : measure];
    if (count > 0) out.set(kind, count);
  }
  return out;
}

function causeOf(measure: CostMeasure, what: string, record: PhaseRecord): Cause {
  switch (measure) {
    case "requests":
    case "writes":
      return causeOfRequests(what, record);
    case "sent":
    case "received":
      return causeOfBytes(what, measure, record);
    case "reconciles":
      return causeOfReconciles(what, record);
    case "cache":
      return causeOfCache(what, record);
  }
}

function described({ handler, line, text }: Cause): Pick<CostPart, "cause" | "line" | "handler"> {
  return {
    cause: text,
    ...(line !== undefined && { line }),
    ...(handler !== undefined && { handler }),
  };
}

function growth(
  sizes: readonly number[],
  counts: readonly number[],
  fitted: Fit = fit(sizes, counts),
): Growth {
  return { counts, ...fitted, formula: formula(fitted, sizes.at(-1)!) };
}
