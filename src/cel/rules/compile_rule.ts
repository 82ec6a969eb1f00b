import type { Structural } from "../../structural/mod.ts";
import {
  brokenConstant,
  type Checked,
  compileExpression,
  Program,
  usesVariable,
  type Variables,
} from "../program/mod.ts";
import { estimateCost } from "./estimate_cost.ts";
import { type DeclType, declTypeOf } from "../schema/mod.ts";
import { type CelType, optionalOf } from "../types/mod.ts";
import { resolveFieldPath } from "./field_path.ts";
import type { Rule } from "./rule.ts";

/** A rule that is ready to be evaluated, or why it is not. */
export interface CompiledRule {
  readonly rule: Rule;
  /** Why the rule cannot be evaluated. */
  readonly error?: string;
  /** Undefined if the rule is empty or has an error. */
  readonly program?: Program;
  readonly usesOldSelf: boolean;
  /** The estimated cost of one evaluation. */
  readonly cost: bigint;
  readonly messageError?: string;
  readonly message?: Program;
  readonly messageCost: bigint;
  /** The field that an error concerns, below that of the schema; empty if it is that of the schema. */
  readonly fieldPath: string;
}

/** The rules of one schema, compiled. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  /** The type of `self`. */
  readonly type: DeclType;
}

/** The name of the type of `self`. In the real server it has a number that changes each time. */
const SELF_TYPE = "selfType0";

/** Compiles rules for the values of a schema. Returns undefined if expressions cannot use these values. */
export function compileRules(
  rules: readonly Rule[],
  schema: Structural,
  root: boolean,
): CompiledRules | undefined {
  const type = declTypeOf(schema, root, SELF_TYPE);
  if (type === undefined) return undefined;
  return { type, rules: rules.map((rule) => compileRule(rule, schema, type)) };
}

function variablesOf(type: CelType, optional: boolean): Variables {
  return new Map([["self", type], ["oldSelf", optional ? optionalOf(type) : type]]);
}

function compileRule(rule: Rule, schema: Structural, type: DeclType): CompiledRule {
  const none = { rule, usesOldSelf: false, cost: 0n, messageCost: 0n, fieldPath: "" };
  if (rule.rule.trim() === "") return none;
  const variables = variablesOf(type.type, rule.optionalOldSelf === true);
  const compiled = compileExpression(rule.rule, variables);
  if ("issues" in compiled) return { ...none, error: `compilation failed: ${compiled.issues}` };
  const { checked } = compiled;
  if (checked.type.kind !== "bool") {
    return { ...none, error: "cel expression must evaluate to a bool" };
  }
  const broken = brokenConstant(checked);
  if (broken !== undefined) return { ...none, error: `program instantiation failed: ${broken}` };
  const cost = (one: Checked) => estimateCost(one, new Map([["", type]]));
  const result = {
    ...none,
    program: new Program(checked),
    usesOldSelf: usesVariable(checked, "oldSelf"),
    cost: cost(checked),
    fieldPath: rule.fieldPath === "" ? "" : resolveFieldPath(rule.fieldPath, schema) ?? "",
  };
  if (rule.messageExpression === "") return result;
  const message = compileExpression(rule.messageExpression, variables);
  if ("issues" in message) {
    return { ...result, messageError: `messageExpression compilation failed: ${message.issues}` };
  }
  if (message.checked.type.kind !== "string") {
    return { ...result, messageError: "messageExpression must evaluate to a string" };
  }
  const brokenMessage = brokenConstant(message.checked);
  if (brokenMessage !== undefined) {
    return { ...result, messageError: `messageExpression instantiation failed: ${brokenMessage}` };
  }
  return {
    ...result,
    message: new Program(message.checked),
    messageCost: cost(message.checked),
  };
}
