import {
  child,
  duplicate,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  required,
  timeMs,
} from "../../../values/mod.ts";
import { immutable, isTrue, nonNegative, objects } from "../shared/mod.ts";
import { parseIndexes } from "./job_indexes.ts";

/** The path of the conditions. */
const CONDITIONS = "status.conditions";

/**
 * Returns the errors of an update to the status of a Job. Parts that were invalid before and are unchanged are
 * accepted, so that other parts can still be written.
 */
export function validateJobStatus(next: JsonObject, old: JsonObject): FieldError[] {
  const [status, before] = [getObject(next, "status"), getObject(old, "status")];
  return [
    ...nonNegative(status, "status", "active", "succeeded", "failed", "ready", "terminating"),
    ...validateUncounted(getObject(status, "uncountedTerminatedPods")),
    ...validateConditions(next, old),
    ...validateTimes(next, old),
    ...validateFinished(next, old),
    ...validateIndexes(next, old),
    ...validatePods(next, old),
    ...validateSuccess(next),
    ...validateTransitions(next, old, status, before),
  ];
}

function validateUncounted(pods: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return ["succeeded", "failed"].flatMap((list) =>
    getArray(pods, list).flatMap((uid, index) => {
      const at = item(child("status.uncountedTerminatedPods", list), index);
      if (uid === "") return [invalidValue(at, uid, "must not be empty")];
      if (seen.has(String(uid))) return [duplicate(at, uid)];
      seen.add(String(uid));
      return [];
    })
  );
}

function isFinished(job: JsonObject): boolean {
  return isTrue(job, "Complete") || isTrue(job, "Failed");
}

/** Reports whether one of the conditions is true in one of the objects only. */
function flips(next: JsonObject, old: JsonObject, ...types: string[]): boolean {
  return types.some((type) => isTrue(next, type) !== isTrue(old, type));
}

function changed(next: JsonObject, old: JsonObject, ...names: string[]): boolean {
  return names.some((name) =>
    !jsonEqual(getPath(next, "status", name) ?? null, getPath(old, "status", name) ?? null)
  );
}

/** The error about the conditions, which leaves them out. */
function refused(reason: string): FieldError {
  return { reason: "FieldValueInvalid", message: `Invalid value: ${reason}`, field: CONDITIONS };
}

function validateConditions(next: JsonObject, old: JsonObject): FieldError[] {
  const complete = isTrue(next, "Complete");
  const errors: FieldError[] = [];
  if (complete && isTrue(next, "Failed") && flips(next, old, "Complete", "Failed")) {
    errors.push(refused("cannot set Complete=True and Failed=true conditions"));
  }
  if (complete && isTrue(next, "FailureTarget") && flips(next, old, "Complete", "FailureTarget")) {
    errors.push(refused("cannot set Complete=True and FailureTarget=true conditions"));
  }
  return errors;
}

function validateTimes(next: JsonObject, old: JsonObject): FieldError[] {
  const complete = isTrue(next, "Complete");
  const end = getPath(next, "status", "completionTime");
  const start = getPath(next, "status", "startTime");
  const field = "status.completionTime";
  const errors: FieldError[] = [];
  if (flips(next, old, "Complete") || changed(next, old, "completionTime")) {
    if (end !== undefined && !complete) {
      const reason = "cannot set completionTime when there is no Complete=True condition";
      errors.push(invalidValue(field, end, reason));
    }
    if (end === undefined && complete) {
      errors.push(required(field, "completionTime is required for Complete jobs"));
    }
  }
  const early = typeof start === "string" && typeof end === "string" && timeMs(end) < timeMs(start);
  if (early && changed(next, old, "startTime", "completionTime")) {
    errors.push(invalidValue(field, end, "must be equal to or after `startTime`"));
  }
  if (
    isTrue(next, "Failed") && !isTrue(next, "FailureTarget") &&
    (flips(next, old, "Failed") || changed(next, old, "failedIndexes"))
  ) {
    const reason = "cannot set Failed=True condition without the FailureTarget=true condition";
    errors.push(refused(reason));
  }
  if (
    complete && !isTrue(next, "SuccessCriteriaMet") &&
    flips(next, old, "Complete", "SuccessCriteriaMet")
  ) {
    const reason =
      "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
    errors.push(refused(reason));
  }
  return errors;
}

function validateFinished(next: JsonObject, old: JsonObject): FieldError[] {
  if (!isFinished(next)) return [];
  const flipped = isFinished(next) !== isFinished(old);
  const status = getObject(next, "status");
  const errors: FieldError[] = [];
  const active = getOwn(status, "active");
  if (typeof active === "number" && active > 0 && (flipped || changed(next, old, "active"))) {
    errors.push(invalidValue("status.active", active, "active>0 is invalid for finished job"));
  }
  const empty = getPath(next, "spec", "suspend") === true &&
    getPath(next, "spec", "completions") === 0;
  if (
    getOwn(status, "startTime") === undefined && !empty &&
    (flipped || changed(next, old, "startTime"))
  ) errors.push(required("status.startTime", "startTime is required for finished job"));
  const pods = getObject(status, "uncountedTerminatedPods");
  const left = getArray(pods, "succeeded").length + getArray(pods, "failed").length;
  if (left > 0 && (flipped || changed(next, old, "uncountedTerminatedPods"))) {
    const field = "status.uncountedTerminatedPods";
    errors.push(invalidValue(field, pods, "must be empty for finished job"));
  }
  return errors;
}

