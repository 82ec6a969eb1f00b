import { type Counter, requireFinite } from "../base/mod.ts";
import { metricsTarget } from "./queue_metrics.ts";
import { requireItem, WorkQueue, type WorkQueueOptions } from "./work_queue.ts";

/**
 * A {@linkcode WorkQueue} that can also add items after a delay: client-go's delaying queue. Delays keep failing items
 * from being retried in a hot loop.
 *
 * An item has at most one pending delay. As in client-go, {@linkcode WorkQueue.add} does not cancel that delay, so the
 * item is added again when the delay has passed. Unlike client-go's queue, this queue has no heartbeat: it sets one
 * timer, for the earliest item. When very many items are ready at once, they are added over several turns of the event
 * loop.
 *
 * @example Add an item again after a minute
 * ```ts
 * import { DelayingQueue } from "@kubeloop/controller/workqueue";
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using queue = new DelayingQueue<string>({ clock });
 * queue.addAfter("default/web", 60_000);
 * await clock.advance(59_999);
 * assertEquals(queue.tryGet(), undefined);
 * await clock.advance(1);
 * assertEquals(queue.tryGet(), "default/web");
 * ```
 *
 * @typeParam T The type of the items; `undefined` is not a valid item.
 */
export class DelayingQueue<T = string> extends WorkQueue<T> {
  readonly #retries: Counter | undefined;

  /**
   * Creates an empty queue. Its metrics include `workqueue_retries_total`, which counts the calls of `addAfter`.
   *
   * @param options The name, the metrics, the clock and the order of the queue.
   */
  constructor(options: WorkQueueOptions<T> = {}) {
    super(options);
    const target = metricsTarget(options.name, options.metrics);
    this.#retries = target?.provider.counter("workqueue_retries_total", { name: target.name });
  }

  /** The number of delayed items. An item whose delay has passed counts until it is added. */
  get waitingLength(): number {
    return this.delayedLength;
  }

  /**
   * Returns the time at which a delayed item is added, in milliseconds of the clock.
   *
   * @param item The item.
   * @returns The time; undefined if the item is not delayed.
   */
  dueAtMs(item: T): number | undefined {
    return this.readyAtMs(item);
  }

  /**
   * Adds an item after `delayMs` milliseconds, or at once if `delayMs` is 0 or less. If the item is already delayed,
   * the earlier of the two times applies. After the queue is shut down, the call is ignored.
   *
   * @param item The item.
   * @param delayMs The delay, in milliseconds.
   * @throws {RangeError} When `delayMs` is NaN or infinite.
   * @throws {TypeError} When `item` is undefined.
   */
  addAfter(item: T, delayMs: number): void {
    requireItem(item);
    requireFinite("delayMs", delayMs);
    if (this.shuttingDown()) return;
    this.#retries?.inc();
    if (delayMs <= 0) this.add(item);
    else this.addDelayed(item, delayMs);
  }
}
