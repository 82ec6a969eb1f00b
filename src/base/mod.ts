/**
 * The parts that all other folders share: clock, random source, logger and metrics interfaces, abort signals, backoffs,
 * errors and a few containers.
 *
 * Imports nothing. Only this folder and the transports of the runtimes may use the clock, the randomness and the
 * console of the machine.
 *
 * @module
 */

export {
  abortable,
  type Cleanup,
  delay,
  type DelayOptions,
  LinkedAbort,
  onAbort,
  type TimeLimit,
  withTimeLimit,
} from "./abort.ts";
export { assert } from "./assert.ts";
export { Backoff, type BackoffOptions, ResettingBackoff } from "./backoff.ts";
export { decodeBase64, encodeBase64 } from "./base64.ts";
export { hasBigInteger, isDigit, mayHaveBigInteger } from "./big_integers.ts";
export { Brand } from "./brand.ts";
export { ByteParts, concatBytes } from "./byte_parts.ts";
export { closestName, editDistance } from "./closest_name.ts";
export { compareApiVersions } from "./compare_api_versions.ts";
export { type Clock, realClock, requireTimerDelay, type Timer } from "./clock.ts";
export {
  type AnnotationChange,
  CONTROL_ANNOTATIONS,
  pauseAnnotations,
  reconcileAnnotations,
  resumeAnnotations,
} from "./control_annotations.ts";
export { describeValue } from "./describe_value.ts";
export { type CacheEnvironment, type Environment, inherit } from "./environment.ts";
export { describeError, toError } from "./errors.ts";
export { expandedSize } from "./expanded_size.ts";
export {
  exponentialBackoff,
  type ExponentialBackoffOptions,
  holdsInTime,
  type WaitOptions,
} from "./exponential_backoff.ts";
export { findCause } from "./find_cause.ts";
export { requireFunctions, requireMethods } from "./functions.ts";
export { Heap, type HeapItem } from "./heap.ts";
export { isInProcess, isMade, keepBody, keptBody, markInProcess, markMade } from "./in_process.ts";
export {
  forgetIncomplete,
  isIncomplete,
  noteIncomplete,
  type VersionIdentity,
} from "./incomplete_objects.ts";
export { isRecord, jsonEqual, MAX_JSON_DEPTH, own, setOwn } from "./json.ts";
export { isMember, type JsonPath, parsePath, splitPath, valueIn } from "./json_path.ts";
export { jsonLogger, type JsonLoggerOptions } from "./json_logger.ts";
export { LineLogger, type LogLevel } from "./line_logger.ts";
export { LruMap } from "./lru_map.ts";
export { defaultLogger, type LogFields, type Logger, silentLogger, withFields } from "./logger.ts";
export {
  type Counter,
  type Gauge,
  type Histogram,
  type MetricLabels,
  type MetricsProvider,
  noopMetrics,
} from "./metrics.ts";
export { isConnectionRefused, type NetworkFailure, networkFailure } from "./network_error.ts";
export {
  requireCount,
  requireDelay,
  requireEach,
  requireFinite,
  requireTimeLimit,
} from "./numbers.ts";
export {
  checkedElsewhere,
  ENVIRONMENT_CHECKS,
  hasMethods,
  isCount,
  isDelay,
  isFlag,
  isFunction,
  isList,
  isName,
  isObject,
  isOneOf,
  isSignal,
  isText,
  isTimeLimit,
  type OptionCheck,
  type OptionChecks,
  requireOptions,
} from "./options.ts";
export { PacedLogger } from "./paced_logger.ts";
export { type ParallelizeOptions, parallelizeUntil } from "./parallelize_until.ts";
export { parseCount } from "./parse_count.ts";
export { parseJson } from "./parse_json.ts";
export { isPromiseLike, requireSync, tellUser } from "./promise_like.ts";
export { formatQuantity, parseQuantity, type Quantity, storedQuantity } from "./quantity.ts";
export { forkRandom, type Random, randomInt, randomUuid, realRandom } from "./random.ts";
export { RingBuffer } from "./ring_buffer.ts";
export { redactError } from "./redact_error.ts";
export { safeArguments } from "./safe_arguments.ts";
export { hasFields, type Redact, redactOf, safeLogger } from "./safe_logger.ts";
export { showJson, stringifyJson, type StringifyOptions } from "./stringify_json.ts";
export { escapeTerm, hostInUrl, oneLine, splitUnescaped, stripEnd } from "./strings.ts";
export { TerminalError } from "./terminal_error.ts";
export { TextHash } from "./text_hash.ts";
export { textLines } from "./text_lines.ts";
export { TokenBucket, type TokenBucketOptions, type TokenWaitOptions } from "./token_bucket.ts";
export { TurnBudget } from "./turn_budget.ts";
export { untilStopped, type UntilStoppedOptions } from "./until_stopped.ts";
export { WATCH_PACE, watchBackoff, type WatchPace, watchTimeoutSeconds } from "./watch_pace.ts";
export { visibleJson, visibleText } from "./visible_text.ts";
export { Waiters } from "./waiters.ts";
