import { requireSync } from "../base/mod.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Combines several limiters and returns the longest of their delays. Every limiter counts every failure, even if
 * another limiter asks for a longer delay: a bucket among them gives away a token each time.
 *
 * @example A delay of at least a second, even for the first failure
 * ```ts
 * import {
 *   ItemExponentialFailureRateLimiter,
 *   ItemFastSlowRateLimiter,
 *   MaxOfRateLimiter,
 * } from "@kubeloop/controller/workqueue";
 * import { assertEquals } from "@std/assert";
 *
 * const limiter = new MaxOfRateLimiter<string>(
 *   new ItemExponentialFailureRateLimiter(500, 60_000),
 *   new ItemFastSlowRateLimiter(1000, 1000, 0),
 * );
 * assertEquals([1, 2, 3].map(() => limiter.when("a")), [1000, 1000, 2000]);
 * ```
 *
 * @typeParam T The type of the items.
 */
export class MaxOfRateLimiter<T = string> implements RateLimiter<T> {
  readonly #limiters: readonly RateLimiter<T>[];

  /**
   * Combines limiters. Without any limiter, all delays are 0.
   *
   * @param limiters The limiters.
   */
  constructor(...limiters: readonly RateLimiter<T>[]) {
    this.#limiters = limiters;
  }

  /**
   * Counts a failure of an item with every limiter.
   *
   * @param item The item.
   * @returns The longest of the delays, in milliseconds.
   */
  when(item: T): number {
    let longestMs = 0;
    for (const limiter of this.#limiters) {
      longestMs = Math.max(longestMs, requireSync("when()", limiter.when(item)));
    }
    return longestMs;
  }

  /**
   * Resets the failures of an item in every limiter.
   *
   * @param item The item.
   */
  forget(item: T): void {
    for (const limiter of this.#limiters) requireSync("forget()", limiter.forget(item));
  }

  /**
   * Returns the number of failures of an item.
   *
   * @param item The item.
   * @returns The largest of the limiters' counts.
   */
  numRequeues(item: T): number {
    let most = 0;
    for (const limiter of this.#limiters) {
      most = Math.max(most, requireSync("numRequeues()", limiter.numRequeues(item)));
    }
    return most;
  }
}
