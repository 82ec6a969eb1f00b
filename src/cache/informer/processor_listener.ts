import {
  type Clock,
  describeError,
  isPromiseLike,
  type Logger,
  RingBuffer,
  TurnBudget,
  Waiters,
} from "../../base/mod.ts";
import type { Notification } from "./notification.ts";
import { untilSynced } from "./wait_for_cache_sync.ts";
import type { HandlerRegistration, HandlerSnapshot } from "./handler_registration.ts";
import { SingleFileTracker } from "./single_file_tracker.ts";

/** The number of pending notifications at which a warning is logged. Each further warning follows at twice as many. */
const PENDING_WARNING = 10_000;

/** The part of an informer that a listener needs. */
export interface ListenerContext {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns whether the informer has synced. */
  readonly upstreamHasSynced: () => boolean;
  /** Returns why the informer has not synced yet. */
  readonly whyNotSynced: () => string;
  /** Called for each notification on which the handler failed. */
  readonly countError: () => void;
}

/** Options of a {@linkcode ProcessorListener}. */
export interface ListenerOptions<T> {
  /** Calls the handler. The result may be a promise. */
  readonly call: (notification: Notification<T>) => unknown;
  /** The resync period of the handler, in milliseconds; 0 for no resyncs. */
  readonly resyncPeriodMs: number;
  /** Whether the handler wants updates that change nothing. */
  readonly wantsReplays: boolean;
  readonly context: ListenerContext;
}

/**
 * Delivers notifications to one handler: one at a time, in order, and independently of other handlers.
 *
 * As in client-go, the buffer has no bound, since dropping a notification would be worse. The snapshot shows the number
 * of pending notifications, and a warning is logged when there are many.
 */
export class ProcessorListener<T> implements HandlerRegistration {
  readonly name: string;
  /** Whether a resync of the handler is due. Each resync check updates the value; it is true until the first check. */
  #isSyncing = true;
  /** The resync period of the handler, in milliseconds; 0 for no resyncs. */
  readonly resyncPeriodMs: number;
  /** Whether the handler is on the call stack. */
  isCalling = false;

  readonly #call: (notification: Notification<T>) => unknown;
  readonly #wantsReplays: boolean;
  readonly #context: ListenerContext;
  readonly #tracker: SingleFileTracker;
  readonly #pending = new RingBuffer<Notification<T>>();
  readonly #arrivals = new Waiters();
  readonly #syncWaiters = new Waiters();
  #running: Promise<void> | undefined;
  #nextResyncAtMs: number;
  #warnAtPending = PENDING_WARNING;
  #delivered = 0;
  #errors = 0;
  #isStopped = false;

  constructor(name: string, options: ListenerOptions<T>) {
    const { context, resyncPeriodMs } = options;
    this.name = name;
    this.#call = options.call;
    this.#wantsReplays = options.wantsReplays;
    this.#context = context;
    this.#tracker = new SingleFileTracker(context.upstreamHasSynced);
    this.resyncPeriodMs = resyncPeriodMs;
    this.#nextResyncAtMs = context.clock.now() + resyncPeriodMs;
  }

  /** Reports whether a resync of the handler is due. If it is, the next one is due a period later. */
  shouldResync(nowMs: number): boolean {
    this.#isSyncing = this.resyncPeriodMs > 0 && nowMs >= this.#nextResyncAtMs;
    if (this.#isSyncing) this.#nextResyncAtMs = nowMs + this.resyncPeriodMs;
    return this.#isSyncing;
  }

  /** Whether the handler gets updates that change nothing. */
  get getsReplays(): boolean {
    return this.#wantsReplays && this.#isSyncing;
  }

  /** Queues a notification; does nothing once the listener is stopped. */
  push(notification: Notification<T>): void {
    if (this.#isStopped) return;
    if (notification.isInInitialList) this.#tracker.start();
    this.#pending.push(notification);
    this.#arrivals.wakeAll();
    if (this.#pending.length < this.#warnAtPending) return;
    this.#warnAtPending *= 2;
    this.#context.logger.warn(
      `${this.name}: ${this.#pending.length} notifications are waiting: the handler is too slow`,
    );
  }

  /**
   * Starts to deliver, but not within this call, so that the caller of `addEventHandler` has the registration first.
   */
  start(): void {
    this.#running ??= Promise.resolve().then(() => this.#run());
  }

  /** Drops the pending notifications. A call of the handler that has started finishes, and is the last one. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#pending.clear();
    this.#arrivals.wakeAll();
    this.#syncWaiters.wakeAll();
  }

  /** Reports whether the handler was removed or the informer has stopped. Nothing more is delivered then. */
  isStopped(): boolean {
    return this.#isStopped;
  }

  /** Resolves when delivery has ended after a stop; at once if the listener was never started. */
  get finished(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Wakes the callers of {@linkcode ProcessorListener.whenSynced} if the handler has synced. */
  checkSynced(): void {
    if (this.hasSynced()) this.#syncWaiters.wakeAll();
  }

  hasSynced(): boolean {
    return this.#tracker.hasSynced();
  }

  whenSynced(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return untilSynced(this, this.#syncWaiters, call.signal);
  }

  whyNotSynced(): string {
    if (!this.#context.upstreamHasSynced()) return this.#context.whyNotSynced();
    return `${this.#pending.length} notifications are waiting for the handler`;
  }

  snapshot(): HandlerSnapshot {
    return {
      name: this.name,
      pending: this.#pending.length,
      delivered: this.#delivered,
      errors: this.#errors,
      hasSynced: this.hasSynced(),
      resyncPeriodMs: this.resyncPeriodMs,
    };
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#pending.length === 0) {
        this.#warnAtPending = PENDING_WARNING;
        await this.#arrivals.wait();
        continue;
      }
      const budget = new TurnBudget(this.#context.clock);
      while (this.#pending.length > 0) {
        if (budget.isSpent()) {
          await budget.renew();
          continue;
        }
        const result = this.#deliver(this.#pending.shift() as Notification<T>);
        // The next notification waits until an asynchronous handler is done, which keeps the order.
        if (result === undefined) continue;
        await result;
        budget.restart();
      }
    }
  }

  /** Calls the handler. Returns a promise only if the handler is asynchronous; the promise never rejects. */
  #deliver(notification: Notification<T>): Promise<void> | undefined {
    this.isCalling = true;
    try {
      const result = this.#call(notification);
      if (isPromiseLike(result)) return this.#settle(result, notification);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.isCalling = false;
    }
    this.#handled(notification);
    return undefined;
  }

  async #settle(result: PromiseLike<unknown>, notification: Notification<T>): Promise<void> {
    try {
      await result;
    } catch (error) {
      this.#failed(error);
    }
    this.#handled(notification);
  }

  #handled(notification: Notification<T>): void {
    this.#delivered++;
    if (!notification.isInInitialList) return;
    this.#tracker.finished();
    this.checkSynced();
  }

  #failed(error: unknown): void {
    this.#errors++;
    this.#context.countError();
    this.#context.logger.error(`${this.name} failed: ${describeError(error)}`, error);
  }
}
