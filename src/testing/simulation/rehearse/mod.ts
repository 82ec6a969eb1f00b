/**
 * Rehearsals: what the upgrade of an operator would do to a copy of a cluster.
 *
 * @module
 */

export type {
  DeletionDifference,
  OwnershipDifference,
  RefusalDifference,
  RequestCount,
  RunDifferences,
  WriteDifference,
} from "./compare_runs.ts";
export type { OperatorCommand, RehearsedOperator } from "./operators.ts";
export { Rehearsal, type RehearsalParts } from "./rehearsal.ts";
export type { RehearsalTable } from "./rehearsal_page.ts";
export { rehearse, type RehearseOptions } from "./rehearse.ts";
export type { Restart, RestartField } from "./restarts.ts";
export type { RehearsalWorld } from "./world_lines.ts";
