import type { Clock, Logger } from "../../base/mod.ts";
import type { OperatorMetrics } from "../metrics/mod.ts";
import { describeFlip, type Flip, type StoryBook } from "../stories/mod.ts";

/** The reconciles of one key within {@linkcode WINDOW_MS} that are looked at: ten a second for ten seconds. */
const MANY = 100;
const WINDOW_MS = 10_000;
/** The number of coarse counts, a power of two, and up to which number a key is counted only there. */
const COARSE_COUNTS = 2 ** 15;
const COARSE_MAX = 20;
/** How long a key that undoes its own work is slowed down, in milliseconds, and the delay between its reconciles. */
const SLOW_FOR_MS = 600_000;
const SLOW_MS = 1_000;
/** The most fields that are named in the log. */
const MAX_LOGGED = 100;

/** A key that is slowed down. */
interface Slow {
  readonly untilMs: number;
  /** When its next reconcile may start. */
  nextMs: number;
}

/** Options of {@linkcode HotLoops}. */
export interface HotLoopsOptions {
  readonly controller: string;
  readonly fieldManager: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: OperatorMetrics;
  readonly stories: StoryBook;
}

/**
 * Finds keys that are reconciled again and again because a field flips, names the field and who writes it, and slows down
 * those whose own writes cause it. A status with a new time stamp in each reconcile is the usual one: an operator ran 1,350
 * reconciles a second of it, and nobody noticed (konflux-ci#5874).
 */
export class HotLoops {
  readonly #options: HotLoopsOptions;
  /**
   * The first reconciles of all keys in this window, by a hash of the key. In a flood of different keys, it is a table of
   * fixed size that is counted in, and not a map that grows.
   */
  #coarse: Uint8Array | undefined;
  /** The further reconciles of keys that were reconciled often. */
  #counts = new Map<string, number>();
  #windowMs: number;
  /** The slow keys. */
  readonly #slow = new Map<string, Slow>();
  readonly #logged = new Set<string>();

  constructor(options: HotLoopsOptions) {
    this.#options = options;
    this.#windowMs = options.clock.now();
  }

  /** Counts a reconcile of a key, which starts at a time of the clock. */
  reconciled(key: string, now: number): void {
    if (now - this.#windowMs >= WINDOW_MS) this.#newWindow(now);
    this.#count(key, now);
    if (this.#slow.size === 0) return;
    const slow = this.#slow.get(key);
    if (slow !== undefined) slow.nextMs = now + SLOW_MS;
  }

  /** Returns how long the next reconcile of a key has to wait, in milliseconds; 0 or less if it need not wait. */
  waitMs(key: string): number {
    if (this.#slow.size === 0) return 0;
    const slow = this.#slow.get(key);
    return slow === undefined ? 0 : slow.nextMs - this.#options.clock.now();
  }

  /** Keys that share a hash may be found somewhat early: after 80 reconciles at least. */
  #count(key: string, now: number): void {
    const coarse = this.#coarse ??= new Uint8Array(COARSE_COUNTS);
    const at = hashOf(key) & (COARSE_COUNTS - 1);
    const seen = coarse[at] as number;
    if (seen < COARSE_MAX) {
      coarse[at] = seen + 1;
      return;
    }
    const count = (this.#counts.get(key) ?? COARSE_MAX) + 1;
    this.#counts.set(key, count);
    if (count === MANY) this.#look(key, now);
  }

  #newWindow(now: number): void {
    this.#windowMs = now;
    this.#coarse?.fill(0);
    this.#counts = new Map();
    for (const [key, { untilMs }] of this.#slow) if (untilMs <= now) this.#slow.delete(key);
  }

  #look(key: string, now: number): void {
    const { controller, fieldManager, metrics, stories } = this.#options;
    const flip = stories.flip(controller, key);
    if (flip === undefined) return;
    const { field, resource, writers } = flip;
    metrics.hotLoop({ resource, field, writer: writers.join(" and ") || "unknown" });
    const isOwn = writers.some((writer) => writer.split(" ", 1)[0] === fieldManager);
    if (isOwn) this.#slow.set(key, { untilMs: now + SLOW_FOR_MS, nextMs: now });
    this.#log(key, flip, isOwn);
  }

  #log(key: string, flip: Flip, isOwn: boolean): void {
    const { controller, logger } = this.#options;
    const id = `${flip.resource} ${flip.field}`;
    if (this.#logged.has(id) || this.#logged.size >= MAX_LOGGED) return;
    this.#logged.add(id);
    logger.warn(
      `${controller}: "${key}" was reconciled ${MANY} times within ${WINDOW_MS / 1000} s: ${
        describeFlip(flip)
      }${isOwn ? "; it is slowed down to one reconcile a second" : ""} (logged once per field)`,
    );
  }
}

/** Returns a hash of a key: FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}
