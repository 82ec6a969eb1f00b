/**
 * Decides how long a failed item waits before its next attempt: client-go's `RateLimiter`.
 *
 * @example The same delay for every failure
 * ```ts
 * import { type RateLimiter, RateLimitingQueue } from "@kubeloop/controller/workqueue";
 *
 * const everySecond: RateLimiter<string> = {
 *   when: () => 1000,
 *   forget: () => {},
 *   numRequeues: () => 0,
 * };
 * await using queue = new RateLimitingQueue(everySecond);
 * ```
 *
 * @typeParam T The type of the items.
 */
export interface RateLimiter<T> {
  /**
   * Counts a failure of an item.
   *
   * @param item The item.
   * @returns The delay until the next attempt, in milliseconds: a finite number.
   */
  when(item: T): number;
  /**
   * Resets the failures of an item, because it succeeded or is given up.
   *
   * @param item The item.
   */
  forget(item: T): void;
  /**
   * Returns the number of failures of an item since it was last forgotten.
   *
   * @param item The item.
   * @returns The number of failures.
   */
  numRequeues(item: T): number;
}
