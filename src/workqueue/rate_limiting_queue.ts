import { DelayingQueue } from "./delaying_queue.ts";
import type { RateLimiter } from "./rate_limiter.ts";
import type { WorkQueueOptions } from "./work_queue.ts";

/**
 * A {@linkcode DelayingQueue} whose delays come from a {@linkcode RateLimiter}: client-go's rate limiting queue, the one
 * that controllers use.
 *
 * Call {@linkcode RateLimitingQueue.forget} for every item that succeeds or is given up: otherwise its failures are
 * remembered for ever, and its next failure waits as long as if all had come in a row.
 *
 * @example Retry with backoff
 * ```ts
 * import { defaultControllerRateLimiter, RateLimitingQueue } from "@kubeloop/controller/workqueue";
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using queue = new RateLimitingQueue<string>(defaultControllerRateLimiter(), { clock });
 *
 * queue.addRateLimited("default/web"); // the first failure
 * assertEquals(queue.numRequeues("default/web"), 1);
 * await clock.advance(5);
 * assertEquals(queue.tryGet(), "default/web");
 *
 * queue.forget("default/web"); // this time it went well
 * queue.done("default/web");
 * assertEquals(queue.numRequeues("default/web"), 0);
 * ```
 *
 * @typeParam T What the items are: anything but `undefined`.
 */
export class RateLimitingQueue<T = string> extends DelayingQueue<T> {
  readonly #rateLimiter: RateLimiter<T>;

  /**
   * An empty queue.
   *
   * @param rateLimiter Where the delays come from.
   * @param options Its name, its metrics, its clock and where it keeps its items.
   */
  constructor(rateLimiter: RateLimiter<T>, options: WorkQueueOptions<T> = {}) {
    super(options);
    this.#rateLimiter = rateLimiter;
  }

  /**
   * Adds an item when the rate limiter says that it may be tried again. The failure is counted even when the queue is
   * shut down and the item ignored.
   *
   * @param item The item.
   * @param atLeastMs The least delay, in milliseconds, as for a server's `Retry-After`. Default 0.
   * @throws {RangeError} When the rate limiter answers NaN or an infinity.
   */
  addRateLimited(item: T, atLeastMs = 0): void {
    this.addAfter(item, Math.max(this.#rateLimiter.when(item), atLeastMs));
  }

  /**
   * Ends the counting of failures. It neither takes a delayed item back nor stands in for `done`.
   *
   * @param item The item.
   */
  forget(item: T): void {
    this.#rateLimiter.forget(item);
  }

  /**
   * How many failures of an item have been counted since it was last forgotten.
   *
   * @param item The item.
   * @returns How many.
   */
  numRequeues(item: T): number {
    return this.#rateLimiter.numRequeues(item);
  }
}
