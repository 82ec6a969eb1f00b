import { TokenBucket, type TokenBucketOptions } from "../base/mod.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Limits the rate of all items together with a token bucket: `burst` of them do not wait at all, and from then on `qps` a
 * second get through, each waiting behind the one before. It does not tell items apart and remembers none.
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
 * @typeParam T What the items are.
 */
export class BucketRateLimiter<T = string> implements RateLimiter<T> {
  readonly #bucket: TokenBucket;

  /**
   * A full bucket.
   *
   * @param options Its rate, its size and its clock.
   * @throws {RangeError} When `qps` is not above 0 or `burst` is not a whole number above 0.
   */
  constructor(options: TokenBucketOptions) {
    this.#bucket = new TokenBucket(options);
  }

  /**
   * Takes a token.
   *
   * @param _item Does not matter.
   * @returns In how many milliseconds the token is there.
   */
  when(_item: T): number {
    return this.#bucket.reserve();
  }

  /**
   * Does nothing: a token that was taken stays taken.
   *
   * @param _item Does not matter.
   */
  forget(_item: T): void {}

  /**
   * Failures are not counted.
   *
   * @param _item Does not matter.
   * @returns 0.
   */
  numRequeues(_item: T): number {
    return 0;
  }
}
