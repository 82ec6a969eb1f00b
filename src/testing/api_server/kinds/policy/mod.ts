/**
 * PodDisruptionBudgets.
 *
 * @module
 */

export { POD_DISRUPTION_BUDGET } from "./pod_disruption_budget.ts";
