/**
 * Simulation: finds the bugs of a controller before its cluster does.
 *
 * @module
 */

export { type Budget, type ExploreOptions, Simulation, simulation } from "./simulation.ts";
export { seeReport, type SeeReportOptions } from "./see_report.ts";
export { campaign, type CampaignOptions } from "./campaign/mod.ts";
export {
  assertClean,
  type Compared,
  Coverage,
  type FaultCounts,
  Finding,
  type FindingJson,
  type FindingParts,
  type PlanResult,
  Report,
  type ReportEnd,
  type ReportJson,
  type StoryKind,
  type StoryLine,
} from "./report/mod.ts";
export {
  assertCost,
  Cost,
  type CostBound,
  type CostBounds,
  type CostJson,
  type CostMeasure,
  type CostOptions,
  type CostOrder,
  type CostPart,
  type CostPhase,
  type CostSteps,
  type FitTerm,
  type Growth,
  type MeasuredCost,
  type PhaseCost,
} from "./cost/mod.ts";
export { exploreInWorkers, type ExploreInWorkersOptions } from "./workers.ts";
export {
  act,
  bad,
  type CampaignScope,
  create,
  patch,
  patchStatus,
  type Plan,
  type PlanFault,
  type PropertyChange,
  remove,
  type ReplayedCause,
  type ReplayedStory,
  type Scene,
  settle,
  type Step,
  type StepScene,
  type StepTarget,
  type ThirdPartyEdit,
  upgrade,
  type UpgradeOptions,
  wait,
  workloadOf,
  type WorkloadOfOptions,
} from "./plans/mod.ts";
export {
  type DeletionDifference,
  type OperatorCommand,
  type OwnershipDifference,
  type RefusalDifference,
  Rehearsal,
  type RehearsalParts,
  type RehearsalTable,
  type RehearsalWorld,
  rehearse,
  type RehearsedOperator,
  type RehearseOptions,
  type RequestCount,
  type Restart,
  type RestartField,
  type RunDifferences,
  type WriteDifference,
} from "./rehearse/mod.ts";
export { defaultingWebhook, gitOps, hpa, kubectlEdit } from "./world/mod.ts";
export type {
  Cloud,
  CloudEnv,
  Invariant,
  Neighbour,
  NeighbourEnv,
  Process,
  ProcessEnv,
  RunLimits,
  SimulationOptions,
  World,
} from "./world/mod.ts";
export type { SeePage } from "@kubeloop/controller/internal/see";
export type { ChangedState, Oracle, RunRecord, Tolerance, Wrong } from "./judge/mod.ts";
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
export type {
  EndState,
  Happening,
  History,
  Moment,
  SentWrite,
  Wanted,
  Without,
  WriteBy,
} from "./record/mod.ts";
