import { RingBuffer } from "../base/mod.ts";
import type { KnownEvent } from "./known_events.ts";

/** The pause between two tries while a caller waits for the end. */
const FLUSH_RETRY_MS = 1_000;

/**
 * The events that are to be written. One that has failed waits apart from the others, so that it delays none of them.
 */
export class EventQueue {
  /** The events that have not been tried yet. */
  readonly #fresh = new RingBuffer<KnownEvent>();
  /** The events that have failed, in the order of their last tries. */
  readonly #failed = new Set<KnownEvent>();
  /** The events that are being written. */
  readonly #underway = new Set<KnownEvent>();

  /** The number of events in the queue, with those that are being written. */
  get length(): number {
    return this.#fresh.length + this.#failed.size + this.#underway.size;
  }

  /** The number of events that are being written. */
  get underway(): number {
    return this.#underway.size;
  }

  /** Adds an event. */
  push(known: KnownEvent): void {
    known.isQueued = true;
    known.tries = 0;
    this.#fresh.push(known);
  }

  /**
   * Takes the next event to write: one that has not been tried yet, or else one whose pause is over.
   *
   * @param nowMs The current time.
   * @param isFlush Whether pauses are short.
   */
  take(nowMs: number, isFlush: boolean): KnownEvent | undefined {
    const known = this.#fresh.shift() ?? this.#due(nowMs, isFlush);
    if (known === undefined) return undefined;
    this.#failed.delete(known);
    this.#underway.add(known);
    return known;
  }

  /** Puts an event back, whose write has failed. Its next try is due as its fields say. */
  putBack(known: KnownEvent): void {
    this.#underway.delete(known);
    this.#failed.add(known);
  }

  /** Removes an event that was taken. */
  remove(known: KnownEvent): void {
    this.#underway.delete(known);
    known.isQueued = false;
    known.tries = 0;
  }

  /** Removes the event that has failed most often; undefined if none has failed. */
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

  /** Returns the time at which the next event can be taken; undefined if there is none. */
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
