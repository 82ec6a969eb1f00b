import {
  getArray,
  getObject,
  getString,
  isObject,
  type Json,
  type JsonObject,
  setOwn,
} from "../../values/mod.ts";
import type { Activation } from "../program/mod.ts";
import {
  CelError,
  CelList,
  isCelMap,
  MessageValue,
  type Value,
  valueToJson,
} from "../values/mod.ts";
import { CompiledPolicy } from "./compiled_policy.ts";
import {
  type Budget,
  compileCondition,
  type Condition,
  evaluateCondition,
  OutOfBudget,
  POLICY_BUDGET,
} from "./condition.ts";

/** The change that a mutation of a policy makes: a JSON patch or a configuration to apply; or why it fails. */
export type Mutation =
  | { readonly patch: readonly JsonObject[] }
  | { readonly configuration: JsonObject }
  | { readonly error: string };

/** Computes the change from the value of the expression. Throws a `CelError` if the value is not one. */
type Reader = (value: Value) => Mutation;

/** A `MutatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`, compiled. */
export class MutatingPolicy extends CompiledPolicy {
  /** Whether the policy is evaluated again if the object was changed after it. */
  readonly reinvoked: boolean;
  /** The mutations, in the order in which they change an object. */
  readonly mutations: readonly ((request: Activation) => Mutation)[];

  /** Compiles a policy. Its expressions that cannot be compiled fail when they are evaluated. */
  constructor(policy: JsonObject) {
    super(policy);
    this.reinvoked = getString(this.spec, "reinvocationPolicy") === "IfNeeded";
    this.mutations = getArray(this.spec, "mutations").filter(isObject).map((mutation) => {
      const [field, type, read] = getString(mutation, "patchType") === "JSONPatch"
        ? ["jsonPatch", "list(JSONPatch)", readPatch] as const
        : ["applyConfiguration", "Object", readConfiguration] as const;
      const source = getString(getObject(mutation, field), "expression");
      const expression = compileCondition(source, { ...this.scope, patches: true }, type);
      return (request: Activation) => this.#evaluate(expression, read, request);
    });
  }

  #evaluate(expression: Condition, read: Reader, request: Activation): Mutation {
    const budget: Budget = { left: POLICY_BUDGET };
    try {
      const result = evaluateCondition(expression, this.withVariables(request, budget), budget);
      return "error" in result ? result : read(result.value);
    } catch (error) {
      if (error instanceof OutOfBudget || error instanceof CelError) {
        return { error: error.message };
      }
      throw error;
    }
  }
}

function readConfiguration(value: Value): Mutation {
  const error = wrongNames(value);
  if (error !== "") return { error: `type mismatch: ${error}` };
  return { configuration: withoutNulls(valueToJson(value)) as JsonObject };
}

/** Returns JSON with 0 in place of null: the real server reads CEL's null as the number of an enum. */
function withoutNulls(json: Json): Json {
  if (json === null) return 0;
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (!isObject(json)) return json;
  const result: JsonObject = {};
  for (const key of Object.keys(json)) setOwn(result, key, withoutNulls(json[key]!));
  return result;
}

function readPatch(value: Value): Mutation {
  const patch: JsonObject[] = [];
  for (const one of (value as CelList).items) {
    const { fields } = one as MessageValue;
    const given = fields.get("value");
    const error = given instanceof MessageValue ? wrongNames(given) : "";
    if (error !== "") return { error: `type mismatch: ${error}` };
    const text = (name: string) => String(fields.get(name) ?? "");
    patch.push({
      op: text("op"),
      path: text("path"),
      ...(text("from") === "" ? {} : { from: text("from") }),
      ...(given === undefined ? {} : { value: jsonOf(given) }),
    });
  }
  return { patch };
}

function jsonOf(value: Value) {
  try {
    return valueToJson(value);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    const reason = "JSONPath valueExpression evaluated to a type that could not marshal to JSON";
    throw new CelError(`${reason}: ${error.message}`);
  }
}

/** Returns the errors of objects whose type names are not their paths; empty if there are none. */
function wrongNames(value: Value): string {
  const errors: string[] = [];
  const visit = (one: Value, path: string) => {
    if (one instanceof MessageValue) {
      const { name } = one.opaque;
      if (name !== path) {
        errors.push(
          `unexpected type name ${JSON.stringify(name)}, expected ${
            JSON.stringify(path)
          }, which matches field name path from root Object type`,
        );
      }
      for (const [field, inner] of one.fields) visit(inner, `${path}.${field}`);
    } else if (one instanceof CelList) one.items.forEach((item) => visit(item, path));
    else if (typeof one === "object" && one !== null && isCelMap(one)) {
      one.keys().forEach((key) => visit(one.get(key)!, path));
    }
  };
  visit(value, (value as MessageValue).opaque.name);
  return errors.join("\n");
}
