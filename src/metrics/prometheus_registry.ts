import {
  type Clock,
  type Counter,
  type Gauge,
  type Histogram,
  type Logger,
  type MetricLabels,
  type MetricsProvider,
  noopMetrics,
  realClock,
  requireCount,
  safeLogger,
} from "../base/mod.ts";
import { KNOWN_METRICS, type KnownMetric } from "./known_metrics.ts";
import { helpText, labelsText, requireMetricName } from "./prometheus_text.ts";
import { CounterSeries, GaugeSeries, HistogramSeries, type Series, thinBuckets } from "./series.ts";

/** Maximum number of label sets of a metric. Later label sets share one series. */
const MAX_LABEL_SETS = 100;
/** Maximum number of metrics. */
const MAX_METRICS = 1_000;
const DEFAULT_MAX_BUCKETS = 10;
/** The suffixes of the lines of a histogram. */
const HISTOGRAM_SUFFIXES = ["_bucket", "_sum", "_count"];

/** Options of a {@linkcode PrometheusRegistry}. */
export interface PrometheusRegistryOptions {
  /**
   * Maximum number of buckets of a histogram besides `+Inf`, at least 2. From a histogram with more buckets, such as the 40
   * of controller-runtime's reconcile times, the registry keeps a selection, including the first and the last. Each bucket
   * is a series. `Infinity` keeps all. Default 10.
   */
  readonly maxBuckets?: number | undefined;
  /** The clock for the start time of the process. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Receives a line when a metric has too many label sets. Default: warnings go to the console. */
  readonly logger?: Logger | undefined;
}

/** All series of a metric. */
interface Family {
  readonly type: KnownMetric["type"];
  readonly bounds: readonly number[] | undefined;
  readonly series: Map<string, Series>;
  isFull: boolean;
  /** The series that later label sets share. */
  other?: Series;
}

/**
 * Keeps metrics in memory and writes them in the text format of Prometheus. Pass it as `metrics` to a client or a
 * manager.
 *
 * The number of series is bounded: a metric has at most 100 label sets. Further label sets of counters and histograms share
 * one series, whose labels are all `other`; further gauges are not kept. This is logged once per metric.
 *
 * @example Count, and read the text
 * ```ts
 * import { PrometheusRegistry } from "@kubeloop/controller/metrics";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const metrics = new PrometheusRegistry();
 * metrics.counter("buckets_made_total", { region: "eu" }).inc();
 * assertStringIncludes(metrics.text(), 'buckets_made_total{region="eu"} 1\n');
 * ```
 */
export class PrometheusRegistry implements MetricsProvider {
  /** The content type of {@linkcode PrometheusRegistry.text}. */
  static readonly contentType = "text/plain; version=0.0.4; charset=utf-8";

  readonly #families = new Map<string, Family>();
  readonly #maxBuckets: number;
  readonly #logger: Logger;

  /**
   * Creates a registry with one metric: the start time of the process.
   *
   * @throws {RangeError} If `maxBuckets` is not a whole number of at least 2, or Infinity.
   */
  constructor(options: PrometheusRegistryOptions = {}) {
    const { clock = realClock, logger, maxBuckets = DEFAULT_MAX_BUCKETS } = options;
    if (maxBuckets !== Infinity) requireCount("maxBuckets", maxBuckets, 2);
    this.#maxBuckets = maxBuckets;
    this.#logger = safeLogger(logger);
    this.gauge("process_start_time_seconds", {}).set(clock.wallNow() / 1000);
  }

  /**
   * Returns the counter with the name and labels. Equal names and labels give the same counter.
   *
   * @throws {TypeError} If Prometheus does not accept the name or a label, or another type of metric has the name.
   */
  counter(name: string, labels: MetricLabels): Counter {
    const family = this.#family(name, "counter", undefined);
    return this.#series(name, family, labels, () => new CounterSeries()) as CounterSeries;
  }

  /**
   * Returns the gauge with the name and labels. Equal names and labels give the same gauge.
   *
   * @throws {TypeError} If Prometheus does not accept the name or a label, or another type of metric has the name.
   */
  gauge(name: string, labels: MetricLabels): Gauge {
    const family = this.#family(name, "gauge", undefined);
    const series = this.#series(name, family, labels, () => new GaugeSeries());
    // Two gauges in one series would overwrite each other.
    return series === undefined ? noopMetrics.gauge(name, labels) : series as GaugeSeries;
  }

