import {
  child,
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
  tooLong,
  tooMany,
} from "../../../values/mod.ts";
import { fill, nonNegative, objects } from "../shared/mod.ts";
import { parseIndexes } from "./job_indexes.ts";

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_CONDITIONS = 20;
const MAX_INDEXES_BYTES = 64 * 1024;
const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];

/** Sets the defaults of the policy for failed Pods of a Job, also in the template of a CronJob. */
export function defaultFailurePolicy(spec: JsonObject): void {
  for (const rule of objects(spec, "podFailurePolicy", "rules")) {
    for (const condition of objects(rule, "onPodConditions")) fill(condition, "status", "True");
  }
}

/** Returns the errors of the policies of a Job: for failures, for success, and for replacing Pods. */
export function validatePolicies(spec: JsonObject, field: string): FieldError[] {
  const failure = getOwn(spec, "podFailurePolicy");
  const success = getOwn(spec, "successPolicy");
  const at = child(field, "successPolicy");
  return [
    ...(isObject(failure)
      ? validateFailurePolicy(spec, failure, child(field, "podFailurePolicy"))
      : []),
    ...(!isObject(success)
      ? []
      : getString(spec, "completionMode") === "Indexed"
      ? validateSuccessPolicy(spec, success, at)
      : [invalidValue(at, success, "requires indexed completion mode")]),
    ...validateReplacement(spec, isObject(failure), child(field, "podReplacementPolicy")),
  ];
}

function validateReplacement(spec: JsonObject, fails: boolean, field: string): FieldError[] {
  const policy = getOwn(spec, "podReplacementPolicy");
  const known = fails ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  if (typeof policy !== "string" || known.includes(policy)) return [];
  return [notSupported(field, policy, known)];
}

function validateFailurePolicy(spec: JsonObject, policy: JsonObject, field: string): FieldError[] {
  const rules = objects(policy, "rules");
  const at = child(field, "rules");
  const pod = getObject(spec, "template", "spec");
  const names = [...objects(pod, "containers"), ...objects(pod, "initContainers")]
    .map((container) => getString(container, "name"));
  return [
    ...(rules.length > MAX_RULES ? [tooMany(at, rules.length, MAX_RULES)] : []),
    ...rules.flatMap((rule, index) => validateRule(spec, rule, item(at, index), names)),
  ];
}

/** The error without a value, where Go leaves it out. */
function refusedRule(field: string, reason: string): FieldError {
  return { reason: "FieldValueInvalid", message: `Invalid value: ${reason}`, field };
}

function validateRule(
  spec: JsonObject,
  rule: JsonObject,
  field: string,
  names: readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  const action = getString(rule, "action");
  const at = child(field, "action");
  if (action === "") errors.push(required(at, validValues(ACTIONS)));
  else if (!ACTIONS.includes(action)) errors.push(notSupported(at, action, ACTIONS));
  else if (action === "FailIndex" && getOwn(spec, "backoffLimitPerIndex") === undefined) {
    errors.push(invalidValue(at, action, "requires the backoffLimitPerIndex to be set"));
  }
  const codes = getOwn(rule, "onExitCodes");
  const conditions = objects(rule, "onPodConditions");
  if (isObject(codes)) errors.push(...validateExitCodes(codes, child(field, "onExitCodes"), names));
  if (conditions.length > 0) {
    errors.push(...validateConditions(conditions, child(field, "onPodConditions")));
  }
  if (isObject(codes) && conditions.length > 0) {
    const reason = "specifying both OnExitCodes and OnPodConditions is not supported";
    errors.push(refusedRule(field, reason));
  }
  if (!isObject(codes) && conditions.length === 0) {
    const reason = "specifying one of OnExitCodes and OnPodConditions is required";
    errors.push(refusedRule(field, reason));
  }
  return errors;
}

