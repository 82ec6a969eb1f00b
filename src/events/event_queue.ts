import { RingBuffer } from "../base/mod.ts";
import type { KnownEvent } from "./known_events.ts";

/** The pause between two tries during a flush. */
const FLUSH_RETRY_MS = 1_000;

/** The events to write. Failed events wait separately, so that they do not delay the others. */
export class EventQueue {
  /** Events that were not tried yet. */
  readonly #fresh = new RingBuffer<KnownEvent>();
  /** Failed events, in the order of their last tries. */
  readonly #failed = new Set<KnownEvent>();
  /** Events whose write is running. */
  readonly #underway = new Set<KnownEvent>();

  /** The number of events, including running writes. */
  get length(): number {
    return this.#fresh.length + this.#failed.size + this.#underway.size;
  }

  /** The number of running writes. */
  get underway(): number {
    return this.#underway.size;
  }

  push(known: KnownEvent): void {
    known.isQueued = true;
    known.tries = 0;
    this.#fresh.push(known);
  }

  /**
   * Takes the next event to write: an event that was not tried yet, or else a failed event whose pause is over.
   */
  take(nowMs: number, isFlush: boolean): KnownEvent | undefined {
    const known = this.#fresh.shift() ?? this.#due(nowMs, isFlush);
    if (known === undefined) return undefined;
    this.#failed.delete(known);
    this.#underway.add(known);
    return known;
  }

  /** Puts an event back after a failed write. Its fields determine the next try. */
  putBack(known: KnownEvent): void {
    this.#underway.delete(known);
    this.#failed.add(known);
  }

  /** Removes a taken event. */
  remove(known: KnownEvent): void {
    this.#underway.delete(known);
    known.isQueued = false;
    known.tries = 0;
  }

  /** Removes and returns the event with the most failures; undefined if none has failed. */
  evict(): KnownEvent | undefined {
    let worst: KnownEvent | undefined;
    for (const known of this.#failed) {
      if (worst === undefined || known.tries > worst.tries) worst = known;
    }
    if (worst === undefined) return undefined;
    this.#failed.delete(worst);
    worst.isQueued = false;
    return worst;
  }

  /** Returns the time at which the next event is due; undefined if there is none. */
  dueMs(isFlush: boolean): number | undefined {
    if (this.#fresh.length > 0) return -Infinity;
    let earliestMs: number | undefined;
    for (const known of this.#failed) {
      const dueMs = dueOf(known, isFlush);
      if (earliestMs === undefined || dueMs < earliestMs) earliestMs = dueMs;
    }
    return earliestMs;
  }

  /** Removes and returns all events. */
  clear(): KnownEvent[] {
    const all = [...this.#underway, ...this.#failed, ...this.#fresh];
    this.#underway.clear();
    this.#failed.clear();
    this.#fresh.clear();
    for (const known of all) known.isQueued = false;
    return all;
  }

  #due(nowMs: number, isFlush: boolean): KnownEvent | undefined {
    for (const known of this.#failed) {
      if (dueOf(known, isFlush) <= nowMs) return known;
    }
    return undefined;
  }
}

/** Returns the time of the next try. */
function dueOf({ failedMs, pauseMs, retryAfterMs }: KnownEvent, isFlush: boolean): number {
  return failedMs + Math.max(isFlush ? FLUSH_RETRY_MS : pauseMs, retryAfterMs);
}
