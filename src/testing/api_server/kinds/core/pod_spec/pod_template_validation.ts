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
  isObject,
  type Json,
  type JsonObject,
  notSupported,
  required,
} from "../../../../values/mod.ts";
import type { Release } from "../../../release/mod.ts";
import { templateWarnings } from "./pod_warnings.ts";
import {
  isEmptySelector,
  matchesSelector,
  validateAnnotations,
  validateLabels,
  validateLabelSelector,
} from "../../shared/mod.ts";
import { validatePodAnnotations, validateProfiles } from "./pod_annotations.ts";
import { validatePodSpec } from "./pod_spec.ts";

/** The error for a Pod template whose labels the selector does not match. */
export const UNSELECTED = "`selector` does not match template `labels`";

/** Returns the errors of a Pod template. Its owner checks what only it knows. */
export function validatePodTemplate(
  template: JsonObject,
  field: string,
  release: Release,
): FieldError[] {
  const spec = getObject(template, "spec");
  return [
    ...validateTemplateLabels(template, field),
    ...validateTemplateAnnotations(template, field),
    ...validatePodSpec(spec, child(field, "spec"), release),
    ...validateProfiles(getObject(template, "metadata"), spec, child(field, "spec")),
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
  const metadata = getObject(template, "metadata");
  const at = child(field, "annotations");
  return [
    ...validateAnnotations(metadata, at),
    ...validatePodAnnotations(metadata, getObject(template, "spec"), at),
  ];
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
export function validateTemplate(spec: JsonObject, release: Release): FieldError[] {
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
  if (!isObject(selector) || (usable && !matchesSelector(selector, labels))) {
    errors.push(invalidValue("spec.template.metadata.labels", shownLabels(spec), UNSELECTED));
  }
  return [
    ...errors,
    ...validatePodTemplate(template, "spec.template", release),
    ...validateRestarts(template, "spec.template", "ReplicaSet"),
  ];
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

/** Returns a warning if the name of an object, which becomes part of the names of its Pods, is not a DNS label. */
export function podNameWarnings(object: JsonObject): string[] {
  const wrong = dnsLabel(getString(object, "metadata", "name"));
  if (wrong.length === 0) return [];
  return [
    "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; " +
    `a DNS label is recommended: [${wrong.join(" ")}]`,
  ];
}
