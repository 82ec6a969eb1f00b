import {
  describeError,
  type Logger,
  type MetricsProvider,
  noopMetrics,
  requireSync,
} from "../base/mod.ts";

/**
 * Wraps a provider so that its errors are logged once and never thrown.
 *
 * @param provider The provider of a user.
 * @param logger Receives one line.
 *
 * @internal
 */
export function guardedMetrics(provider: MetricsProvider, logger: Logger): MetricsProvider {
  let isLogged = false;
  const attempt = <R>(report: () => R, otherwise: R): R => {
    try {
      return requireSync("the metrics", report());
    } catch (error) {
      if (!isLogged) {
        isLogged = true;
        logger.error(`Metrics are lost (logged once): ${describeError(error)}`);
      }
      return otherwise;
    }
  };
  return {
    counter(name, labels) {
      const one = attempt(() => provider.counter(name, labels), noopMetrics.counter(name, labels));
      return { inc: (by) => attempt(() => one.inc(by), undefined) };
    },
    gauge(name, labels) {
      const one = attempt(() => provider.gauge(name, labels), noopMetrics.gauge(name, labels));
      return {
        set: (value) => attempt(() => one.set(value), undefined),
        inc: (by) => attempt(() => one.inc(by), undefined),
        dec: (by) => attempt(() => one.dec(by), undefined),
      };
    },
    histogram(name, labels, buckets) {
      const one = attempt(
        () => provider.histogram(name, labels, buckets),
        noopMetrics.histogram(name, labels, buckets),
      );
      return { observe: (value) => attempt(() => one.observe(value), undefined) };
    },
  };
}
