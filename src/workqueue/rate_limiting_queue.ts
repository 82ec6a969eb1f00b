import { requireSync } from "../base/mod.ts";
import { DelayingQueue } from "./delaying_queue.ts";
import type { RateLimiter } from "./rate_limiter.ts";
import type { WorkQueueOptions } from "./work_queue.ts";

/**
 * A {@linkcode DelayingQueue} whose delays come from a {@linkcode RateLimiter}: client-go's rate limiting queue, which
 * controllers use.
 *
 * Call {@linkcode RateLimitingQueue.forget} for every item that succeeds or is given up. Otherwise its failures stay
 * counted: they occupy memory, and the delay after its next failure continues from the old count.
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
 * queue.forget("default/web"); // the retry succeeded
 * queue.done("default/web");
 * assertEquals(queue.numRequeues("default/web"), 0);
 * ```
 *
 * @typeParam T The type of the items; `undefined` is not a valid item.
 */
export class RateLimitingQueue<T = string> extends DelayingQueue<T> {
  readonly #rateLimiter: RateLimiter<T>;

  /**
   * Creates an empty queue.
   *
   * @param rateLimiter The source of the delays.
   * @param options The name, the metrics, the clock and the order of the queue.
   */
  constructor(rateLimiter: RateLimiter<T>, options: WorkQueueOptions<T> = {}) {
    super(options);
    this.#rateLimiter = rateLimiter;
  }

  /**
   * Counts a failure of an item and adds the item after the delay that the rate limiter returns. After the queue is
   * shut down, the failure is still counted, but the item is not added.
   *
   * @param item The item.
   * @param atLeastMs The minimum delay, in milliseconds, such as the `Retry-After` of a server. Default 0.
   * @throws {RangeError} When the rate limiter returns NaN or Infinity.
   */
  addRateLimited(item: T, atLeastMs = 0): void {
    this.addAfter(item, Math.max(requireSync("when()", this.#rateLimiter.when(item)), atLeastMs));
  }

  /**
   * Resets the failures of an item. A pending delay of the item continues, and the item still needs `done`.
   *
   * @param item The item.
   */
  forget(item: T): void {
    requireSync("forget()", this.#rateLimiter.forget(item));
  }

  /**
   * Returns the number of failures of an item since it was last forgotten.
   *
   * @param item The item.
   * @returns The number of failures.
   */
  numRequeues(item: T): number {
    return requireSync("numRequeues()", this.#rateLimiter.numRequeues(item));
  }
}
