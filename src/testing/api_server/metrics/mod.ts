/**
 * The API of a metrics server: what Pods and Nodes use, by the numbers that a test sets.
 *
 * Imports `http`, `kinds`, `storage` and `values`.
 *
 * @module
 */

export { METRICS_RESOURCES, metricsApiAnswer } from "./metrics_api.ts";
export { type MetricUsage, type PodMetricUsage, ResourceMetrics } from "./resource_metrics.ts";
