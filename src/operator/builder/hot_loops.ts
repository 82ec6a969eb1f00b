import { type Clock, type Logger, LruMap } from "../../base/mod.ts";
import type { OperatorMetrics } from "../../metrics/mod.ts";
import { describeFlip, type KeyTrouble, type Story, type StoryBook } from "../stories/mod.ts";

/** The number of reconciles of one key within {@linkcode WINDOW_MS} from which the key is examined. */
const MANY = 100;
const WINDOW_MS = 10_000;
/**
 * Above this many reconciles per window, only every 7th is counted, with weight 7. A key that causes a fiftieth of a flood
 * is found before.
 */
const FLOOD = 50 * MANY;
const SAMPLE = 7;
/** A key that requeues itself more often than this within a second is slowed down. */
const MAX_REQUEUES_PER_SECOND = 300;
/** How long a key is slowed down, and the delay between its reconciles, in milliseconds. */
const SLOW_FOR_MS = 600_000;
const SLOW_MS = 1_000;
/** The maximum number of stories of a key that are examined. */
const MAX_STORIES = 50;
/** The end of the log line about a key that is slowed down. */
const SLOWED = "; it is slowed down to one reconcile a second";
/** The maximum number of field managers of one controller that are known. */
const MAX_NAMES = 16;
/** The maximum number of fields that the log names. */
const MAX_LOGGED = 100;

/** A key that is reconciled again and again. */
interface Loop {
  readonly why: string;
  /** The time of its first examination, in milliseconds since the Unix epoch. */
  readonly sinceMs: number;
  /** The time of its last examination, by the monotonic clock. */
  readonly seenMs: number;
}

