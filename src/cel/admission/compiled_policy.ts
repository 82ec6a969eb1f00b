import {
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
  type Match,
  matchConditions,
} from "./condition.ts";
import type { AdmissionScope } from "./variables.ts";

/** The parts that validating and mutating admission policies share: conditions and variables, compiled. */
export class CompiledPolicy {
  /** The name of the policy. */
  readonly name: string;
  /** The desired state of the policy. */
  readonly spec: JsonObject;
  /** Whether the request continues if the policy cannot be evaluated. */
  readonly ignoresFailure: boolean;
  /** The variables that the other expressions of the policy may use. */
  protected readonly scope: AdmissionScope;
  readonly #conditions: readonly Condition[];
  readonly #variables: readonly (readonly [string, Condition])[];

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
    this.scope = scope;
    this.#variables = getArray(spec, "variables").map((one) => {
      const name = getString(one, "name");
      const condition = compileCondition(getString(one, "expression"), scope);
      composed.set(name, "type" in condition ? condition.type : DYN);
      return [name, condition] as const;
    });
  }

  /** Evaluates whether the conditions of the policy select a request. */
  match(request: Activation): Match {
    return matchConditions(this.#conditions, request, this.ignoresFailure);
  }

  /** Returns the variables of a request with the policy's own, each computed when it is first used. */
  protected withVariables(request: Activation, budget: Budget): Activation {
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
