/**
 * Conditions of webhooks and policies: compilation and evaluation within a budget.
 *
 * An `AdmissionPolicy` and the variables of a request enter; denials leave.
 *
 * @module
 */

export {
  compileCondition,
  type Condition,
  type Match,
  matchConditions,
  noSuchVariable,
} from "./condition.ts";
export { AdmissionPolicy, type PolicyDenial } from "./policy.ts";
export type { AdmissionScope } from "./variables.ts";
