import { type AdmissionScope, compileCondition } from "@kubeloop/controller/internal/cel";
import {
  child,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";
import { objects } from "../shared/mod.ts";
import { expressionErrors } from "./expression_error.ts";
import { validatePolicyParts } from "./policy_validation.ts";

/** The field of the expression of each patch type, and the type of its result. */
const PATCHES: Readonly<Record<string, readonly [string, string]>> = {
  ApplyConfiguration: ["applyConfiguration", "Object"],
  JSONPatch: ["jsonPatch", "list(JSONPatch)"],
};
const REINVOCATIONS = ["IfNeeded", "Never"];

/** Returns the errors of a MutatingAdmissionPolicy apart from its metadata. */
export function validateMutatingPolicy(policy: JsonObject): FieldError[] {
  const spec = getObject(policy, "spec");
  const { errors, scope } = validatePolicyParts(spec, true);
  const mutations = objects(spec, "mutations");
  if (mutations.length === 0) {
    errors.push(required("spec.mutations", "mutations must contain at least one item"));
  }
  mutations.forEach((mutation, index) => {
    errors.push(...validateMutation(mutation, scope, item("spec.mutations", index)));
  });
  const reinvocation = getString(spec, "reinvocationPolicy");
  if (reinvocation === "") errors.push(required("spec.reinvocationPolicy"));
  else if (!REINVOCATIONS.includes(reinvocation)) {
    errors.push(notSupported("spec.reinvocationPolicy", reinvocation, REINVOCATIONS));
  }
  return errors;
}

function validateMutation(
  mutation: JsonObject,
  scope: AdmissionScope,
  field: string,
): FieldError[] {
  const patchType = getString(mutation, "patchType");
  if (patchType === "") return [required(child(field, "patchType"))];
  if (!Object.hasOwn(PATCHES, patchType)) {
    return [notSupported(child(field, "patchType"), patchType, Object.keys(PATCHES))];
  }
  const [name, type] = PATCHES[patchType]!;
  const patch = getOwn(mutation, name);
  const errors = isObject(patch)
    ? validateExpression(patch, scope, type, child(child(field, name), "expression"))
    : [required(child(field, name), `must be specified when patchType is ${patchType}`)];
  for (const [other] of Object.values(PATCHES)) {
    if (other === name || !isObject(getOwn(mutation, other))) continue;
    const reason = `must not be specified when patchType is ${patchType}`;
    errors.push(invalidValue(child(field, other), `{${other}}`, reason));
  }
  return errors;
}

function validateExpression(
  patch: JsonObject,
  scope: AdmissionScope,
  type: string,
  field: string,
): FieldError[] {
  const expression = getString(patch, "expression").trim();
  if (expression === "") return [required(field)];
  const compiled = compileCondition(expression, { ...scope, patches: true }, type);
  return expressionErrors(field, expression, compiled);
}
