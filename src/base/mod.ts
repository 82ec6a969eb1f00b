/**
 * What every other folder stands on: time, chance, logging, metrics, abort helpers and a few containers.
 *
 * @module
 */

export * from "./abort.ts";
export * from "./assert.ts";
export * from "./backoff.ts";
export * from "./brand.ts";
export * from "./clock.ts";
export * from "./errors.ts";
export * from "./exponential_backoff.ts";
export * from "./heap.ts";
export * from "./is_record.ts";
export * from "./keyed_backoff.ts";
export * from "./logger.ts";
export * from "./metrics.ts";
export * from "./network_error.ts";
export * from "./promise_like.ts";
export * from "./random.ts";
export * from "./ring_buffer.ts";
export * from "./safe_logger.ts";
export * from "./token_bucket.ts";
