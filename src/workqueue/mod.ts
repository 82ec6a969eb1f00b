/**
 * Work queues: what stands between the handlers of an informer, which only put keys in, and the workers of a controller,
 * which take them out.
 *
 * {@linkcode WorkQueue} is fair, stingy and safe for many workers; {@linkcode DelayingQueue} adds items later;
 * {@linkcode RateLimitingQueue} adds them again after failures, with delays from a {@linkcode RateLimiter}.
 *
 * @module
 */

export type { TokenBucketOptions } from "../base/token_bucket.ts";
export * from "./bucket_rate_limiter.ts";
export * from "./default_rate_limiters.ts";
export * from "./delaying_queue.ts";
export * from "./item_exponential_failure_rate_limiter.ts";
export * from "./item_fast_slow_rate_limiter.ts";
export * from "./max_of_rate_limiter.ts";
export * from "./parallelize_until.ts";
export * from "./queue.ts";
export * from "./rate_limiter.ts";
export * from "./rate_limiting_queue.ts";
export * from "./with_max_wait_rate_limiter.ts";
export * from "./work_queue.ts";
