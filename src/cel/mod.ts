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
  type AdmissionScope,
  compileCondition,
  type CompiledPolicy,
  type Condition,
  matchConditions,
  MutatingPolicy,
  type Mutation,
  noSuchVariable,
  type PolicyDenial,
  ValidatingPolicy,
} from "./admission/mod.ts";
export {
  checkDeviceSelector,
  checkRuleForms,
  checkRules,
  evaluateObject,
  evaluateRules,
} from "./rules/mod.ts";
export {
  type Activation,
  compileExpression,
  type Outcome,
  Program,
  type Variables,
} from "./program/mod.ts";
export {
  type AccessCheck,
  type AccessQuestion,
  authorizerValue,
  resourceAuthorizerValue,
} from "./functions/mod.ts";
export { type Expr, isIdentifier, Issues, parse } from "./syntax/mod.ts";
export { type CelType, DYN } from "./types/mod.ts";
export { jsonValue, Uint, type Value } from "./values/mod.ts";
