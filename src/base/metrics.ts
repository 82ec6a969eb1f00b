/** Label names and values of one metric series. */
export type MetricLabels = Readonly<Record<string, string>>;

/** A number that only grows. */
export interface Counter {
  /** Adds `by` (1 when left out). */
  inc(by?: number): void;
}

/** A number that goes up and down. */
export interface Gauge {
  /** Makes `value` the gauge's value. */
  set(value: number): void;
  /** Adds `by` (1 when left out). */
  inc(by?: number): void;
  /** Subtracts `by` (1 when left out). */
  dec(by?: number): void;
}

/** A distribution of observed values. */
export interface Histogram {
  /** Counts one observed `value`. */
  observe(value: number): void;
}

/**
 * Makes the series that components report to. The names are client-go's, so dashboards made for Go controllers work.
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
  /** The counter called `name` with these labels. */
  counter(name: string, labels: MetricLabels): Counter;
  /** The gauge called `name` with these labels. */
  gauge(name: string, labels: MetricLabels): Gauge;
  /** The histogram called `name` with these labels; `buckets` are its upper bounds. */
  histogram(name: string, labels: MetricLabels, buckets: readonly number[]): Histogram;
}

const nothing = (): void => {};
const noopGauge: Gauge = { set: nothing, inc: nothing, dec: nothing };
const noopHistogram: Histogram = { observe: nothing };

/** Reports nothing: the default wherever a {@linkcode MetricsProvider} is taken. */
export const noopMetrics: MetricsProvider = {
  counter: () => noopGauge,
  gauge: () => noopGauge,
  histogram: () => noopHistogram,
};
