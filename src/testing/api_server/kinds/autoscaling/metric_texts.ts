import { parseQuantity } from "@kubeloop/controller/internal/base";
import {
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  type Json,
  type JsonObject,
  withPath,
} from "../../../values/mod.ts";

/** The type of a field. A missing required amount is zero. */
type Content = "text" | "number" | "amount" | "required amount" | "object" | "reference";

/** A field of a metric in autoscaling/v1, with its place in autoscaling/v2. */
type Field = readonly [name: string, content: Content, path: readonly string[]];

/** The forms of metrics by their source, in the order of the fields in the Go types of autoscaling/v1. */
type Sources = Readonly<Record<string, readonly Field[]>>;

const METRIC: Field = ["metricName", "text", ["metric", "name"]];
const SELECTOR: Field = ["selector", "object", ["metric", "selector"]];
const REFERENCE: Field = ["target", "reference", ["describedObject"]];
const NAME: Field = ["name", "text", ["name"]];
const CONTAINER: Field = ["container", "text", ["container"]];

const utilization = (name: string, part: string): Field => [
  name,
  "number",
  [part, "averageUtilization"],
];
const average = (name: string, part: string, content: Content = "amount"): Field => [
  name,
  content,
  [part, "averageValue"],
];
const value = (name: string, part: string, content: Content = "amount"): Field => [
  name,
  content,
  [part, "value"],
];

const OF_RESOURCE: readonly Field[] = [
  NAME,
  utilization("targetAverageUtilization", "target"),
  average("targetAverageValue", "target"),
];

/** The targets of metrics. */
const TARGETS: Sources = {
  object: [
    REFERENCE,
    METRIC,
    value("targetValue", "target", "required amount"),
    SELECTOR,
    average("averageValue", "target"),
  ],
  pods: [METRIC, average("targetAverageValue", "target", "required amount"), SELECTOR],
  resource: OF_RESOURCE,
  containerResource: [...OF_RESOURCE, CONTAINER],
  external: [
    METRIC,
    ["metricSelector", "object", ["metric", "selector"]],
    value("targetValue", "target"),
    average("targetAverageValue", "target"),
  ],
};

const OF_CURRENT_RESOURCE: readonly Field[] = [
  NAME,
  utilization("currentAverageUtilization", "current"),
  average("currentAverageValue", "current", "required amount"),
];

/** The current values of metrics. */
const CURRENT: Sources = {
  object: [
    REFERENCE,
    METRIC,
    value("currentValue", "current", "required amount"),
    SELECTOR,
    average("averageValue", "current"),
  ],
  pods: [METRIC, average("currentAverageValue", "current", "required amount"), SELECTOR],
  resource: OF_CURRENT_RESOURCE,
  containerResource: [...OF_CURRENT_RESOURCE, CONTAINER],
  external: [
    METRIC,
    ["metricSelector", "object", ["metric", "selector"]],
    value("currentValue", "current", "required amount"),
    average("currentAverageValue", "current"),
  ],
};

/** Returns metrics of autoscaling/v2 in the form that the annotations have. */
export function flatMetrics(metrics: readonly JsonObject[], part: "target" | "current"): Json {
  return metrics.map((metric) => {
    const result: JsonObject = { type: getString(metric, "type") };
    for (const [source, fields] of Object.entries(part === "target" ? TARGETS : CURRENT)) {
      const own = getOwn(metric, source);
      if (!isObject(own)) continue;
      const entries = fields.map(([name, content, path]) => [
        name,
        getPath(own, ...path) ?? empty(content),
      ]).filter(([, found]) => found !== undefined);
      result[source] = Object.fromEntries(entries);
    }
    return result;
  });
}

/** Returns metrics of an annotation in the form of autoscaling/v2; undefined if Go's types do not take the value. */
export function nestedMetrics(value: Json, part: "target" | "current"): JsonObject[] | undefined {
  return readTyped(() =>
    listOf(value).map((metric) => {
      const result: JsonObject = { type: read(metric, "type", "text")! };
      for (const [source, fields] of Object.entries(part === "target" ? TARGETS : CURRENT)) {
        const own = read(metric, source, "object");
        if (own === undefined) continue;
        let nested: JsonObject = part === "target"
          ? { target: { type: targetType(source, own as JsonObject) } }
          : { current: {} };
        for (const [name, content, path] of fields) {
          nested = withPath(nested, path, read(own as JsonObject, name, content));
        }
        result[source] = nested;
      }
      return result;
    })
  );
}

