import {
  type Clock,
  describeError,
  isPromiseLike,
  type Logger,
  TerminalError,
  TurnBudget,
  withFields,
} from "../base/mod.ts";
import { retryAfterOf } from "../types/mod.ts";
import { HotLoopGuard } from "./hot_loop_guard.ts";
import type { ReconcileMetrics, ReconcileOutcome } from "./reconcile_metrics.ts";
import { type Reconcile, type ReconcileContext, requeueAfterMs } from "./reconcile.ts";
import type { ReconcileQueue } from "./reconcile_queue.ts";

/** The maximum number of keys that a log line names. */
const MAX_NAMED_KEYS = 10;

/** Options of {@linkcode Workers}. */
export interface WorkersOptions {
  /** The name of the controller in log lines. */
  readonly name: string;
  readonly queue: ReconcileQueue;
  readonly reconcile: Reconcile;
  readonly onGiveUp: ((key: string, error: unknown) => unknown) | undefined;
  readonly maxRetries: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ReconcileMetrics;
}

/** The counters of {@linkcode Workers}. */
export interface ReconcileCounters {
  activeWorkers: number;
  reconciles: number;
  errors: number;
  retries: number;
  givenUp: number;
  hotLoops: number;
}

/** The workers of a controller: take keys from the queue, reconcile them and retry failed keys. */
export class Workers {
  readonly counters: ReconcileCounters = {
    activeWorkers: 0,
    reconciles: 0,
    errors: 0,
    retries: 0,
    givenUp: 0,
    hotLoops: 0,
  };
  readonly #options: WorkersOptions;
  readonly #budget: TurnBudget;
  readonly #guard = new HotLoopGuard();
  /** Whether the workers slow down keys that requeue themselves in a hot loop; false if the owner does. */
  slowsHotLoops = true;
  /** The keys that are being reconciled. The value is true if the key was enqueued during its reconcile. */
  readonly #active = new Map<string, boolean>();

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#budget = new TurnBudget(options.clock);
  }

  /** Adds the key of an object that had an event. */
  event(key: string): void {
    this.#guard.reset(key);
    this.#options.queue.add(key);
  }

  /** The running reconciles, as text for a log line. */
  get unfinished(): string {
    const keys = [...this.#active.keys()];
    const more = keys.length > MAX_NAMED_KEYS ? ` and ${keys.length - MAX_NAMED_KEYS} more` : "";
    const shown = keys.slice(0, MAX_NAMED_KEYS).map((key) => `"${key}"`).join(", ");
    return keys.length === 0 ? "an informer" : `reconcile of ${shown}${more}`;
  }

  /** Adds a key on behalf of the user. */
  enqueue(key: string): void {
    const isEnqueuedAgain = this.#active.get(key);
    if (isEnqueuedAgain === undefined) this.#options.queue.add(key);
    if (isEnqueuedAgain !== false) return;
    // A reconcile that enqueues its own key requeues itself.
    this.#active.set(key, true);
    this.#again(key, 0);
  }

  /** Runs one worker until the signal aborts, or until the queue is shut down and empty. */
  async work(context: ReconcileContext): Promise<void> {
    const { metrics, queue } = this.#options;
    while (!context.signal.aborted) {
      if (this.#budget.isSpent()) {
        await this.#budget.renew();
        continue;
      }
      let key = queue.tryGet();
      if (key === undefined) {
        const next = await queue.get();
        if (next.shutdown) return;
        key = next.item;
        this.#budget.restart();
      }
      this.counters.activeWorkers++;
      this.#active.set(key, false);
      metrics.activeWorkers.inc();
      try {
        const pending = this.#process(key, context);
        // A synchronous reconcile needs no promise.
        if (pending !== undefined) {
          await pending;
          this.#budget.restart();
        }
      } finally {
        this.counters.activeWorkers--;
        this.#active.delete(key);
        metrics.activeWorkers.dec();
        queue.done(key);
      }
    }
  }

  #process(key: string, context: ReconcileContext): Promise<void> | undefined {
    const { clock, reconcile } = this.#options;
    const { signal } = context;
    // The signal may have aborted after the worker was woken: no reconcile starts then.
    if (signal.aborted) return undefined;
    const startedAtMs = clock.now();
    let returned: unknown;
    try {
      returned = reconcile(key, context);
    } catch (error) {
      this.#failed(key, error, startedAtMs, signal);
      return undefined;
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
    if (delayMs !== undefined && delayMs <= 0) {
      this.#count("requeue", startedAtMs);
      // Do not forget the failures, so that the delays grow as they do in controller-runtime for `Requeue: true`.
      if (!this.#limit(key, () => queue.addRateLimited(key))) {
        this.#giveUp(key, new Error("the rate limiter gave no delay"));
      }
      return;
    }
    this.#count(delayMs === undefined ? "success" : "requeue_after", startedAtMs);
    this.#limit(key, () => queue.forget(key));
    if (delayMs !== undefined) this.#again(key, delayMs);
    else if (this.#active.get(key) === false) this.#guard.reset(key);
  }

  /** Adds a key that requeues itself, with a longer delay if it is a hot loop. */
  #again(key: string, wantedMs: number): void {
    const { clock, logger, metrics, name, queue } = this.#options;
    const { delayMs, isNewLoop } = this.slowsHotLoops
      ? this.#guard.again(key, wantedMs, clock.now())
      : { delayMs: wantedMs, isNewLoop: false };
    if (delayMs === 0) queue.add(key);
    else queue.addAfter(key, delayMs);
    if (!isNewLoop) return;
    metrics.hotLoops.inc();
    if (this.counters.hotLoops++ > 0) return;
    logger.warn(
      `${name}: "${key}" was reconciled more than 300 times within a second without an event of its informer: ` +
        "slowing it down; return a longer requeueAfterMs (logged once)",
    );
  }

  #failed(key: string, error: unknown, startedAtMs: number, signal: AbortSignal): void {
    const { name } = this.#options;
    this.#count("error", startedAtMs);
    if (signal.aborted) {
      // A reconcile that passes the signal on rejects with its reason: this is the expected end.
      if (error === signal.reason) return;
      this.#loggerOf(key).warn(
        `${name}: reconcile of "${key}" failed while stopping: ${describeError(error)}`,
        error,
      );
    } else if (TerminalError.is(error) || !this.#retry(key, error)) {
      this.#giveUp(key, error);
    }
  }

  #count(outcome: ReconcileOutcome, startedAtMs: number): void {
    const { clock, metrics } = this.#options;
    this.counters.reconciles++;
    if (outcome === "error") this.counters.errors++;
    metrics.reconciled(outcome, clock.now() - startedAtMs);
  }

  /** Schedules a retry. Returns false if the key is to be given up. */
  #retry(key: string, error: unknown): boolean {
    const { maxRetries, name, queue } = this.#options;
    let isRetried = false;
    this.#limit(key, () => {
      const requeues = queue.numRequeues(key);
      if (requeues >= maxRetries) return;
      queue.addRateLimited(key, retryAfterOf(error));
      this.counters.retries++;
      this.#loggerOf(key, requeues + 1).warn(
        `${name}: reconcile of "${key}" failed, trying again (retry ${requeues + 1}): ` +
          describeError(error),
        // Log the stack with the first failure only.
        ...(requeues === 0 ? [error] : []),
      );
      isRetried = true;
    });
    return isRetried;
  }

  /** Returns the logger of a key, whose lines have the fields of a reconcile. */
  #loggerOf(key: string, attempt?: number): Logger {
    const { logger, name } = this.#options;
    return withFields(logger, {
      controller: name,
      key,
      ...(attempt !== undefined && { attempt }),
    });
  }

  /** Calls the rate limiter. Logs an error of the limiter, which must not end the worker. Returns false on an error. */
  #limit(key: string, call: () => void): boolean {
    const { logger, name } = this.#options;
    try {
      call();
      return true;
    } catch (error) {
      logger.error(`${name}: the rate limiter failed for "${key}": ${describeError(error)}`, error);
      return false;
    }
  }

  #giveUp(key: string, error: unknown): void {
    const { metrics, name, queue } = this.#options;
    this.counters.givenUp++;
    metrics.givenUp.inc();
    this.#limit(key, () => queue.forget(key));
    this.#loggerOf(key).error(`${name}: giving up on "${key}": ${describeError(error)}`, error);
    void this.#reportGivenUp(key, error);
  }

  async #reportGivenUp(key: string, error: unknown): Promise<void> {
    const { logger, name, onGiveUp } = this.#options;
    try {
      await onGiveUp?.(key, error);
    } catch (hookError) {
      logger.error(
        `${name}: onGiveUp() itself failed for "${key}": ${describeError(hookError)}`,
        hookError,
      );
    }
  }
}
