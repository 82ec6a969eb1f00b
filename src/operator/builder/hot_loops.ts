import type { Clock, Logger } from "../../base/mod.ts";
import type { OperatorMetrics } from "../../metrics/mod.ts";
import { describeFlip, type Story, type StoryBook } from "../stories/mod.ts";

/** The reconciles of one key within {@linkcode WINDOW_MS} that are looked at: ten a second for ten seconds. */
const MANY = 100;
const WINDOW_MS = 10_000;
/** From which reconcile of a window on only every seventh is counted, for seven: a key that makes a fiftieth of a flood is found before. */
const FLOOD = 50 * MANY;
const SAMPLE = 7;
/** How long a key that undoes its own work is slowed down, in milliseconds, and the delay between its reconciles. */
const SLOW_FOR_MS = 600_000;
const SLOW_MS = 1_000;
/** How many stories of a key are looked at for writes. */
const MAX_STORIES = 50;
/** What the log says of a key that is slowed down. */
const SLOWED = "; it is slowed down to one reconcile a second";
/** The most field managers of one controller that are known. */
const MAX_NAMES = 16;
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
  #counts = new Map<string, number>();
  /** The reconciles of all keys in this window. */
  #total = 0;
  #windowMs: number;
  /** The slow keys. */
  readonly #slow = new Map<string, Slow>();
  readonly #logged = new Set<string>();
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

  /** Notes a write of the controller under a name, which may be that of its client. */
  wrote(fieldManager: string): void {
    if (this.#names.size < MAX_NAMES) this.#names.add(fieldManager);
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

  #count(key: string, now: number): void {
    const isFlood = ++this.#total > FLOOD;
    if (isFlood && this.#total % SAMPLE !== 0) return;
    const before = this.#counts.get(key) ?? 0;
    const count = before + (isFlood ? SAMPLE : 1);
    this.#counts.set(key, count);
    if (before < MANY && count >= MANY) this.#look(key, now);
  }

  #newWindow(now: number): void {
    this.#windowMs = now;
    this.#total = 0;
    this.#counts = new Map();
    for (const [key, { untilMs }] of this.#slow) if (untilMs <= now) this.#slow.delete(key);
  }

  #look(key: string, now: number): void {
    const { controller, metrics, stories } = this.#options;
    const flip = stories.flip(controller, key);
    const last = stories.list({ controller, key, limit: MAX_STORIES });
    if (flip === undefined) {
      if (last.length > 0 && last.every(hasWritten)) {
        this.#slowDown(key, now);
        this.#log(
          key,
          "",
          `each reconcile writes something, and its own writes cause the next${SLOWED}`,
        );
      } else this.#lookAtRequeues(key, last);
      return;
    }
    const { field, resource, writers } = flip;
    metrics.hotLoop({ resource, field, writer: writers.join(" and ") || "unknown" });
    const isOwn = writers.some((writer) => this.#names.has(writer.split(" ", 1)[0] ?? ""));
    if (isOwn) this.#slowDown(key, now);
    const slowed = isOwn ? SLOWED : "";
    this.#log(key, `${flip.resource} ${flip.field}`, `${describeFlip(flip)}${slowed}`);
  }

  /** Names a delay that was probably meant in seconds. It is what the reconcile asks for, so it is not slowed down. */
  #lookAtRequeues(key: string, last: readonly Story[]): void {
    const delays = last.map(({ result, requeueAfterMs }) =>
      result === "requeue_after" ? requeueAfterMs ?? 0 : Infinity
    );
    const longest = Math.max(...delays);
    if (delays.length === 0 || longest >= SLOW_MS) return;
    this.#log(key, "requeueAfterMs", `it returns { requeueAfterMs: ${longest} }, in milliseconds`);
  }

  #slowDown(key: string, now: number): void {
    if (!this.#slow.has(key)) {
      this.#options.metrics.hotLoops.inc();
      this.#found++;
    }
    this.#slow.set(key, { untilMs: now + SLOW_FOR_MS, nextMs: now });
  }

  #log(key: string, id: string, why: string): void {
    const { controller, logger } = this.#options;
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
