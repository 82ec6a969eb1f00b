/**
 * Work queues between the event handlers of an informer, which only add keys, and the workers of a controller, which
 * process them.
 *
 * {@linkcode WorkQueue} is fair, stingy and safe for many workers. {@linkcode DelayingQueue} adds items after a delay.
 * {@linkcode RateLimitingQueue} adds failed items again, with delays from a {@linkcode RateLimiter}.
 *
 * @module
 */

export { BucketRateLimiter } from "./bucket_rate_limiter.ts";
export {
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
} from "./default_rate_limiters.ts";
export { DelayingQueue } from "./delaying_queue.ts";
export { Delays } from "./delays.ts";
export { ItemExponentialFailureRateLimiter } from "./item_exponential_failure_rate_limiter.ts";
export { ItemFastSlowRateLimiter } from "./item_fast_slow_rate_limiter.ts";
export { MaxOfRateLimiter } from "./max_of_rate_limiter.ts";
export { PriorityQueue, type PriorityQueueOptions } from "./priority_queue.ts";
export type { Queue } from "./queue.ts";
export type { RateLimiter } from "./rate_limiter.ts";
export { RateLimitingQueue } from "./rate_limiting_queue.ts";
export { WithMaxWaitRateLimiter } from "./with_max_wait_rate_limiter.ts";
export { type GetResult, WorkQueue, type WorkQueueOptions } from "./work_queue.ts";
