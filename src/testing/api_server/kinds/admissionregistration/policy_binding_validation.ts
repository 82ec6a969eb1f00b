import {
  child,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  pathSegmentName,
  required,
} from "../../../values/mod.ts";
import { validateLabelSelector } from "../shared/mod.ts";
import { validateMatchResources } from "./match_resources.ts";
import { mutatedOperations } from "./policy_validation.ts";

const ACTIONS = ["Audit", "Deny", "Warn"];
const MISSING_PARAMS = ["Deny", "Allow"];

/** Returns the errors of a ValidatingAdmissionPolicyBinding apart from its metadata. */
export function validateBinding(binding: JsonObject): FieldError[] {
  const spec = getObject(binding, "spec");
  return [...validateBindingParts(spec), ...validateActions(spec, "spec.validationActions")];
}

/** Returns the errors of a MutatingAdmissionPolicyBinding apart from its metadata. */
export function validateMutatingBinding(binding: JsonObject): FieldError[] {
  const spec = getObject(binding, "spec");
  const operations = mutatedOperations(getObject(spec, "matchResources"), "spec.matchResources");
  return [...validateBindingParts(spec), ...operations];
}

/** Returns the errors of the parts that bindings of validating and mutating policies share. */
function validateBindingParts(spec: JsonObject): FieldError[] {
  const policy = getString(spec, "policyName");
  const errors = policy === ""
    ? [required("spec.policyName")]
    : dnsSubdomain(policy).map((text) => invalidValue("spec.policyName", policy, text));
  const params = getOwn(spec, "paramRef");
  if (isObject(params)) errors.push(...validateParams(params, "spec.paramRef"));
  const match = getOwn(spec, "matchResources");
  if (isObject(match)) errors.push(...validateMatchResources(match, "spec.matchResources"));
  return errors;
}

/** Returns the errors of the reference to the parameters: either a name or a selector. */
function validateParams(params: JsonObject, field: string): FieldError[] {
  const name = getString(params, "name");
  const selector = getOwn(params, "selector");
  const both = name !== "" && isObject(selector);
  const forbidden = (key: string) =>
    both ? [forbiddenField(child(field, key), "name and selector are mutually exclusive")] : [];
  const errors: FieldError[] = [];
  if (name !== "") {
    const at = child(field, "name");
    errors.push(...pathSegmentName(name).map((text) => invalidValue(at, name, text)));
    errors.push(...forbidden("name"));
  }
  if (isObject(selector)) {
    errors.push(...validateLabelSelector(selector, child(field, "selector")));
    errors.push(...forbidden("selector"));
  } else if (name === "") {
    errors.push(required(field, "one of name or selector must be specified"));
  }
  const at = child(field, "parameterNotFoundAction");
  const action = getString(params, "parameterNotFoundAction");
  if (action === "") errors.push(required(at));
  else if (!MISSING_PARAMS.includes(action)) errors.push(notSupported(at, action, MISSING_PARAMS));
  return errors;
}

function validateActions(spec: JsonObject, field: string): FieldError[] {
  const actions = getArray(spec, "validationActions").map(String);
  const errors = actions.flatMap((action, index) => {
    const at = item(field, index);
    const found = ACTIONS.includes(action) ? [] : [notSupported(at, action, ACTIONS)];
    if (actions.indexOf(action) < index) found.push(duplicate(at, action));
    return found;
  });
  if (actions.includes("Deny") && actions.includes("Warn")) {
    const reason =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(invalidValue(field, actions, reason));
  }
  if (actions.length === 0) {
    errors.push(required(field, "at least one validation action is required"));
  }
  return errors;
}
