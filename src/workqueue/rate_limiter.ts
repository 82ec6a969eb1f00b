/**
 * Decides how long an item that failed waits before it is tried again: client-go's `RateLimiter`.
 *
 * @example Always the same delay
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
 * @typeParam T What the items are.
 */
export interface RateLimiter<T> {
  /**
   * Counts a failure of an item.
   *
   * @param item The item.
   * @returns How many milliseconds the item has to wait: a finite number.
   */
  when(item: T): number;
  /**
   * Ends the counting for an item, which succeeded or is given up.
   *
   * @param item The item.
   */
  forget(item: T): void;
  /**
   * How many failures of an item have been counted.
   *
   * @param item The item.
   * @returns How many.
   */
  numRequeues(item: T): number;
}
