/**
 * Simulation: finds the bugs of a controller before its cluster does.
 *
 * @module
 */

export { type Budget, type ExploreOptions, Simulation, simulation } from "./simulation.ts";
export type { StoryKind, StoryLine } from "./story_lines.ts";
export { exploreInWorkers, type ExploreInWorkersOptions } from "./workers.ts";
export { act, bad, create, patch, patchStatus, remove, settle, type Step, wait } from "./steps.ts";
export {
  type ReplayedCause,
  type ReplayedStory,
  workloadOf,
  type WorkloadOfOptions,
} from "./workload_of.ts";
export * from "./options.ts";
export type { Scene, StepScene } from "./scene.ts";
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
export type { StepTarget } from "./steps.ts";
export type { Actors, StartActorsOptions } from "../actors/mod.ts";
export type { ApiServer } from "../api_server/mod.ts";
export type { Clock, Logger, Random } from "@kubeloop/controller/internal/base";
export type { Client } from "@kubeloop/controller/client";
export type {
  ApplyConfiguration,
  CustomResourceDefinition,
  KubeObject,
  Resource,
  ResourceDescriptor,
} from "@kubeloop/controller/types";
export type { EndState } from "./end_state.ts";
export type { Happening, History, Moment, SentWrite, Without } from "./history.ts";
export type { Wanted } from "./journal.ts";
export type { Tolerance } from "./tolerance.ts";
