import {
  type Clock,
  describeError,
  isPromiseLike,
  type Logger,
  RingBuffer,
  TurnBudget,
  Waiters,
} from "../../base/mod.ts";
import { type Notification, notify } from "./notification.ts";
import { untilSynced } from "./until_synced.ts";
import type { HandlerRegistration, HandlerSnapshot } from "./handler_registration.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";
import { SingleFileTracker } from "./single_file_tracker.ts";

/** Pending notifications from which on a warning is due; each further one is due at twice as many. */
const PENDING_WARNING = 10_000;

/** What a listener needs of its informer. */
export interface ListenerContext {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the informer has synced. */
  readonly upstreamHasSynced: () => boolean;
  /** Why it has not. */
  readonly whyNotSynced: () => string;
  /** Counts a notification that the handler failed on. */
  readonly countError: () => void;
  /** Learns that the handler has finished with a notification. */
  readonly onDelivered: () => void;
}

/**
 * Delivers the notifications of one handler: one at a time, in order, and independently of other handlers.
 *
 * The buffer has no bound, as in client-go: dropping a notification would be worse. How much waits is visible, and warned of.
 */
export class ProcessorListener<T> implements HandlerRegistration {
  readonly name: string;
  /** Whether replays are wanted at present; recomputed at each resync check, and true until the first one. */
  isSyncing = true;
  /** How often it is told of everything, in milliseconds; 0 for never. */
  readonly resyncPeriodMs: number;
  /** Whether the handler is on the call stack. */
  isCalling = false;

  readonly #handler: ResourceEventHandler<T>;
  readonly #context: ListenerContext;
  readonly #tracker: SingleFileTracker;
  readonly #pending = new RingBuffer<Notification<T>>();
  readonly #arrivals = new Waiters();
  readonly #syncWaiters = new Waiters();
  #running: Promise<void> | undefined;
  /** What the handler was called with and has not finished. */
  #current: Notification<T> | undefined;
  #nextResyncAtMs: number;
  #warnAtPending = PENDING_WARNING;
  #delivered = 0;
  #errors = 0;
  #isStopped = false;

  constructor(
    name: string,
    handler: ResourceEventHandler<T>,
    options: { readonly context: ListenerContext; readonly resyncPeriodMs: number },
  ) {
    const { context, resyncPeriodMs } = options;
    this.name = name;
    this.#handler = handler;
    this.#context = context;
    this.#tracker = new SingleFileTracker(context.upstreamHasSynced);
    this.resyncPeriodMs = resyncPeriodMs;
    this.#nextResyncAtMs = context.clock.now() + resyncPeriodMs;
  }

  /** Whether its turn for a resync has come; if so, the next one is a period away. */
  shouldResync(nowMs: number): boolean {
    this.isSyncing = this.resyncPeriodMs > 0 && nowMs >= this.#nextResyncAtMs;
    if (this.isSyncing) this.#nextResyncAtMs = nowMs + this.resyncPeriodMs;
    return this.isSyncing;
  }

  /** Queues a notification. */
  push(notification: Notification<T>): void {
    if (this.#isStopped) return;
    if (notification.kind === "add" && notification.isInInitialList) this.#tracker.start();
    this.#pending.push(notification);
    this.#arrivals.wakeAll();
    if (this.#pending.length < this.#warnAtPending) return;
    this.#warnAtPending *= 2;
    this.#context.logger.warn(
      `${this.name}: ${this.#pending.length} notifications are waiting: the handler is too slow`,
    );
  }

  /** Begins to deliver, but not from within this call: whoever adds a handler first gets its registration. */
  start(): void {
    this.#running ??= Promise.resolve().then(() => this.#run());
  }

  /** Drops what is pending. A call that has begun finishes, and is the last. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#pending.clear();
    this.#arrivals.wakeAll();
    this.#syncWaiters.wakeAll();
  }

  /** Reports whether it was removed, or the informer stopped: nothing more is delivered then. */
  isStopped(): boolean {
    return this.#isStopped;
  }

  /** The number of the oldest notification that the handler has not finished with; Infinity when there is none. */
  get oldestPending(): number {
    return (this.#current ?? this.#pending.peek())?.index ?? Infinity;
  }

  /** Settles when the last call has finished; at once when there was never one. */
  get finished(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Something may have become true that {@linkcode ProcessorListener.whenSynced} waits for. */
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
        const result = this.#call(this.#pending.shift() as Notification<T>);
        // The next notification waits for an asynchronous handler: that keeps the order.
        if (result === undefined) continue;
        await result;
        budget.restart();
      }
    }
  }

  /** Calls the handler; the promise is there only when it works asynchronously, and never rejects. */
  #call(notification: Notification<T>): Promise<void> | undefined {
    this.isCalling = true;
    this.#current = notification;
    try {
      const result = notify(this.#handler, notification);
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
    this.#current = undefined;
    this.#delivered++;
    this.#context.onDelivered();
    if (notification.kind !== "add" || !notification.isInInitialList) return;
    this.#tracker.finished();
    this.checkSynced();
  }

  #failed(error: unknown): void {
    this.#errors++;
    this.#context.countError();
    this.#context.logger.error(`${this.name} failed: ${describeError(error)}`, error);
  }
}
