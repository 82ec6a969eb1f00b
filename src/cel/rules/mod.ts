/**
 * Validation rules of custom resources: their checks, estimated costs and evaluation.
 *
 * A structural schema and objects enter; field errors leave.
 *
 * @module
 */

export { checkRuleForms, checkRules } from "./check_rules.ts";
export { evaluateObject } from "./evaluate_object.ts";
export { evaluateRules, type RuleFindings } from "./rule_validator.ts";
export { checkDeviceSelector, type SelectorProblem } from "./device_selector.ts";