/** A key that is slowed down. */
interface Slow {
  readonly untilMs: number;
  /** The time at which the next reconcile of the key may start. */
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
 * Finds keys that are reconciled again and again, and logs why: a field flips, every reconcile writes, or the reconcile
 * requeues its key. Slows a key down if the controller itself is the cause. The usual cause is a status with a new
 * timestamp in each reconcile: an operator made 1,350 reconciles a second in this way (konflux-ci#5874).
 */
export class HotLoops {
  readonly #options: HotLoopsOptions;
  #counts = new Map<string, number>();
  /** The number of reconciles of all keys in this window. */
  #total = 0;
  #windowMs: number;
  readonly #slow = new Map<string, Slow>();
  readonly #logged = new Set<string>();
  /** The last keys that were found. */
  readonly #loops = new LruMap<string, Loop>(MAX_LOGGED);
  /** The field managers under which the controller has written. */
  readonly #names: Set<string>;
  #found = 0;

  constructor(options: HotLoopsOptions) {
    this.#options = options;
    this.#names = new Set([options.fieldManager]);
    this.#windowMs = options.clock.now();
  }

  /** The number of keys that were slowed down. */
  get found(): number {
    return this.#found;
  }

  /** Notes the field manager of a write of the controller. */
  wrote(fieldManager: string): void {
    if (this.#names.size < MAX_NAMES) this.#names.add(fieldManager);
  }

  /** Counts a reconcile of a key that starts now. */
  reconciled(key: string, now: number): void {
    if (now - this.#windowMs >= WINDOW_MS) this.#newWindow(now);
    this.#count(key, now);
    if (this.#slow.size === 0) return;
    const slow = this.#slow.get(key);
    if (slow !== undefined) slow.nextMs = now + SLOW_MS;
  }

  /** Returns the delay before the next reconcile of a key, in milliseconds; 0 or less if the key is not slowed down. */
  waitMs(key: string): number {
    if (this.#slow.size === 0) return 0;
    const slow = this.#slow.get(key);
    return slow === undefined ? 0 : slow.nextMs - this.#options.clock.now();
  }

  /** Returns the keys that are in a hot loop now. */
  list(): KeyTrouble[] {
    const now = this.#options.clock.now();
    const found: KeyTrouble[] = [];
    for (const [key, { seenMs, sinceMs, why }] of this.#loops) {
      const isOver = (this.#slow.get(key)?.untilMs ?? seenMs + 3 * WINDOW_MS) <= now;
      if (isOver) this.#loops.delete(key);
      else found.push({ kind: "hot_loop", key, why, sinceMs });
    }
    return found;
  }

  #count(key: string, now: number): void {
    const isFlood = ++this.#total > FLOOD;
    if (isFlood && this.#total % SAMPLE !== 0) return;
    const before = this.#counts.get(key) ?? 0;
    const count = before + (isFlood ? SAMPLE : 1);
    this.#counts.set(key, count);
    if (before < MANY && count >= MANY) this.#examine(key, now);
  }

  #newWindow(now: number): void {
    this.#windowMs = now;
    this.#total = 0;
    this.#counts = new Map();
    for (const [key, { untilMs }] of this.#slow) if (untilMs <= now) this.#slow.delete(key);
  }

  #examine(key: string, now: number): void {
    const { controller, metrics, stories } = this.#options;
    const flip = stories.flip(controller, key);
    const last = stories.list({ controller, key, limit: MAX_STORIES });
    if (flip === undefined) {
      if (last.length > 0 && last.every(hasWritten)) {
        this.#slowDown(key, now);
        this.#note(
          key,
          "",
          `each reconcile writes something, and its own writes cause the next${SLOWED}`,
        );
      } else this.#examineRequeues(key, last, now);
      return;
    }
    const { field, resource, writers } = flip;
    metrics.hotLoop({ resource, field, writer: writers.join(" and ") || "unknown" });
    const isOwn = writers.some((writer) => this.#names.has(writer.split(" ", 1)[0] ?? ""));
    if (isOwn) this.#slowDown(key, now);
    const slowed = isOwn ? SLOWED : "";
    this.#note(key, `${flip.resource} ${flip.field}`, `${describeFlip(flip)}${slowed}`);
  }

  /** Logs a delay that was probably meant in seconds. The key is slowed down only if it requeues itself very often. */
  #examineRequeues(key: string, last: readonly Story[], now: number): void {
    const delays = last.map(({ result, requeueAfterMs }) =>
      result === "requeue_after" ? requeueAfterMs ?? 0 : Infinity
    );
    const longest = Math.max(...delays);
    if (delays.length === 0 || longest >= SLOW_MS) return;
    const starts = last.map(({ startedAt }) => Date.parse(startedAt));
    const spanMs = Math.max(...starts) - Math.min(...starts);
    const isTooFast = last.length / spanMs > MAX_REQUEUES_PER_SECOND / 1000;
    if (isTooFast) this.#slowDown(key, now);
    this.#note(
      key,
      "requeueAfterMs",
      `it returns { requeueAfterMs: ${longest} }, in milliseconds${isTooFast ? SLOWED : ""}`,
    );
  }

  #slowDown(key: string, now: number): void {
    if (!this.#slow.has(key)) {
      this.#options.metrics.hotLoops.inc();
      this.#found++;
    }
    this.#slow.set(key, { untilMs: now + SLOW_FOR_MS, nextMs: now });
  }

  #note(key: string, id: string, why: string): void {
    const { clock, controller, logger } = this.#options;
    const sinceMs = this.#loops.get(key)?.sinceMs ?? clock.wallNow();
    this.#loops.set(key, { why, sinceMs, seenMs: clock.now() });
    if (this.#logged.has(id) || this.#logged.size >= MAX_LOGGED) return;
    this.#logged.add(id);
    logger.warn(
      `${controller}: "${key}" was reconciled ${MANY} times within ${WINDOW_MS / 1000} s: ` +
        `${why} (logged once per field)`,
    );
  }
}

/** Reports whether a reconcile has written something. */
function hasWritten({ requests }: Story): boolean {
  return requests.some(({ method, code = 0 }) => method !== "GET" && code >= 200 && code < 300);
}
