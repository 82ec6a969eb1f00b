/**
 * Conditions of webhooks and policies: compilation and evaluation within a budget.
 *
 * A policy and the variables of a request enter; denials and patches leave.
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
export type { CompiledPolicy } from "./compiled_policy.ts";
export { MutatingPolicy, type Mutation } from "./mutating_policy.ts";
export { type PolicyDenial, ValidatingPolicy } from "./validating_policy.ts";
export type { AdmissionScope } from "./variables.ts";
