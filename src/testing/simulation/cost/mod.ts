/**
 * The cost of a controller as a function of the number of objects: meters on its wire, and fits of what they count.
 *
 * @module
 */

export { assertCost, type CostBound, type CostBounds } from "./assert_cost.ts";
export { Cost } from "./cost.ts";
export type { CostJson, CostPart, Growth, MeasuredCost, PhaseCost } from "./cost_data.ts";
export type { CostOrder, FitTerm } from "./fit.ts";
export { measureCost } from "./measure_cost.ts";
export type { CostOptions, CostSteps } from "./options.ts";
export type { CostMeasure, CostPhase } from "./phases.ts";
