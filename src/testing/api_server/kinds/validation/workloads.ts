import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
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
import { NEGATIVE, validateLabels } from "./object_meta.ts";
import { validatePodSpec } from "./pod.ts";

/** The error for a Pod template whose labels the selector does not match. */
export const UNSELECTED = "`selector` does not match template `labels`";

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
export function validateTemplate(spec: JsonObject): FieldError[] {
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
