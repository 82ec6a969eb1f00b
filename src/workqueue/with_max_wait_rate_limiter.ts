import { requireDelay } from "../base/mod.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Puts a ceiling on the delays of another limiter, and is that limiter in all else: failures are still counted beyond it.
 *
 * @example No wait beyond a minute
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
 * @typeParam T What the items are.
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
   * Counts a failure.
   *
   * @param item The item.
   * @returns The delay in milliseconds.
   */
  when(item: T): number {
    return Math.min(this.#limiter.when(item), this.#maxDelayMs);
  }

  /**
   * Starts an item afresh.
   *
   * @param item The item.
   */
  forget(item: T): void {
    this.#limiter.forget(item);
  }

  /**
   * How many failures have been counted.
   *
   * @param item The item.
   * @returns How many.
   */
  numRequeues(item: T): number {
    return this.#limiter.numRequeues(item);
  }
}
