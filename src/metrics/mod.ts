/**
 * Metrics: a registry in the text format of Prometheus, an adapter to OpenTelemetry, and the metrics of the operator
 * toolkit.
 *
 * Counts enter by the `MetricsProvider` of `base`; text leaves.
 *
 * @module
 */

export { combineMetrics } from "./combine_metrics.ts";
export { guardedMetrics } from "./guarded_metrics.ts";
export { KNOWN_METRICS, type KnownMetric } from "./known_metrics.ts";
export { type InstrumentOptions, type MeterLike, meterMetrics } from "./meter_metrics.ts";
export { metricsHandler } from "./metrics_handler.ts";
export { type HotLoopLabels, OperatorMetrics, type SkippedWrite } from "./operator_metrics.ts";
export { PrometheusRegistry, type PrometheusRegistryOptions } from "./prometheus_registry.ts";
export type {
  Clock,
  Counter,
  Gauge,
  Histogram,
  Logger,
  MetricLabels,
  MetricsProvider,
  Timer,
} from "../base/mod.ts";
