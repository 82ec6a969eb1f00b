import type { MetricsProvider } from "../base/mod.ts";

/**
 * Returns a provider that reports all metrics to each of `providers`.
 *
 * @param providers The providers, such as a `PrometheusRegistry` and the result of `meterMetrics()`.
 *
 * @example
 * ```ts
 * import { combineMetrics, PrometheusRegistry } from "@kubeloop/controller/metrics";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const [a, b] = [new PrometheusRegistry(), new PrometheusRegistry()];
 * combineMetrics(a, b).counter("visits_total", {}).inc();
 * assertStringIncludes(a.text(), "visits_total 1");
 * assertStringIncludes(b.text(), "visits_total 1");
 * ```
 */
export function combineMetrics(...providers: readonly MetricsProvider[]): MetricsProvider {
  return {
    counter(name, labels) {
      const all = providers.map((one) => one.counter(name, labels));
      return {
        inc(by) {
          for (const one of all) one.inc(by);
        },
      };
    },
    gauge(name, labels) {
      const all = providers.map((one) => one.gauge(name, labels));
      return {
        set(value) {
          for (const one of all) one.set(value);
        },
        inc(by) {
          for (const one of all) one.inc(by);
        },
        dec(by) {
          for (const one of all) one.dec(by);
        },
      };
    },
    histogram(name, labels, buckets) {
      const all = providers.map((one) => one.histogram(name, labels, buckets));
      return {
        observe(value) {
          for (const one of all) one.observe(value);
        },
      };
    },
  };
}
