import { TokenBucket, type TokenBucketOptions } from "../base/mod.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Limits the overall rate of retries with a token bucket: the first `burst` items are not delayed, the following items
 * pass at `qps` per second, in order. The limiter does not distinguish items and keeps no state per item.
 *
 * @example
 * ```ts
 * import { BucketRateLimiter } from "@kubeloop/controller/workqueue";
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const limiter = new BucketRateLimiter<string>({ qps: 10, burst: 2, clock: new VirtualClock() });
 * assertEquals(["a", "b", "c", "d"].map((item) => limiter.when(item)), [0, 0, 100, 200]);
 * ```
 *
 * @typeParam T The type of the items.
 */
export class BucketRateLimiter<T = string> implements RateLimiter<T> {
  readonly #bucket: TokenBucket;

  /**
   * Creates a limiter whose bucket is full.
   *
   * @param options The rate, the size and the clock of the bucket.
   * @throws {RangeError} When `qps` is not above 0 or `burst` is not a whole number above 0.
   */
  constructor(options: TokenBucketOptions) {
    this.#bucket = new TokenBucket(options);
  }

  /**
   * Takes a token.
   *
   * @param _item Ignored.
   * @returns The delay until the token is available, in milliseconds.
   */
  when(_item: T): number {
    return this.#bucket.reserve();
  }

  /**
   * Does nothing: a token is not returned to the bucket.
   *
   * @param _item Ignored.
   */
  forget(_item: T): void {}

  /**
   * Returns 0: this limiter does not count failures.
   *
   * @param _item Ignored.
   * @returns 0.
   */
  numRequeues(_item: T): number {
    return 0;
  }
}
