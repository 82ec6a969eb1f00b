import { requireDelay, requireSync } from "../base/mod.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Caps the delays of another limiter. Everything else is passed on: failures are counted beyond the cap, too.
 *
 * @example Delays of at most a minute
 * ```ts
 * import { defaultControllerRateLimiter, WithMaxWaitRateLimiter } from "@kubeloop/controller/workqueue";
 * import { assertEquals } from "@std/assert";
 *
 * const limiter = new WithMaxWaitRateLimiter<string>(defaultControllerRateLimiter(), 60_000);
 * for (let failure = 1; failure <= 15; failure++) limiter.when("a");
 * assertEquals(limiter.when("a"), 60_000);
 * assertEquals(limiter.numRequeues("a"), 16);
 * ```
 *
 * @typeParam T The type of the items.
 */
export class WithMaxWaitRateLimiter<T = string> implements RateLimiter<T> {
  readonly #limiter: RateLimiter<T>;
  readonly #maxDelayMs: number;

  /**
   * Caps the delays of a limiter.
   *
   * @param limiter The limiter.
   * @param maxDelayMs The longest delay, in milliseconds.
   * @throws {RangeError} When `maxDelayMs` is negative or not finite.
   */
  constructor(limiter: RateLimiter<T>, maxDelayMs: number) {
    requireDelay("maxDelayMs", maxDelayMs);
    this.#limiter = limiter;
    this.#maxDelayMs = maxDelayMs;
  }

  /**
   * Counts a failure of an item.
   *
   * @param item The item.
   * @returns The delay, in milliseconds.
   */
  when(item: T): number {
    return Math.min(requireSync("when()", this.#limiter.when(item)), this.#maxDelayMs);
  }

  /**
   * Resets the failures of an item.
   *
   * @param item The item.
   */
  forget(item: T): void {
    requireSync("forget()", this.#limiter.forget(item));
  }

  /**
   * Returns the number of failures of an item since it was last forgotten.
   *
   * @param item The item.
   * @returns The number of failures.
   */
  numRequeues(item: T): number {
    return requireSync("numRequeues()", this.#limiter.numRequeues(item));
  }
}
