import {
  abortable,
  type Clock,
  deferred,
  LinkedAbort,
  onAbort,
  TurnBudget,
} from "../../base/mod.ts";
import type { KubeObject, ListerWatcher, ListOptions, WatchEvent } from "../../types/mod.ts";
import { isBatched } from "./is_batched.ts";

import { endOfThrown, type StreamEnd } from "./watch_end.ts";
import { Watchdog } from "./watchdog.ts";

/** What a stream gives at a time. */
type Delivery<T extends KubeObject> = WatchEvent<T> | readonly WatchEvent<T>[];

/** How long a stream is given to end after it was told to; one that does not is left behind. */
const CLOSE_GRACE_MS = 1_000;

/** How long a watch may take to open, be silent and last. */
export interface WatchLimits {
  /** Until it is established, in milliseconds. */
  readonly openMs: number;
  /** From the request until it is dropped, in milliseconds. */
  readonly totalMs: number;
  /** Between two events, in milliseconds; Infinity for no limit. */
  readonly idleMs: number;
}

/**
 * One open watch. It reads the stream into a synchronous handler, event by event; and it can always be left: when it is
 * stopped, silent for too long or past its time, whether or not the stream underneath reacts.
 */
export class WatchSession<T extends KubeObject> {
  readonly #iterator: AsyncIterator<Delivery<T>>;
  readonly #link: LinkedAbort;
  readonly #clock: Clock;
  readonly #deadlineAtMs: number;
  readonly #idleMs: number;
  /** Settles the consumption that is going on; a new function for each, so that a late event knows it is late. */
  #settle: ((end: StreamEnd) => void) | undefined;
  #reading: Promise<void> | undefined;
  /** The rest of a batch in whose middle the handler had enough. */
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
   * @throws What the lister-watcher throws, an Error when it takes too long, `signal.reason` on abort.
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

  /** Feeds `handle` with events until it returns false or the stream ends; resolves with how it ended. */
  async consume(handle: (event: WatchEvent<T>) => boolean): Promise<StreamEnd> {
    const ended = deferred<StreamEnd>();
    const settle = (end: StreamEnd) => {
      if (this.#settle !== settle) return;
      this.#settle = undefined;
      ended.resolve(end);
    };
    this.#settle = settle;
    const deadline = this.#clock.setTimer(
      () => settle({ kind: "silent", reason: "It outlived its timeout" }),
      Math.max(0, this.#deadlineAtMs - this.#clock.now()),
    );
    const idleMs = this.#idleMs;
    const watchdog = idleMs === Infinity ? undefined : new Watchdog(
      this.#clock,
      idleMs,
      () => settle({ kind: "silent", reason: `It was silent for ${idleMs} ms` }),
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

  /** Ends the consumption that is going on; events that arrive later are dropped. */
  cut(reason: string): void {
    this.#settle?.({ kind: "silent", reason });
  }

  /** Stops the stream and waits for its end, but not for ever. */
  async close(): Promise<void> {
    this.#settle?.({ kind: "stopped" });
    this.#link.abort(new DOMException("The watch is no longer wanted", "AbortError"));
    const ending = Promise.allSettled([returnIterator(this.#iterator), this.#reading]);
    const waited = new LinkedAbort();
    const grace = this.#clock.setTimer(() => waited.abort(), CLOSE_GRACE_MS);
    await abortable(ending, waited.signal).catch(() => {});
    grace.cancel();
  }

  async #read(
    handle: (event: WatchEvent<T>) => boolean,
    settle: (end: StreamEnd) => void,
    watchdog: Watchdog | undefined,
  ): Promise<void> {
    try {
      // A stream that has events at hand would never let the event loop turn.
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

/** Stops a watch that was opened too late to be used. */
function closeUnused<T>(events: AsyncIterable<T>): void {
  void returnIterator(events[Symbol.asyncIterator]());
}

async function returnIterator<T>(iterator: AsyncIterator<T>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // It was told to stop; how it took that is of no interest.
  }
}
