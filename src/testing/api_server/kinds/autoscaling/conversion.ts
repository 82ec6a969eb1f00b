import type { KubeObject } from "@kubeloop/controller/types";
import { canonical, SCHEMAS } from "../../schema/mod.ts";
import {
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
  type StructType,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";

/** The annotations in which autoscaling/v1 has what it has no fields for. */
const METRICS = "autoscaling.alpha.kubernetes.io/metrics";
const CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";

/** Returns the metric for a share of the requested CPU time. */
export function cpuMetric(percent: Json): JsonObject {
  const target = { type: "Utilization", averageUtilization: percent };
  return { type: "Resource", resource: { name: "cpu", target } };
}

/** Converts an autoscaler to autoscaling/v1. Returns one of autoscaling/v1 unchanged. */
export function toV1<T extends KubeObject>(object: T): T {
  if (object.apiVersion === "autoscaling/v1") return object;
  const from = object as unknown as JsonObject;
  const spec = getObject(from, "spec");
  const status = getObject(from, "status");
  const metrics = objects(spec, "metrics");
  const own = metrics.filter((metric) => cpuPercent(metric, "target") === undefined);
  const current = objects(status, "currentMetrics");
  const target = metrics.map((metric) => cpuPercent(metric, "target")).find(isGiven);
  const is = current.map((metric) => cpuPercent(metric, "current")).findLast(isGiven);
  const conditions = objects(status, "conditions");
  const behavior = getOwn(spec, "behavior");
  const annotations = withTexts(getObject(from, "metadata", "annotations"), {
    [METRICS]: own.length > 0 ? own.map((metric) => flat(metric, "target")) : undefined,
    [CURRENT_METRICS]: current.length > 0 ? current.map((one) => flat(one, "current")) : undefined,
    [BEHAVIOR]: isObject(behavior) ? internal(behavior) : undefined,
    [CONDITIONS]: conditions.length > 0 ? conditions : undefined,
  });
  const { metrics: _, behavior: __, ...restOfSpec } = spec;
  const { currentMetrics: ___, conditions: ____, ...restOfStatus } = status;
  const result = {
    ...from,
    apiVersion: "autoscaling/v1",
    metadata: { ...getObject(from, "metadata"), annotations },
    spec: { ...restOfSpec, ...given("targetCPUUtilizationPercentage", target) },
    status: { ...restOfStatus, ...given("currentCPUUtilizationPercentage", is) },
  };
  return canonical(result, schemaOf("v1")) as unknown as T;
}

/** Converts an autoscaler to autoscaling/v2. Returns one of autoscaling/v2 unchanged. */
export function toV2<T extends KubeObject>(object: T): T {
  if (object.apiVersion === "autoscaling/v2") return object;
  const from = object as unknown as JsonObject;
  const annotations = { ...getObject(from, "metadata", "annotations") };
  const read = (name: string) => {
    const text = getString(annotations, name);
    delete annotations[name];
    try {
      return text === "" ? undefined : JSON.parse(text) as Json;
    } catch {
      return undefined;
    }
  };
  const { targetCPUUtilizationPercentage: target, ...spec } = getObject(from, "spec");
  const { currentCPUUtilizationPercentage: is, ...status } = getObject(from, "status");
  const others = listed(read(METRICS)).map((metric) => nested(metric, "target"));
  const metrics = target === undefined ? others : [...others, cpuMetric(target)];
  const behavior = read(BEHAVIOR);
  const known = listed(read(CURRENT_METRICS)).map((metric) => nested(metric, "current"));
  const cpu = is === undefined
    ? []
    : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: is } } }];
  const current = known.length > 0 ? known : cpu;
  const conditions = listed(read(CONDITIONS));
  const result = {
    ...from,
    apiVersion: "autoscaling/v2",
    metadata: { ...getObject(from, "metadata"), annotations },
    spec: {
      ...spec,
      metrics: metrics.length > 0 ? metrics : [cpuMetric(80)],
      ...(isObject(behavior) ? { behavior: external(behavior) } : {}),
    },
    status: {
      ...status,
      ...(current.length > 0 ? { currentMetrics: current } : {}),
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  };
  return canonical(result, schemaOf("v2")) as unknown as T;
}

function schemaOf(version: "v1" | "v2"): StructType {
  const name = version === "v1" ? "autoscaling" : "autoscaling/v2";
  return SCHEMAS.struct(`${name}.HorizontalPodAutoscaler`);
}

function cpuPercent(metric: JsonObject, part: "target" | "current"): Json | undefined {
  if (getString(metric, "type") !== "Resource") return undefined;
  if (getString(metric, "resource", "name") !== "cpu") return undefined;
  return getOwn(getObject(metric, "resource", part), "averageUtilization");
}

