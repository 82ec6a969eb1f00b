import { LruMap } from "../../base/mod.ts";
import type { EventV1 } from "./event_v1.ts";

/** An event that has happened, and its repetitions. */
export interface KnownEvent {
  /** What repetitions have in common. */
  readonly key: string;
  /** What identifies the object that the event is about. */
  readonly object: string;
  /** The Event as of its first occurrence. */
  event: EventV1;
  /** The number of occurrences. */
  count: number;
  /** The time of the last occurrence, in milliseconds of the clock. */
  lastMs: number;
  /** The wall time of the last occurrence, in milliseconds since the epoch. */
  lastWallMs: number;
  /** The number of occurrences that the server knows of; 0 if it has no such Event. */
  written: number;
  /** Whether the event is in the queue. */
  isQueued: boolean;
  /** The number of tries to write what is to be written now. */
  tries: number;
  /** The time of the last try that has failed, in milliseconds of the clock. */
  failedMs: number;
  /** The pause after it, in milliseconds. */
  pauseMs: number;
  /** How long the server has asked to wait after it, in milliseconds. */
  retryAfterMs: number;
}

/** The times of client-go's `event_broadcaster.go`. */
const FINISH_MS = 360_000;
const REFRESH_MS = 1_800_000;
const MAX_EVENTS = 4096;

/**
 * The events that may still be repeated. An event is forgotten six minutes after its last occurrence, and the oldest one
 * if there are more than 4,096.
 */
export class KnownEvents {
  /** The event that has not occurred for the longest time comes first. */
  readonly #events = new LruMap<string, KnownEvent>(MAX_EVENTS);
  #nextRefreshMs = -Infinity;

  get size(): number {
    return this.#events.size;
  }

  /** Returns the event that occurs again; undefined if it is new, or its last occurrence is too long ago. */
  find(key: string, nowMs: number): KnownEvent | undefined {
    const known = this.#events.get(key);
    return known !== undefined && nowMs < endOf(known) ? known : undefined;
  }

  /** Remembers a new event, or one that has occurred again. Returns the event that had to go for it, if there is one. */
  remember(event: KnownEvent): KnownEvent | undefined {
    const before = this.#events.get(event.key);
    const evicted = this.#events.set(event.key, event);
    return before === undefined || before === event ? evicted : before;
  }

  /** Removes and returns the next event whose series is over. */
  takeFinished(nowMs: number): KnownEvent | undefined {
    const oldest = this.#events.oldest();
    if (oldest === undefined || nowMs < endOf(oldest)) return undefined;
    this.#events.delete(oldest.key);
    return oldest;
  }

  /** Reports whether it is time to write the counts of all running series, so that the server does not delete them. */
  isRefreshDue(nowMs: number): boolean {
    if (this.size === 0 || nowMs < this.#nextRefreshMs) return false;
    this.#nextRefreshMs = nowMs + REFRESH_MS;
    return true;
  }

  /** The events of which the server does not know all occurrences, and that are not in the queue. */
  unwritten(): KnownEvent[] {
    return [...this.#events.values()].filter((event) => !event.isQueued && isUnwritten(event));
  }

  /** The next time at which there is something to do, in milliseconds of the clock. */
  get dueMs(): number | undefined {
    const oldest = this.#events.oldest();
    return oldest && Math.min(endOf(oldest), this.#nextRefreshMs);
  }
}

/** Reports whether the server has the Event, but does not know of all its occurrences. */
export function isUnwritten({ count, written }: KnownEvent): boolean {
  return written > 0 && count > written;
}

/** Returns the time at which an event is over unless it occurs again. */
function endOf({ lastMs }: KnownEvent): number {
  return lastMs + FINISH_MS;
}
