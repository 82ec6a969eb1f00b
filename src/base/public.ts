/**
 * The entry point `./base`: the clock, random source, logger and metrics that a program passes in, delays and backoffs, and
 * JSON with exact numbers.
 *
 * @module
 */

export { Backoff, type BackoffOptions, ResettingBackoff } from "./backoff.ts";
export { type Clock, realClock, type Timer } from "./clock.ts";
export { abortable, delay, type DelayOptions } from "./abort.ts";
export type { CacheEnvironment, Environment } from "./environment.ts";
export {
  exponentialBackoff,
  type ExponentialBackoffOptions,
  type WaitOptions,
} from "./exponential_backoff.ts";
export type { JsonPath } from "./json_path.ts";
export { jsonLogger, type JsonLoggerOptions } from "./json_logger.ts";
export type { LogLevel } from "./line_logger.ts";
export { defaultLogger, type LogFields, type Logger, silentLogger } from "./logger.ts";
export {
  type Counter,
  type Gauge,
  type Histogram,
  type MetricLabels,
  type MetricsProvider,
  noopMetrics,
} from "./metrics.ts";
export { parseJson } from "./parse_json.ts";
export { formatQuantity, parseQuantity, type Quantity } from "./quantity.ts";
export { type Random, realRandom } from "./random.ts";
export type { Redact } from "./safe_logger.ts";
export { showJson, stringifyJson, type StringifyOptions } from "./stringify_json.ts";
export { TerminalError } from "./terminal_error.ts";
export { TokenBucket, type TokenBucketOptions, type TokenWaitOptions } from "./token_bucket.ts";
