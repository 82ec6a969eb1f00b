import { LruMap } from "../base/mod.ts";
import type { EventV1 } from "./event_v1.ts";

/** An event and its repetitions. */
export interface KnownEvent {
  /** The key that repetitions share. */
  readonly key: string;
  /** The identity of the object of the event. */
  readonly object: string;
  /** The Event at its first occurrence. */
  event: EventV1;
  /** The number of occurrences. */
  count: number;
  /** The time of the last occurrence, in milliseconds of the clock. */
  lastMs: number;
  /** The wall time of the last occurrence, in milliseconds since the epoch. */
  lastWallMs: number;
  /** The number of occurrences that the server knows; 0 if it has no such Event. */
  written: number;
  isQueued: boolean;
  /** The number of tries of the current write. */
  tries: number;
  /** The time of the last failed try, in milliseconds of the clock. */
  failedMs: number;
  /** The pause after the failed try, in milliseconds. */
  pauseMs: number;
  /** The Retry-After of the failed try, in milliseconds. */
  retryAfterMs: number;
}

/** The times of client-go's `event_broadcaster.go`. */
const FINISH_MS = 360_000;
const REFRESH_MS = 1_800_000;
const MAX_EVENTS = 4096;

/**
 * The events that may still be repeated. An event is removed six minutes after its last occurrence. If there are more than
 * 4,096, the oldest one is removed.
 */
export class KnownEvents {
  /** Ordered by the last occurrence, the oldest first. */
  readonly #events = new LruMap<string, KnownEvent>(MAX_EVENTS);
  #nextRefreshMs = -Infinity;

  get size(): number {
    return this.#events.size;
  }

  /** Returns the known event; undefined if it is new or its series has finished. */
  find(key: string, nowMs: number): KnownEvent | undefined {
    const known = this.#events.get(key);
    return known !== undefined && nowMs < endOf(known) ? known : undefined;
  }

  /** Stores a new or repeated event. Returns the event that was evicted for it, if any. */
  remember(event: KnownEvent): KnownEvent | undefined {
    const before = this.#events.get(event.key);
    const evicted = this.#events.set(event.key, event);
    return before === undefined || before === event ? evicted : before;
  }

  /** Removes and returns the next event whose series has finished. */
  takeFinished(nowMs: number): KnownEvent | undefined {
    const oldest = this.#events.oldest();
    if (oldest === undefined || nowMs < endOf(oldest)) return undefined;
    this.#events.delete(oldest.key);
    return oldest;
  }

  /** Reports whether the counts of all series are due to be written, so that the server does not delete them. */
  isRefreshDue(nowMs: number): boolean {
    if (this.size === 0 || nowMs < this.#nextRefreshMs) return false;
    this.#nextRefreshMs = nowMs + REFRESH_MS;
    return true;
  }

  /** Returns the events with unwritten occurrences that are not queued. */
  unwritten(): KnownEvent[] {
    return [...this.#events.values()].filter((event) => !event.isQueued && isUnwritten(event));
  }

  /** The next time at which a series is due, in milliseconds of the clock. */
  get dueMs(): number | undefined {
    const oldest = this.#events.oldest();
    return oldest && Math.min(endOf(oldest), this.#nextRefreshMs);
  }
}

/** Reports whether the server has the Event, but not all of its occurrences. */
export function isUnwritten({ count, written }: KnownEvent): boolean {
  return written > 0 && count > written;
}

/** Returns the time at which a series finishes unless the event occurs again. */
function endOf({ lastMs }: KnownEvent): number {
  return lastMs + FINISH_MS;
}
