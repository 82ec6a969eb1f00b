import { type Clock, type Random, realClock, realRandom } from "../base/mod.ts";

/** Options of a {@linkcode KeyedBackoff}. */
export interface KeyedBackoffOptions {
  /** The first delay of a key, in milliseconds. */
  readonly initialMs: number;
  /** The longest delay, in milliseconds. A key that was quiet for more than twice as long starts over. */
  readonly maxMs: number;
  /** Up to this share of the present delay is added to the next at random. Default 0. */
  readonly jitterFactor?: number | undefined;
  /** Where the time comes from. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Where jitter comes from. Default: the machine's own source. */
  readonly random?: Random | undefined;
}

interface Entry {
  delayMs: number;
  updatedAtMs: number;
}

/** Below this many keys, nothing needs to be collected. */
const MIN_COLLECTED = 64;

/**
 * How long to leave each of many keys alone: client-go's `flowcontrol.Backoff`. It only keeps the account; the waiting is
 * the caller's. All times are those of the clock's `now()`.
 *
 * @example
 * ```ts
 * import { KeyedBackoff } from "@kubeloop/controller/extras";
 * import { assertEquals } from "@std/assert";
 *
 * const backoff = new KeyedBackoff({ initialMs: 100, maxMs: 1000 });
 * backoff.next("image-a", 0);
 * assertEquals(backoff.get("image-a"), 100);
 * ```
 */
export class KeyedBackoff {
  readonly #options: KeyedBackoffOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #entries = new Map<string, Entry>();
  #collectAtSize = MIN_COLLECTED;

  /** An account without any key. */
  constructor(options: KeyedBackoffOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#random = options.random ?? realRandom;
  }

  /** How many keys it knows. */
  get size(): number {
    return this.#entries.size;
  }

  /** The key's present delay in milliseconds; 0 when it is not known. */
  get(key: string): number {
    return this.#entries.get(key)?.delayMs ?? 0;
  }

  /** Something failed for `key` at `eventAtMs`: the first delay, or the next longer one. */
  next(key: string, eventAtMs: number): void {
    const { initialMs, maxMs } = this.#options;
    const entry = this.#entries.get(key);
    const updatedAtMs = this.#clock.now();
    if (entry === undefined || this.#hasExpired(entry, eventAtMs)) {
      if (this.#entries.size >= this.#collectAtSize) this.gc();
      this.#entries.set(key, { delayMs: initialMs + this.#jitter(initialMs), updatedAtMs });
      return;
    }
    entry.delayMs = Math.min(entry.delayMs * 2 + this.#jitter(entry.delayMs), maxMs);
    entry.updatedAtMs = updatedAtMs;
  }

  /** Forgets the key. */
  reset(key: string): void {
    this.#entries.delete(key);
  }

  /** Whether what happened at `eventAtMs` is, now, less than the key's delay ago. */
  isInBackOffSince(key: string, eventAtMs: number): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#hasExpired(entry, eventAtMs)) return false;
    return this.#clock.now() - eventAtMs < entry.delayMs;
  }

  /** Whether `eventAtMs` is less than the key's delay after its last failure. */
  isInBackOffSinceUpdate(key: string, eventAtMs: number): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#hasExpired(entry, eventAtMs)) return false;
    return eventAtMs - entry.updatedAtMs < entry.delayMs;
  }

  /** Forgets the keys that would start over anyway. Runs by itself when the number of keys has doubled. */
  gc(): void {
    const now = this.#clock.now();
    for (const [key, entry] of this.#entries) {
      if (this.#hasExpired(entry, now)) this.#entries.delete(key);
    }
    this.#collectAtSize = Math.max(MIN_COLLECTED, 2 * this.#entries.size);
  }

  #hasExpired(entry: Entry, eventAtMs: number): boolean {
    return eventAtMs - entry.updatedAtMs > 2 * this.#options.maxMs;
  }

  #jitter(delayMs: number): number {
    const factor = this.#options.jitterFactor ?? 0;
    return factor > 0 ? this.#random.next() * factor * delayMs : 0;
  }
}
