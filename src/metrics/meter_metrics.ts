import { type MetricsProvider, requireMethods } from "../base/mod.ts";
import { KNOWN_METRICS } from "./known_metrics.ts";

/** Options of an instrument. */
export interface InstrumentOptions {
  /** The description of the instrument. */
  description?: string;
  /** The unit, such as `s`. */
  unit?: string;
  /** Hints for the SDK. */
  advice?: {
    /** The upper bounds of the buckets of a histogram. */
    explicitBucketBoundaries?: number[];
  };
}

/** The part of OpenTelemetry's `Meter` that {@linkcode meterMetrics} needs. */
export interface MeterLike {
  /** Creates a counter. */
  createCounter(
    name: string,
    options?: InstrumentOptions,
  ): { add(value: number, attributes?: Record<string, string>): void };
  /** Creates a gauge. */
  createGauge(
    name: string,
    options?: InstrumentOptions,
  ): { record(value: number, attributes?: Record<string, string>): void };
  /** Creates a histogram. */
  createHistogram(
    name: string,
    options?: InstrumentOptions,
  ): { record(value: number, attributes?: Record<string, string>): void };
}

/** Maximum number of gauges whose values are kept. */
const MAX_GAUGES = 10_000;

/**
 * Returns a provider that reports to a meter of OpenTelemetry, under the same names as {@linkcode PrometheusRegistry}. The
 * library does not depend on OpenTelemetry. With `OTEL_DENO=true` on Deno, the meters of `npm:@opentelemetry/api` need no
 * further setup.
 *
 * @param meter The meter, such as `metrics.getMeter("widgets")`.
 * @returns The provider. It throws a `TypeError` for a name that is in use for another type of metric.
 * @throws {TypeError} If the meter lacks a method: `createGauge` came with version 1.9 of `@opentelemetry/api`.
 *
 * @example
 * ```ts ignore
 * import { metrics } from "@opentelemetry/api";
 * import { meterMetrics } from "@kubeloop/controller/metrics";
 *
 * const client = new Client({ metrics: meterMetrics(metrics.getMeter("widgets")) });
 * ```
 */
export function meterMetrics(meter: MeterLike): MetricsProvider {
  requireMethods("a Meter", meter, "createCounter", "createGauge", "createHistogram");
  const instruments = new Map<string, { readonly kind: string; readonly instrument: unknown }>();
  const values = new Map<string, { value: number }>();
  // An SDK warns when an instrument is created twice.
  const once = <I>(kind: string, name: string, create: (options: InstrumentOptions) => I): I => {
    const known = instruments.get(name);
    if (known === undefined) {
      const instrument = create(optionsOf(name));
      instruments.set(name, { kind, instrument });
      return instrument;
    }
    if (known.kind === kind) return known.instrument as I;
    throw new TypeError(`The metric ${name} is a ${known.kind}, and cannot be a ${kind} as well`);
  };
  return {
    counter(name, labels) {
      const counter = once("counter", name, (options) => meter.createCounter(name, options));
      const attributes = { ...labels };
      return { inc: (by = 1) => counter.add(by, attributes) };
    },
    gauge(name, labels) {
      const gauge = once("gauge", name, (options) => meter.createGauge(name, options));
      const attributes = { ...labels };
      const key = JSON.stringify([name, Object.entries(labels).sort()]);
      const state = values.get(key) ?? { value: 0 };
      if (values.size < MAX_GAUGES) values.set(key, state);
      const set = (value: number) => {
        state.value = value;
        gauge.record(value, attributes);
      };
      return {
        set,
        inc: (by = 1) => set(state.value + by),
        dec: (by = 1) => set(state.value - by),
      };
    },
    histogram(name, labels, buckets) {
      const histogram = once(
        "histogram",
        name,
        (options) =>
          meter.createHistogram(name, {
            ...options,
            advice: { explicitBucketBoundaries: buckets.filter(Number.isFinite) },
          }),
      );
      const attributes = { ...labels };
      return { observe: (value) => histogram.record(value, attributes) };
    },
  };
}

function optionsOf(name: string): InstrumentOptions {
  const description = KNOWN_METRICS[name]?.help;
  return {
    ...(description !== undefined && { description }),
    ...(name.endsWith("_seconds") && { unit: "s" }),
  };
}