  /**
   * Returns the histogram with the name and labels. Equal names and labels give the same histogram; all histograms of a
   * name have the buckets of the first one.
   *
   * @throws {TypeError} If Prometheus does not accept the name or a label, or another type of metric has the name.
   * @throws {RangeError} If the buckets are not increasing numbers.
   */
  histogram(name: string, labels: MetricLabels, buckets: readonly number[]): Histogram {
    const family = this.#family(name, "histogram", buckets);
    const make = () => new HistogramSeries(family.bounds);
    return this.#series(name, family, labels, make) as HistogramSeries;
  }

  /**
   * Returns all metrics in the text format of Prometheus, version 0.0.4, sorted by name and labels.
   */
  text(): string {
    let text = "";
    for (const [name, { series, type }] of sorted(this.#families)) {
      const help = KNOWN_METRICS[name]?.help;
      if (help !== undefined) text += `# HELP ${name} ${helpText(help)}\n`;
      text += `# TYPE ${name} ${type}\n`;
      for (const [labels, one] of sorted(series)) text += one.lines(name, labels);
    }
    return text;
  }

  #family(
    name: string,
    kind: "counter" | "gauge" | "histogram",
    buckets?: readonly number[],
  ): Family {
    const known = this.#families.get(name);
    if (known !== undefined) {
      if (known.type === kind || (known.type === "summary" && kind === "histogram")) return known;
      throw new TypeError(`The metric ${name} is a ${known.type}, and cannot be a ${kind} as well`);
    }
    requireMetricName(name);
    if (this.#families.size >= MAX_METRICS) {
      throw new RangeError(
        `Cannot add the metric ${name}: there are ${MAX_METRICS} names; use labels instead`,
      );
    }
    this.#requireOwnLines(name, kind);
    const bounds = kind === "histogram" ? requireBounds(name, buckets) : undefined;
    const isSummary = kind === "histogram" && KNOWN_METRICS[name]?.type === "summary";
    const family: Family = {
      type: isSummary ? "summary" : kind,
      bounds: bounds === undefined || isSummary ? undefined : thinBuckets(bounds, this.#maxBuckets),
      series: new Map(),
      isFull: false,
    };
    this.#families.set(name, family);
    return family;
  }

  /** Refuses a name that collides with a line of a histogram or summary, in both directions. */
  #requireOwnLines(name: string, kind: "counter" | "gauge" | "histogram"): void {
    const refuse = (other: string, { type }: Family) => {
      throw new TypeError(
        `The ${kind} ${name} cannot be told from the ${type} ${other}: ` +
          "the lines of a histogram X are X_bucket, X_sum and X_count",
      );
    };
    for (const suffix of HISTOGRAM_SUFFIXES) {
      const line = kind === "histogram" ? this.#families.get(name + suffix) : undefined;
      if (line !== undefined) refuse(name + suffix, line);
      if (!name.endsWith(suffix)) continue;
      const owner = name.slice(0, -suffix.length);
      const family = this.#families.get(owner);
      if (family?.type === "histogram" || family?.type === "summary") refuse(owner, family);
    }
  }

  #series(
    name: string,
    family: Family,
    labels: MetricLabels,
    make: () => Series,
  ): Series | undefined {
    const key = labelsText(name, labels);
    const known = family.series.get(key);
    if (known !== undefined) return known;
    if (family.series.size < MAX_LABEL_SETS) {
      const series = make();
      family.series.set(key, series);
      return series;
    }
    if (!family.isFull) {
      family.isFull = true;
      this.#logger.warn(
        `The metric ${name} has more than ${MAX_LABEL_SETS} sets of labels: ` +
          (family.type === "gauge"
            ? "further ones are not kept"
            : 'further ones count as "other"') +
          " (logged once); do not use names of objects as labels",
      );
    }
    if (family.type === "gauge") return undefined;
    if (family.other === undefined) {
      const others = Object.keys(labels).map((label) => [label, "other"]);
      const text = labelsText(name, Object.fromEntries(others));
      // A caller may have used the value "other" itself.
      family.other = family.series.get(text) ?? make();
      family.series.set(text, family.other);
    }
    return family.other;
  }
}

/** Returns the bounds of buckets without `Infinity`, the implicit last bucket. */
function requireBounds(name: string, buckets: readonly number[] | undefined): readonly number[] {
  const given = Array.isArray(buckets) ? buckets as readonly number[] : [NaN];
  const bounds = given.at(-1) === Infinity ? given.slice(0, -1) : [...given];
  const isIncreasing = bounds.every((bound, i) =>
    Number.isFinite(bound) && (i === 0 || bound > (bounds[i - 1] as number))
  );
  if (isIncreasing) return bounds;
  const received = Array.isArray(buckets) ? buckets.join(", ") : String(buckets);
  throw new RangeError(
    `The buckets of ${name} must be finite numbers that increase: received ${received}`,
  );
}

function sorted<V>(map: ReadonlyMap<string, V>): [string, V][] {
  return [...map].sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
}
