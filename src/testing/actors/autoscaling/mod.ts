/**
 * The controller of kube-controller-manager that scales workloads by metrics, which a test provides.
 *
 * @module
 */

export {
  HorizontalPodAutoscalerController,
  type HorizontalPodAutoscalerOptions,
} from "./autoscaler.ts";
export type { MetricQuery, MetricSource } from "./metric_source.ts";
