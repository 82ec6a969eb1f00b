/** The label names and values of one metric series. */
export type MetricLabels = Readonly<Record<string, string>>;

/** A metric that only increases. */
export interface Counter {
  /** Adds `by`. Default 1. */
  inc(by?: number): void;
}

/** A metric that increases and decreases. */
export interface Gauge {
  /** Sets the gauge to `value`. */
  set(value: number): void;
  /** Adds `by`. Default 1. */
  inc(by?: number): void;
  /** Subtracts `by`. Default 1. */
  dec(by?: number): void;
}

/** A metric of the distribution of observed values. */
export interface Histogram {
  /** Records one observed value. */
  observe(value: number): void;
}

/**
 * Creates the metric series that components report to. The metrics have the names of client-go, so that dashboards for
 * Go controllers work.
 *
 * @example Keep counters in a map
 * ```ts
 * import { type MetricsProvider, noopMetrics } from "@kubeloop/controller/base";
 *
 * const counts = new Map<string, number>();
 * const metrics: MetricsProvider = {
 *   ...noopMetrics,
 *   counter: (name) => ({
 *     inc: (by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by),
 *   }),
 * };
 * metrics.counter("adds_total", {}).inc();
 * ```
 */
export interface MetricsProvider {
  /** Returns the counter with this name and these labels. */
  counter(name: string, labels: MetricLabels): Counter;
  /** Returns the gauge with this name and these labels. */
  gauge(name: string, labels: MetricLabels): Gauge;
  /** Returns the histogram with this name and these labels; `buckets` are the upper bounds of its buckets. */
  histogram(name: string, labels: MetricLabels, buckets: readonly number[]): Histogram;
}

const nothing = (): void => {};
const noopGauge: Gauge = { set: nothing, inc: nothing, dec: nothing };
const noopHistogram: Histogram = { observe: nothing };

/** A provider that discards all metrics: the default wherever a {@linkcode MetricsProvider} is an option. */
export const noopMetrics: MetricsProvider = {
  counter: () => noopGauge,
  gauge: () => noopGauge,
  histogram: () => noopHistogram,
};
