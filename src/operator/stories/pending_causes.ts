import { type Clock, realClock } from "../../base/mod.ts";
import { type Cause, type CauseEvent, HeldCause } from "./cause.ts";

/** The maximum number of different causes of one key. */
const MAX_CAUSES = 16;

/** The causes of a reconcile that starts, and the time that its key has waited. */
export interface TakenCauses {
  /** The causes in the order in which they happened, at most sixteen. */
  readonly causes: readonly Cause[];
  /** The number of further causes. */
  readonly moreCauses: number;
  /** The time since the first cause, in milliseconds. */
  readonly queuedMs: number;
}

/**
 * The causes of one key. `take` returns this object itself, to save memory.
 */
export class KeyCauses implements TakenCauses {
  causes: HeldCause[];
  moreCauses = 0;
  queuedMs = 0;

  /** Creates the causes of a key with its first cause. Most keys have no other. */
  constructor(first: HeldCause) {
    this.causes = [first];
  }

  /** Adds a cause, or counts a known one again. */
  add(event: CauseEvent, atMs: number): void {
    const { causes } = this;
    for (const one of causes) {
      if (!one.isLike(event)) continue;
      one.again(event, atMs);
      return;
    }
    if (causes.length < MAX_CAUSES) causes.push(new HeldCause(event, atMs));
    else this.moreCauses++;
  }

  /** Removes and returns the causes that are not yet due; undefined if none or all are due later. */
  takeLater(now: number): KeyCauses | undefined {
    const { causes } = this;
    const due = causes.filter((one) => one.atMs <= now);
    const [first, ...others] = causes.filter((one) => one.atMs > now);
    if (first === undefined || due.length === 0) return undefined;
    this.causes = due;
    const later = new KeyCauses(first);
    later.causes.push(...others);
    return later;
  }

  /** Sets the waiting times when the reconcile starts. */
  started(now: number): this {
    let firstMs = now;
    for (const cause of this.causes) {
      cause.waitedMs = Math.max(0, now - cause.atMs);
      firstMs = Math.min(firstMs, cause.atMs);
    }
    this.queuedMs = now - firstMs;
    return this;
  }
}

/** The result of `take` for a key without causes. */
export const NO_CAUSES: TakenCauses = { causes: [], moreCauses: 0, queuedMs: 0 };

/**
 * Collects the causes of the queued keys of one controller, until their reconciles start. A repeated cause is only counted.
 * An event costs little: its objects are compared later, and only if the result is read.
 *
 * There is one entry for each queued key.
 */
export class PendingCauses {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, KeyCauses>();

  /** Creates an empty collection. */
  constructor(clock: Clock = realClock) {
    this.#clock = clock;
  }

  /** The number of keys that have causes. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Adds a cause of a key. Call this before adding the key to the queue. */
  add(key: string, event: CauseEvent): void {
    const atMs = event.dueMs ?? this.#clock.now();
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) waiting.add(event, atMs);
    else this.#waiting.set(key, new KeyCauses(new HeldCause(event, atMs)));
  }

  /**
   * Removes and returns the causes of a key when its reconcile starts. Causes that are not yet due, such as a requeue in a
   * minute, are kept for a later reconcile, unless there are no others.
   */
  take(key: string): TakenCauses {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return NO_CAUSES;
    const now = this.#clock.now();
    const later = waiting.takeLater(now);
    if (later === undefined) this.#waiting.delete(key);
    else this.#waiting.set(key, later);
    return waiting.started(now);
  }

  /** Removes the causes of a key that will not be reconciled, because the controller gave it up or no longer owns it. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }

  /** Removes all causes. */
  clear(): void {
    this.#waiting.clear();
  }
}
