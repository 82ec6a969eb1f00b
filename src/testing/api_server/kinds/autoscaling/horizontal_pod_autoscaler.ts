import type { KubeObject } from "@kubeloop/controller/types";
import {
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";
import { fill } from "../defaults/pod_defaults.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { getNumber, named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";
import { validateAutoscaler, validateAutoscalerStatus } from "./autoscaler_validation.ts";
import { cpuMetric, toV1, toV2 } from "./conversion.ts";
import { metricsText } from "./metrics_text.ts";

function autoscaler(version: string, own: Partial<KindRecord>): KindRecord {
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
      validate: (one) => validateAutoscaler(inV2(one)),
      validateChange: (one) => validateAutoscaler(inV2(one)),
      validateStatus: (one) => validateAutoscalerStatus(one),
      table: {
        columns: [
          NAME,
          column("Reference"),
          column("Targets"),
          column("MinPods"),
          column("MaxPods"),
          column("Replicas"),
          AGE,
        ],
        row: named(autoscalerCells),
      },
      ...own,
    },
  );
}

/** HorizontalPodAutoscalers of autoscaling/v2, in which they are stored. */
export const HORIZONTAL_POD_AUTOSCALER: KindRecord = autoscaler("v2", {
  defaults: defaultAutoscaler,
});

/** HorizontalPodAutoscalers of autoscaling/v1: the same objects. */
export const HORIZONTAL_POD_AUTOSCALER_V1: KindRecord = autoscaler("v1", {
  defaults: (one) => {
    const spec = getObject(one, "spec");
    fill(spec, "minReplicas", 1);
    // An autoscaler without any metric has one.
    const target = getPath(toV1Object(inV2(one)), "spec", "targetCPUUtilizationPercentage");
    if (target !== undefined) spec["targetCPUUtilizationPercentage"] = target;
  },
  stored: {
    group: "autoscaling",
    version: "v2",
    conversion: { fromStorage: toV1, toStorage: toV2 },
  },
});

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

function defaultAutoscaler(autoscaler: JsonObject): void {
  const spec = getObject(autoscaler, "spec");
  fill(spec, "minReplicas", 1);
  if (getArray(spec, "metrics").length === 0) spec["metrics"] = [cpuMetric(80)];
  const behavior = getOwn(spec, "behavior");
  if (!isObject(behavior)) return;
  behavior["scaleUp"] = { ...SCALE_UP, ...getObject(behavior, "scaleUp") };
  behavior["scaleDown"] = { ...SCALE_DOWN, ...getObject(behavior, "scaleDown") };
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

function inV2(autoscaler: JsonObject): JsonObject {
  return toV2(autoscaler as unknown as KubeObject) as unknown as JsonObject;
}

function toV1Object(autoscaler: JsonObject): JsonObject {
  return toV1(autoscaler as unknown as KubeObject) as unknown as JsonObject;
}
