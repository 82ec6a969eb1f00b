/**
 * kubeloop: the machinery for Kubernetes controllers in TypeScript.
 *
 * @module
 */

export { type Clock, realClock, type Timer } from "./src/base/clock.ts";
export { type Random, realRandom } from "./src/base/random.ts";
export { defaultLogger, type Logger, silentLogger } from "./src/base/logger.ts";
export {
  type Counter,
  type Gauge,
  type Histogram,
  type MetricLabels,
  type MetricsProvider,
  noopMetrics,
} from "./src/base/metrics.ts";
export * from "./src/types/mod.ts";
