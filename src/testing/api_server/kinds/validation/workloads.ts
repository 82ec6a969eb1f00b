import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  item,
  type Json,
  type JsonObject,
  notSupported,
  qualifiedName,
  required,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { generatedLabels } from "../strategy/job.ts";
import { immutable, NEGATIVE, nonNegative, validateLabels } from "./object_meta.ts";
import { validatePodSpec } from "./pod.ts";

const UNSELECTED = "`selector` does not match template `labels`";

/** Returns the validation errors of a label selector. */
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

/** Reports whether a label selector, which must be valid, matches `labels`. */
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

/** Returns the errors of the selector and the Pod template of a Deployment or ReplicaSet. */
function validateTemplate(spec: JsonObject): FieldError[] {
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
      errors.push(
        invalidValue("spec.selector", selector, "empty selector is invalid for deployment"),
      );
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
  errors.push(...validatePodSpec(template, "spec.template.spec"));
  const restartPolicy = getString(template, "restartPolicy");
  if (restartPolicy !== "Always") {
    errors.push(notSupported("spec.template.spec.restartPolicy", restartPolicy, ["Always"]));
  }
  if (getOwn(template, "activeDeadlineSeconds") !== undefined) {
    const text = "activeDeadlineSeconds in ReplicaSet is not Supported";
    errors.push(forbiddenField("spec.template.spec.activeDeadlineSeconds", text));
  }
  return errors;
}

const BAD_PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Returns the validation errors of a Deployment, except those of its metadata. */
export function validateDeployment(deployment: JsonObject): FieldError[] {
  const spec = getObject(deployment, "spec");
  const deadline = getOwn(spec, "progressDeadlineSeconds");
  const ready = getOwn(spec, "minReadySeconds") ?? 0;
  const tooEarly = typeof deadline === "number" && deadline <= Number(ready);
  return [
    ...nonNegative(spec, "spec", "replicas"),
    ...validateTemplate(spec),
    ...validateStrategy(getObject(spec, "strategy")),
    ...nonNegative(
      spec,
      "spec",
      "minReadySeconds",
      "revisionHistoryLimit",
      "progressDeadlineSeconds",
    ),
    ...(tooEarly
      ? [
        invalidValue(
          "spec.progressDeadlineSeconds",
          deadline,
          "must be greater than minReadySeconds",
        ),
      ]
      : []),
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
  const rolling = getOwn(strategy, "rollingUpdate");
  if (!isObject(rolling)) return [];
  const field = "spec.strategy.rollingUpdate";
  if (type === "Recreate") {
    return [forbiddenField(field, "may not be specified when strategy `type` is 'Recreate'")];
  }
  const unavailable = getOwn(rolling, "maxUnavailable");
  const surge = getOwn(rolling, "maxSurge");
  const at = child(field, "maxUnavailable");
  const none = (value: Json | undefined) => value === 0 || value === "0%";
  return [
    ...intOrPercent(unavailable, at),
    ...intOrPercent(surge, child(field, "maxSurge")),
    ...(none(unavailable) && none(surge)
      ? [invalidValue(at, 0, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...atMost100Percent(unavailable, at),
  ];
}

/** Returns the errors of a value that must be a non-negative integer or a percentage. */
export function intOrPercent(value: Json | undefined, field: string): FieldError[] {
  if (typeof value === "number" && value < 0) {
    return [invalidValue(field, value, NEGATIVE)];
  }
  if (typeof value !== "string" || /^[0-9]+%$/.test(value)) return [];
  return [invalidValue(field, value, BAD_PERCENT)];
}

/** Returns an error if the value is a percentage above 100%. */
export function atMost100Percent(value: Json | undefined, field: string): FieldError[] {
  const percent = typeof value === "string" ? /^([0-9]+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined || Number(percent) <= 100) return [];
  return [invalidValue(field, value, "must not be greater than 100%")];
}

/** Returns the validation errors of a ReplicaSet, except those of its metadata. */
export function validateReplicaSet(set: JsonObject): FieldError[] {
  const spec = getObject(set, "spec");
  return [
    ...nonNegative(spec, "spec", "replicas", "minReadySeconds"),
    ...validateTemplate(spec),
  ];
}

/** Returns the errors of an update to a Deployment or ReplicaSet: the selector is immutable. */
export function validateSelectorUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  return immutable(next, old, "spec", "selector");
}

/** Returns the validation errors of a Job, except those of its metadata. */
export function validateJob(job: JsonObject): FieldError[] {
  return [...validateGeneratedSelector(job), ...validateJobSpec(getObject(job, "spec"))];
}

function validateJobSpec(spec: JsonObject): FieldError[] {
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
  const mode = getString(spec, "completionMode");
  if (!["", "NonIndexed", "Indexed"].includes(mode)) {
    errors.push(notSupported("spec.completionMode", mode, ["NonIndexed", "Indexed"]));
  } else if (mode === "Indexed" && getOwn(spec, "completions") === undefined) {
    errors.push(required("spec.completions", "when completion mode is Indexed"));
  }
  errors.push(...validatePodSpec(template, "spec.template.spec"));
  const restartPolicy = getString(template, "restartPolicy");
  const field = "spec.template.spec.restartPolicy";
  if (restartPolicy === "" || restartPolicy === "Always") {
    errors.push(required(field, 'valid values: "OnFailure", "Never"'));
  } else if (restartPolicy !== "OnFailure" && restartPolicy !== "Never") {
    errors.push(notSupported(field, restartPolicy, ["OnFailure", "Never"]));
  }
  const labels = getOwn(getObject(spec, "template", "metadata"), "labels");
  const selector = getOwn(spec, "selector");
  if (!isObject(selector)) errors.push(required("spec.selector"));
  if (!isObject(selector) || !selects(selector, isObject(labels) ? labels : {})) {
    errors.push(invalidValue("spec.template.metadata.labels", labels ?? null, UNSELECTED));
  }
  return errors;
}

/** Returns an error if a Job without `manualSelector` has a selector that does not match the generated labels. */
function validateGeneratedSelector(job: JsonObject): FieldError[] {
  const selector = getOwn(getObject(job, "spec"), "selector");
  if (getPath(job, "spec", "manualSelector") === true || !isObject(selector)) return [];
  if (selects(selector, generatedLabels(job))) return [];
  return [invalidValue("spec.selector", selector, "`selector` not auto-generated")];
}

/** Returns the validation errors of an update to a Job. The Pod template is immutable unless the Job is suspended. */
export function validateJobUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const errors = validateJobSpec(getObject(next, "spec"));
  const indexed = getString(next, "spec", "completionMode") === "Indexed";
  if (!indexed) errors.push(...immutable(next, old, "spec", "completions"));
  const suspended = getOwn(getObject(old, "spec"), "suspend") === true;
  const fixed = suspended ? ["selector"] : ["selector", "template"];
  for (const name of [...fixed, "completionMode", "podFailurePolicy", "backoffLimitPerIndex"]) {
    errors.push(...immutable(next, old, "spec", name));
  }
  return errors;
}
