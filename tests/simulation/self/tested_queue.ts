import type { Clock } from "../../../src/base/mod.ts";
import {
  ItemExponentialFailureRateLimiter,
  RateLimitingQueue,
} from "../../../src/workqueue/mod.ts";

/** Delays are not whole numbers, so that a timer may fire a little too early or too late. */
const LATENESS_MS = 1;

/** A queue that checks itself: no key is handed out twice at once, and none is lost. */
export class TestedQueue extends RateLimitingQueue<string> {
  readonly #name: string;
  readonly #testClock: Clock;
  readonly #wrong: (text: string) => void;
  readonly #processing = new Set<string>();
  readonly #patienceMs: number;
  readonly #latenessMs: number;
  /** The keys that were added since they were last handed out, and since when they wait. */
  readonly #wanted = new Map<string, number>();
  /** When each delayed key is to be added at the latest. */
  readonly #dueAtMs = new Map<string, number>();

  /**
   * Creates a queue, in which no key waits for a worker for longer than `patienceMs` milliseconds. With `isPunctual`, the
   * process never stands still, so that delayed keys come in time.
   */
  constructor(
    name: string,
    patienceMs: number,
    context: {
      readonly clock: Clock;
      readonly wrong: (text: string) => void;
      readonly isPunctual: boolean;
    },
  ) {
    const { clock, isPunctual, wrong } = context;
    super(new ItemExponentialFailureRateLimiter<string>(5, 10_000), { clock });
    this.#name = name;
    this.#patienceMs = patienceMs;
    this.#latenessMs = isPunctual ? LATENESS_MS : Infinity;
    this.#testClock = clock;
    this.#wrong = wrong;
  }

  override add(item: string): void {
    const nowMs = this.#testClock.now();
    if (!this.shuttingDown() && !this.#wanted.has(item)) this.#wanted.set(item, nowMs);
    const dueAtMs = this.#dueAtMs.get(item);
    // The delay of an item continues when the item is added otherwise, even at the same time.
    const isDelayOver = this.waitingLength < this.#dueAtMs.size;
    if (dueAtMs !== undefined && dueAtMs <= nowMs && isDelayOver) {
      this.#dueAtMs.delete(item);
      const lateMs = nowMs - dueAtMs;
      if (lateMs > this.#latenessMs) this.#report(`adds ${item} ${lateMs} ms too late`);
    }
    super.add(item);
  }

  override addAfter(item: string, delayMs: number): void {
    if (delayMs > 0 && !this.shuttingDown()) {
      const dueAtMs = this.#testClock.now() + delayMs;
      this.#dueAtMs.set(item, Math.min(dueAtMs, this.#dueAtMs.get(item) ?? Infinity));
    }
    super.addAfter(item, delayMs);
  }

  override tryGet(): string | undefined {
    const item = super.tryGet();
    if (item === undefined) return undefined;
    if (this.#processing.has(item)) this.#report(`hands out ${item}, which is being processed`);
    if (!this.#wanted.has(item)) this.#report(`hands out ${item}, which nobody has added`);
    this.#processing.add(item);
    this.#wanted.delete(item);
    return item;
  }

  override done(item: string): void {
    this.#processing.delete(item);
    super.done(item);
  }

  /** Returns the keys that should have been handed out by now, in words; empty if there is none. */
  overdue(): string {
    const beforeMs = this.#testClock.now() - this.#patienceMs;
    const late = [...this.#wanted, ...this.#dueAtMs].filter(([, atMs]) => atMs < beforeMs);
    const names = [...new Set(late.map(([item]) => item))].sort();
    return names.length === 0 ? "" : `${this.#name} keeps ${names.join(", ")}`;
  }

  /** When everything that waits now must have been handed out, in milliseconds. */
  get restAtMs(): number {
    const atMs = Math.max(this.#testClock.now(), ...this.#dueAtMs.values());
    return atMs + this.#patienceMs + 1;
  }

  #report(text: string): void {
    this.#wrong(`${this.#name} ${text}`);
  }
}
