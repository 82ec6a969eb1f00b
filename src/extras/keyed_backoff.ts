import {
  type Clock,
  ENVIRONMENT_CHECKS,
  isDelay,
  type OptionChecks,
  type Random,
  realClock,
  realRandom,
  requireOptions,
} from "../base/mod.ts";

/** Options of a {@linkcode KeyedBackoff}. */
export interface KeyedBackoffOptions {
  /** The initial delay of a key, in milliseconds. */
  readonly initialMs: number;
  /**
   * The longest delay, in milliseconds. A key without a failure for more than twice this time starts at `initialMs`
   * again.
   */
  readonly maxMs: number;
  /** The jitter: a random share of up to this fraction of the current delay is added to the next delay. Default 0. */
  readonly jitterFactor?: number | undefined;
  /** The clock. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** The random source of the jitter. Default: the machine's own source. */
  readonly random?: Random | undefined;
}

const CHECKS: OptionChecks<KeyedBackoffOptions> = {
  initialMs: isDelay,
  maxMs: isDelay,
  jitterFactor: isDelay,
  clock: ENVIRONMENT_CHECKS.clock,
  random: ENVIRONMENT_CHECKS.random,
};

interface Entry {
  delayMs: number;
  updatedAtMs: number;
}

/** The number of keys from which `next` calls `gc`; below this number, collecting is not worth it. */
const MIN_COLLECTED = 64;

/**
 * Tracks an exponential backoff for each of many keys: client-go's `flowcontrol.Backoff`. The backoff only computes
 * delays; the caller waits. All times are readings of the clock's `now()`, in milliseconds.
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

  /** Creates a backoff without any keys. */
  constructor(options: KeyedBackoffOptions) {
    requireOptions("KeyedBackoff", options, CHECKS);
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#random = options.random ?? realRandom;
  }

  /** The number of tracked keys. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the current delay of the key, in milliseconds; 0 if the key is not tracked. */
  get(key: string): number {
    return this.#entries.get(key)?.delayMs ?? 0;
  }

  /**
   * Records a failure of `key` at `eventAtMs`: sets the initial delay, or doubles the current delay up to the longest
   * one.
   */
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

  /** Removes the key and its delay. */
  reset(key: string): void {
    this.#entries.delete(key);
  }

  /** Reports whether the delay of the key, counted from `eventAtMs`, has not passed yet. */
  isInBackOffSince(key: string, eventAtMs: number): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#hasExpired(entry, eventAtMs)) return false;
    return this.#clock.now() - eventAtMs < entry.delayMs;
  }

  /** Reports whether `eventAtMs` is within the delay of the key, counted from the last failure of the key. */
  isInBackOffSinceUpdate(key: string, eventAtMs: number): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#hasExpired(entry, eventAtMs)) return false;
    return eventAtMs - entry.updatedAtMs < entry.delayMs;
  }

  /**
   * Removes the keys whose delay would start over. Called by `next` when the number of keys has doubled since the last
   * call.
   */
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
