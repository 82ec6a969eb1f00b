import {
  abortable,
  type Clock,
  type Random,
  TokenBucket,
  Waiters,
  withTimeLimit,
} from "../base/mod.ts";
import { retryAfterOf } from "../types/mod.ts";
import { EventQueue } from "./event_queue.ts";
import type { EventWriter, Written } from "./event_writer.ts";
import type { KnownEvent } from "./known_events.ts";

/** The numbers of client-go's `event_broadcaster.go`. */
export const MAX_QUEUED = 1_000;
export const MAX_TRIES = 12;
const RETRY_MS = 10_000;
const RETRY_JITTER = 0.25;
/** Time after which a slow request no longer delays the next one. */
const SLOW_MS = 2_000;
/** Maximum number of concurrent requests, including slow ones. */
const MAX_UNDERWAY = 8;
/** Time limit of a client that ignores its own limit and signal. */
const ATTEMPT_MS = 35_000;
/** The rate of tries after consecutive failures of any events. */
const FAILURES = { burst: 25, qps: 1 };

/** The limits of a run of the delivery. */
export interface Work {
  /** Ends the run after the running requests. */
  readonly until: AbortSignal;
  /** Aborts the running requests too. */
  readonly requests: AbortSignal;
  /** Whether the run ends with an empty queue. Then the counts of all series are written, and pauses are short. */
  readonly isFlush: boolean;
}

/** Callbacks of an {@linkcode EventDelivery}. */
export interface DeliveryOwner {
  /** Called before each step: queues the series that have become due. */
  collect(isFlush: boolean): void;
  /** The time at which the next series becomes due, in milliseconds of the clock. */
  readonly dueMs: number | undefined;
  /** Called after an event was written and removed from the queue. */
  written(known: KnownEvent): void;
  /** Called after the server refused an event, which was removed from the queue. */
  refused(known: KnownEvent, error: unknown): void;
  /** Called after the last try of an event failed, which was removed from the queue. */
  failed(known: KnownEvent, error: unknown): void;
  /** Called after a failed try that will be repeated. */
  retried(error: unknown): void;
}

/** Options of an {@linkcode EventDelivery}. */
export interface DeliveryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly writer: EventWriter;
  readonly owner: DeliveryOwner;
}

/** Writes the queued events, one at a time. A failing or slow event does not delay the others. */
export class EventDelivery {
  readonly queue: EventQueue = new EventQueue();
  readonly #options: DeliveryOptions;
  /** Wakes the run after a change. */
  readonly #wakeUps = new Waiters();
  /** The running tries. They never reject. */
  readonly #attempts = new Set<Promise<void>>();
  /** Limits the failures since the last success. */
  #failures: TokenBucket;
  /** The earliest time of the next request after failures. */
  #heldUntilMs = -Infinity;
  /** The time until which the last request delays the next one. */
  #busyUntilMs = -Infinity;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#failures = new TokenBucket({ ...FAILURES, clock: options.clock });
  }

  /** Whether the queue is full. */
  get isFull(): boolean {
    return this.queue.length >= MAX_QUEUED;
  }

  /** Puts an event into the queue. */
  push(known: KnownEvent): void {
    this.queue.push(known);
    this.#wakeUps.wakeAll();
  }

  /** Resolves when the running tries have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#attempts);
  }

  /** Writes events until `until` aborts; a flush also ends with an empty queue. */
  async work(work: Work): Promise<void> {
    const { clock, owner } = this.#options;
    while (!work.until.aborted) {
      owner.collect(work.isFlush);
      const nowMs = clock.now();
      const isFree = this.#freeMs <= nowMs && this.queue.underway < MAX_UNDERWAY;
      const known = isFree ? this.queue.take(nowMs, work.isFlush) : undefined;
      if (known !== undefined) this.#begin(known, work);
      else if (work.isFlush && this.queue.length === 0) return;
      else await this.#untilDue(work);
    }
  }

  /** The time at which the next request may begin. */
  get #freeMs(): number {
    return Math.max(this.#busyUntilMs, this.#heldUntilMs);
  }

  /** Begins to write an event. */
  #begin(known: KnownEvent, work: Work): void {
    const busyUntilMs = this.#options.clock.now() + SLOW_MS;
    this.#busyUntilMs = busyUntilMs;
    const attempt = this.#attempt(known, work).then(() => {
      this.#attempts.delete(attempt);
      // If this try was slow, another one may have begun meanwhile.
      if (this.#busyUntilMs === busyUntilMs) this.#busyUntilMs = -Infinity;
      this.#wakeUps.wakeAll();
    });
    this.#attempts.add(attempt);
  }

  /** Tries to write an event. Never rejects. */
  async #attempt(known: KnownEvent, { requests }: Work): Promise<void> {
    const { clock, random, owner } = this.#options;
    known.tries++;
    const result = await this.#send(known, requests);
    if (result.kind === "written") {
      this.#failures = new TokenBucket({ ...FAILURES, clock });
      this.#heldUntilMs = -Infinity;
      this.queue.remove(known);
      owner.written(known);
      return;
    }
    const { error } = result;
    const isLast = known.tries >= MAX_TRIES && !requests.aborted;
    if (result.kind === "refused" || isLast) {
      this.queue.remove(known);
      if (result.kind === "refused") owner.refused(known, error);
      else owner.failed(known, error);
      return;
    }
    const nowMs = clock.now();
    known.failedMs = nowMs;
    known.pauseMs = RETRY_MS * (1 + RETRY_JITTER * random.next());
    known.retryAfterMs = retryAfterOf(error);
    this.queue.putBack(known);
    // The end of the run has aborted the request.
    if (requests.aborted) return;
    this.#heldUntilMs = nowMs + this.#failures.reserve();
    owner.retried(error);
  }

  /** Makes the requests of one try, within the time limit even if the client ignores it. */
  async #send(known: KnownEvent, signal: AbortSignal): Promise<Written> {
    const { clock, writer } = this.#options;
    const late = () => new Error(`The client has not answered within ${ATTEMPT_MS} ms`);
    try {
      return await withTimeLimit(
        { clock, signal, limitMs: ATTEMPT_MS, late },
        (limit) => abortable(writer.write(known, limit), limit),
      );
    } catch (error) {
      return { kind: "failed", error };
    }
  }

  /** Waits for the next due event, a change, or the end of the run. */
  async #untilDue({ until, isFlush }: Work): Promise<void> {
    const { clock, owner } = this.#options;
    const nextMs = this.queue.dueMs(isFlush);
    // While too many requests run or the queue is full, only the end of a request matters.
    const isBusy = this.queue.underway >= MAX_UNDERWAY;
    const dueMs = Math.min(
      nextMs === undefined || isBusy ? Infinity : Math.max(nextMs, this.#freeMs),
      this.isFull ? Infinity : owner.dueMs ?? Infinity,
    );
    const timer = dueMs === Infinity ? undefined : clock.setTimer(
      () => this.#wakeUps.wakeAll(),
      Math.max(0, dueMs - clock.now()),
    );
    await this.#wakeUps.wait(until).catch(() => {});
    timer?.cancel();
  }
}
