/**
 * The controller of kube-controller-manager that scales workloads by metrics, which the test gives. In come the options of
 * an actor and a source of metrics; out goes an actor.
 *
 * @module
 */

export {
  HorizontalPodAutoscalerController,
  type HorizontalPodAutoscalerOptions,
} from "./autoscaler.ts";
export type { MetricQuery, MetricSource } from "./metric_source.ts";
