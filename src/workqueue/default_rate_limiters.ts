import type { Clock } from "../base/mod.ts";
import { BucketRateLimiter } from "./bucket_rate_limiter.ts";
import { ItemExponentialFailureRateLimiter } from "./item_exponential_failure_rate_limiter.ts";
import { MaxOfRateLimiter } from "./max_of_rate_limiter.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Returns client-go's default rate limiter for controllers.
 *
 * The delay of an item starts at 5 ms and doubles with each failure up to 1000 s (5, 10, 20 … 655,360 ms at the 18th
 * failure). All items together are limited to 10 per second after a burst of 100. The longer of the two delays applies.
 *
 * @typeParam T The type of the items.
 * @param options The `clock` of the token bucket. Default: the real clock.
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
 * Returns client-go's default rate limiter without the overall limit: the delay of an item starts at 1 ms and doubles
 * with each failure up to 1000 s.
 *
 * @typeParam T The type of the items.
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
