import type { KubeObject } from "@kubeloop/controller/types";
import {
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  givenOf,
  isObject,
  type Json,
  jsonEqual,
  type JsonObject,
} from "../../../values/mod.ts";
import { defineKind, type KindChange, type KindRecord, STATUS } from "../record/mod.ts";
import type { Span } from "../../release/mod.ts";
import { AGE, column, fill, getNumber, NAME, named, objects, since } from "../shared/mod.ts";
import { validateAutoscaler, validateAutoscalerStatus } from "./autoscaler_validation.ts";
import {
  cpuMetric,
  dropTexts,
  SPEC_TEXTS,
  STATUS_TEXTS,
  toV1,
  toV2,
  withTextsOf,
} from "./conversion.ts";

const TARGETS =
  "metrics contains the specifications for which to use to calculate the desired replica count (the maximum replica count across all metrics will be used).  The desired replica count is calculated multiplying the ratio between the target value and the current value by the current number of pods.  Ergo, metrics used must decrease as the pod count is increased, and vice-versa.  See the individual metric source types for more information about how each type of metric must respond.";

function autoscaler(
  version: string,
  own: Partial<KindRecord>,
  ...changes: readonly KindChange[]
): KindRecord {
  return defineKind(
    `autoscaling/${version}`,
    "horizontalpodautoscalers",
    "HorizontalPodAutoscaler",
    {
      shortNames: ["hpa"],
      categories: ["all"],
      subresources: [STATUS],
      names: "subdomain",
      validatesAgain: false,
      validate: (one, release) =>
        validateAutoscaler(inV2(one, release.has(WITHOUT_ZERO)), undefined, release),
      validateChange: (one, old, release) =>
        validateAutoscaler(inV2(one, release.has(WITHOUT_ZERO)), inV2(old), release),
      validateStatus: (one) => validateAutoscalerStatus(inV2(one)),
      table: {
        columns: [
          NAME,
          column(
            "Reference",
            "scaleTargetRef points to the target resource to scale, and is used to the pods for which metrics should be collected, as well as to actually change the replica count.",
          ),
          since(
            column("Targets", TARGETS),
            "1.36",
            `${TARGETS} If not set, the default metric will be set to 80% average CPU utilization.`,
          ),
          column(
            "MinPods",
            "minReplicas is the lower limit for the number of replicas to which the autoscaler can scale down.  It defaults to 1 pod.  minReplicas is allowed to be 0 if the alpha feature gate HPAScaleToZero is enabled and at least one Object or External metric is configured.  Scaling is active as long as at least one metric value is available.",
          ),
          column(
            "MaxPods",
            "maxReplicas is the upper limit for the number of replicas to which the autoscaler can scale up. It cannot be less that minReplicas.",
          ),
          column(
            "Replicas",
            "currentReplicas is current number of replicas of pods managed by this autoscaler, as last seen by the autoscaler.",
          ),
          AGE,
        ],
        row: named(autoscalerCells),
      },
      ...own,
    },
    { since: "1.37", gate: "HPAGeneration", counts: [["spec"]] },
    ...changes,
  );
}

/** The releases that drop a zero next to the average value of a metric. */
const WITHOUT_ZERO: Span = { since: "1.36" };

/** HorizontalPodAutoscalers of autoscaling/v2, in which they are stored. */
export const HORIZONTAL_POD_AUTOSCALER: KindRecord = autoscaler("v2", {
  defaults: defaultAutoscaler,
});

/** HorizontalPodAutoscalers of autoscaling/v1: the same objects. */
export const HORIZONTAL_POD_AUTOSCALER_V1: KindRecord = autoscaler("v1", {
  defaults: (one) => {
    fill(getObject(one, "spec"), "minReplicas", 1);
    // A real server knows the object in its own form only, which has no annotations for what fields say.
    const known = toV1(inV2(one) as unknown as KubeObject) as unknown as JsonObject;
    for (const part of ["metadata", "spec", "status"]) one[part] = known[part] ?? null;
  },
  fieldAnnotations: [...SPEC_TEXTS, ...STATUS_TEXTS],
  prepareCreate: (one) => withTextsOf(one, STATUS_TEXTS),
  prepareUpdate: (next, old) => withTextsOf(next, STATUS_TEXTS, old),
  prepareStatus: (next, old) => withTextsOf(next, SPEC_TEXTS, old),
  stored: storedInV2(false),
}, {
  since: "1.37",
  gate: "HPAGeneration",
  counts: [["spec"], ...SPEC_TEXTS.map((name) => ["metadata", "annotations", name])],
}, {
  ...WITHOUT_ZERO,
  stored: storedInV2(true),
});

/** Returns how autoscaling/v1 is stored; see {@linkcode toV2} for `dropsZero`. */
function storedInV2(dropsZero: boolean): NonNullable<KindRecord["stored"]> {
  return {
    group: "autoscaling",
    version: "v2",
    conversion: {
      fromStorage: toV1,
      toStorage: (one, before) => toStored(one, before, dropsZero),
      toBareStorage: (one) => one.apiVersion === "autoscaling/v2" ? one : toV2(one, dropsZero),
    },
  };
}