function isGiven(value: Json | undefined): value is Json {
  return value !== undefined;
}

function given(name: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function listed(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function withTexts(
  annotations: JsonObject,
  texts: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const all: JsonObject = { ...annotations };
  for (const [name, value] of Object.entries(texts)) {
    if (value === undefined) delete all[name];
    else all[name] = JSON.stringify(value);
  }
  return all;
}

/** Where autoscaling/v1 has the parts of a metric, by the name of its source. */
const SOURCES = ["object", "pods", "resource", "containerResource", "external"];

/** Returns a metric in the form of the annotation, which has no nested metrics and targets. */
function flat(metric: JsonObject, part: "target" | "current"): JsonObject {
  const result: JsonObject = { type: getString(metric, "type") };
  for (const source of SOURCES) {
    const own = getOwn(metric, source);
    if (!isObject(own)) continue;
    const { metric: named, [part]: amounts, describedObject, ...rest } = own;
    const values = getObject(amounts);
    const name = (field: string) => part === "target" ? `target${field}` : `current${field}`;
    result[source] = {
      ...rest,
      ...given("target", describedObject),
      ...given("metricName", getOwn(getObject(named), "name")),
      ...given(
        source === "external" ? "metricSelector" : "selector",
        getOwn(getObject(named), "selector"),
      ),
      ...given(name("AverageUtilization"), getOwn(values, "averageUtilization")),
      ...given(
        source === "object" ? "averageValue" : name("AverageValue"),
        getOwn(values, "averageValue"),
      ),
      ...given(name("Value"), getOwn(values, "value")),
    };
  }
  return result;
}

/** Returns a metric of the annotation in the form of autoscaling/v2. */
function nested(metric: JsonObject, part: "target" | "current"): JsonObject {
  const result: JsonObject = { type: getString(metric, "type") };
  for (const source of SOURCES) {
    const own = getOwn(metric, source);
    if (!isObject(own)) continue;
    const name = (field: string) => part === "target" ? `target${field}` : `current${field}`;
    const utilization = getOwn(own, name("AverageUtilization"));
    const average = getOwn(own, name("AverageValue")) ?? getOwn(own, "averageValue");
    const value = getOwn(own, name("Value"));
    const type = utilization !== undefined
      ? "Utilization"
      : average !== undefined
      ? "AverageValue"
      : "Value";
    const selector = getOwn(own, "selector") ?? getOwn(own, "metricSelector");
    const metricName = getOwn(own, "metricName");
    result[source] = {
      ...given("name", getOwn(own, "name")),
      ...given("container", getOwn(own, "container")),
      ...given("describedObject", getOwn(own, "target")),
      ...(metricName === undefined
        ? {}
        : { metric: { name: metricName, ...given("selector", selector) } }),
      [part]: {
        ...(part === "target" ? { type } : {}),
        ...given("averageUtilization", utilization),
        ...given("averageValue", average),
        ...given("value", value),
      },
    };
  }
  return result;
}

/** Returns a behavior as the annotation has it: with the names of the fields of the Go type. */
function internal(behavior: JsonObject): JsonObject {
  const rules = (name: string) => {
    const own = getOwn(behavior, name);
    if (!isObject(own)) return null;
    return {
      StabilizationWindowSeconds: getOwn(own, "stabilizationWindowSeconds") ?? null,
      SelectPolicy: getOwn(own, "selectPolicy") ?? null,
      Policies: objects(own, "policies").map((policy) => ({
        Type: getString(policy, "type"),
        Value: getOwn(policy, "value") ?? 0,
        PeriodSeconds: getOwn(policy, "periodSeconds") ?? 0,
      })),
      Tolerance: getOwn(own, "tolerance") ?? null,
    };
  };
  return { ScaleUp: rules("scaleUp"), ScaleDown: rules("scaleDown") };
}

function external(behavior: JsonObject): JsonObject {
  const rules = (from: string, to: string) => {
    const own = getOwn(behavior, from);
    if (!isObject(own)) return {};
    const field = (name: string, source: string) => {
      const value = getOwn(own, source);
      return value === undefined || value === null ? {} : { [name]: value };
    };
    return {
      [to]: {
        ...field("stabilizationWindowSeconds", "StabilizationWindowSeconds"),
        ...field("selectPolicy", "SelectPolicy"),
        policies: objects(own, "Policies").map((policy) => ({
          type: getString(policy, "Type"),
          value: getOwn(policy, "Value") ?? 0,
          periodSeconds: getOwn(policy, "PeriodSeconds") ?? 0,
        })),
        ...field("tolerance", "Tolerance"),
      },
    };
  };
  return { ...rules("ScaleUp", "scaleUp"), ...rules("ScaleDown", "scaleDown") };
}
