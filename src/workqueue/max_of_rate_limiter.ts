import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Answers the longest delay of several limiters. Each of them counts every failure, even one whose delay another limiter
 * outlasts: a bucket among them gives away a token each time.
 *
 * @example At least a second, however few failures
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
 * @typeParam T What the items are.
 */
export class MaxOfRateLimiter<T = string> implements RateLimiter<T> {
  readonly #limiters: readonly RateLimiter<T>[];

  /**
   * Combines limiters; with none of them, nothing ever waits.
   *
   * @param limiters The limiters.
   */
  constructor(...limiters: readonly RateLimiter<T>[]) {
    this.#limiters = limiters;
  }

  /**
   * Counts a failure with every limiter.
   *
   * @param item The item.
   * @returns The longest of their delays, in milliseconds.
   */
  when(item: T): number {
    let longestMs = 0;
    for (const limiter of this.#limiters) longestMs = Math.max(longestMs, limiter.when(item));
    return longestMs;
  }

  /**
   * Tells every limiter to start the item afresh.
   *
   * @param item The item.
   */
  forget(item: T): void {
    for (const limiter of this.#limiters) limiter.forget(item);
  }

  /**
   * How many failures have been counted.
   *
   * @param item The item.
   * @returns The largest of the limiters' counts.
   */
  numRequeues(item: T): number {
    let most = 0;
    for (const limiter of this.#limiters) most = Math.max(most, limiter.numRequeues(item));
    return most;
  }
}