/** Returns the type that a target of autoscaling/v1 has in autoscaling/v2. */
function targetType(source: string, own: JsonObject): string {
  const has = (name: string, content: Content) => read(own, name, content) !== undefined;
  switch (source) {
    case "object":
      return has("averageValue", "amount") ? "AverageValue" : "Value";
    case "pods":
      return "AverageValue";
    case "external":
      return has("targetValue", "amount") ? "Value" : "AverageValue";
    default:
      return has("targetAverageUtilization", "number") ? "Utilization" : "AverageValue";
  }
}

/** Returns a behavior of autoscaling/v2 as the annotation has it: with the names of the fields of the Go type. */
export function behaviorText(behavior: JsonObject): Json {
  const rules = (name: string) => {
    const own = getOwn(behavior, name);
    if (!isObject(own)) return null;
    const policies = getOwn(own, "policies");
    return {
      StabilizationWindowSeconds: getOwn(own, "stabilizationWindowSeconds") ?? null,
      SelectPolicy: getOwn(own, "selectPolicy") ?? null,
      Policies: Array.isArray(policies)
        ? policies.map((policy) => ({
          Type: getString(policy, "type"),
          Value: getOwn(getObject(policy), "value") ?? 0,
          PeriodSeconds: getOwn(getObject(policy), "periodSeconds") ?? 0,
        }))
        : null,
      Tolerance: getOwn(own, "tolerance") ?? null,
    };
  };
  return { ScaleUp: rules("scaleUp"), ScaleDown: rules("scaleDown") };
}

/**
 * Returns the behavior of an annotation in the form of autoscaling/v2; undefined if it is empty, or if Go's types do
 * not take the value.
 */
export function behaviorOf(value: Json): JsonObject | undefined {
  return readTyped(() => {
    const behavior = objectOf(value);
    const rules = (name: string): JsonObject => {
      const own = read(behavior, name, "object") as JsonObject | undefined;
      if (own === undefined) return {};
      const policies = lookUp(own, "policies");
      return {
        [name]: {
          ...given("stabilizationWindowSeconds", read(own, "stabilizationWindowSeconds", "number")),
          ...given("selectPolicy", optionalText(own, "selectPolicy")),
          ...given(
            "policies",
            policies === undefined ? undefined : listOf(policies).map((policy) => ({
              type: read(policy, "type", "text")!,
              value: read(policy, "value", "number") ?? 0,
              periodSeconds: read(policy, "periodSeconds", "number") ?? 0,
            })),
          ),
          ...given("tolerance", read(own, "tolerance", "amount")),
        },
      };
    };
    const result = { ...rules("scaleUp"), ...rules("scaleDown") };
    return Object.keys(result).length === 0 ? undefined : result;
  });
}

/** Returns the conditions of an annotation; undefined if Go's types do not take the value. */
export function conditionsOf(value: Json): JsonObject[] | undefined {
  return readTyped(() =>
    listOf(value).map((one) => ({
      type: read(one, "type", "text")!,
      status: read(one, "status", "text")!,
      lastTransitionTime: optionalText(one, "lastTransitionTime") ?? null,
      ...given("reason", optionalText(one, "reason")),
      ...given("message", optionalText(one, "message")),
    }))
  );
}

/** A value that Go's types do not take, so that the whole annotation counts for nothing. */
class Mismatch extends Error {}

function readTyped<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Mismatch) return undefined;
    throw error;
  }
}

function objectOf(value: Json): JsonObject {
  if (value === null) return {};
  if (!isObject(value)) throw new Mismatch();
  return value;
}

function listOf(value: Json): JsonObject[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new Mismatch();
  return value.map(objectOf);
}

/** Returns a field as Go finds it: whatever the case of its name, the last one counts. Null is nothing. */
function lookUp(object: JsonObject, name: string): Json | undefined {
  const wanted = name.toLowerCase();
  const key = Object.keys(object).findLast((one) => one.toLowerCase() === wanted);
  return key === undefined ? undefined : object[key] ?? undefined;
}

function optionalText(object: JsonObject, name: string): Json | undefined {
  return lookUp(object, name) === undefined ? undefined : read(object, name, "text");
}

function read(object: JsonObject, name: string, content: Content): Json | undefined {
  const found = lookUp(object, name);
  if (found === undefined) return empty(content);
  const fits = content === "text"
    ? typeof found === "string"
    : content === "number"
    ? Number.isInteger(found)
    : content === "object" || content === "reference"
    ? isObject(found)
    : parseQuantity(String(found)) !== undefined;
  if (!fits) throw new Mismatch();
  return content.endsWith("amount") ? String(found) : found;
}

function empty(content: Content): Json | undefined {
  switch (content) {
    case "text":
      return "";
    case "required amount":
      return "0";
    case "reference":
      return { kind: "", name: "" };
    default:
      return undefined;
  }
}

function given(name: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}
