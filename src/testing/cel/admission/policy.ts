import {
  byteLength,
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type JsonObject,
} from "../../values/mod.ts";
import type { Activation } from "../program/mod.ts";
import { type CelType, DYN } from "../types/mod.ts";
import { CelError, type CelMap, type Value } from "../values/mod.ts";
import {
  type Budget,
  compileCondition,
  type Condition,
  evaluateCondition,
  matchConditions,
  OutOfBudget,
} from "./condition.ts";
import type { AdmissionScope } from "./variables.ts";

/** The cost that the validations of one policy may have together. */
const BUDGET = 10_000_000;

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
export class AdmissionPolicy {
  /** The name of the policy. */
  readonly name: string;
  /** The desired state of the policy. */
  readonly spec: JsonObject;
  /** Whether the request continues if the policy cannot be evaluated. */
  readonly ignoresFailure: boolean;
  readonly #conditions: readonly Condition[];
  readonly #variables: readonly (readonly [string, Condition])[];
  readonly #validations: readonly Validation[];

  /** Compiles a policy. Its expressions that cannot be compiled fail when they are evaluated. */
  constructor(policy: JsonObject) {
    this.name = getString(policy, "metadata", "name");
    const spec = getObject(policy, "spec");
    this.spec = spec;
    this.ignoresFailure = getString(spec, "failurePolicy") === "Ignore";
    const params = isObject(getOwn(spec, "paramKind"));
    this.#conditions = getArray(spec, "matchConditions").map((one) =>
      compileCondition(getString(one, "expression"), { params, authorizer: true }, "bool")
    );
    const composed = new Map<string, CelType>();
    const scope: AdmissionScope = { params, authorizer: true, composed };
    this.#variables = getArray(spec, "variables").map((one) => {
      const name = getString(one, "name");
      const condition = compileCondition(getString(one, "expression"), scope);
      composed.set(name, "type" in condition ? condition.type : DYN);
      return [name, condition] as const;
    });
    this.#validations = getArray(spec, "validations").filter(isObject).map((one) =>
      validationOf(one, scope)
    );
  }

  /** Returns why the policy denies a request; empty if it does not. */
  evaluate(request: Activation): PolicyDenial[] {
    const failed = (message: string): PolicyDenial[] =>
      this.ignoresFailure ? [] : [{ message, reason: "" }];
    const match = matchConditions(this.#conditions, request, this.ignoresFailure);
    if ("error" in match) return failed(match.error);
    if (!match.matches) return [];
    const budget: Budget = { left: BUDGET };
    const activation = this.#activation(request, budget);
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

  /** Returns the variables of a request with the policy's own, each computed when it is first used. */
  #activation(request: Activation, budget: Budget): Activation {
    const known = new Map<string, Value | CelError>();
    const compute = (name: string, condition: Condition): Value | CelError => {
      if ("error" in condition) {
        return new CelError(`composited variable "${name}" fails to compile: ${condition.error}`);
      }
      const outcome = condition.program.run(activation);
      budget.left -= outcome.cost;
      if ("value" in outcome) return outcome.value;
      const why = outcome.error.message;
      return new CelError(`composited variable "${name}" fails to evaluate: ${why}`);
    };
    const variables: CelMap = {
      isMap: true,
      ofObject: false,
      size: this.#variables.length,
      keys: () => this.#variables.map(([name]) => name),
      get: (key) => {
        const found = this.#variables.find(([name]) => name === key);
        if (found === undefined) return undefined;
        const [name, condition] = found;
        if (!known.has(name)) known.set(name, compute(name, condition));
        const value = known.get(name)!;
        if (value instanceof CelError) throw value;
        return value;
      },
    };
    const activation: Activation = (name) => name === "variables" ? variables : request(name);
    return activation;
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
