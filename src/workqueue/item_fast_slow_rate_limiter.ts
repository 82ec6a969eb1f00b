import { requireCount, requireDelay } from "../base/mod.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Gives an item a short delay for its first failures and a long one from then on.
 *
 * @example
 * ```ts
 * import { ItemFastSlowRateLimiter } from "@kubeloop/controller/workqueue";
 * import { assertEquals } from "@std/assert";
 *
 * const limiter = new ItemFastSlowRateLimiter<string>(5, 10_000, 2);
 * assertEquals([1, 2, 3].map(() => limiter.when("a")), [5, 5, 10_000]);
 * ```
 *
 * @typeParam T What the items are.
 */
export class ItemFastSlowRateLimiter<T = string> implements RateLimiter<T> {
  readonly #failures = new Map<T, number>();
  readonly #fastDelayMs: number;
  readonly #slowDelayMs: number;
  readonly #maxFastAttempts: number;

  /**
   * Counts from nothing.
   *
   * @param fastDelayMs The short delay, in milliseconds.
   * @param slowDelayMs The long delay, in milliseconds.
   * @param maxFastAttempts How many failures of an item have the short delay.
   * @throws {RangeError} When a delay is negative or not finite, or the number of attempts is not a whole number.
   */
  constructor(fastDelayMs: number, slowDelayMs: number, maxFastAttempts: number) {
    requireDelay("fastDelayMs", fastDelayMs);
    requireDelay("slowDelayMs", slowDelayMs);
    requireCount("maxFastAttempts", maxFastAttempts, 0);
    this.#fastDelayMs = fastDelayMs;
    this.#slowDelayMs = slowDelayMs;
    this.#maxFastAttempts = maxFastAttempts;
  }

  /**
   * Counts a failure.
   *
   * @param item The item.
   * @returns The delay in milliseconds.
   */
  when(item: T): number {
    const failures = this.numRequeues(item) + 1;
    this.#failures.set(item, failures);
    return failures <= this.#maxFastAttempts ? this.#fastDelayMs : this.#slowDelayMs;
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
