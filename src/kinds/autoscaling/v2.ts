// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `autoscaling/v2`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { ConditionStatus, ResourceName } from "../core/types.ts";
import type { OpenEnum, Quantity, Time } from "../scalars.ts";

/** The `spec.metrics[].containerResource` of a HorizontalPodAutoscaler. */
export type ContainerResourceMetricSource = {
  name: ResourceName;
  target: MetricTarget;
  container: string;
};

/** The `status.currentMetrics[].containerResource` of a HorizontalPodAutoscaler. */
export type ContainerResourceMetricStatus = {
  name: ResourceName;
  current: MetricValueStatus;
  container: string;
};

/** The `spec.scaleTargetRef` of a HorizontalPodAutoscaler. */
export type CrossVersionObjectReference = {
  kind: string;
  name: string;
  apiVersion?: string;
};

/** The `spec.metrics[].external` of a HorizontalPodAutoscaler. */
export type ExternalMetricSource = {
  metric: MetricIdentifier;
  target: MetricTarget;
};

/** The `status.currentMetrics[].external` of a HorizontalPodAutoscaler. */
export type ExternalMetricStatus = {
  metric: MetricIdentifier;
  current: MetricValueStatus;
};

/** The `spec.behavior.scaleUp.policies[]` of a HorizontalPodAutoscaler. */
export type HPAScalingPolicy = {
  type: HPAScalingPolicyType;
  value: number;
  periodSeconds: number;
};

/** The known values of `HPAScalingPolicyType`. */
export type HPAScalingPolicyType = OpenEnum<"Percent" | "Pods">;

/** The `spec.behavior.scaleUp` of a HorizontalPodAutoscaler. */
export type HPAScalingRules = {
  stabilizationWindowSeconds?: number;
  selectPolicy?: ScalingPolicySelect;
  policies?: HPAScalingPolicy[];
  tolerance?: Quantity;
};

/** A HorizontalPodAutoscaler of `autoscaling/v2`. */
export interface HorizontalPodAutoscaler extends KubeObject {
  /** The `spec` of a HorizontalPodAutoscaler. */
  spec?: HorizontalPodAutoscalerSpec;
  /** The `status` of a HorizontalPodAutoscaler. */
  status?: HorizontalPodAutoscalerStatus;
}

/** The `spec.behavior` of a HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerBehavior = {
  scaleUp?: HPAScalingRules;
  scaleDown?: HPAScalingRules;
};

/** The `status.conditions[]` of a HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerCondition = {
  type: HorizontalPodAutoscalerConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
  /** Since Kubernetes 1.37. */
  observedGeneration?: number;
};

/** The known values of `HorizontalPodAutoscalerConditionType`. */
export type HorizontalPodAutoscalerConditionType = OpenEnum<
  | "AbleToScale"
  | "ScaledToZero"
  | "ScalingActive"
  | "ScalingLimited"
>;

/** A list of HorizontalPodAutoscalers. */
export type HorizontalPodAutoscalerList = KubeList<HorizontalPodAutoscaler>;

/** The `spec` of a HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerSpec = {
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  metrics?: MetricSpec[];
  behavior?: HorizontalPodAutoscalerBehavior;
};

/** The `status` of a HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerStatus = {
  observedGeneration?: number;
  lastScaleTime?: Time;
  currentReplicas?: number;
  desiredReplicas: number;
  currentMetrics?: MetricStatus[] | null;
  conditions?: HorizontalPodAutoscalerCondition[];
};

/** The `spec.metrics[].object.metric` of a HorizontalPodAutoscaler. */
export type MetricIdentifier = {
  name: string;
  selector?: LabelSelector;
};

/** The known values of `MetricSourceType`. */
export type MetricSourceType = OpenEnum<
  | "ContainerResource"
  | "External"
  | "Object"
  | "Pods"
  | "Resource"
>;

/** The `spec.metrics[]` of a HorizontalPodAutoscaler. */
export type MetricSpec = {
  type: MetricSourceType;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
};

/** The `status.currentMetrics[]` of a HorizontalPodAutoscaler. */
export type MetricStatus = {
  type: MetricSourceType;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
};

/** The `spec.metrics[].object.target` of a HorizontalPodAutoscaler. */
export type MetricTarget = {
  type: MetricTargetType;
  value?: Quantity;
  averageValue?: Quantity;
  averageUtilization?: number;
};

/** The known values of `MetricTargetType`. */
export type MetricTargetType = OpenEnum<"AverageValue" | "Utilization" | "Value">;

/** The `status.currentMetrics[].object.current` of a HorizontalPodAutoscaler. */
export type MetricValueStatus = {
  value?: Quantity;
  averageValue?: Quantity;
  averageUtilization?: number;
};

/** The `spec.metrics[].object` of a HorizontalPodAutoscaler. */
export type ObjectMetricSource = {
  describedObject: CrossVersionObjectReference;
  target: MetricTarget;
  metric: MetricIdentifier;
};

/** The `status.currentMetrics[].object` of a HorizontalPodAutoscaler. */
export type ObjectMetricStatus = {
  metric: MetricIdentifier;
  current: MetricValueStatus;
  describedObject: CrossVersionObjectReference;
};

/** The `spec.metrics[].pods` of a HorizontalPodAutoscaler. */
export type PodsMetricSource = {
  metric: MetricIdentifier;
  target: MetricTarget;
};

/** The `status.currentMetrics[].pods` of a HorizontalPodAutoscaler. */
export type PodsMetricStatus = {
  metric: MetricIdentifier;
  current: MetricValueStatus;
};

/** The `spec.metrics[].resource` of a HorizontalPodAutoscaler. */
export type ResourceMetricSource = {
  name: ResourceName;
  target: MetricTarget;
};

/** The `status.currentMetrics[].resource` of a HorizontalPodAutoscaler. */
export type ResourceMetricStatus = {
  name: ResourceName;
  current: MetricValueStatus;
};

/** The known values of `ScalingPolicySelect`. */
export type ScalingPolicySelect = OpenEnum<"Disabled" | "Max" | "Min">;

/** The resource `horizontalpodautoscalers.autoscaling`. */
export const HorizontalPodAutoscalers: Resource<HorizontalPodAutoscaler> =
  /* @__PURE__ */ builtinResource({
    group: "autoscaling",
    version: "v2",
    plural: "horizontalpodautoscalers",
    kind: "HorizontalPodAutoscaler",
    namespaced: true,
  });
