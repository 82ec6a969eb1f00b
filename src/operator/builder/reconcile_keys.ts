import type { Clock, MetricsProvider } from "../../base/mod.ts";
import type { ReconcileQueue } from "../../controller/mod.ts";
import {
  type GetResult,
  PriorityQueue,
  type Queue,
  type RateLimiter,
  RateLimitingQueue,
} from "../../workqueue/mod.ts";
import type { HotLoops } from "./hot_loops.ts";
import type { PendingWork } from "./pending_work.ts";
import type { WriteGate } from "./write_gate.ts";

/** Options of {@linkcode ReconcileKeys}. */
export interface ReconcileKeysOptions {
  readonly name: string;
  readonly rateLimiter: RateLimiter<string>;
  readonly clock: Clock;
  readonly metrics: MetricsProvider;
  readonly work: PendingWork;
  readonly gate: WriteGate;
  readonly hotLoops: HotLoops;
  /** Reports whether this process may reconcile a key. */
  readonly owns: (key: string) => boolean;
}

/**
 * The queue of a managed controller: a `RateLimitingQueue` ordered by {@linkcode GatedOrder}. It ignores keys of other
 * processes, slows down hot loops, and notes why a key is added.
 */
export class ReconcileKeys implements ReconcileQueue {
  readonly #queue: RateLimitingQueue<string>;
  readonly #clock: Clock;
  readonly #work: PendingWork;
  readonly #gate: WriteGate;
  readonly #hotLoops: HotLoops;
  readonly #owns: (key: string) => boolean;

  constructor(
    { name, rateLimiter, clock, metrics, work, gate, hotLoops, owns }: ReconcileKeysOptions,
  ) {
    const queue = new GatedOrder(clock, work, gate);
    this.#queue = new RateLimitingQueue<string>(rateLimiter, { name, clock, metrics, queue });
    this.#clock = clock;
    this.#work = work;
    this.#gate = gate;
    this.#hotLoops = hotLoops;
    this.#owns = owns;
  }

  get length(): number {
    return this.#queue.length;
  }

  /** The number of keys that wait for a time. */
  get delayed(): number {
    return this.#queue.waitingLength;
  }

  /** Returns the time at which a delayed key is due, in milliseconds of the clock; undefined if it is not delayed. */
  dueAtMs(key: string): number | undefined {
    return this.#queue.dueAtMs(key);
  }

  add(key: string): void {
    if (this.#queue.shuttingDown()) return;
    if (!this.#owns(key)) {
      this.#work.take(key, this.#clock.now());
      return;
    }
    this.#work.added(key);
    const waitMs = this.#hotLoops.waitMs(key);
    if (waitMs > 0) this.#queue.addAfter(key, waitMs);
    else this.#queue.add(key);
  }

  addAfter(key: string, delayMs: number): void {
    if (delayMs <= 0) return this.add(key);
    this.#work.schedule(key, "requeue");
    this.#queue.addAfter(key, Math.max(delayMs, this.#hotLoops.waitMs(key)));
  }

  addRateLimited(key: string, atLeastMs = 0): void {
    this.#queue.addRateLimited(key, Math.max(atLeastMs, this.#hotLoops.waitMs(key)));
    this.#work.schedule(key, "retry");
  }

  tryGet(): string | undefined {
    return this.#queue.tryGet();
  }

  get(): Promise<GetResult<string>> {
    return this.#queue.get();
  }

  done(key: string): void {
    this.#queue.done(key);
  }

  shutDown(): void {
    this.#queue.shutDown();
    this.#gate.close();
  }

  numRequeues(key: string): number {
    return this.#queue.numRequeues(key);
  }

  forget(key: string): void {
    this.#queue.forget(key);
    this.#work.succeeded(key);
  }
}

/**
 * The order of the queued keys: by priority, without the keys that wait for the caches to show their own writes. A key
 * that waits occupies no worker; the gate adds the key again when it may be reconciled.
 */
class GatedOrder implements Queue<string> {
  readonly #order: PriorityQueue<string>;
  readonly #work: PendingWork;
  readonly #gate: WriteGate;
  /** The queued keys that the gate does not admit. */
  readonly #held = new Set<string>();

  constructor(clock: Clock, work: PendingWork, gate: WriteGate) {
    this.#order = new PriorityQueue<string>({ priorityOf: (key) => work.priorityOf(key), clock });
    this.#work = work;
    this.#gate = gate;
  }

  get length(): number {
    return this.#order.length;
  }

  push(key: string): void {
    // A key whose delay has passed has no cause yet.
    this.#work.added(key);
    if (this.#gate.admits(key)) this.#order.push(key);
    else this.#held.add(key);
  }

  touch(key: string): void {
    if (this.#held.size === 0 || !this.#held.delete(key)) this.#order.touch(key);
    else this.push(key);
  }

  pop(): string | undefined {
    return this.#order.pop();
  }
}
