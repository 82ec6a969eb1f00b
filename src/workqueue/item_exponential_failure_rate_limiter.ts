import { requireDelay } from "../base/mod.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/** Any positive base times this power of two is beyond every cap, and the product is still a number. */
const MAX_EXPONENT = 1023;

/**
 * Doubles an item's delay with each of its failures: `baseDelayMs * 2 ** failures`, at most `maxDelayMs`.
 *
 * @example
 * ```ts
 * import { ItemExponentialFailureRateLimiter } from "@kubeloop/controller/workqueue";
 * import { assertEquals } from "@std/assert";
 *
 * const limiter = new ItemExponentialFailureRateLimiter<string>(5, 15);
 * assertEquals(["a", "a", "a", "b"].map((item) => limiter.when(item)), [5, 10, 15, 5]);
 * ```
 *
 * @typeParam T What the items are.
 */
export class ItemExponentialFailureRateLimiter<T = string> implements RateLimiter<T> {
  readonly #failures = new Map<T, number>();
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;

  /**
   * Counts from nothing.
   *
   * @param baseDelayMs The delay after the first failure, in milliseconds.
   * @param maxDelayMs The longest delay, in milliseconds.
   * @throws {RangeError} When a delay is negative or not finite.
   */
  constructor(baseDelayMs: number, maxDelayMs: number) {
    requireDelay("baseDelayMs", baseDelayMs);
    requireDelay("maxDelayMs", maxDelayMs);
    this.#baseDelayMs = baseDelayMs;
    this.#maxDelayMs = maxDelayMs;
  }

  /**
   * Counts a failure.
   *
   * @param item The item.
   * @returns The delay in milliseconds.
   */
  when(item: T): number {
    const failures = this.numRequeues(item);
    this.#failures.set(item, failures + 1);
    const delayMs = this.#baseDelayMs * 2 ** Math.min(failures, MAX_EXPONENT);
    return Math.min(delayMs, this.#maxDelayMs);
  }

  /**
   * Starts an item afresh.
   *
   * @param item The item.
   */
  forget(item: T): void {
    this.#failures.delete(item);
  }

  /**
   * How many failures have been counted.
   *
   * @param item The item.
   * @returns How many.
   */
  numRequeues(item: T): number {
    return this.#failures.get(item) ?? 0;
  }
}
