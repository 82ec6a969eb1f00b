/**
 * Compilation of an expression, and its evaluation with a cost limit.
 *
 * Source text and the types of variables enter; a program leaves.
 *
 * @module
 */

export { type Checked, usesVariable, type Variables } from "./checker.ts";
export { type Compilation, compileExpression } from "./compile.ts";
export { type Activation, CostError, type Outcome, Program } from "./evaluator.ts";
export { brokenConstant } from "./literals.ts";
