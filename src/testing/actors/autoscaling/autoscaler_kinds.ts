import {
  type Condition,
  defineResource,
  type KubeObject,
  type Resource,
} from "@kubeloop/controller/types";

/** The value that a metric is to have. */
export interface MetricTarget {
  type?: string;
  averageUtilization?: number;
  averageValue?: string;
  value?: string;
}

/** The name of a metric that is not a resource. */
export interface MetricName {
  name: string;
  selector?: unknown;
}

/** One metric of an autoscaler. */
export interface MetricSpec {
  type: string;
  resource?: { name: string; target: MetricTarget };
  containerResource?: { name: string; container: string; target: MetricTarget };
  pods?: { metric: MetricName; target: MetricTarget };
  object?: {
    describedObject: { kind: string; name: string };
    metric: MetricName;
    target: MetricTarget;
  };
  external?: { metric: MetricName; target: MetricTarget };
}

/** How fast an autoscaler may scale in one direction. */
export interface ScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: { type: string; value: number; periodSeconds: number }[];
}

/** A HorizontalPodAutoscaler. */
export interface HorizontalPodAutoscaler extends KubeObject {
  spec?: {
    scaleTargetRef: { apiVersion?: string; kind: string; name: string };
    minReplicas?: number;
    maxReplicas: number;
    metrics?: MetricSpec[];
    behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
  };
  status?: {
    observedGeneration?: number;
    lastScaleTime?: string;
    currentReplicas?: number;
    desiredReplicas?: number;
    currentMetrics?: unknown[];
    conditions?: Condition[];
  };
}

/** The scale subresource of a workload. */
export interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas?: number; selector?: string };
}

/** The resource `horizontalpodautoscalers.autoscaling`. */
export const HorizontalPodAutoscalers: Resource<HorizontalPodAutoscaler> = defineResource<
  HorizontalPodAutoscaler
>({
  group: "autoscaling",
  version: "v2",
  plural: "horizontalpodautoscalers",
  kind: "HorizontalPodAutoscaler",
  namespaced: true,
});