function validateIndexes(next: JsonObject, old: JsonObject): FieldError[] {
  const spec = getObject(next, "spec");
  const completions = getOwn(spec, "completions");
  const completed = getString(next, "status", "completedIndexes");
  const failed = getPath(next, "status", "failedIndexes");
  const errors: FieldError[] = [];
  const read = (name: string, text: string) => {
    const parsed = parseIndexes(text, Number(completions));
    if (typeof parsed !== "string") return parsed.intervals;
    if (!changed(next, old, name)) return undefined;
    errors.push(invalidValue(child("status", name), text, `error parsing ${name}: ${parsed}`));
    return undefined;
  };
  const perIndex = getOwn(spec, "backoffLimitPerIndex") !== undefined;
  const counts = typeof completions === "number";
  const done = counts ? read("completedIndexes", completed) : undefined;
  const lost = counts && perIndex && typeof failed === "string"
    ? read("failedIndexes", failed)
    : undefined;
  if (
    changed(next, old, "completedIndexes") && completed !== "" &&
    getString(spec, "completionMode") !== "Indexed"
  ) {
    const reason = "cannot set non-empty completedIndexes when non-indexed completion mode";
    errors.push(invalidValue("status.completedIndexes", completed, reason));
  }
  const field = "status.failedIndexes";
  if (changed(next, old, "failedIndexes") && !perIndex && failed !== undefined) {
    const reason = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    errors.push(invalidValue(field, failed as Json, reason));
  }
  const both = lost?.find(([a, b]) => done?.some(([x, y]) => a <= y && x <= b));
  if (both !== undefined && changed(next, old, "completedIndexes", "failedIndexes")) {
    const first = Math.max(both[0], done!.find(([x, y]) => both[0] <= y && x <= both[1])![0]);
    const reason = `failedIndexes and completedIndexes overlap at index: ${first}`;
    errors.push(invalidValue(field, failed as Json, reason));
  }
  return errors;
}

function validatePods(next: JsonObject, old: JsonObject): FieldError[] {
  const status = getObject(next, "status");
  const errors: FieldError[] = [];
  const terminating = getOwn(status, "terminating");
  const flipped = isFinished(next) !== isFinished(old);
  if (
    typeof terminating === "number" && terminating > 0 && isFinished(next) &&
    (flipped || changed(next, old, "terminating"))
  ) {
    const reason = "terminating>0 is invalid for finished job";
    errors.push(invalidValue("status.terminating", terminating, reason));
  }
  const ready = getOwn(status, "ready");
  const active = Number(getOwn(status, "active") ?? 0);
  if (typeof ready === "number" && ready > active && changed(next, old, "ready", "active")) {
    errors.push(invalidValue("status.ready", ready, "cannot set more ready pods than active"));
  }
  return errors;
}

function validateSuccess(next: JsonObject): FieldError[] {
  const met = isTrue(next, "SuccessCriteriaMet");
  const errors: FieldError[] = [];
  for (const other of ["Failed", "FailureTarget"]) {
    if (!met || !isTrue(next, other)) continue;
    errors.push(refused(`cannot set SuccessCriteriaMet=True and ${other}=true conditions`));
  }
  const policy = getPath(next, "spec", "successPolicy") !== undefined;
  if (policy && !met && isTrue(next, "Complete")) {
    const reason =
      "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
    errors.push(refused(reason));
  }
  return errors;
}

/** Returns the errors of fields that can change in one direction only. */
function validateTransitions(
  next: JsonObject,
  old: JsonObject,
  status: JsonObject,
  before: JsonObject,
): FieldError[] {
  const errors: FieldError[] = [];
  const lost = (type: string) => isTrue(old, type) && !isTrue(next, type);
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (lost(type)) errors.push(refused(`cannot disable the terminal ${type}=True condition`));
  }
  const spec = getObject(next, "spec");
  const elastic = getString(spec, "completionMode") === "Indexed" &&
    getOwn(spec, "completions") === getOwn(spec, "parallelism");
  for (const name of elastic ? ["failed"] : ["failed", "succeeded"]) {
    const count = getOwn(status, name) ?? 0;
    if (Number(count) >= Number(getOwn(before, name) ?? 0)) continue;
    errors.push(invalidValue(child("status", name), count, `cannot decrease the ${name} counter`));
  }
  const ended = getOwn(before, "completionTime");
  if (ended !== undefined && getOwn(status, "completionTime") !== undefined) {
    errors.push(...immutable(next, old, "status", "completionTime"));
  }
  const resumes = isTrue(old, "Suspended") &&
    objects(next, "status", "conditions").some((one) =>
      getString(one, "type") === "Suspended" && getString(one, "status") === "False"
    );
  if (
    getOwn(spec, "suspend") !== true && !resumes && getOwn(before, "startTime") !== undefined &&
    changed(next, old, "startTime")
  ) {
    const reason = "startTime cannot be removed for unsuspended job";
    errors.push(required("status.startTime", reason));
  }
  const met = "SuccessCriteriaMet";
  if (lost(met)) errors.push(refused(`cannot disable the ${met}=True condition`));
  if (isTrue(old, "Complete") && !isTrue(old, met) && isTrue(next, met)) {
    const reason = `cannot set ${met}=True for Job already has Complete=true conditions`;
    errors.push(refused(reason));
  }
  return errors;
}
