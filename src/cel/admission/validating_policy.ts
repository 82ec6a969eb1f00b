import { byteLength, getArray, getString, isObject, type JsonObject } from "../../values/mod.ts";
import type { Activation } from "../program/mod.ts";
import { CompiledPolicy } from "./compiled_policy.ts";
import {
  type Budget,
  compileCondition,
  type Condition,
  evaluateCondition,
  OutOfBudget,
  POLICY_BUDGET,
} from "./condition.ts";
import type { AdmissionScope } from "./variables.ts";

/** The maximum length of a message that an expression makes, in bytes. */
const MAX_MESSAGE = 5 * 1024;

/** One validation of a policy. */
interface Validation {
  readonly condition: Condition;
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: Condition | undefined;
  readonly reason: string;
}

/** Why a policy denies a request. */
export interface PolicyDenial {
  readonly message: string;
  /** The reason of the Status; empty if an evaluation has failed. */
  readonly reason: string;
}

/** A `ValidatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`, compiled. */
export class ValidatingPolicy extends CompiledPolicy {
  readonly #validations: readonly Validation[];

  /** Compiles a policy. Its expressions that cannot be compiled fail when they are evaluated. */
  constructor(policy: JsonObject) {
    super(policy);
    this.#validations = getArray(this.spec, "validations").filter(isObject).map((one) =>
      validationOf(one, this.scope)
    );
  }

  /** Returns why the policy denies a request; empty if it does not. */
  evaluate(request: Activation): PolicyDenial[] {
    const failed = (message: string): PolicyDenial[] =>
      this.ignoresFailure ? [] : [{ message, reason: "" }];
    const match = this.match(request);
    if ("error" in match) return failed(match.error);
    if (!match.matches) return [];
    const budget: Budget = { left: POLICY_BUDGET };
    const activation = this.withVariables(request, budget);
    try {
      return this.#validations.flatMap((validation) => {
        const result = evaluateCondition(validation.condition, activation, budget);
        if ("error" in result) return failed(result.error);
        if (result.value === true) return [];
        const message = messageOf(validation, activation, budget);
        return [{ message, reason: validation.reason }];
      });
    } catch (error) {
      if (error instanceof OutOfBudget) return failed(error.message);
      throw error;
    }
  }
}

function validationOf(validation: JsonObject, scope: AdmissionScope): Validation {
  const expression = getString(validation, "expression");
  const messageExpression = getString(validation, "messageExpression");
  return {
    expression,
    condition: compileCondition(expression, scope, "bool"),
    message: getString(validation, "message").trim(),
    messageExpression: messageExpression === ""
      ? undefined
      : compileCondition(messageExpression, { ...scope, authorizer: false }, "string"),
    reason: getString(validation, "reason") || "Invalid",
  };
}

function messageOf(
  { expression, message, messageExpression }: Validation,
  activation: Activation,
  budget: Budget,
): string {
  if (messageExpression !== undefined) {
    const result = evaluateCondition(messageExpression, activation, budget);
    const text = "value" in result && typeof result.value === "string" ? result.value.trim() : "";
    if (text !== "" && byteLength(text) <= MAX_MESSAGE && !text.includes("\n")) return text;
  }
  return message === "" ? `failed expression: ${expression.trim()}` : message;
}
