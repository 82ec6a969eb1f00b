/**
 * Metrics for Prometheus and OpenTelemetry.
 *
 * {@linkcode PrometheusRegistry} keeps metrics and writes them as text; {@linkcode meterMetrics} reports them to OpenTelemetry.
 * Both are a {@linkcode MetricsProvider}, the option `metrics` of clients and managers.
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
