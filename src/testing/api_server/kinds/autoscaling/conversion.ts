import type { KubeObject } from "@kubeloop/controller/types";
import { canonical, SCHEMAS } from "../../schema/mod.ts";
import {
  compareQuantities,
  encodeJson,
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  type Json,
  type JsonObject,
  readJson,
  type StructType,
  withPath,
} from "../../../values/mod.ts";
import { objects } from "../shared/mod.ts";
import {
  behaviorOf,
  behaviorText,
  conditionsOf,
  flatMetrics,
  nestedMetrics,
} from "./metric_texts.ts";

const PREFIX = "autoscaling.alpha.kubernetes.io";

/** The annotations of autoscaling/v1 for data without a field. */
const METRICS = `${PREFIX}/metrics`;
const CURRENT_METRICS = `${PREFIX}/current-metrics`;
const CONDITIONS = `${PREFIX}/conditions`;
const BEHAVIOR = `${PREFIX}/behavior`;

/** The annotations that conversion drops: fields of autoscaling/v2, also of older servers. */
const DROPPED: readonly string[] = [
  METRICS,
  CURRENT_METRICS,
  CONDITIONS,
  BEHAVIOR,
  `${PREFIX}/scale-down-tolerance`,
  `${PREFIX}/scale-up-tolerance`,
];

/** The annotations of autoscaling/v1 for fields of the spec. */
export const SPEC_TEXTS: readonly string[] = [METRICS, BEHAVIOR];

/** The annotations of autoscaling/v1 for fields of the status. */
export const STATUS_TEXTS: readonly string[] = [CURRENT_METRICS, CONDITIONS];

/** Returns the metric for a share of the requested CPU time. */
export function cpuMetric(percent: Json): JsonObject {
  const target = { type: "Utilization", averageUtilization: percent };
  return { type: "Resource", resource: { name: "cpu", target } };
}

/** Replaces these annotations of an autoscaler by the annotations of another one, or removes them. */
export function withTextsOf(
  autoscaler: JsonObject,
  names: readonly string[],
  other?: JsonObject,
): JsonObject {
  return names.reduce((result, name) => {
    const path = ["metadata", "annotations", name];
    return withPath(result, path, getPath(other, ...path));
  }, autoscaler);
}

/** Removes the annotations in place that conversion makes. */
export function dropTexts(autoscaler: JsonObject): void {
  const annotations = getObject(autoscaler, "metadata", "annotations");
  for (const name of DROPPED) delete annotations[name];
}

/** Converts an autoscaler to autoscaling/v1. Returns one of autoscaling/v1 unchanged. */
export function toV1<T extends KubeObject>(object: T): T {
  if (object.apiVersion === "autoscaling/v1") return object;
  const from = object as unknown as JsonObject;
  const { metrics, behavior, ...spec } = getObject(from, "spec");
  const { currentMetrics, conditions, ...status } = getObject(from, "status");
  const wanted = objects(metrics);
  const others = wanted.filter((metric) => cpuPercent(metric, "target") === undefined);
  const current = objects(currentMetrics);
  const target = wanted.map((metric) => cpuPercent(metric, "target")).find(isGiven);
  const is = current.map((metric) => cpuPercent(metric, "current")).findLast(isGiven);
  const states = objects(conditions);
  const texts: Record<string, Json | undefined> = {
    [METRICS]: others.length > 0 ? flatMetrics(others, "target") : undefined,
    [CURRENT_METRICS]: current.length > 0 ? flatMetrics(current, "current") : undefined,
    [BEHAVIOR]: isObject(behavior) ? behaviorText(behavior) : undefined,
    [CONDITIONS]: states.length > 0 ? states : undefined,
  };
  const metadata = { ...getObject(from, "metadata") };
  const annotations = { ...getObject(metadata, "annotations") };
  for (const name of DROPPED) {
    delete annotations[name];
    const text = texts[name];
    if (text !== undefined) annotations[name] = encodeJson(text);
  }
  const result = {
    ...from,
    apiVersion: "autoscaling/v1",
    metadata: { ...metadata, annotations },
    spec: { ...spec, ...given("targetCPUUtilizationPercentage", target) },
    status: { ...status, ...given("currentCPUUtilizationPercentage", is) },
  };
  return canonical(result, schemaOf("v1")) as unknown as T;
}

/**
 * Converts an autoscaler to autoscaling/v2. Returns one of autoscaling/v2 unchanged.
 *
 * @param dropsZero Whether to drop a zero next to the average value of a metric, as Kubernetes 1.36 and later do.
 */
export function toV2<T extends KubeObject>(object: T, dropsZero = false): T {
  if (object.apiVersion === "autoscaling/v2") return object;
  const from = object as unknown as JsonObject;
  const annotations = { ...getObject(from, "metadata", "annotations") };
  const textOf = <V>(name: string, read: (value: Json) => V): V | undefined => {
    const value = parsed(getString(annotations, name));
    return value === undefined ? undefined : read(value);
  };
  const { targetCPUUtilizationPercentage: target, ...spec } = getObject(from, "spec");
  const { currentCPUUtilizationPercentage: is, ...status } = getObject(from, "status");
  const metrics = [
    ...(textOf(METRICS, (value) => nestedMetrics(value, "target")) ?? []).map((metric) =>
      dropsZero ? withoutZero(metric) : metric
    ),
    ...target === undefined ? [] : [cpuMetric(target)],
  ];
  const cpu = is === undefined
    ? []
    : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: is } } }];
  // An annotation that conversion itself has written repeats the share of CPU.
  const isOwn = annotations[CURRENT_METRICS] === encodeJson(flatMetrics(cpu, "current"));
  const told = isOwn ? cpu : textOf(CURRENT_METRICS, (value) => nestedMetrics(value, "current"));
  const current = told ?? cpu;
  const conditions = textOf(CONDITIONS, conditionsOf) ?? [];
  const behavior = textOf(BEHAVIOR, behaviorOf);
  for (const name of DROPPED) delete annotations[name];
  const result = {
    ...from,
    apiVersion: "autoscaling/v2",
    metadata: { ...getObject(from, "metadata"), annotations },
    spec: {
      ...spec,
      metrics: metrics.length > 0 ? metrics : [cpuMetric(80)],
      ...given("behavior", behavior),
    },
    status: {
      ...status,
      ...(current.length > 0 ? { currentMetrics: current } : {}),
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  };
  return canonical(result, schemaOf("v2")) as unknown as T;
}

function withoutZero(metric: JsonObject): JsonObject {
  const path = ["object", "target", "value"];
  const target = getObject(metric, "object", "target");
  const isZero = getString(target, "averageValue") !== "" &&
    compareQuantities(getString(target, "value"), "0") === 0;
  return isZero ? withPath(metric, path, undefined) : metric;
}

function parsed(text: string): Json | undefined {
  if (text === "") return undefined;
  try {
    return readJson(text) as Json;
  } catch {
    return undefined;
  }
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
