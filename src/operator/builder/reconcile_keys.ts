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
  /** The keys that workers have, and whether each was added meanwhile: the gate decides about it when it is done. */
  readonly #active = new Map<string, boolean>();
  readonly #drains = new Set<() => void>();
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
    if (this.#active.has(key)) {
      this.#active.set(key, true);
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
    else this.#active.set(key, false);
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
      const wasAdded = this.#active.get(key) === true;
      this.#active.delete(key);
      super.done(key);
      if (wasAdded) this.add(key);
      if (this.#drains.size > 0) { for (const drain of this.#drains) drain(); }
    } finally {
      this.#clock.release();
    }
  }

  /** Resolves when no worker has a key that matches. */
  drained(matches: (key: string) => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const drain = () => {
      for (const key of this.#active.keys()) if (matches(key)) return;
      this.#drains.delete(drain);
      resolve();
    };
    this.#drains.add(drain);
    drain();
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
}
