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

interface Waiting {
  readonly causes: HeldCause[];
  more: number;
}

/**
 * Collects why the keys of one controller are enqueued, until their reconciles start. The same cause of a key again is
 * only counted. An event costs little: the objects are kept, and compared only when somebody looks.
 *
 * It has an entry for each key that is in the queue, so the queue bounds it.
 */
export class PendingCauses {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();

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
    if (waiting === undefined) {
      this.#waiting.set(key, { causes: [new HeldCause(event, atMs)], more: 0 });
      return;
    }
    const known = waiting.causes.find((one) => one.isLike(event));
    if (known !== undefined) known.again(event, atMs);
    else if (waiting.causes.length < MAX_CAUSES) waiting.causes.push(new HeldCause(event, atMs));
    else waiting.more++;
  }

  /**
   * Takes the causes of a key whose reconcile starts. Causes that are not yet due, such as a requeue in a minute, stay for
   * a later reconcile, unless there are no others.
   */
  take(key: string): TakenCauses {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return { causes: [], moreCauses: 0, queuedMs: 0 };
    const now = this.#clock.now();
    let taken = waiting.causes;
    const isDue = ({ atMs }: HeldCause) => atMs <= now;
    if (taken.every(isDue) || !taken.some(isDue)) this.#waiting.delete(key);
    else {
      taken = waiting.causes.filter(isDue);
      const later = waiting.causes.filter((cause) => !isDue(cause));
      this.#waiting.set(key, { causes: later, more: 0 });
    }
    let firstMs = now;
    for (const cause of taken) {
      cause.waitedMs = Math.max(0, now - cause.atMs);
      firstMs = Math.min(firstMs, cause.atMs);
    }
    return { causes: taken, moreCauses: waiting.more, queuedMs: now - firstMs };
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
