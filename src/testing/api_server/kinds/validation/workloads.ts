import {
  child,
  dnsLabel,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  givenOf,
  invalidValue,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  notSupported,
  required,
} from "../../values/mod.ts";
import { templateWarnings } from "./pod_warnings.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { validateLabelSelector } from "./label_selector.ts";
import { NEGATIVE, validateAnnotations, validateLabels } from "./object_meta.ts";
import { validatePodSpec } from "./pod_spec.ts";

/** The error for a Pod template whose labels the selector does not match. */
export const UNSELECTED = "`selector` does not match template `labels`";

/** Reports whether a label selector selects by nothing, so that it matches everything. */
export function isEmptySelector(selector: JsonObject): boolean {
  return Object.keys(getObject(selector, "matchLabels")).length === 0 &&
    objects(selector, "matchExpressions").length === 0;
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

/** Returns the errors of a Pod template, except those that only its owner knows. */
export function validatePodTemplate(template: JsonObject, field: string): FieldError[] {
  const spec = getObject(template, "spec");
  return [
    ...validateTemplateLabels(template, field),
    ...validateTemplateAnnotations(template, field),
    ...validatePodSpec(spec, child(field, "spec")),
    ...(getArray(spec, "ephemeralContainers").length === 0 ? [] : [
      forbiddenField(
        child(field, "spec.ephemeralContainers"),
        "ephemeral containers not allowed in pod template",
      ),
    ]),
  ];
}

/** Returns the errors of the labels of a Pod template. */
export function validateTemplateLabels(template: JsonObject, field: string): FieldError[] {
  return validateLabels(getObject(template, "metadata", "labels"), child(field, "labels"));
}

/** Returns the errors of the annotations of a Pod template. */
export function validateTemplateAnnotations(template: JsonObject, field: string): FieldError[] {
  return validateAnnotations(getObject(template, "metadata"), child(field, "annotations"));
}

/** Returns the errors of a Pod template whose Pods must always be restarted. `owner` is the kind that has it. */
export function validateRestarts(template: JsonObject, field: string, owner: string): FieldError[] {
  const spec = getObject(template, "spec");
  const errors: FieldError[] = [];
  const restartPolicy = getString(spec, "restartPolicy");
  if (restartPolicy !== "Always") {
    errors.push(notSupported(child(field, "spec.restartPolicy"), restartPolicy, ["Always"]));
  }
  if (getOwn(spec, "activeDeadlineSeconds") !== undefined) {
    const text = `activeDeadlineSeconds in ${owner} is not Supported`;
    errors.push(forbiddenField(child(field, "spec.activeDeadlineSeconds"), text));
  }
  return errors;
}

/** Returns the labels of the template of a workload, as errors show them: null if there are none. */
export function shownLabels(spec: JsonObject): Json {
  return givenOf(getObject(spec, "template", "metadata"), "labels");
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
    if (isEmptySelector(selector)) {
      const text = "empty selector is invalid for deployment";
      errors.push(invalidValue("spec.selector", selector, text));
      usable = false;
    } else if (!usable) {
      errors.push(invalidValue("spec.selector", selector, "invalid label selector"));
    }
  }
  const template = getObject(spec, "template");
  const labels = getObject(template, "metadata", "labels");
  if (!isObject(selector) || (usable && !selects(selector, labels))) {
    errors.push(invalidValue("spec.template.metadata.labels", shownLabels(spec), UNSELECTED));
  }
  return [
    ...errors,
    ...validatePodTemplate(template, "spec.template"),
    ...validateRestarts(template, "spec.template", "ReplicaSet"),
  ];
}

const BAD_PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Returns the errors of a value that must be a non-negative integer or a percentage. */
export function intOrPercent(value: Json | undefined, field: string): FieldError[] {
  if (isNumber(value) && value < 0) {
    return [invalidValue(field, value, NEGATIVE)];
  }
  if (typeof value !== "string" || /^[0-9]+%$/.test(value)) return [];
  return [invalidValue(field, value, BAD_PERCENT)];
}

/** Returns a strategy with the field names of the Go type, as error messages print it. */
export function shownStrategy(strategy: JsonObject): JsonObject {
  const rolling = getOwn(strategy, "rollingUpdate");
  const shown = isObject(rolling)
    ? {
      MaxUnavailable: getOwn(rolling, "maxUnavailable") ?? 0,
      MaxSurge: getOwn(rolling, "maxSurge") ?? 0,
    }
    : null;
  return { Type: getString(strategy, "type"), RollingUpdate: shown };
}

/** Returns the number of an integer or a percentage; 0 for anything else. */
export function amountOf(value: Json | undefined): number {
  if (typeof value !== "string") return Number(value ?? 0);
  return /^([0-9]+%|[-+]?[0-9]+)$/.test(value) ? Number.parseInt(value, 10) : 0;
}

/** Returns an error if the value is a percentage above 100%. */
export function atMost100Percent(value: Json | undefined, field: string): FieldError[] {
  const percent = typeof value === "string" ? /^([0-9]+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined || Number(percent) <= 100) return [];
  return [invalidValue(field, value, "must not be greater than 100%")];
}

/** Returns the warnings for a write of an object with a Pod template. */
export function workloadWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  return [
    ...(old === undefined ? podNameWarnings(object) : []),
    ...changedTemplateWarnings(object, old),
  ];
}

/** Returns the warnings for the Pod template of an object whose spec is new or has changed. */
export function changedTemplateWarnings(
  object: JsonObject,
  old: JsonObject | undefined,
): string[] {
  if (!isNewGeneration(object, old)) return [];
  return templateWarnings(getObject(object, "spec", "template"), "spec.template.");
}

/** Whether a write creates an object or changes its spec. */
export function isNewGeneration(object: JsonObject, old: JsonObject | undefined): boolean {
  return old === undefined ||
    getPath(object, "metadata", "generation") !== getPath(old, "metadata", "generation");
}

/** Returns the warning for an object whose name becomes part of the names of its Pods and is no DNS label. */
export function podNameWarnings(object: JsonObject): string[] {
  const wrong = dnsLabel(getString(object, "metadata", "name"));
  if (wrong.length === 0) return [];
  return [
    "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; " +
    `a DNS label is recommended: [${wrong.join(" ")}]`,
  ];
}
