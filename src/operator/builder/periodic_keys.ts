import { type Clock, type Random, TextHash } from "../../base/mod.ts";
import { type Item, valueOfItem } from "../../cache/mod.ts";
import type { KubeObject } from "../../types/mod.ts";
import { Delays } from "../../workqueue/mod.ts";
import { isPausedCondition } from "./pauses.ts";

const OBSERVED_GENERATION: readonly string[] = ["status", "observedGeneration"];
const CONDITIONS: readonly string[] = ["status", "conditions"];

/** How much earlier than the time of day a timer may fire, in milliseconds. */
const MAX_EARLY_MS = 1_000;

/** When each object is reconciled again although nothing has changed. */
export interface EveryOptions {
  /** The period, in milliseconds. */
  readonly ms: number;
  /** Maximum random delay of each time, as a fraction of the period from 0 to 1. Default 0. */
  readonly jitter?: number | undefined;
  /**
   * When the objects of the first list are reconciled after a start. `due`: an object whose `status.observedGeneration` is its
   * generation waits for its next time, so that a restart calls nothing outside of the cluster in a burst. What else has
   * changed while no controller ran, such as a deleted owned object, or a new version of the program, then takes effect
   * within the period. `now`: all at once, as by a controller without a period. Default `due`.
   */
  readonly firstList?: "now" | "due" | undefined;
}

/** Options of {@linkcode PeriodicKeys}. */
export interface PeriodicKeysOptions {
  readonly every: EveryOptions;
  readonly clock: Clock;
  readonly random: Random;
  /** Returns the UID of the object of a key; undefined if it is gone. */
  readonly uidOf: (key: string) => string | undefined;
  /** Called with each key that is due. */
  readonly onDue: (key: string) => void;
}

/**
 * Reconciles each key once in each period. The time within the period depends on the UID and the time of day alone: the keys
 * are spread over the period, and a restart or another leader does not move them together.
 */
export class PeriodicKeys {
  readonly #options: PeriodicKeysOptions;
  readonly #delays: Delays<string>;

  constructor(options: PeriodicKeysOptions) {
    this.#options = options;
    this.#delays = new Delays(options.clock, (key) => this.#due(key));
  }

  /** Adds the key of an object. */
  add(key: string, uid: string): void {
    this.#add(key, uid, 0);
  }

  /** Removes the key of a deleted object. */
  delete(key: string): void {
    this.#delays.cancel(key);
  }

  /** Removes all keys, and their timer. */
  close(): void {
    this.#delays.clear();
  }

  #due(key: string): void {
    const { onDue, uidOf } = this.#options;
    const uid = uidOf(key);
    if (uid === undefined) return;
    this.#add(key, uid, Math.min(MAX_EARLY_MS, this.#options.every.ms / 100));
    onDue(key);
  }

  /** Adds a key for its first time that is more than `earlyMs` away. */
  #add(key: string, uid: string, earlyMs: number): void {
    const { clock, every: { jitter = 0, ms }, random } = this.#options;
    const sinceMs = (clock.wallNow() + earlyMs - phaseOf(uid) * ms) % ms;
    const leftMs = earlyMs + (sinceMs < 0 ? -sinceMs : ms - sinceMs);
    this.#delays.cancel(key);
    this.#delays.delay(key, leftMs + (jitter === 0 ? 0 : random.next() * jitter * ms));
  }
}

/** Returns the place of a UID within each period, from 0 to 1. */
function phaseOf(uid: string): number {
  const [word] = new TextHash().add(uid).words();
  return (word >>> 0) / 2 ** 32;
}

/** Reports whether the status of an object is about its generation, and the object is neither being deleted nor resumed. */
export function isSettled(item: Item<KubeObject>): boolean {
  const { deletionTimestamp, generation } = item.metadata;
  if (generation === undefined || deletionTimestamp !== undefined) return false;
  if (valueOfItem(item, OBSERVED_GENERATION) !== generation) return false;
  const conditions = valueOfItem(item, CONDITIONS);
  return !Array.isArray(conditions) || !conditions.some((one) => isPausedCondition(one ?? {}));
}
