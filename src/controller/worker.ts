import { type Clock, describeError, isPromiseLike, type Logger } from "../base/mod.ts";
import type { ReconcileMetrics, ReconcileOutcome } from "./reconcile_metrics.ts";
import { SharedTurn } from "./shared_turn.ts";
import { type Reconcile, type ReconcileContext, requeueAfterMs } from "./reconcile.ts";
import type { ReconcileQueue } from "./reconcile_queue.ts";

/** What a {@linkcode Reconciler} works with. */
export interface ReconcilerOptions {
  readonly queue: ReconcileQueue;
  readonly reconcile: Reconcile;
  readonly handleError: ((error: unknown, key: string) => unknown) | undefined;
  readonly maxRetries: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ReconcileMetrics | undefined;
}

/** How often things have happened to a {@linkcode Reconciler}. */
export interface ReconcileCounters {
  activeWorkers: number;
  reconciles: number;
  errors: number;
  retries: number;
  dropped: number;
}

/** Takes keys from a queue, reconciles them and sees to their retries: what the workers of a controller do. */
export class Reconciler {
  readonly counters: ReconcileCounters = {
    activeWorkers: 0,
    reconciles: 0,
    errors: 0,
    retries: 0,
    dropped: 0,
  };
  readonly #options: ReconcilerOptions;
  readonly #turn: SharedTurn;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#turn = new SharedTurn(options.clock);
  }

  /** Is one worker, until the signal aborts or the queue is shut down and empty. */
  async work(context: ReconcileContext): Promise<void> {
    const { metrics, queue } = this.#options;
    while (!context.signal.aborted) {
      const pause = this.#turn.pause();
      if (pause !== undefined) {
        await pause;
        continue;
      }
      let key = queue.tryGet();
      if (key === undefined) {
        const next = await queue.get();
        if (next.shutdown) return;
        key = next.item;
      }
      this.counters.activeWorkers++;
      metrics?.activeWorkers.inc();
      try {
        const pending = this.#process(key, context);
        // A reconcile that was synchronous is not paid for with a promise.
        if (pending !== undefined) await pending;
      } finally {
        this.counters.activeWorkers--;
        metrics?.activeWorkers.dec();
        queue.done(key);
      }
    }
  }

  #process(key: string, context: ReconcileContext): Promise<void> | undefined {
    const { clock, reconcile } = this.#options;
    const { signal } = context;
    // The signal may have aborted between the wake-up of a worker and its turn: nothing new is started then.
    if (signal.aborted) return undefined;
    const startedAtMs = clock.now();
    let returned: unknown;
    try {
      returned = reconcile(key, context);
    } catch (error) {
      this.#failed(key, error, startedAtMs, signal);
      return undefined;
    } finally {
      this.#turn.spend(clock.now() - startedAtMs);
    }
    if (isPromiseLike(returned)) return this.#settle(key, returned, startedAtMs, signal);
    this.#succeeded(key, returned, startedAtMs, signal);
    return undefined;
  }

  async #settle(
    key: string,
    returned: PromiseLike<unknown>,
    startedAtMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    let result: unknown;
    try {
      result = await returned;
    } catch (error) {
      this.#failed(key, error, startedAtMs, signal);
      return;
    }
    this.#succeeded(key, result, startedAtMs, signal);
  }

  #succeeded(key: string, returned: unknown, startedAtMs: number, signal: AbortSignal): void {
    const { queue } = this.#options;
    let delayMs: number | undefined;
    try {
      delayMs = requeueAfterMs(returned);
    } catch (error) {
      this.#failed(key, error, startedAtMs, signal);
      return;
    }
    this.#count(delayMs === undefined ? "success" : "requeue_after", startedAtMs);
    queue.forget(key);
    if (delayMs !== undefined) queue.addAfter(key, delayMs);
  }

  #failed(key: string, error: unknown, startedAtMs: number, signal: AbortSignal): void {
    const { logger } = this.#options;
    this.#count("error", startedAtMs);
    if (signal.aborted) {
      // Whoever passes the signal on rejects with its reason: that is how a reconcile is meant to end then.
      if (error !== signal.reason) {
        logger.warn(`Reconcile of "${key}" failed while stopping: ${describeError(error)}`);
      }
    } else if (!this.#retry(key, error)) {
      this.counters.dropped++;
      logger.error(`Dropping "${key}" out of the queue: ${describeError(error)}`, error);
      void this.#report(key, error);
    }
  }

  #count(outcome: ReconcileOutcome, startedAtMs: number): void {
    const { clock, metrics } = this.#options;
    this.counters.reconciles++;
    if (outcome === "error") this.counters.errors++;
    metrics?.reconciled(outcome, clock.now() - startedAtMs);
  }

  /** Whether the key is tried again. */
  #retry(key: string, error: unknown): boolean {
    const { logger, maxRetries, queue } = this.#options;
    try {
      const requeues = queue.numRequeues(key);
      if (requeues < maxRetries) {
        queue.addRateLimited(key);
        this.counters.retries++;
        logger.warn(
          `Reconcile of "${key}" failed, trying again (retry ${requeues + 1}): ` +
            describeError(error),
        );
        return true;
      }
    } catch (limiterError) {
      logger.error(`Rate limiter failed for "${key}": ${describeError(limiterError)}`);
    }
    queue.forget(key);
    return false;
  }

  async #report(key: string, error: unknown): Promise<void> {
    const { handleError, logger } = this.#options;
    try {
      await handleError?.(error, key);
    } catch (hookError) {
      logger.error(`handleError() itself failed for "${key}": ${describeError(hookError)}`);
    }
  }
}
