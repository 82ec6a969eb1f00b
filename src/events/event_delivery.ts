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
/** A request that takes longer no longer holds the next one. */
const SLOW_MS = 2_000;
/** The number of requests at a time: one, and slow ones. */
const MAX_UNDERWAY = 8;
/** The time after which a client that ignores its own limit and signal has failed. */
const ATTEMPT_MS = 35_000;
/** Failures in a row, of any events: after a burst, one try per second. */
const FAILURES = { burst: 25, qps: 1 };

/** What ends a series of writes. */
export interface Work {
  /** Ends the pauses, and the work after the requests that run. */
  readonly until: AbortSignal;
  /** Ends the requests that run, too. */
  readonly requests: AbortSignal;
  /** Whether a caller waits for the end: the counts of all series are written, and the pauses are short. */
  readonly isFlush: boolean;
}

/** The owner of an {@linkcode EventDelivery}, which decides what is written, and counts it. */
export interface DeliveryOwner {
  /** Puts into the queue what has become due. */
  collect(isFlush: boolean): void;
  /** The next time at which something becomes due, in milliseconds of the clock. */
  readonly dueMs: number | undefined;
  /** Called after an event was written, and has left the queue. */
  written(known: KnownEvent): void;
  /** Called after an event has left the queue because the server refuses it. */
  refused(known: KnownEvent, error: unknown): void;
  /** Called after an event has left the queue because its last try has failed. */
  failed(known: KnownEvent, error: unknown): void;
  /** Called after a try that is followed by another one. */
  retried(error: unknown): void;
}

/** Parts of an {@linkcode EventDelivery}. */
export interface DeliveryParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly writer: EventWriter;
  readonly owner: DeliveryOwner;
}

/** Writes the events of a queue: one at a time, but one that fails or is slow holds no other. */
export class EventDelivery {
  readonly queue: EventQueue = new EventQueue();
  readonly #parts: DeliveryParts;
  /** Wakes the work when there is something to do. */
  readonly #wakeUps = new Waiters();
  /** The requests that run. Each resolves. */
  readonly #attempts = new Set<Promise<void>>();
  /** Limits the failures since the last success. */
  #failures: TokenBucket;
  /** The time before which no request begins, because of failures. */
  #heldUntilMs = -Infinity;
  /** The time until which the last request holds the next one. */
  #busyUntilMs = -Infinity;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#failures = new TokenBucket({ ...FAILURES, clock: parts.clock });
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

  /** Resolves when the requests that run have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#attempts);
  }

  /** Writes until it is over; while a caller waits for the end, only until the queue is empty. */
  async work(work: Work): Promise<void> {
    const { clock, owner } = this.#parts;
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
    const busyUntilMs = this.#parts.clock.now() + SLOW_MS;
    this.#busyUntilMs = busyUntilMs;
    const attempt = this.#attempt(known, work).then(() => {
      this.#attempts.delete(attempt);
      // Unless another one has begun meanwhile, because this one was slow.
      if (this.#busyUntilMs === busyUntilMs) this.#busyUntilMs = -Infinity;
      this.#wakeUps.wakeAll();
    });
    this.#attempts.add(attempt);
  }

  /** Tries to write an event. Never rejects. */
  async #attempt(known: KnownEvent, { requests }: Work): Promise<void> {
    const { clock, random, owner } = this.#parts;
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
    // Otherwise the end of the work has cut it off.
    if (requests.aborted) return;
    this.#heldUntilMs = nowMs + this.#failures.reserve();
    owner.retried(error);
  }

  /** Makes the requests of one try, which end with the signal and in time, whatever the client does. */
  async #send(known: KnownEvent, signal: AbortSignal): Promise<Written> {
    const { clock, writer } = this.#parts;
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

  /** Waits until there is something to do, or the work is over. */
  async #untilDue({ until, isFlush }: Work): Promise<void> {
    const { clock, owner } = this.#parts;
    const nextMs = this.queue.dueMs(isFlush);
    // The end of a request wakes the work if too many run, or the queue is full.
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
