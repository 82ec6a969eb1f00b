/**
 * Simulation: finds the bugs of a controller before its cluster does.
 *
 * @module
 */

export { type Budget, type ExploreOptions, Simulation, simulation } from "./simulation.ts";
export type { StoryKind, StoryLine } from "./story_lines.ts";
export { exploreInWorkers, type ExploreInWorkersOptions } from "./workers.ts";
export { act, bad, create, patch, patchStatus, remove, settle, type Step, wait } from "./steps.ts";
export * from "./options.ts";
export type { Plan, PlanFault, ThirdPartyEdit } from "./plan.ts";
export type { Compared } from "./cause.ts";
export { Finding, type FindingJson, type FindingParts } from "./finding.ts";
export {
  assertClean,
  type FaultCounts,
  Report,
  type ReportEnd,
  type ReportJson,
} from "./report.ts";
export type { RunRecord } from "./run.ts";
export type { Oracle, Wrong } from "./verdict.ts";
