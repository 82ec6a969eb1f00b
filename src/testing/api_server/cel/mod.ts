/**
 * The Common Expression Language, as Kubernetes uses it: expressions with its functions, their types and costs, and the
 * validation rules of custom resources.
 *
 * Values of requests enter as JSON with their structural schema; errors leave with the texts of the real server. Imports
 * `values` and `schema`.
 *
 * @module
 */

export {
  compileCondition,
  type Condition,
  type Match,
  matchConditions,
  noSuchVariable,
} from "./admission/condition.ts";
export { AdmissionPolicy, type PolicyDenial } from "./admission/policy.ts";
export type { AdmissionScope } from "./admission/variables.ts";
export { checkDeviceSelector, type SelectorProblem } from "./device_selector.ts";
export type { Variables } from "./checker.ts";
export { type Compilation, compileExpression } from "./compile.ts";
export { type Activation, CostError, type Outcome, Program } from "./evaluator.ts";
export {
  type AccessCheck,
  type AccessQuestion,
  authorizerValue,
  resourceAuthorizerValue,
} from "./functions/authorizer.ts";
export { checkRuleForms, checkRules } from "./rules/check_rules.ts";
export { evaluateRules, type RuleFindings } from "./rules/rule_validator.ts";
export { isIdentifier } from "./syntax/identifier.ts";
export type { CelType } from "./types/type.ts";
export { jsonValue } from "./values/json_value.ts";
export type { Value } from "./values/value.ts";
