import {
  child,
  compareQuantities,
  dnsLabel,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  pathSegmentName,
  required,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { containerResourceErrors, nonNegative, objects } from "../shared/mod.ts";

const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;
const METRIC_TYPES = ["ContainerResource", "External", "Object", "Pods", "Resource"];

/** Returns the errors of an autoscaling/v2 autoscaler apart from its metadata. */
export function validateAutoscaler(
  autoscaler: JsonObject,
  old: JsonObject | undefined,
  release: Release,
): FieldError[] {
  const spec = getObject(autoscaler, "spec");
  const min = getOwn(spec, "minReplicas");
  const max = Number(getOwn(spec, "maxReplicas") ?? 0);
  const errors: FieldError[] = [];
  const toZero = release.isOn("HPAScaleToZero") ||
    getOwn(getObject(old ?? {}, "spec"), "minReplicas") === 0;
  const least = toZero ? 0 : 1;
  if (typeof min === "number" && min < least) {
    errors.push(invalidValue("spec.minReplicas", min, `must be greater than or equal to ${least}`));
  }
  if (max < 1) errors.push(tooFewReplicas(max, release));
  if (typeof min === "number" && max < min) {
    const reason = "must be greater than or equal to `minReplicas`";
    errors.push(invalidValue("spec.maxReplicas", max, reason));
  }
  const target = getObject(spec, "scaleTargetRef");
  errors.push(...validateReference(target, "spec.scaleTargetRef", false));
  const metrics = objects(spec, "metrics");
  metrics.forEach((metric, index) => {
    errors.push(...validateMetric(metric, item("spec.metrics", index)));
  });
  const outside = metrics.some((one) => ["Object", "External"].includes(getString(one, "type")));
  if (min === 0 && !outside) {
    const reason =
      "must specify at least one Object or External metric to support scaling to zero replicas";
    errors.push(forbiddenField("spec.metrics", reason));
  }
  for (const name of ["scaleUp", "scaleDown"]) {
    const rules = getOwn(getObject(spec, "behavior"), name);
    if (isObject(rules)) errors.push(...validateRules(rules, child("spec.behavior", name)));
  }
  return errors;
}

function tooFewReplicas(max: number, release: Release): FieldError {
  const field = "spec.maxReplicas";
  if (release.has({ until: "1.35" })) return invalidValue(field, max, "must be greater than 0");
  return max === 0
    ? required(field, "must be set and greater than 0")
    : invalidValue(field, max, "must be greater than or equal to 1");
}

/** Returns the errors of the status of an autoscaling/v2 autoscaler. */
export function validateAutoscalerStatus(autoscaler: JsonObject): FieldError[] {
  const status = getObject(autoscaler, "status");
  const conditions = objects(status, "conditions").flatMap((condition, index) =>
    nonNegative(condition, item("status.conditions", index), "observedGeneration")
  );
  return conditions.concat(nonNegative(status, "status", "currentReplicas", "desiredReplicas"));
}

/** Returns the errors of a reference to an object. `core` says whether it may be in the core group. */
function validateReference(reference: JsonObject, field: string, core: boolean): FieldError[] {
  const errors = ["kind", "name"].flatMap((name) => {
    const value = getString(reference, name);
    const at = child(field, name);
    if (value === "") return [required(at)];
    return pathSegmentName(value).map((text) => invalidValue(at, value, text));
  });
  const apiVersion = getString(reference, "apiVersion");
  const parts = apiVersion.split("/");
  const at = child(field, "apiVersion");
  if (parts.length > 2) {
    return [
      ...errors,
      invalidValue(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`),
    ];
  }
  if (core || (parts.length === 2 && parts[0] !== "")) return errors;
  return [...errors, invalidValue(at, apiVersion, "apiVersion must specify API group")];
}

/** The names of the sources of metrics in the order in which they are checked, by the type of the metric. */
const SOURCES: Readonly<Record<string, string>> = {
  Object: "object",
  External: "external",
  Pods: "pods",
  Resource: "resource",
  ContainerResource: "containerResource",
};

function validateMetric(metric: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = getString(metric, "type");
  const at = child(field, "type");
  if (type === "") errors.push(required(at, "must specify a metric source type"));
  const unknown = notSupported(at, type, METRIC_TYPES);
  if (!METRIC_TYPES.includes(type)) errors.push(unknown);
  const given = Object.values(SOURCES).filter((name) => isObject(getOwn(metric, name)));
  const [first] = given;
  if (first !== undefined) {
    errors.push(...validateSource(first, getObject(metric, first), child(field, first)));
  }
  const wanted = SOURCES[type];
  if (wanted === undefined) errors.push(unknown);
  else if (!given.includes(wanted)) {
    const reason = "must populate information for the given metric source";
    errors.push(required(child(field, wanted), reason));
  }
  if (given.length !== 1) {
    for (const name of given.filter((one) => one !== wanted)) {
      errors.push(forbiddenField(child(field, name), "must populate the given metric source only"));
    }
  }
  return errors;
}

function validateSource(name: string, source: JsonObject, field: string): FieldError[] {
  const target = getObject(source, "target");
  const has = (value: string) => getOwn(target, value) !== undefined;
  const at = child(field, "target");
  const metric = validateName(getObject(source, "metric"), child(field, "metric"));
  const targets = validateTarget(target, at);
  switch (name) {
    case "object": {
      const reference = getObject(source, "describedObject");
      return [
        ...validateReference(reference, child(field, "describedObject"), true),
        ...metric,
        ...targets,
        ...(has("value") || has("averageValue") ? [] : [
          required(child(at, "averageValue"), "must set either a target value or averageValue"),
        ]),
      ];
    }
    case "external": {
      const one = "a target value for metric";
      return [
        ...metric,
        ...targets,
        ...oneOf(
          at,
          "averageValue",
          [has("value"), "value"],
          [has("averageValue"), "averageValue"],
          [
            `must set either ${one} or a per-pod target`,
            `may not set both ${one} and a per-pod target`,
            "value",
          ],
        ),
      ];
    }
    case "pods":
      return [
        ...metric,
        ...targets,
        ...(has("averageValue") ? [] : [
          required(child(at, "averageValue"), "must specify a positive target averageValue"),
        ]),
      ];
  }
  const resource = getString(source, "name");
  const errors = resource === ""
    ? [required(child(field, "name"), "must specify a resource name")]
    : [];
  if (name === "containerResource") {
    if (resource !== "") errors.push(...containerResourceErrors(resource, child(field, "name")));
    const container = getString(source, "container");
    const where = child(field, "container");
    errors.push(
      ...(container === ""
        ? [required(where, "must specify a container")]
        : dnsLabel(container).map((text) => invalidValue(where, container, text))),
    );
  }
  const both = [has("averageUtilization"), "averageUtilization"] as const;
  return [
    ...errors,
    ...targets,
    ...oneOf(at, "averageUtilization", both, [has("averageValue"), "averageValue"], [
      "must set either a target raw value or a target utilization",
      "may not set both a target raw value and a target utilization",
      "averageValue",
    ]),
  ];
}

/** Returns an error unless exactly one of two values is given. */
function oneOf(
  field: string,
  missing: string,
  [first]: readonly [boolean, string],
  [second]: readonly [boolean, string],
  [none, both, shown]: readonly [string, string, string],
): FieldError[] {
  if (!first && !second) return [required(child(field, missing), none)];
  return first && second ? [forbiddenField(child(field, shown), both)] : [];
}

function validateName(metric: JsonObject, field: string): FieldError[] {
  const name = getString(metric, "name");
  const at = child(field, "name");
  if (name === "") return [required(at, "must specify a metric name")];
  return pathSegmentName(name).map((text) => invalidValue(at, name, text));
}

function validateTarget(target: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = getString(target, "type");
  const at = child(field, "type");
  if (type === "") errors.push(required(at, "must specify a metric target type"));
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    errors.push(invalidValue(at, type, "must be either Utilization, Value, or AverageValue"));
  }
  for (const name of ["value", "averageValue"]) {
    const amount = getString(target, name);
    if (amount === "" || compareQuantities(amount, "0")! > 0) continue;
    errors.push(invalidValue(child(field, name), amount, "must be positive"));
  }
  const share = getOwn(target, "averageUtilization");
  if (typeof share === "number" && share < 1) {
    errors.push(invalidValue(child(field, "averageUtilization"), share, "must be greater than 0"));
  }
  return errors;
}

function validateRules(rules: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const window = getOwn(rules, "stabilizationWindowSeconds");
  const at = child(field, "stabilizationWindowSeconds");
  if (typeof window === "number" && window < 0) {
    errors.push(invalidValue(at, window, "must be greater than or equal to zero"));
  }
  if (typeof window === "number" && window > MAX_WINDOW_SECONDS) {
    const reason = `must be less than or equal to ${MAX_WINDOW_SECONDS}`;
    errors.push(invalidValue(at, window, reason));
  }
  const select = getOwn(rules, "selectPolicy");
  const selects = ["Disabled", "Max", "Min"];
  if (typeof select === "string" && !selects.includes(select)) {
    errors.push(notSupported(child(field, "selectPolicy"), select, selects));
  }
  const policies = objects(rules, "policies");
  const list = child(field, "policies");
  if (policies.length === 0) errors.push(required(list, "must specify at least one Policy"));
  policies.forEach((policy, index) => errors.push(...validatePolicy(policy, item(list, index))));
  const tolerance = getString(rules, "tolerance");
  if (tolerance !== "" && compareQuantities(tolerance, "0")! < 0) {
    const reason = "must be greater than or equal to 0";
    errors.push(invalidValue(child(field, "tolerance"), tolerance, reason));
  }
  return errors;
}

function validatePolicy(policy: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = getString(policy, "type");
  const types = ["Percent", "Pods"];
  if (!types.includes(type)) errors.push(notSupported(child(field, "type"), type, types));
  for (const name of ["value", "periodSeconds"]) {
    const number = Number(getOwn(policy, name) ?? 0);
    if (number > 0) continue;
    errors.push(invalidValue(child(field, name), number, "must be greater than zero"));
  }
  const period = Number(getOwn(policy, "periodSeconds") ?? 0);
  if (period > MAX_PERIOD_SECONDS) {
    const reason = `must be less than or equal to ${MAX_PERIOD_SECONDS}`;
    errors.push(invalidValue(child(field, "periodSeconds"), period, reason));
  }
  return errors;
}
