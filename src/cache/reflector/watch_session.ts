import {
  abortable,
  type Clock,
  LinkedAbort,
  onAbort,
  TurnBudget,
  withTimeLimit,
} from "../../base/mod.ts";
import type {
  BatchedWatch,
  KubeObject,
  ListerWatcher,
  ListOptions,
  WatchEvent,
} from "../../types/mod.ts";
import { endOfThrown, type StreamEnd } from "./watch_end.ts";
import { Watchdog } from "./watchdog.ts";

/** One result of the iterator of a watch: an event, or a batch of events. */
type Delivery<T extends KubeObject> = WatchEvent<T> | readonly WatchEvent<T>[];

/** How long {@linkcode WatchSession.close} waits for the stream to end. A stream that takes longer is abandoned. */
const CLOSE_GRACE_MS = 1_000;

/** The time limits of a watch. */
export interface WatchLimits {
  /** The limit from the request to the answer, in milliseconds. */
  readonly openMs: number;
  /** The limit from the request to the end of the watch, in milliseconds. */
  readonly totalMs: number;
  /** The limit between two events, in milliseconds; Infinity for no limit. */
  readonly idleMs: number;
}

/**
 * One open watch. It passes the events of the stream to a synchronous handler, one by one. When the watch is stopped,
 * is silent for too long or exceeds its total time, the session ends even if the underlying stream does not react.
 */
export class WatchSession<T extends KubeObject> {
  readonly #iterator: AsyncIterator<Delivery<T>>;
  readonly #link: LinkedAbort;
  readonly #clock: Clock;
  readonly #deadlineAtMs: number;
  readonly #idleMs: number;
  /**
   * Ends the current call of {@linkcode WatchSession.consume}. Each call has its own function, so that an event that
   * arrives after the end can be recognized and dropped.
   */
  #settle: ((end: StreamEnd) => void) | undefined;
  #reading: Promise<void> | undefined;
  /** The events of a batch that were left when the handler wanted no more. */
  #unhandled: readonly WatchEvent<T>[] = [];

  private constructor(
    iterator: AsyncIterator<Delivery<T>>,
    link: LinkedAbort,
    clock: Clock,
    limits: WatchLimits & { readonly startedAtMs: number },
  ) {
    this.#iterator = iterator;
    this.#link = link;
    this.#clock = clock;
    this.#deadlineAtMs = limits.startedAtMs + limits.totalMs;
    this.#idleMs = limits.idleMs;
  }

  /**
   * Opens a watch.
   *
   * @throws {Error} The error of the lister-watcher, or an Error if it does not answer in time; `signal.reason` on
   * abort.
   */
  static async open<T extends KubeObject>(
    listerWatcher: ListerWatcher<T>,
    options: ListOptions,
    call: { readonly clock: Clock; readonly signal: AbortSignal; readonly limits: WatchLimits },
  ): Promise<WatchSession<T>> {
    const { clock, limits } = call;
    const link = new LinkedAbort(call.signal);
    const startedAtMs = clock.now();
    const timer = clock.setTimer(() => {
      link.abort(new Error(`Watch was not answered within ${limits.openMs} ms`));
    }, limits.openMs);
    let opening: ReturnType<ListerWatcher<T>["watch"]> | undefined;
    try {
      opening = listerWatcher.watch(options, { signal: link.signal });
      const events = "then" in opening ? await abortable(opening, link.signal) : opening;
      const iterator = isBatched(events) ? events.batches() : events[Symbol.asyncIterator]();
      return new WatchSession(iterator, link, clock, { ...limits, startedAtMs });
    } catch (error) {
      link.release();
      if (opening !== undefined && "then" in opening) opening.then(closeUnused, () => {});
      throw error;
    } finally {
      timer.cancel();
    }
  }

  /**
   * Passes events to `handle` until it returns false or the stream ends. Resolves to the way in which the stream ended.
   */
  async consume(handle: (event: WatchEvent<T>) => boolean): Promise<StreamEnd> {
    const ended = Promise.withResolvers<StreamEnd>();
    const settle = (end: StreamEnd) => {
      if (this.#settle !== settle) return;
      this.#settle = undefined;
      ended.resolve(end);
    };
    this.#settle = settle;
    const deadline = this.#clock.setTimer(
      () => settle({ kind: "silent", reason: "It was still open after its timeout" }),
      Math.max(0, this.#deadlineAtMs - this.#clock.now()),
    );
    const idleMs = this.#idleMs;
    const watchdog = idleMs === Infinity ? undefined : new Watchdog(
      this.#clock,
      idleMs,
      () => settle({ kind: "silent", reason: `It received no event or bookmark for ${idleMs} ms` }),
    );
    const release = onAbort(this.#link.signal, () => settle({ kind: "stopped" }));
    if (this.#settle === settle) this.#reading = this.#read(handle, settle, watchdog);
    try {
      return await ended.promise;
    } finally {
      release();
      watchdog?.stop();
      deadline.cancel();
    }
  }

  /** Ends the current call of {@linkcode WatchSession.consume}. Events that arrive later are dropped. */
  cut(reason: string): void {
    this.#settle?.({ kind: "silent", reason });
  }

  /** Stops the stream and waits at most a second for its end. */
  async close(): Promise<void> {
    this.#settle?.({ kind: "stopped" });
    this.#link.abort(new DOMException("The watch was stopped", "AbortError"));
    const ending = Promise.allSettled([returnIterator(this.#iterator), this.#reading]);
    const limit = { clock: this.#clock, limitMs: CLOSE_GRACE_MS, late: () => "Still open" };
    await withTimeLimit(limit, (signal) => abortable(ending, signal)).catch(() => {});
  }

  async #read(
    handle: (event: WatchEvent<T>) => boolean,
    settle: (end: StreamEnd) => void,
    watchdog: Watchdog | undefined,
  ): Promise<void> {
    try {
      // Without a budget, a stream that always has events ready would block the event loop.
      const budget = new TurnBudget(this.#clock);
      for (;;) {
        let events = this.#unhandled;
        this.#unhandled = [];
        if (events.length === 0) {
          const { done, value } = await this.#iterator.next();
          if (this.#settle !== settle) return;
          if (done) return settle({ kind: "closed" });
          events = Array.isArray(value) ? value : [value];
        }
        watchdog?.feed();
        for (let i = 0; i < events.length; i++) {
          const wantsMore = handle(events[i] as WatchEvent<T>);
          if (wantsMore && this.#settle === settle) continue;
          this.#unhandled = events.slice(i + 1);
          return settle({ kind: "paused" });
        }
        if (budget.isSpent(events.length)) {
          await budget.renew(this.#link.signal);
          if (this.#settle !== settle) return;
        }
      }
    } catch (error) {
      settle(this.#link.signal.aborted ? { kind: "stopped" } : endOfThrown(error));
    }
  }
}

/** Stops a watch that opened after its time limit or an abort. */
function closeUnused<T>(events: AsyncIterable<T>): void {
  void returnIterator(events[Symbol.asyncIterator]());
}

async function returnIterator<T>(iterator: AsyncIterator<T>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // The stream is being stopped, so an error no longer matters.
  }
}

/** Reports whether the events of a watch can be read in batches. */
function isBatched<T extends KubeObject>(
  events: AsyncIterable<WatchEvent<T>>,
): events is BatchedWatch<T> {
  return "batches" in events && typeof events.batches === "function";
}
