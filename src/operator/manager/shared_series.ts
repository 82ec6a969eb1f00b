import { type MetricLabels, type MetricsProvider, noopMetrics } from "../../base/mod.ts";

/** Returns metrics whose label `name` has no selection, and which has no gauges, because informers would share them. */
export function withoutSelection(metrics: MetricsProvider, what: string): MetricsProvider {
  const shared = (labels: MetricLabels) => ({
    ...labels,
    name: `${labels["name"]?.replace(/ \(.*/s, "")} (${what})`,
  });
  return {
    ...noopMetrics,
    counter: (name, labels) => metrics.counter(name, shared(labels)),
    histogram: (name, labels, buckets) => metrics.histogram(name, shared(labels), buckets),
  };
}