const SCALE_UP: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN: JsonObject = {
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

/**
 * Converts an autoscaler to autoscaling/v2, with the defaults that a real server sets when it reads it again. Unchanged
 * fields keep their stored value, because autoscaling/v1 shows zero for some missing amounts.
 */
function toStored(
  object: KubeObject,
  before: KubeObject | undefined,
  dropsZero: boolean,
): KubeObject {
  if (object.apiVersion === "autoscaling/v2") return object;
  const stored = toV2(object, dropsZero) as unknown as JsonObject;
  defaultAutoscaler(stored);
  if (before === undefined) return stored as unknown as KubeObject;
  const next = object as unknown as JsonObject;
  const shown = toV1(before) as unknown as JsonObject;
  const parts = [["spec", SPEC_TEXTS], ["status", STATUS_TEXTS]] as const;
  for (const [part, texts] of parts) {
    const paths = [[part], ...texts.map((name) => ["metadata", "annotations", name])];
    if (!paths.every((path) => jsonEqual(getPath(next, ...path), getPath(shown, ...path)))) {
      continue;
    }
    stored[part] = getObject(before as unknown as JsonObject, part);
  }
  return stored as unknown as KubeObject;
}

function defaultAutoscaler(autoscaler: JsonObject): void {
  dropTexts(autoscaler);
  const spec = getObject(autoscaler, "spec");
  fill(spec, "minReplicas", 1);
  if (getArray(spec, "metrics").length === 0) spec["metrics"] = [cpuMetric(80)];
  const behavior = getOwn(spec, "behavior");
  if (!isObject(behavior)) return;
  behavior["scaleUp"] = scalingRules(getObject(behavior, "scaleUp"), SCALE_UP);
  behavior["scaleDown"] = scalingRules(getObject(behavior, "scaleDown"), SCALE_DOWN);
}

/** Adds the defaults to rules. A list without policies stays without, which is an error. */
function scalingRules(given: JsonObject, defaults: JsonObject): JsonObject {
  const { policies: _, ...others } = defaults;
  return Array.isArray(givenOf(given, "policies"))
    ? { ...others, ...given }
    : { ...defaults, ...given };
}

function autoscalerCells(autoscaler: JsonObject): Json[] {
  const target = getObject(autoscaler, "spec", "scaleTargetRef");
  return [
    `${getString(target, "kind")}/${getString(target, "name")}`,
    metricsText(inV2(autoscaler)),
    String(getPath(autoscaler, "spec", "minReplicas") ?? "<unset>"),
    getNumber(autoscaler, "spec", "maxReplicas"),
    getNumber(autoscaler, "status", "currentReplicas"),
  ];
}

function inV2(autoscaler: JsonObject, dropsZero = false): JsonObject {
  return toV2(autoscaler as unknown as KubeObject, dropsZero) as unknown as JsonObject;
}

/** The number of metrics that a row shows. */
const MAX_SHOWN = 2;

/** Returns the metrics of an autoscaling/v2 autoscaler as a table shows them, as in `cpu: 20%/80%`. */
export function metricsText(autoscaler: JsonObject): string {
  const specs = objects(autoscaler, "spec", "metrics");
  if (specs.length === 0) return "<none>";
  const statuses = getArray(autoscaler, "status", "currentMetrics");
  const all = specs.map((spec, index) => metricText(spec, statuses[index]));
  const shown = all.slice(0, MAX_SHOWN).join(", ");
  return all.length > MAX_SHOWN ? `${shown} + ${all.length - MAX_SHOWN} more...` : shown;
}

function metricText(spec: JsonObject, status: Json | undefined): string {
  const type = getString(spec, "type");
  const source =
    { ContainerResource: "containerResource", External: "external", Object: "object" }[type] ??
      type.toLowerCase();
  const own = getObject(spec, source);
  if (Object.keys(own).length === 0) return "<unknown type>";
  const target = getObject(own, "target");
  const current = getObject(status, source, "current");
  const average = getString(target, "averageValue");
  const named = type === "Resource" || type === "ContainerResource"
    ? `${getString(own, "name")}: `
    : "";
  if (named !== "") {
    if (average !== "") {
      return `${named}${getString(current, "averageValue") || "<unknown>"}/${average}`;
    }
    const share = (from: JsonObject, none: string) => {
      const percent = getOwn(from, "averageUtilization");
      return percent === undefined ? none : `${percent}%`;
    };
    return `${named}${share(current, "<unknown>")}/${share(target, "<auto>")}`;
  }
  if (average !== "") {
    const text = `${getString(current, "averageValue") || "<unknown>"}/${average}`;
    return type === "Pods" ? text : `${text} (avg)`;
  }
  return `${getString(current, "value") || "<unknown>"}/${getString(target, "value")}`;
}
