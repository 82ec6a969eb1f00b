import { parseQuantity } from "@kubeloop/controller/internal/base";
import { getObject, getString, type JsonObject, withPath } from "../../../../values/mod.ts";
import {
  child,
  compareQuantities,
  duplicate,
  type FieldError,
  forbiddenField,
  getOwn,
  invalidValue,
  item,
  qualifiedName,
  required,
} from "../../../../values/mod.ts";
import { defineKind, type KindRecord } from "../../record/mod.ts";
import {
  containerResourceErrors,
  isExtendedResource,
  objects,
  resourceNameErrors,
  roundAll,
} from "../../shared/mod.ts";

/** One, in billionths. */
const UNIT = 1e9;

const TYPES = ["Pod", "Container", "PersistentVolumeClaim"];

/** Returns the errors of a LimitRange apart from its metadata. */
export function validateLimitRange(range: JsonObject): FieldError[] {
  const types = new Set<string>();
  return objects(range, "spec", "limits").flatMap((limit, index) => {
    const field = item("spec.limits", index);
    const type = getString(limit, "type");
    const at = child(field, "type");
    const errors = qualifiedName(type).map((text) => invalidValue(at, type, text));
    if (errors.length === 0 && !type.includes("/") && !TYPES.includes(type)) {
      errors.push(invalidValue(at, type, "must be a standard limit type or fully qualified"));
    }
    if (types.has(type)) errors.push(duplicate(at, type));
    types.add(type);
    return [...errors, ...validateLimit(limit, type, field)];
  });
}

/** The limits of one resource. */
interface Limits {
  readonly min: string;
  readonly max: string;
  readonly default: string;
  readonly defaultRequest: string;
  readonly maxLimitRequestRatio: string;
}

function validateLimit(limit: JsonObject, type: string, field: string): FieldError[] {
  const amounts = (name: string) => getObject(limit, name);
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const list of ["max", "min"]) {
    for (const name of Object.keys(amounts(list))) {
      errors.push(...nameErrors(name, type, item(child(field, list), name)));
      names.add(name);
    }
  }
  for (const list of ["default", "defaultRequest"]) {
    const given = Object.keys(amounts(list));
    if (type === "Pod") {
      const reason = "may not be specified when `type` is 'Pod'";
      if (given.length > 0) errors.push(forbiddenField(child(field, list), reason));
      continue;
    }
    for (const name of given) {
      errors.push(...nameErrors(name, type, item(child(field, list), name)));
      names.add(name);
    }
  }
  if (type === "PersistentVolumeClaim") {
    const given = ["min", "max"].some((list) => getOwn(amounts(list), "storage") !== undefined);
    const reason = "either minimum or maximum storage value is required, but neither was provided";
    if (!given) errors.push(required(child(field, "limits"), reason));
  }
  for (const name of Object.keys(amounts("maxLimitRequestRatio"))) {
    errors.push(...nameErrors(name, type, item(child(field, "maxLimitRequestRatio"), name)));
    names.add(name);
  }
  for (const name of names) {
    const of = (list: string) =>
      type === "Pod" && list.startsWith("default") ? "" : getString(amounts(list), name);
    const limits = {
      min: of("min"),
      max: of("max"),
      default: of("default"),
      defaultRequest: of("defaultRequest"),
      maxLimitRequestRatio: of("maxLimitRequestRatio"),
    };
    errors.push(...compare(name, limits, (list) => item(child(field, list), name)));
  }
  return errors;
}

function nameErrors(name: string, type: string, field: string): FieldError[] {
  return type === "Container" || type === "Pod"
    ? containerResourceErrors(name, field)
    : resourceNameErrors(name, field);
}

function compare(
  name: string,
  limits: Limits,
  at: (list: string) => string,
): FieldError[] {
  const { min, max, default: standard, defaultRequest: request, maxLimitRequestRatio: ratio } =
    limits;
  const errors: FieldError[] = [];
  const above = (a: string, b: string) => a !== "" && b !== "" && compareQuantities(a, b)! > 0;
  const refuse = (list: string, value: string, reason: string) =>
    errors.push(invalidValue(at(list), value, reason));
  if (above(min, max)) refuse("min", min, `min value ${min} is greater than max value ${max}`);
  if (above(min, request)) {
    refuse(
      "defaultRequest",
      request,
      `min value ${min} is greater than default request value ${request}`,
    );
  }
  if (above(request, max)) {
    refuse(
      "defaultRequest",
      request,
      `default request value ${request} is greater than max value ${max}`,
    );
  }
  if (above(request, standard)) {
    const reason =
      `default request value ${request} is greater than default limit value ${standard}`;
    refuse("defaultRequest", request, reason);
  }
  if (above(min, standard)) {
    refuse("default", min, `min value ${min} is greater than default value ${standard}`);
  }
  if (above(standard, max)) {
    refuse("default", max, `default value ${standard} is greater than max value ${max}`);
  }
  const differs = request !== "" && standard !== "" && compareQuantities(request, standard) !== 0;
  if (differs && cannotOvercommit(name)) {
    const reason =
      `default value ${standard} must equal to defaultRequest value ${request} in ${name}`;
    refuse("defaultRequest", request, reason);
  }
  if (ratio !== "" && compareQuantities(ratio, "1")! < 0) {
    refuse("maxLimitRequestRatio", ratio, `ratio ${ratio} is less than 1`);
  } else if (ratio !== "" && min !== "" && max !== "") {
    const most = unitsOf(max) / unitsOf(min);
    if (unitsOf(ratio) > most * UNIT) {
      const reason = `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`;
      refuse("maxLimitRequestRatio", ratio, reason);
    }
  }
  return errors;
}

/** Reports whether requests of a resource must equal limits. */
function cannotOvercommit(name: string): boolean {
  return isExtendedResource(name) || name.startsWith("hugepages-");
}

function unitsOf(text: string): number {
  return Number(parseQuantity(text)?.nano ?? 0n);
}

/** LimitRanges. */
export const LIMIT_RANGE: KindRecord = defineKind("v1", "limitranges", "LimitRange", {
  shortNames: ["limits"],
  allowCreateOnUpdate: true,
  defaults: defaultLimitRange,
  prepareCreate: named,
  names: "subdomain",
  validatesMetaChange: false,
  validate: validateLimitRange,
});

/** Names a LimitRange without a name by an id. */
function named(range: JsonObject): JsonObject {
  const { name, uid } = getObject(range, "metadata");
  return name ? range : withPath(range, ["metadata", "name"], uid!);
}

/**
 * Sets the defaults of a limit of containers: the default limit is the maximum, the default request the default limit
 * or the minimum.
 */
function defaultLimitRange(range: JsonObject): void {
  for (const limit of objects(range, "spec", "limits")) {
    roundAll(limit, "max", "min", "default", "defaultRequest", "maxLimitRequestRatio");
    if (getString(limit, "type") !== "Container") continue;
    const limits = { ...getObject(limit, "max"), ...getObject(limit, "default") };
    limit["default"] = limits;
    limit["defaultRequest"] = {
      ...getObject(limit, "min"),
      ...limits,
      ...getObject(limit, "defaultRequest"),
    };
  }
}
