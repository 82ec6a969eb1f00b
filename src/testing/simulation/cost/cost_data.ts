import type { CostOrder, FitTerm } from "./fit.ts";
import type { CostMeasure, CostPhase } from "./phases.ts";

/** Counts by the number of objects, and the function that describes them. */
export interface Growth {
  /** The counts, in the order of the sizes. */
  readonly counts: readonly number[];
  /** The order of the fastest growing term. */
  readonly order: CostOrder;
  /** The fitted terms, the slowest growing one first. */
  readonly terms: readonly FitTerm[];
  /** The fitted function: `12 + 3 n`. */
  readonly formula: string;
}

/** A part of a measure. */
export interface CostPart extends Growth {
  /** The kind of requests, as in `get pods`; or the controller, or the objects of a cache. */
  readonly what: string;
  /** The cause in words. */
  readonly cause: string;
  /**
   * The line of the user's code that first sends the requests, or makes the watch: `/app/operator.ts:12:30`. Undefined if
   * no stack leads to it.
   */
  readonly line?: string | undefined;
  /**
   * The line of the user's code that first adds the keys to the queue, or else makes the watch whose events add them.
   * Undefined if no stack leads to it.
   */
  readonly handler?: string | undefined;
}

/** A measure of a phase, and its parts. */
export interface MeasuredCost extends Growth {
  /** The parts, the largest one first. */
  readonly parts: readonly CostPart[];
}

/** The measures of a phase. */
export type PhaseCost = { readonly [M in CostMeasure]: MeasuredCost };

/** A cost as data. */
export interface CostJson {
  /** The name of the simulation. */
  readonly simulation?: string | undefined;
  /** The numbers of objects. */
  readonly sizes: readonly number[];
  /** The phases that were run. */
  readonly phases: { readonly [P in CostPhase]?: PhaseCost };
}
