/**
 * kubeloop: the machinery for Kubernetes controllers in TypeScript.
 *
 * Start with {@linkcode Controller}: an informer, a `reconcile` function, and it runs. What it is made of is here too, for
 * controllers that need it taken apart: {@linkcode Client} talks to the API server, {@linkcode SharedInformer} keeps a
 * cache of a resource and calls handlers, {@linkcode RateLimitingQueue} holds the keys of what needs work. The names are
 * client-go's.
 *
 * The parts below these (stores, queues, reflectors, limiters) have entry points of their own: `./cache`, `./client`,
 * `./workqueue`, `./controller`, `./types`; `./testing` has an API server to test controllers with.
 *
 * @module
 */

export {
  type Clock,
  type Counter,
  defaultLogger,
  type Gauge,
  type Histogram,
  type Logger,
  type MetricLabels,
  type MetricsProvider,
  noopMetrics,
  type Random,
  realClock,
  realRandom,
  silentLogger,
  type Timer,
} from "./src/base/mod.ts";
export * from "./src/types/mod.ts";
export * from "./src/client/mod.ts";
export * from "./src/cache/mod.ts";
export * from "./src/workqueue/mod.ts";
export * from "./src/controller/mod.ts";
