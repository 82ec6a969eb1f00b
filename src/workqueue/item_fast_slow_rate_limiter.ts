import { requireCount, requireDelay } from "../base/mod.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/**
 * Gives an item a short delay for its first failures and a long delay for all further ones.
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
 * @typeParam T The type of the items.
 */
export class ItemFastSlowRateLimiter<T = string> implements RateLimiter<T> {
  readonly #failures = new Map<T, number>();
  readonly #fastDelayMs: number;
  readonly #slowDelayMs: number;
  readonly #maxFastAttempts: number;

  /**
   * Creates a limiter that has counted no failures.
   *
   * @param fastDelayMs The short delay, in milliseconds.
   * @param slowDelayMs The long delay, in milliseconds.
   * @param maxFastAttempts The number of failures of an item that get the short delay.
   * @throws {RangeError} When a delay is negative or not finite, or `maxFastAttempts` is negative or not a whole
   * number.
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
   * Counts a failure of an item.
   *
   * @param item The item.
   * @returns The delay, in milliseconds.
   */
  when(item: T): number {
    const failures = this.numRequeues(item) + 1;
    this.#failures.set(item, failures);
    return failures <= this.#maxFastAttempts ? this.#fastDelayMs : this.#slowDelayMs;
  }

  /**
   * Resets the failures of an item.
   *
   * @param item The item.
   */
  forget(item: T): void {
    this.#failures.delete(item);
  }

  /**
   * Returns the number of failures of an item since it was last forgotten.
   *
   * @param item The item.
   * @returns The number of failures.
   */
  numRequeues(item: T): number {
    return this.#failures.get(item) ?? 0;
  }
}
