// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `autoscaling/v2`. */
export const AUTOSCALING_V2: StructTable = {
  "autoscaling/v2.ContainerResourceMetricSource": `
    name string!* go=v1.ResourceName; target autoscaling/v2.MetricTarget!*; container string!*
  `,
  "autoscaling/v2.ContainerResourceMetricStatus": `
    name string!* go=v1.ResourceName; current autoscaling/v2.MetricValueStatus!*;
    container string!*
  `,
  "autoscaling/v2.CrossVersionObjectReference": "kind string!*; name string!*; apiVersion string",
  "autoscaling/v2.ExternalMetricSource": `
    metric autoscaling/v2.MetricIdentifier!*; target autoscaling/v2.MetricTarget!*
  `,
  "autoscaling/v2.ExternalMetricStatus": `
    metric autoscaling/v2.MetricIdentifier!*; current autoscaling/v2.MetricValueStatus!*
  `,
  "autoscaling/v2.HPAScalingPolicy": `
    type string!* go=v2.HPAScalingPolicyType; value int32!*; periodSeconds int32!*
  `,
  "autoscaling/v2.HPAScalingRules": `
    stabilizationWindowSeconds int32? #3; selectPolicy string? go=v2.ScalingPolicySelect #1;
    policies []autoscaling/v2.HPAScalingPolicy atomic; tolerance quantity? #4
  `,
  "autoscaling/v2.HorizontalPodAutoscaler": `
    @object; metadata meta.ObjectMeta!; spec autoscaling/v2.HorizontalPodAutoscalerSpec!*;
    status autoscaling/v2.HorizontalPodAutoscalerStatus!
  `,
  "autoscaling/v2.HorizontalPodAutoscalerBehavior": `
    scaleUp autoscaling/v2.HPAScalingRules?; scaleDown autoscaling/v2.HPAScalingRules?
  `,
  "autoscaling/v2.HorizontalPodAutoscalerCondition": `
    type string!* go=v2.HorizontalPodAutoscalerConditionType; status string!* go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string; observedGeneration int64?
  `,
  "autoscaling/v2.HorizontalPodAutoscalerList": `
    @object; metadata meta.ListMeta!; items []autoscaling/v2.HorizontalPodAutoscaler!*
  `,
  "autoscaling/v2.HorizontalPodAutoscalerSpec": `
    scaleTargetRef autoscaling/v2.CrossVersionObjectReference!*; minReplicas int32?;
    maxReplicas int32!*; metrics []autoscaling/v2.MetricSpec atomic;
    behavior autoscaling/v2.HorizontalPodAutoscalerBehavior?
  `,
  "autoscaling/v2.HorizontalPodAutoscalerStatus": `
    observedGeneration int64?; lastScaleTime time?; currentReplicas int32; desiredReplicas int32!*;
    currentMetrics []autoscaling/v2.MetricStatus! atomic;
    conditions []autoscaling/v2.HorizontalPodAutoscalerCondition key=type
  `,
  "autoscaling/v2.MetricIdentifier": "name string!*; selector meta.LabelSelector?",
  "autoscaling/v2.MetricSpec": `
    type string!* go=v2.MetricSourceType; object autoscaling/v2.ObjectMetricSource?;
    pods autoscaling/v2.PodsMetricSource?; resource autoscaling/v2.ResourceMetricSource?;
    containerResource autoscaling/v2.ContainerResourceMetricSource? #7;
    external autoscaling/v2.ExternalMetricSource? #5
  `,
  "autoscaling/v2.MetricStatus": `
    type string!* go=v2.MetricSourceType; object autoscaling/v2.ObjectMetricStatus?;
    pods autoscaling/v2.PodsMetricStatus?; resource autoscaling/v2.ResourceMetricStatus?;
    containerResource autoscaling/v2.ContainerResourceMetricStatus? #7;
    external autoscaling/v2.ExternalMetricStatus? #5
  `,
  "autoscaling/v2.MetricTarget": `
    type string!* go=v2.MetricTargetType; value quantity?; averageValue quantity?;
    averageUtilization int32?
  `,
  "autoscaling/v2.MetricValueStatus": `
    value quantity?; averageValue quantity?; averageUtilization int32?
  `,
  "autoscaling/v2.ObjectMetricSource": `
    describedObject autoscaling/v2.CrossVersionObjectReference!*;
    target autoscaling/v2.MetricTarget!*; metric autoscaling/v2.MetricIdentifier!*
  `,
  "autoscaling/v2.ObjectMetricStatus": `
    metric autoscaling/v2.MetricIdentifier!*; current autoscaling/v2.MetricValueStatus!*;
    describedObject autoscaling/v2.CrossVersionObjectReference!*
  `,
  "autoscaling/v2.PodsMetricSource": `
    metric autoscaling/v2.MetricIdentifier!*; target autoscaling/v2.MetricTarget!*
  `,
  "autoscaling/v2.PodsMetricStatus": `
    metric autoscaling/v2.MetricIdentifier!*; current autoscaling/v2.MetricValueStatus!*
  `,
  "autoscaling/v2.ResourceMetricSource": `
    name string!* go=v1.ResourceName; target autoscaling/v2.MetricTarget!*
  `,
  "autoscaling/v2.ResourceMetricStatus": `
    name string!* go=v1.ResourceName; current autoscaling/v2.MetricValueStatus!*
  `,
};
