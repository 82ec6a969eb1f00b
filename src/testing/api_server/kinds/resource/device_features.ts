import {
  child,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  qualifiedName,
  required,
  tooMany,
} from "../../../values/mod.ts";
import { objects, validateNodeSelector } from "../shared/mod.ts";
import { setErrors } from "./claim_validation.ts";
import { taintErrors } from "./device_taints.ts";

const MAX_TAINTS = 16;
const MAX_COUNTER_SETS = 8;
const MAX_CONSUMED = 2;
const MAX_COUNTERS = 32;
const MAX_CONDITIONS = 4;

/**
 * Returns the errors of the fields of a device that depend on feature gates.
 *
 * @param isPlaced Whether each device selects its nodes itself.
 */
export function featureErrors(device: JsonObject, isPlaced: boolean, field: string): FieldError[] {
  const taints = getArray(device, "taints");
  const at = child(field, "taints");
  return [
    ...capacityErrors(device, field),
    ...(taints.length > MAX_TAINTS
      ? [tooMany(at, taints.length, MAX_TAINTS)]
      : objects(device, "taints").flatMap((taint, index) => taintErrors(taint, item(at, index)))),
    ...setErrors(
      objects(device, "consumesCounters"),
      child(field, "consumesCounters"),
      MAX_CONSUMED,
      (one, where) => counterErrors(one, "counterSet", where),
      (one) => getString(one, "counterSet"),
    ),
    ...placeErrors(device, isPlaced, field),
    ...bindingErrors(device, field),
  ];
}

/** Returns the errors of the counters that the devices of a slice share. */
export function counterSetErrors(spec: JsonObject, field: string): FieldError[] {
  const both = Array.isArray(getOwn(spec, "sharedCounters")) &&
    Array.isArray(getOwn(spec, "devices"));
  return [
    ...(both
      ? [invalidValue("spec", "", "only one of `sharedCounters` or `devices` is allowed")]
      : []),
    ...setErrors(
      objects(spec, "sharedCounters"),
      field,
      MAX_COUNTER_SETS,
      (one, at) => counterErrors(one, "name", at),
      (one) => getString(one, "name"),
    ),
  ];
}

function capacityErrors(device: JsonObject, field: string): FieldError[] {
  if (getOwn(device, "allowMultipleAllocations") === true) return [];
  const capacity = getObject(device, "capacity");
  const named = Object.keys(capacity).filter((name) =>
    getOwn(getObject(capacity, name), "requestPolicy") !== undefined
  );
  return named.map((name) =>
    forbiddenField(
      child(item(child(field, "capacity"), name), "requestPolicy"),
      "allowMultipleAllocations must be true",
    )
  );
}

/** Returns the errors of counters, and of the name of their set in the field of that name. */
function counterErrors(one: JsonObject, name: string, field: string): FieldError[] {
  const set = getString(one, name);
  const at = child(field, name);
  const names = Object.keys(getObject(one, "counters"));
  const where = child(field, "counters");
  const errors = set === ""
    ? [required(at)]
    : dnsLabel(set).map((text) => invalidValue(at, set, text));
  if (names.length === 0) errors.push(required(where));
  else if (names.length > MAX_COUNTERS) errors.push(tooMany(where, names.length, MAX_COUNTERS));
  else {
    errors.push(
      ...names.flatMap((key) => dnsLabel(key).map((text) => invalidValue(where, key, text))),
    );
  }
  return errors;
}

const EACH_ONE =
  "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

/** Returns the errors of the fields with which a device selects its nodes. */
function placeErrors(device: JsonObject, isPlaced: boolean, field: string): FieldError[] {
  const [name, selector, all] = ["nodeName", "nodeSelector", "allNodes"].map((one) =>
    getOwn(device, one)
  );
  if (!isPlaced) {
    const reason =
      "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
    return [name, selector, all].every((one) => one === undefined)
      ? []
      : [invalidValue(field, null, reason)];
  }
  const errors: FieldError[] = [];
  const set: string[] = [];
  const at = child(field, "nodeName");
  if (name === "") errors.push(invalidValue(at, "", "must not be empty"));
  else if (typeof name === "string") {
    set.push("`nodeName`");
    errors.push(...dnsSubdomain(name).map((text) => invalidValue(at, name, text)));
  }
  if (isObject(selector)) {
    set.push("`nodeSelector`");
    errors.push(...validateNodeSelector(selector, child(field, "nodeSelector")));
  }
  if (all === true) set.push("`allNodes`");
  else if (all === false) {
    errors.push(
      invalidValue(child(field, "allNodes"), all, "must be either unset or set to true"),
    );
  }
  if (set.length === 0) errors.push(required(field, EACH_ONE));
  else if (set.length > 1) errors.push(invalidValue(field, `{${set.join(", ")}}`, EACH_ONE));
  return errors;
}

/** Returns the errors of the conditions that a device must have before a Pod may use it. */
function bindingErrors(device: JsonObject, field: string): FieldError[] {
  const names = ["bindingConditions", "bindingFailureConditions"] as const;
  const lists = names.map((name) => getArray(device, name).map(String));
  const errors = names.flatMap((name, index) => {
    const [at, list] = [child(field, name), lists[index]!];
    if (list.length > MAX_CONDITIONS) return [tooMany(at, list.length, MAX_CONDITIONS)];
    return list.flatMap((one, position) =>
      qualifiedName(one).map((text) => invalidValue(item(at, position), one, text))
    );
  });
  const [conditions = [], failures = []] = lists;
  names.forEach((name, index) => {
    lists[index]!.forEach((one, position) => {
      const at = item(child(field, name), position);
      if (lists[index]!.indexOf(one) < position) errors.push(duplicate(at, one));
      if (index === 1 && conditions.includes(one)) {
        const reason = "bindingFailureConditions must not overlap with bindingConditions";
        errors.push(invalidValue(at, one, reason));
      }
    });
  });
  const needs = (name: string, other: string) =>
    invalidValue(child(field, name), null, `${name} are required to use ${other}`);
  if (conditions.length === 0 && failures.length > 0) errors.push(needs(names[0], names[1]));
  if (failures.length === 0 && conditions.length > 0) errors.push(needs(names[1], names[0]));
  return errors;
}
