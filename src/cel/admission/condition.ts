import { type Activation, brokenConstant, compileExpression, Program } from "../program/mod.ts";
import { type CelType, NULL, parseType, sameType, showType } from "../types/mod.ts";
import { CelError, jsonValue, type Value } from "../values/mod.ts";
import { type AdmissionScope, admissionVariables } from "./variables.ts";

/** The error of conditions that cost too much together. */
export const OUT_OF_BUDGET =
  "validation failed due to running out of cost budget, no further validation rules will be run";

/** The cost that the validations of a policy may have together, and that each of its mutations may have. */
export const POLICY_BUDGET = 10_000_000;

/** A compiled expression of an admission policy or webhook. */
export type Condition =
  | { readonly source: string; readonly program: Program; readonly type: CelType }
  | {
    readonly source: string;
    readonly error: string;
    /** Whether a real server reports the error as its own. */
    readonly isInternal?: boolean;
  };

/**
 * Compiles an expression of an admission policy or webhook.
 *
 * @param results The types that its result may have, such as `list(JSONPatch)`; any if there are none.
 */
export function compileCondition(
  source: string,
  scope: AdmissionScope,
  ...results: readonly string[]
): Condition {
  const { patches = false } = scope;
  const compiled = compileExpression(source, admissionVariables(scope), { patches });
  if ("issues" in compiled) return { source, error: `compilation failed: ${compiled.issues}` };
  const { type } = compiled.checked;
  const types = results.map(parseType);
  if (types.length > 0 && !types.some((one) => sameType(one, type))) {
    const names = types.map((one) => one === NULL ? "null_type" : showType(one));
    const wanted = names.length === 1 ? names[0] : `one of [${names.join(" ")}]`;
    return { source, error: `must evaluate to ${wanted} but got ${showType(type)}` };
  }
  const broken = brokenConstant(compiled.checked);
  if (broken !== undefined) {
    return { source, error: `program instantiation failed: ${broken}`, isInternal: true };
  }
  return { source, type, program: new Program(compiled.checked) };
}

/** The cost that is left for the expressions of a request. */
export interface Budget {
  left: number;
}

/** The error of an evaluation for which no budget is left. */
export class OutOfBudget extends Error {}

/**
 * Evaluates an expression; returns its value or the error as the real server words it.
 *
 * @throws {OutOfBudget} If it costs more than is left.
 */
export function evaluateCondition(
  condition: Condition,
  activation: Activation,
  budget: Budget,
): { readonly value: Value } | { readonly error: string } {
  if ("error" in condition) return { error: `compilation error: ${condition.error}` };
  const outcome = condition.program.run(activation);
  budget.left -= outcome.cost;
  if (budget.left < 0) throw new OutOfBudget(OUT_OF_BUDGET);
  if ("value" in outcome) return outcome;
  return { error: `expression '${condition.source}' resulted in error: ${outcome.error.message}` };
}

/** The result of conditions that decide whether a webhook or policy applies. */
export type Match = { readonly matches: boolean } | { readonly error: string };

const NO_NAMESPACE = jsonValue({});

/** The cost that the match conditions of one webhook or policy may have together. */
const MATCH_BUDGET = 2_500_000;

/** Evaluates the conditions that decide whether a webhook or policy applies: all of them must be true. */
export function matchConditions(
  conditions: readonly Condition[],
  activation: Activation,
  ignoresFailure: boolean,
): Match {
  const budget: Budget = { left: MATCH_BUDGET };
  // As in the real server, these conditions see an empty namespace.
  const variables: Activation = (name) =>
    name === "namespaceObject" ? NO_NAMESPACE : activation(name);
  const errors: string[] = [];
  try {
    for (const condition of conditions) {
      const result = evaluateCondition(condition, variables, budget);
      if ("error" in result) errors.push(result.error);
      else if (result.value === false) return { matches: false };
    }
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    errors.splice(0, errors.length, error.message);
  }
  if (errors.length === 0) return { matches: true };
  if (ignoresFailure) return { matches: false };
  const [first] = errors as [string];
  return { error: errors.length === 1 ? first : `[${errors.join(", ")}]` };
}

/** The error for a variable that a request does not have. */
export function noSuchVariable(name: string): CelError {
  return new CelError(`no such attribute(s): ${name}`);
}
