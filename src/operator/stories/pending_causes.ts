import { type Clock, realClock } from "../../base/mod.ts";
import { type Cause, type CauseEvent, HeldCause } from "./cause.ts";

/** The most different causes of one key. */
const MAX_CAUSES = 16;

/** Why a reconcile has started, and how long its key has waited. */
export interface TakenCauses {
  /** The causes; the first came first. Sixteen at most. */
  readonly causes: readonly Cause[];
  /** The number of further causes. */
  readonly moreCauses: number;
  /** How long the key has waited since its first cause, in milliseconds. */
  readonly queuedMs: number;
}

/**
 * The causes of one key. It is also what `take` returns, so that a key with one cause needs no further object.
 */
export class KeyCauses implements TakenCauses {
  causes: HeldCause[];
  moreCauses = 0;
  queuedMs = 0;

  /** Begins with a cause, which most keys have only one of. */
  constructor(first: HeldCause) {
    this.causes = [first];
  }

  /** Adds a cause, or counts it again. */
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

  /** Removes and returns the causes that are not yet due, unless there are no others. */
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

  /** Notes that the reconcile starts. */
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

/** What is taken of a key without causes. */
export const NO_CAUSES: TakenCauses = { causes: [], moreCauses: 0, queuedMs: 0 };

/**
 * Collects why the keys of one controller are enqueued, until their reconciles start. The same cause of a key again is
 * only counted. An event costs little: the objects are kept, and compared only when somebody looks.
 *
 * It has an entry for each key that is in the queue, so the queue bounds it.
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

  /** Adds a cause of a key. Call it before the key is added to the queue. */
  add(key: string, event: CauseEvent): void {
    const atMs = event.dueMs ?? this.#clock.now();
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) waiting.add(event, atMs);
    else this.#waiting.set(key, new KeyCauses(new HeldCause(event, atMs)));
  }

  /**
   * Takes the causes of a key whose reconcile starts. Causes that are not yet due, such as a requeue in a minute, stay for
   * a later reconcile, unless there are no others.
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

  /** Forgets the causes of a key that will not be reconciled: the controller gave it up, or does not own it any more. */
  forget(key: string): void {
    this.#waiting.delete(key);
  }

  /** Forgets all keys. */
  clear(): void {
    this.#waiting.clear();
  }
}