function validValues(values: readonly string[]): string {
  return `valid values: [${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}

function validateConditions(conditions: readonly JsonObject[], field: string): FieldError[] {
  const errors = conditions.length > MAX_CONDITIONS
    ? [tooMany(field, conditions.length, MAX_CONDITIONS)]
    : [];
  conditions.forEach((condition, index) => {
    const at = item(field, index);
    const type = getString(condition, "type");
    errors.push(...qualifiedName(type).map((text) => invalidValue(child(at, "type"), type, text)));
    const status = getString(condition, "status");
    const known = ["False", "True", "Unknown"];
    if (status === "") errors.push(required(child(at, "status"), validValues(known)));
    else if (!known.includes(status)) {
      errors.push(notSupported(child(at, "status"), status, known));
    }
  });
  return errors;
}

function validateExitCodes(
  codes: JsonObject,
  field: string,
  names: readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  const operator = getString(codes, "operator");
  const known = ["In", "NotIn"];
  if (operator === "") errors.push(required(child(field, "operator"), validValues(known)));
  else if (!known.includes(operator)) {
    errors.push(notSupported(child(field, "operator"), operator, known));
  }
  const container = getOwn(codes, "containerName");
  if (typeof container === "string" && !names.includes(container)) {
    const reason = "must be one of the container or initContainer names in the pod template";
    errors.push(invalidValue(child(field, "containerName"), container, reason));
  }
  const values = getArray(codes, "values").map(Number);
  const at = child(field, "values");
  if (values.length === 0) {
    errors.push(
      invalidValue(at, [], "at least one value is required"),
    );
  } else if (values.length > MAX_EXIT_CODES) {
    errors.push(tooMany(at, values.length, MAX_EXIT_CODES));
  }
  const seen = new Set<number>();
  values.forEach((value, index) => {
    if (operator === "In" && value === 0) {
      errors.push(invalidValue(item(at, index), value, "must not be 0 for the In operator"));
    }
    if (seen.has(value)) errors.push(duplicate(item(at, index), value));
    seen.add(value);
  });
  const ordered = values.every((value, index) => index === 0 || values[index - 1]! <= value);
  return ordered ? errors : [...errors, invalidValue(at, values, "must be ordered")];
}

function validateSuccessPolicy(spec: JsonObject, policy: JsonObject, field: string): FieldError[] {
  const rules = objects(policy, "rules");
  const at = child(field, "rules");
  const none = "at least one rules must be specified when the successPolicy is specified";
  return [
    ...(rules.length === 0 ? [required(at, none)] : []),
    ...(rules.length > MAX_RULES ? [tooMany(at, rules.length, MAX_RULES)] : []),
    ...rules.flatMap((rule, index) => validateSuccessRule(spec, rule, item(at, index))),
  ];
}

function validateSuccessRule(spec: JsonObject, rule: JsonObject, field: string): FieldError[] {
  const completions = Number(getOwn(spec, "completions") ?? 0);
  const indexes = getOwn(rule, "succeededIndexes");
  const count = getOwn(rule, "succeededCount");
  const errors: FieldError[] = [];
  if (indexes === undefined && count === undefined) {
    const reason = "at least one of succeededCount or succeededIndexes must be specified";
    errors.push(required(field, reason));
  }
  let total = 0;
  if (typeof indexes === "string") {
    const at = child(field, "succeededIndexes");
    if (indexes.length > MAX_INDEXES_BYTES) errors.push(tooLong(at, MAX_INDEXES_BYTES));
    const parsed = parseIndexes(indexes, completions);
    if (typeof parsed === "string") {
      errors.push(invalidValue(at, indexes, `error parsing succeededIndexes: ${parsed}`));
    } else total = parsed.length;
  }
  if (typeof count !== "number") return errors;
  const at = child(field, "succeededCount");
  errors.push(...nonNegative(rule, field, "succeededCount"));
  const most = (max: number, what: string) => {
    if (count <= max) return;
    errors.push(
      invalidValue(at, count, `must be less than or equal to ${max} (the number of ${what})`),
    );
  };
  most(completions, "specified completions");
  if (indexes !== undefined) most(total, "indexes in the specified succeededIndexes field");
  return errors;
}
