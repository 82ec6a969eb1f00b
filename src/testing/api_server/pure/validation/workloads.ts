import {
  child,
  type FieldError,
  invalidValue,
  item,
  notSupported,
  required,
} from "../field_error.ts";
import { objects } from "../defaults/pod_defaults.ts";
import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
} from "../json.ts";
import { qualifiedName } from "../names.ts";
import { immutable, validateLabels } from "./object_meta.ts";
import { validatePodSpec } from "./pod.ts";

const NEGATIVE = "must be greater than or equal to 0";
const UNSELECTED = "`selector` does not match template `labels`";

/** The errors of numbers that may not be negative. */
export function nonNegative(spec: JsonObject, field: string, ...names: string[]): FieldError[] {
  return names.flatMap((name) => {
    const value = getOwn(spec, name);
    const negative = typeof value === "number" && value < 0;
    return negative ? [invalidValue(child(field, name), value, NEGATIVE)] : [];
  });
}

/** What is wrong with a label selector. */
export function validateLabelSelector(selector: JsonObject, field: string): FieldError[] {
  const errors = validateLabels(getObject(selector, "matchLabels"), child(field, "matchLabels"));
  objects(selector, "matchExpressions").forEach((expression, index) => {
    const at = item(child(field, "matchExpressions"), index);
    const operator = getString(expression, "operator");
    const values = getArray(expression, "values");
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0) {
        errors.push(
          required(child(at, "values"), "must be specified when `operator` is 'In' or 'NotIn'"),
        );
      }
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0) {
        errors.push({
          reason: "FieldValueForbidden",
          message: "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          field: child(at, "values"),
        });
      }
    } else {
      errors.push(
        invalidValue(child(at, "operator"), operator, "not a valid selector operator"),
      );
    }
    const key = getString(expression, "key");
    errors.push(...qualifiedName(key).map((text) => invalidValue(child(at, "key"), key, text)));
  });
  return errors;
}

/** Whether labels fit a selector that is valid. */
export function selects(selector: JsonObject, labels: JsonObject): boolean {
  const wanted = getObject(selector, "matchLabels");
  const equal = Object.keys(wanted).every((key) => getOwn(labels, key) === wanted[key]);
  return equal && objects(selector, "matchExpressions").every((expression) => {
    const value = getOwn(labels, getString(expression, "key"));
    const values = getArray(expression, "values");
    switch (getString(expression, "operator")) {
      case "In":
        return value !== undefined && values.includes(value as Json);
      case "NotIn":
        return value === undefined || !values.includes(value as Json);
      case "Exists":
        return value !== undefined;
      default:
        return value === undefined;
    }
  });
}

/** The selector and the template of what keeps Pods running. */
function validateTemplate(spec: JsonObject, what: string): FieldError[] {
  const selector = getOwn(spec, "selector");
  const errors: FieldError[] = [];
  let usable = false;
  if (!isObject(selector)) errors.push(required("spec.selector"));
  else {
    const wrong = validateLabelSelector(selector, "spec.selector");
    errors.push(...wrong);
    usable = wrong.length === 0;
    const empty = Object.keys(getObject(selector, "matchLabels")).length === 0 &&
      objects(selector, "matchExpressions").length === 0;
    if (empty) {
      errors.push(invalidValue("spec.selector", selector, `empty selector is invalid for ${what}`));
      usable = false;
    } else if (!usable) {
      errors.push(invalidValue("spec.selector", selector, "invalid label selector"));
    }
  }
  const labels = getOwn(getObject(spec, "template", "metadata"), "labels");
  const given = isObject(labels) ? labels : {};
  if (!isObject(selector) || (usable && !selects(selector, given))) {
    errors.push(invalidValue("spec.template.metadata.labels", labels ?? null, UNSELECTED));
  }
  errors.push(...validateLabels(given, "spec.template.metadata.labels"));
  const template = getObject(spec, "template", "spec");
  errors.push(...validatePodSpec(template, "spec.template.spec").filter(notRestartPolicy));
  const restartPolicy = getString(template, "restartPolicy");
  if (restartPolicy !== "Always") {
    errors.push(notSupported("spec.template.spec.restartPolicy", restartPolicy, ["Always"]));
  }
  return errors;
}

/** Workloads say themselves which restart policies they take. */
function notRestartPolicy(error: FieldError): boolean {
  return error.field !== "spec.template.spec.restartPolicy";
}

/** What is wrong with a Deployment, but its metadata. */
export function validateDeployment(deployment: JsonObject): FieldError[] {
  const spec = getObject(deployment, "spec");
  return [
    ...nonNegative(spec, "spec", "replicas"),
    ...validateTemplate(spec, "deployment"),
    ...validateStrategy(getObject(spec, "strategy")),
    ...nonNegative(
      spec,
      "spec",
      "minReadySeconds",
      "revisionHistoryLimit",
      "progressDeadlineSeconds",
    ),
  ];
}

function validateStrategy(strategy: JsonObject): FieldError[] {
  const type = getString(strategy, "type");
  if (type !== "Recreate" && type !== "RollingUpdate") {
    return [
      notSupported("spec.strategy", { Type: type, RollingUpdate: null }, [
        "Recreate",
        "RollingUpdate",
      ]),
    ];
  }
  const rolling = getObject(strategy, "rollingUpdate");
  const none = (name: string) => [0, "0%"].includes(getOwn(rolling, name) as number | string);
  if (type !== "RollingUpdate" || !none("maxUnavailable") || !none("maxSurge")) return [];
  return [
    invalidValue(
      "spec.strategy.rollingUpdate.maxUnavailable",
      0,
      "may not be 0 when `maxSurge` is 0",
    ),
  ];
}

/** What is wrong with a ReplicaSet, but its metadata. */
export function validateReplicaSet(set: JsonObject): FieldError[] {
  const spec = getObject(set, "spec");
  return [
    ...nonNegative(spec, "spec", "replicas", "minReadySeconds"),
    ...validateTemplate(spec, "replicaset"),
  ];
}

/** What is wrong with the change of a Deployment or a ReplicaSet. */
export function validateSelectorUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  return immutable(next, old, "spec", "selector");
}

/** What is wrong with a Job, but its metadata. */
export function validateJob(job: JsonObject): FieldError[] {
  const spec = getObject(job, "spec");
  const template = getObject(spec, "template", "spec");
  const errors = nonNegative(
    spec,
    "spec",
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
  );
  errors.push(...validatePodSpec(template, "spec.template.spec").filter(notRestartPolicy));
  const restartPolicy = getString(template, "restartPolicy");
  const field = "spec.template.spec.restartPolicy";
  if (restartPolicy === "" || restartPolicy === "Always") {
    errors.push(required(field, 'valid values: "OnFailure", "Never"'));
  } else if (restartPolicy !== "OnFailure" && restartPolicy !== "Never") {
    errors.push(notSupported(field, restartPolicy, ["OnFailure", "Never"]));
  }
  return errors;
}

/** What is wrong with the change of a Job: what it runs is fixed. */
export function validateJobUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const indexed = getString(next, "spec", "completionMode") === "Indexed";
  if (!indexed) errors.push(...immutable(next, old, "spec", "completions"));
  const suspended = getOwn(getObject(old, "spec"), "suspend") === true;
  const fixed = suspended ? ["selector"] : ["selector", "template"];
  for (const name of [...fixed, "completionMode", "podFailurePolicy", "backoffLimitPerIndex"]) {
    errors.push(...immutable(next, old, "spec", name));
  }
  return errors;
}
