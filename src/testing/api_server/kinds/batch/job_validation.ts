import {
  child,
  dnsLabel,
  type FieldError,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  item,
  jsonEqual,
  type JsonObject,
  notSupported,
  required,
  tooLong,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import {
  domainPrefixedPath,
  immutable,
  matchesSelector,
  nonNegative,
  validateLabelSelector,
} from "../shared/mod.ts";
import {
  isNewGeneration,
  podNameWarnings,
  shownLabels,
  templateWarnings,
  UNSELECTED,
  validatePodTemplate,
} from "../core/pod_spec/mod.ts";
import { validatePolicies } from "./job_policies.ts";

/** The limits of Indexed Jobs. */
const MAX_PARALLELISM = 100_000;
const MANY_COMPLETIONS = 100_000;
const MAX_PARALLELISM_OF_MANY = 10_000;
const MAX_FAILED_OF_MANY = 10_000;
const MAX_FAILED_INDEXES = 100_000;

/** The maximum length of `managedBy`. */
const MAX_MANAGED_BY = 63;

/** Returns the errors of the spec of a Job, also in the template of a CronJob, which has no selector. */
export function validateJobTemplate(
  spec: JsonObject,
  field: string,
  release: Release,
): FieldError[] {
  const at = (name: string) => child(field, name);
  const template = getObject(spec, "template");
  const errors = [
    ...nonNegative(
      spec,
      field,
      "parallelism",
      "completions",
      "activeDeadlineSeconds",
      "backoffLimit",
      "ttlSecondsAfterFinished",
      "backoffLimitPerIndex",
      "maxFailedIndexes",
    ),
    ...(getOwn(spec, "maxFailedIndexes") !== undefined &&
        getOwn(spec, "backoffLimitPerIndex") === undefined
      ? [required(at("backoffLimitPerIndex"), "when maxFailedIndexes is specified")]
      : []),
    ...validateManagedBy(spec, at("managedBy")),
    ...validateIndexing(spec, field),
    ...validatePolicies(spec, field),
    ...validatePodTemplate(template, at("template"), release),
  ];
  const policy = getString(template, "spec", "restartPolicy");
  const restarts = at("template.spec.restartPolicy");
  if (policy === "" || policy === "Always") {
    errors.push(required(restarts, 'valid values: "OnFailure", "Never"'));
  } else if (policy !== "OnFailure" && policy !== "Never") {
    errors.push(notSupported(restarts, policy, ["OnFailure", "Never"]));
  } else if (isObject(getOwn(spec, "podFailurePolicy")) && policy !== "Never") {
    const text = 'only "Never" is supported when podFailurePolicy is specified';
    errors.push(invalidValue(restarts, policy, text));
  }
  return errors;
}

function validateManagedBy(spec: JsonObject, field: string): FieldError[] {
  const managedBy = getOwn(spec, "managedBy");
  if (typeof managedBy !== "string") return [];
  const errors = domainPrefixedPath(managedBy, field);
  return managedBy.length > MAX_MANAGED_BY ? [...errors, tooLong(field, MAX_MANAGED_BY)] : errors;
}

/** Returns the errors of the fields about indexes. */
function validateIndexing(spec: JsonObject, field: string): FieldError[] {
  const at = (name: string) => child(field, name);
  const number = (name: string) => {
    const value = getOwn(spec, name);
    return typeof value === "number" ? value : undefined;
  };
  const errors: FieldError[] = [];
  const perIndex = number("backoffLimitPerIndex");
  const maxFailed = number("maxFailedIndexes");
  // A CronJob does not set the default of its template.
  const mode = getOwn(spec, "completionMode") ?? "NonIndexed";
  const modes = ["NonIndexed", "Indexed"];
  if (!modes.includes(String(mode))) errors.push(notSupported(at("completionMode"), mode, modes));
  if (mode === "NonIndexed") {
    const reason = "requires indexed completion mode";
    if (perIndex !== undefined) {
      errors.push(invalidValue(at("backoffLimitPerIndex"), perIndex, reason));
    }
    if (maxFailed !== undefined) {
      errors.push(invalidValue(at("maxFailedIndexes"), maxFailed, reason));
    }
  }
  if (mode !== "Indexed") return errors;
  const completions = number("completions");
  const parallelism = number("parallelism");
  const tooBig = (name: string, value: number | undefined, max: number, when: string) => {
    if (value === undefined || value <= max) return;
    errors.push(invalidValue(at(name), value, `must be less than or equal to ${max}${when}`));
  };
  if (completions === undefined) {
    errors.push(required(at("completions"), "when completion mode is Indexed"));
  }
  tooBig("parallelism", parallelism, MAX_PARALLELISM, " when completion mode is Indexed");
  if (completions !== undefined && maxFailed !== undefined && maxFailed > completions) {
    const reason = "must be less than or equal to completions";
    errors.push(invalidValue(at("maxFailedIndexes"), maxFailed, reason));
  }
  tooBig("maxFailedIndexes", maxFailed, MAX_FAILED_INDEXES, "");
  if (completions === undefined || completions <= MANY_COMPLETIONS || perIndex === undefined) {
    return errors;
  }
  if (maxFailed === undefined) {
    const reason = `must be specified when completions is above ${MANY_COMPLETIONS}`;
    errors.push(required(at("maxFailedIndexes"), reason));
  }
  const when =
    ` when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  tooBig("parallelism", parallelism, MAX_PARALLELISM_OF_MANY, when);
  tooBig("maxFailedIndexes", maxFailed, MAX_FAILED_OF_MANY, when);
  return errors;
}

/** Returns the errors of a Job apart from its metadata. */
export function validateJob(job: JsonObject, release: Release): FieldError[] {
  const spec = getObject(job, "spec");
  const errors = [...validateGeneratedSelector(job), ...validateJobSpec(spec, release)];
  const completions = getOwn(spec, "completions");
  if (getString(spec, "completionMode") !== "Indexed") return errors;
  if (typeof completions !== "number" || completions <= 0) return errors;
  const name = getString(job, "metadata", "name");
  const host = `${name}-${completions - 1}`;
  if (dnsLabel(host).length === 0) return errors;
  const reason = `will not able to create pod with invalid DNS label: ${host}`;
  return [...errors, invalidValue("metadata.name", name, reason)];
}

function validateJobSpec(spec: JsonObject, release: Release): FieldError[] {
  const errors = validateJobTemplate(spec, "spec", release);
  const selector = getOwn(spec, "selector");
  if (!isObject(selector)) errors.push(required("spec.selector"));
  else errors.push(...validateLabelSelector(selector, "spec.selector"));
  const labels = getObject(spec, "template", "metadata", "labels");
  if (!isObject(selector) || !matchesSelector(selector, labels)) {
    errors.push(invalidValue("spec.template.metadata.labels", shownLabels(spec), UNSELECTED));
  }
  return errors;
}

/** The label with the UID of the Job of a Pod. */
export const CONTROLLER_UID = "batch.kubernetes.io/controller-uid";

/** Returns the labels that the server adds to the Pod template of a Job. */
export function generatedLabels(job: JsonObject): Record<string, string> {
  const uid = getString(job, "metadata", "uid");
  const name = getString(job, "metadata", "name");
  return {
    "controller-uid": uid,
    "job-name": name,
    [CONTROLLER_UID]: uid,
    "batch.kubernetes.io/job-name": name,
  };
}

/** Returns the errors of the labels and the selector of a Job without `manualSelector`. */
function validateGeneratedSelector(job: JsonObject): FieldError[] {
  const selector = getOwn(getObject(job, "spec"), "selector");
  if (getPath(job, "spec", "manualSelector") === true || !isObject(selector)) return [];
  const generated = generatedLabels(job);
  const labels = getObject(job, "spec", "template", "metadata", "labels");
  const errors = Object.entries(generated).flatMap(([key, wanted]) => {
    const field = item("spec.template.metadata.labels", key);
    const reason = `must be '${wanted}'`;
    const value = getOwn(labels, key);
    if (value === undefined) return [required(field, reason)];
    return value === wanted ? [] : [invalidValue(field, labels, reason)];
  });
  if (matchesSelector(selector, generated)) return errors;
  return [...errors, invalidValue("spec.selector", selector, "`selector` not auto-generated")];
}

/** The fields of the Pod template that can change while a Job is suspended and has not started. */
const SCHEDULING = ["nodeSelector", "tolerations", "schedulingGates"];

/** Returns the errors of an update of a Job. */
export function validateJobUpdate(
  next: JsonObject,
  old: JsonObject,
  release: Release,
): FieldError[] {
  const [spec, before] = [getObject(next, "spec"), getObject(old, "spec")];
  const fixed = (...names: string[]) => names.flatMap((name) => immutable(next, old, "spec", name));
  return [
    ...validateJobSpec(spec, release),
    ...validateCompletions(next, old),
    ...fixed("selector"),
    ...validateTemplateUpdate(getObject(spec, "template"), before, old),
    ...fixed("completionMode"),
    ...immutable(next, old, "spec", "podFailurePolicy"),
    ...fixed("backoffLimitPerIndex", "managedBy"),
    ...immutable(next, old, "spec", "successPolicy"),
  ];
}

/** The number of completions of an Indexed Job may change together with the parallelism. */
function validateCompletions(next: JsonObject, old: JsonObject): FieldError[] {
  const spec = getObject(next, "spec");
  if (getString(spec, "completionMode") !== "Indexed") {
    return immutable(next, old, "spec", "completions");
  }
  const completions = getOwn(spec, "completions");
  if (completions === undefined || completions === getPath(old, "spec", "completions")) return [];
  if (completions === getOwn(spec, "parallelism")) return [];
  const reason = "can only be modified in tandem with spec.parallelism";
  return [invalidValue("spec.completions", completions, reason)];
}

function validateTemplateUpdate(
  template: JsonObject,
  before: JsonObject,
  old: JsonObject,
): FieldError[] {
  const was = getObject(before, "template");
  const opened = getOwn(before, "suspend") === true &&
    getPath(old, "status", "startTime") === undefined;
  if (jsonEqual(comparable(template, opened), comparable(was, opened))) return [];
  return [invalidValue("spec.template", template, "field is immutable")];
}

/** Returns the immutable part of a Pod template. */
function comparable(template: JsonObject, opened: boolean): JsonObject {
  if (!opened) return template;
  const metadata = { ...getObject(template, "metadata") };
  const spec = { ...getObject(template, "spec") };
  for (const name of SCHEDULING) delete spec[name];
  for (const name of ["annotations", "labels"]) delete metadata[name];
  const { nodeAffinity: _, ...affinity } = getObject(spec, "affinity");
  if (Object.keys(affinity).length > 0) spec["affinity"] = affinity;
  else delete spec["affinity"];
  return { ...template, metadata, spec };
}

/** Returns the warnings for a write of a Job. */
export function jobWarnings(job: JsonObject, old: JsonObject | undefined): string[] {
  return [
    ...(old === undefined ? podNameWarnings(job) : []),
    ...(isNewGeneration(job, old) ? jobSpecWarnings(getObject(job, "spec"), "spec") : []),
  ];
}

/** Returns the warnings for the spec of a Job, also in the template of a CronJob. */
export function jobSpecWarnings(spec: JsonObject, field: string): string[] {
  return [
    ...indexWarnings(spec, field),
    ...templateWarnings(getObject(spec, "template"), `${field}.template.`),
  ];
}

function indexWarnings(spec: JsonObject, field: string): string[] {
  if (getString(spec, "completionMode") !== "Indexed") return [];
  const above = (name: string, limit: number) => Number(getOwn(spec, name) ?? 0) > limit;
  if (!above("completions", MANY_COMPLETIONS) || !above("parallelism", MAX_PARALLELISM_OF_MANY)) {
    return [];
  }
  return [
    `${field}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ` +
    "Kubernetes might not be able to track completedIndexes when a big number of indexes fail",
  ];
}
