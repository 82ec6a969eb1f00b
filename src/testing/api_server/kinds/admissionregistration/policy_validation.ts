import {
  type AdmissionScope,
  type CelType,
  compileCondition,
  DYN,
  isIdentifier,
} from "@kubeloop/controller/internal/cel";
import {
  byteLength,
  child,
  dns1035Label,
  dnsSubdomain,
  duplicate,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  qualifiedName,
  required,
} from "../../../values/mod.ts";
import { objects } from "../shared/mod.ts";
import { expressionErrors } from "./expression_error.ts";
import { validateMatchConditions } from "./match_conditions.ts";
import { validateMatchResources } from "./match_resources.ts";

const FAILURE_POLICIES = ["Fail", "Ignore"];
const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
/** The maximum number of audit annotations of a policy. */
const MAX_AUDIT_ANNOTATIONS = 20;
/** The maximum length of the expression of an audit annotation, in bytes. */
const MAX_AUDIT_EXPRESSION = 5 * 1024;

/** The types of the variables of a policy, by name. */
type Types = Map<string, CelType>;

/** The parts of the desired state of a policy that validating and mutating policies share. */
export interface PolicyParts {
  /** The errors of these parts. */
  readonly errors: FieldError[];
  /** The variables that the other expressions of the policy may use. */
  readonly scope: AdmissionScope;
}

/** The operations that a mutating policy can change. */
const MUTATED = ["*", "CONNECT", "CREATE", "UPDATE"];

/** Validates the parts of a policy that validating and mutating policies share. */
export function validatePolicyParts(spec: JsonObject, mutating: boolean): PolicyParts {
  const errors: FieldError[] = [];
  const failure = getString(spec, "failurePolicy");
  if (!FAILURE_POLICIES.includes(failure)) {
    errors.push(notSupported("spec.failurePolicy", failure, FAILURE_POLICIES));
  }
  const paramKind = getOwn(spec, "paramKind");
  const params = isObject(paramKind);
  if (params) errors.push(...validateParamKind(paramKind, "spec.paramKind"));
  const match = getOwn(spec, "matchConstraints");
  if (isObject(match)) {
    errors.push(...validateMatchResources(match, "spec.matchConstraints"));
    if (objects(match, "resourceRules").length === 0) {
      errors.push(required("spec.matchConstraints.resourceRules"));
    }
    if (mutating) errors.push(...mutatedOperations(match, "spec.matchConstraints"));
  } else errors.push(required("spec.matchConstraints"));
  errors.push(...validateMatchConditions(spec, "spec.matchConditions", params));
  const variables = objects(spec, "variables");
  const types: Types = new Map();
  const scope: AdmissionScope = {
    params,
    authorizer: true,
    // Without variables of its own, an expression of a validating policy does not have an empty set of them either.
    ...(variables.length === 0 && !mutating ? {} : { composed: types }),
  };
  variables.forEach((variable, index) => {
    errors.push(...validateVariable(variable, scope, types, item("spec.variables", index)));
  });
  return { errors, scope };
}

/** Returns the errors of rules of a mutating policy or its binding for requests that have no object to change. */
export function mutatedOperations(match: JsonObject, field: string): FieldError[] {
  return objects(match, "resourceRules").flatMap((rule) =>
    getArray(rule, "operations").filter((operation) => !MUTATED.includes(String(operation)))
      .map((operation) => notSupported(`${field}.resourceRules.operations`, operation, MUTATED))
  );
}

/** Returns the errors of a ValidatingAdmissionPolicy apart from its metadata. */
export function validatePolicy(policy: JsonObject): FieldError[] {
  const spec = getObject(policy, "spec");
  const { errors, scope } = validatePolicyParts(spec, false);
  const validations = objects(spec, "validations");
  const annotations = objects(spec, "auditAnnotations");
  if (validations.length === 0 && annotations.length === 0) {
    const reason = "validations or auditAnnotations must contain at least one item";
    errors.push(required("spec.validations", reason), required("spec.auditAnnotations", reason));
    return errors;
  }
  validations.forEach((validation, index) => {
    errors.push(...validateValidation(validation, scope, item("spec.validations", index)));
  });
  const name = getString(policy, "metadata", "name");
  errors.push(...validateAnnotations(annotations, name, scope, "spec.auditAnnotations"));
  return errors;
}

