/**
 * Plans: the steps of a workload, the faults that a run can have, and which of them are worth a run.
 *
 * @module
 */

export { deriveClasses, type FaultClass, namesOf, type Points, pointsOf } from "./derive.ts";
export { changePlans } from "./change_plans.ts";
export { FaultBook } from "./fault_book.ts";
export { describeFault, type Plan, readPlan } from "./plan.ts";
export type { PlanFault, ThirdPartyEdit } from "./plan_fault.ts";
export { misfitsOf } from "./misfits.ts";
export { DETOURS, pairPlans, singlePlans } from "./plans_in_order.ts";
export { plansToRecoverFrom, recoveryPlans } from "./recovery_plans.ts";
export { describeSet, type PropertyChange, withChanges } from "./property_change.ts";
export { setWishes } from "./set_wishes.ts";
export { shrink } from "./shrink.ts";
export {
  act,
  bad,
  callOf,
  type CampaignScope,
  create,
  patch,
  patchStatus,
  remove,
  type Scene,
  settle,
  type Step,
  type StepScene,
  type StepTarget,
  upgrade,
  type UpgradeOptions,
  wait,
} from "./steps.ts";
export { undoStep } from "./undo.ts";
export {
  type ReplayedCause,
  type ReplayedStory,
  workloadOf,
  type WorkloadOfOptions,
} from "./workload_of.ts";
