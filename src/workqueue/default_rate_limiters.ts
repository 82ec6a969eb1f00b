import type { Clock } from "../base/mod.ts";
import { BucketRateLimiter } from "./bucket_rate_limiter.ts";
import { ItemExponentialFailureRateLimiter } from "./item_exponential_failure_rate_limiter.ts";
import { MaxOfRateLimiter } from "./max_of_rate_limiter.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * The limiter that client-go gives controllers: per item 5 ms doubling up to 1000 s (5, 10, 20 … 655,360 ms at the 18th
 * failure), and for all items together 10 a second after a burst of 100; the longer delay counts.
 *
 * @typeParam T What the items are.
 * @param options `clock` is where the bucket's time comes from. Default: the real clock.
 * @returns The limiter, with a bucket of its own.
 *
 * @example
 * ```ts
 * import { defaultControllerRateLimiter } from "@kubeloop/controller/workqueue";
 * import { assertEquals } from "@std/assert";
 *
 * const limiter = defaultControllerRateLimiter<string>();
 * assertEquals([1, 2, 3].map(() => limiter.when("default/web")), [5, 10, 20]);
 * ```
 */
export function defaultControllerRateLimiter<T = string>(
  options: { readonly clock?: Clock | undefined } = {},
): RateLimiter<T> {
  return new MaxOfRateLimiter<T>(
    new ItemExponentialFailureRateLimiter<T>(5, 1_000_000),
    new BucketRateLimiter<T>({ qps: 10, burst: 100, clock: options.clock }),
  );
}

/**
 * client-go's limiter per item alone: 1 ms doubling up to 1000 s.
 *
 * @typeParam T What the items are.
 * @returns The limiter.
 *
 * @example
 * ```ts
 * import { defaultItemBasedRateLimiter } from "@kubeloop/controller/workqueue";
 * import { assertEquals } from "@std/assert";
 *
 * const limiter = defaultItemBasedRateLimiter<string>();
 * assertEquals([1, 2, 3].map(() => limiter.when("default/web")), [1, 2, 4]);
 * ```
 */
export function defaultItemBasedRateLimiter<T = string>(): RateLimiter<T> {
  return new ItemExponentialFailureRateLimiter<T>(1, 1_000_000);
}
