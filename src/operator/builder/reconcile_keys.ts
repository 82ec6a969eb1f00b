import type { MetricsProvider } from "../../base/mod.ts";
import { PriorityQueue, type RateLimiter, RateLimitingQueue } from "../../workqueue/mod.ts";
import type { HotLoops } from "./hot_loops.ts";
import type { PendingWork } from "./pending_work.ts";
import type { StepClock } from "./step_clock.ts";
import type { WriteGate } from "./write_gate.ts";

/** Options of {@linkcode ReconcileKeys}. */
export interface ReconcileKeysOptions {
  readonly name: string;
  readonly rateLimiter: RateLimiter<string>;
  readonly clock: StepClock;
  readonly metrics: MetricsProvider;
  readonly work: PendingWork;
  readonly gate: WriteGate;
  readonly hotLoops: HotLoops;
  /** Reports whether this process may reconcile a key. */
  readonly owns: (key: string) => boolean;
}

/** Who waits until no worker has a key that matches. */
interface Drain {
  readonly matches: (key: string) => boolean;
  /** The keys that match and that workers have. */
  readonly left: Set<string>;
  readonly resolve: () => void;
}

/**
 * The queue of a controller: by priority, and with the gate in front of it, so that a key that waits for its own writes
 * occupies no worker.
 */
export class ReconcileKeys extends RateLimitingQueue<string> {
  readonly #clock: StepClock;
  readonly #work: PendingWork;
  readonly #gate: WriteGate;
  readonly #hotLoops: HotLoops;
  readonly #owns: (key: string) => boolean;
  /** The keys that were added while a worker has them: the gate decides about each when it is done. */
  readonly #addedAgain = new Set<string>();
  readonly #drains = new Set<Drain>();
  /** The keys that have failed, and whose failures the rate limiter has not forgotten. */
  readonly #failing = new Set<string>();

  constructor(
    { name, rateLimiter, clock, metrics, work, gate, hotLoops, owns }: ReconcileKeysOptions,
  ) {
    const queue = new PriorityQueue<string>({ priorityOf: (key) => work.priorityOf(key), clock });
    super(rateLimiter, { name, clock, metrics, queue });
    this.#clock = clock;
    this.#work = work;
    this.#gate = gate;
    this.#hotLoops = hotLoops;
    this.#owns = owns;
  }

  override add(key: string): void {
    if (this.shuttingDown()) return;
    if (!this.#owns(key)) {
      this.#work.take(key, this.#clock.now());
      return;
    }
    this.#work.added(key);
    if (this.isProcessing(key)) {
      this.#addedAgain.add(key);
      return;
    }
    const waitMs = this.#hotLoops.waitMs(key);
    if (waitMs > 0) super.addAfter(key, waitMs);
    else if (this.#gate.admits(key)) super.add(key);
  }

  override addAfter(key: string, delayMs: number): void {
    if (delayMs > 0) this.#work.schedule(key, "requeue");
    super.addAfter(key, delayMs);
  }

  override addRateLimited(key: string, atLeastMs?: number): void {
    this.#failing.add(key);
    super.addRateLimited(key, atLeastMs);
    this.#work.schedule(key, "retry");
  }

  /** Takes a key, and begins the step in which its reconcile starts: {@linkcode ReconcileKeys.started} ends it. */
  override tryGet(): string | undefined {
    if (this.length === 0) return undefined;
    this.#clock.hold();
    const key = super.tryGet();
    if (key === undefined) this.#clock.release();
    else if (this.#drains.size > 0) this.#taken(key);
    return key;
  }

  /** Ends the step that has begun with the taking of a key, and returns its time: when the reconcile starts. */
  started(): number {
    const now = this.#clock.now();
    this.#clock.release();
    return now;
  }

  override done(key: string): void {
    try {
      super.done(key);
      if (this.#addedAgain.size > 0 && this.#addedAgain.delete(key)) this.add(key);
      if (this.#drains.size > 0) this.#drain(key);
    } finally {
      this.#clock.release();
    }
  }

  /** Resolves when no worker has a key that matches. */
  drained(matches: (key: string) => boolean): Promise<void> {
    const left = new Set(this.processingItems().filter(matches));
    if (left.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drains.add({ matches, left, resolve });
    return promise;
  }

  override shutDown(): void {
    super.shutDown();
    this.#gate.close();
  }

  override numRequeues(key: string): number {
    return this.#failing.size > 0 && this.#failing.has(key) ? super.numRequeues(key) : 0;
  }

  override forget(key: string): void {
    super.forget(key);
    if (this.#failing.size > 0) this.#failing.delete(key);
    this.#work.succeeded(key);
  }

  #taken(key: string): void {
    for (const { left, matches } of this.#drains) if (matches(key)) left.add(key);
  }

  #drain(key: string): void {
    for (const drain of this.#drains) {
      drain.left.delete(key);
      if (drain.left.size > 0) continue;
      this.#drains.delete(drain);
      drain.resolve();
    }
  }
}
