import {
  child,
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
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  required,
} from "../../../../values/mod.ts";
import { objects, validateTolerations } from "../../shared/mod.ts";
import { validateAnnotationsUpdate } from "../pod_spec/mod.ts";

const UNCHANGEABLE =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

const MAX_INT32 = 2_147_483_647;
const REQUIRED_TERMS = [
  "affinity",
  "nodeAffinity",
  "requiredDuringSchedulingIgnoredDuringExecution",
  "nodeSelectorTerms",
];

/** Returns the validation errors of an update to a Pod. Most fields of the spec are immutable. */
export function validatePodSpecUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const spec = getObject(next, "spec");
  const before = getObject(old, "spec");
  const errors = validateAnnotationsUpdate(next, old);
  for (const list of ["containers", "initContainers"]) {
    const field = child("spec", list);
    const now = objects(spec, list);
    if (now.length !== objects(before, list).length) {
      errors.push(forbiddenField(field, "pod updates may not add or remove containers"));
      return errors;
    }
    errors.push(...validateImages(now, field));
  }
  const [deadline, stop] = validateDeadlineUpdate(spec, before);
  errors.push(...deadline);
  if (stop) return errors;
  errors.push(...validateAddedTolerations(spec, before), ...validateLostGates(spec, before));
  const gated = getArray(before, "schedulingGates").length > 0;
  if (gated) errors.push(...validateGatedChange(spec, before));
  const compared = comparable(spec, before, gated);
  if (!jsonEqual(compared, before)) {
    errors.push(forbiddenField("spec", UNCHANGEABLE));
  }
  return errors;
}

function validateImages(containers: readonly JsonObject[], field: string): FieldError[] {
  return containers.flatMap((container, index) => {
    const image = getString(container, "image");
    const at = child(item(field, index), "image");
    if (image === "") return [required(at)];
    if (image === image.trim()) return [];
    return [invalidValue(at, image, "must not have leading or trailing whitespace")];
  });
}

/** Returns the errors of a new deadline, and whether they are all that is to be reported. */
function validateDeadlineUpdate(spec: JsonObject, before: JsonObject): [FieldError[], boolean] {
  const field = "spec.activeDeadlineSeconds";
  const now = getOwn(spec, "activeDeadlineSeconds");
  const then = getOwn(before, "activeDeadlineSeconds");
  if (!isNumber(now)) {
    if (!isNumber(then)) return [[], false];
    const text = "must not update from a positive integer to nil value";
    return [[invalidValue(field, null, text)], false];
  }
  if (now < 0 || now > MAX_INT32) {
    return [[invalidValue(field, now, `must be between 0 and ${MAX_INT32}, inclusive`)], true];
  }
  if (!isNumber(then) || now <= then) return [[], false];
  return [[invalidValue(field, now, "must be less than or equal to previous value")], true];
}

function validateAddedTolerations(spec: JsonObject, before: JsonObject): FieldError[] {
  const field = "spec.tolerations";
  const now = objects(spec, "tolerations");
  const lost = objects(before, "tolerations").some((one) =>
    !now.some((kept) => sameToleration(kept, one))
  );
  if (!lost) return validateTolerations(now, field);
  const text = "existing toleration can not be modified except its tolerationSeconds";
  return [forbiddenField(field, text)];
}

function sameToleration(a: JsonObject, b: JsonObject): boolean {
  return ["key", "operator", "value", "effect"].every((name) =>
    getString(a, name) === getString(b, name)
  );
}

function validateLostGates(spec: JsonObject, before: JsonObject): FieldError[] {
  const names = (one: JsonObject) =>
    objects(one, "schedulingGates").map((gate) => getString(gate, "name"));
  const known = names(before);
  return names(spec).flatMap((name, index) => {
    if (known.includes(name)) return [];
    const at = child(item("spec.schedulingGates", index), "name");
    const text = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbiddenField(at, text)];
  });
}

/** Returns the errors of a change of where a Pod may run. It can be narrowed while the Pod is gated. */
function validateGatedChange(spec: JsonObject, before: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const selector = getObject(spec, "nodeSelector");
  const selected = getObject(before, "nodeSelector");
  if (Object.keys(selected).some((key) => getOwn(selector, key) !== selected[key])) {
    const text = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
    errors.push(invalidValue("spec.nodeSelector", givenOf(spec, "nodeSelector"), text));
  }
  const terms = termsOf(before);
  const now = termsOf(spec);
  const field = child("spec", REQUIRED_TERMS.join("."));
  if (terms.length > 0 && terms.length !== now.length) {
    const text = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    return [...errors, invalidValue(field, now.length === 0 ? null : now, text)];
  }
  terms.forEach((term, index) => {
    if (isNarrower(now[index]!, term)) return;
    const text = "only additions are allowed (no mutations or deletions)";
    errors.push(invalidValue(item(field, index), now[index]!, text));
  });
  return errors;
}

function termsOf(spec: JsonObject): JsonObject[] {
  return objects(spec, ...REQUIRED_TERMS);
}

function isNarrower(now: JsonObject, before: JsonObject): boolean {
  const lists = ["matchExpressions", "matchFields"];
  const isEmpty = (term: JsonObject) => lists.every((list) => objects(term, list).length === 0);
  if (isEmpty(before)) return isEmpty(now);
  return lists.every((list) => {
    const old = objects(before, list);
    return jsonEqual(objects(now, list).slice(0, old.length), old);
  });
}

/** Returns the new spec with the old values of all mutable fields. The result of a valid update equals the old spec. */
function comparable(spec: JsonObject, before: JsonObject, gated: boolean): JsonObject {
  const result: JsonObject = { ...spec };
  const keep = (name: string) => {
    const value = getOwn(before, name);
    if (value === undefined) delete result[name];
    else result[name] = value;
  };
  for (const list of ["containers", "initContainers"]) {
    const now = getOwn(spec, list);
    if (!Array.isArray(now)) continue;
    const then = objects(before, list);
    result[list] = now.map((container: Json, index) => {
      if (!isObject(container)) return container;
      const image = getOwn(then[index] ?? {}, "image");
      const copy: JsonObject = { ...container };
      if (image === undefined) delete copy["image"];
      else copy["image"] = image;
      return copy;
    });
  }
  for (const name of ["activeDeadlineSeconds", "tolerations", "schedulingGates"]) keep(name);
  if (gated) {
    keep("nodeSelector");
    const affinity: JsonObject = { ...getObject(result, "affinity") };
    const had = getPath(before, "affinity", "nodeAffinity");
    if (had === undefined) delete affinity["nodeAffinity"];
    else affinity["nodeAffinity"] = had;
    const isNew = getOwn(before, "affinity") === undefined && Object.keys(affinity).length === 0;
    if (isNew) delete result["affinity"];
    else result["affinity"] = affinity;
  }
  return result;
}