function validateParamKind(paramKind: JsonObject, field: string): FieldError[] {
  const at = child(field, "apiVersion");
  const apiVersion = getString(paramKind, "apiVersion");
  const errors: FieldError[] = [];
  const [version = "", group = "", ...more] = apiVersion.split("/").reverse();
  if (apiVersion === "") errors.push(required(at));
  else if (more.length > 0) {
    errors.push(invalidValue(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  } else {
    const wrong = group === "" ? [] : dnsSubdomain(group);
    if (wrong.length > 0) errors.push(invalidValue(at, group, wrong.join(",")));
    const why = version === "" ? [] : dns1035Label(version);
    if (version === "") errors.push(invalidValue(at, apiVersion, "version must be specified"));
    else if (why.length > 0) errors.push(invalidValue(at, version, why.join(",")));
  }
  const kind = getString(paramKind, "kind");
  if (kind === "") return [...errors, required(child(field, "kind"))];
  const wrong = dns1035Label(kind.toLowerCase());
  if (wrong.length === 0) return errors;
  const reason = `may have mixed case, but should otherwise match: ${wrong.join(",")}`;
  return [...errors, invalidValue(child(field, "kind"), kind, reason)];
}

/** Returns the errors of a variable, and makes it known to the expressions after it. */
function validateVariable(
  variable: JsonObject,
  scope: AdmissionScope,
  types: Types,
  field: string,
): FieldError[] {
  const name = getString(variable, "name");
  const errors: FieldError[] = [];
  if (name.trim() === "") errors.push(required(child(field, "name"), "name is not specified"));
  else if (!isIdentifier(name)) {
    errors.push(invalidValue(child(field, "name"), name, "must be a valid CEL identifier"));
  }
  const at = child(field, "expression");
  const expression = getString(variable, "expression");
  if (expression.trim() === "") return [...errors, required(at, "expression is not specified")];
  const compiled = compileCondition(expression, scope);
  types.set(name, "error" in compiled ? DYN : compiled.type);
  return [...errors, ...expressionErrors(at, expression, compiled)];
}

function validateValidation(
  validation: JsonObject,
  scope: AdmissionScope,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const compile = (name: string, limits: AdmissionScope, kind: "bool" | "string") => {
    const source = getString(validation, name);
    const compiled = compileCondition(source, limits, kind);
    errors.push(...expressionErrors(child(field, name), source, compiled));
  };
  if (getString(validation, "expression").trim() === "") {
    errors.push(required(child(field, "expression"), "expression is not specified"));
  } else compile("expression", scope, "bool");
  const blank = (name: string) => {
    const text = getString(validation, name);
    if (text === "" || text.trim() !== "") return false;
    errors.push(invalidValue(child(field, name), text, "must be non-empty if specified"));
    return true;
  };
  if (!blank("messageExpression") && getString(validation, "messageExpression") !== "") {
    compile("messageExpression", { ...scope, authorizer: false }, "string");
  }
  const message = getString(validation, "message");
  if (!blank("message") && /[\n\r]/.test(message.trim())) {
    errors.push(invalidValue(child(field, "message"), message, "must not contain line breaks"));
  }
  const reason = getOwn(validation, "reason");
  if (typeof reason === "string" && !REASONS.includes(reason)) {
    errors.push(notSupported(child(field, "reason"), reason, REASONS));
  }
  return errors;
}

function validateAnnotations(
  annotations: readonly JsonObject[],
  policy: string,
  scope: AdmissionScope,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (annotations.length > MAX_AUDIT_ANNOTATIONS) {
    const reason = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`;
    errors.push(invalidValue(field, [...annotations], reason));
  }
  const keys = new Set<string>();
  annotations.forEach((annotation, index) => {
    const at = item(field, index);
    const key = getString(annotation, "key");
    const name = `${policy}/${key}`;
    errors.push(...qualifiedName(name).map((text) => invalidValue(child(at, "key"), name, text)));
    errors.push(...validateAuditExpression(annotation, scope, child(at, "valueExpression")));
    if (keys.has(key)) errors.push(duplicate(child(at, "key"), key));
    keys.add(key);
  });
  return errors;
}

function validateAuditExpression(
  annotation: JsonObject,
  scope: AdmissionScope,
  field: string,
): FieldError[] {
  const expression = getString(annotation, "valueExpression");
  const trimmed = expression.trim();
  if (trimmed === "") return [required(field, "valueExpression is not specified")];
  if (byteLength(trimmed) > MAX_AUDIT_EXPRESSION) {
    return [required(field, `must not exceed ${MAX_AUDIT_EXPRESSION} bytes in length`)];
  }
  const compiled = compileCondition(trimmed, scope, "string", "null");
  return expressionErrors(field, expression, compiled);
}
