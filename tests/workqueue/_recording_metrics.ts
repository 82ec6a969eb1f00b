import type {
  Counter,
  Gauge,
  Histogram,
  MetricLabels,
  MetricsProvider,
} from "../../src/base/mod.ts";

/** Records everything that is reported: `values` of counters and gauges, `observed` and `buckets` of histograms. */
export class RecordingMetrics implements MetricsProvider {
  readonly values: Map<string, number> = new Map();
  readonly observed: Map<string, number[]> = new Map();
  readonly buckets: Map<string, readonly number[]> = new Map();

  counter(name: string, labels: MetricLabels): Counter {
    return this.gauge(name, labels);
  }

  gauge(name: string, labels: MetricLabels): Gauge {
    const series = seriesName(name, labels);
    this.values.set(series, 0);
    const change = (by: number) => {
      this.values.set(series, (this.values.get(series) ?? 0) + by);
    };
    return {
      set: (value) => void this.values.set(series, value),
      inc: (by = 1) => change(by),
      dec: (by = 1) => change(-by),
    };
  }

  histogram(name: string, labels: MetricLabels, buckets: readonly number[]): Histogram {
    const series = seriesName(name, labels);
    const values: number[] = [];
    this.observed.set(series, values);
    this.buckets.set(series, buckets);
    return { observe: (value) => void values.push(value) };
  }
}

function seriesName(name: string, labels: MetricLabels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  return `${name}{${pairs.join(",")}}`;
}
