import { requireDelay } from "../base/mod.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/** The largest exponent for which `2 ** n` is finite. A base delay of 0 times Infinity would be NaN. */
const MAX_EXPONENT = 1023;

/**
 * Doubles the delay of an item with each of its failures: `baseDelayMs * 2 ** failures`, at most `maxDelayMs`.
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
 * @typeParam T The type of the items.
 */
export class ItemExponentialFailureRateLimiter<T = string> implements RateLimiter<T> {
  readonly #failures = new Map<T, number>();
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;

  /**
   * Creates a limiter that has counted no failures.
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
   * Counts a failure of an item.
   *
   * @param item The item.
   * @returns The delay, in milliseconds.
   */
  when(item: T): number {
    const failures = this.numRequeues(item);
    this.#failures.set(item, failures + 1);
    const delayMs = this.#baseDelayMs * 2 ** Math.min(failures, MAX_EXPONENT);
    return Math.min(delayMs, this.#maxDelayMs);
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
