import type { Clock, Timer } from "../../base/mod.ts";

/** A reconcile that has not ended. */
interface Running {
  readonly deadlineMs: number;
  readonly onLate: () => void;
  isLate: boolean;
}

/**
 * The deadlines of the running reconciles of a controller. All have the same time limit, so one timer for the oldest is
 * enough, and a reconcile that ends in time costs no timer.
 */
export class ReconcileDeadlines {
  readonly #clock: Clock;
  readonly #limitMs: number;
  /** By key, in the order of their deadlines. */
  readonly #running = new Map<string, Running>();
  #timer: Timer | undefined;

  /** Creates deadlines that are `limitMs` milliseconds after the start of each reconcile. */
  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** Notes the start of a reconcile. Calls `onLate` once if it has not ended at its deadline. */
  started(key: string, startedMs: number, onLate: () => void): void {
    this.#running.set(key, { deadlineMs: startedMs + this.#limitMs, onLate, isLate: false });
    this.#timer ??= this.#clock.setTimer(() => this.#look(), this.#limitMs);
  }

  /** Notes the end of a reconcile. */
  ended(key: string): void {
    this.#running.delete(key);
  }

  /** The keys whose reconciles have not ended, the oldest first. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** The keys whose reconciles have not ended at their deadline. */
  get late(): readonly string[] {
    return [...this.#running].filter(([, { isLate }]) => isLate).map(([key]) => key);
  }

  /** Ends the timer. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #look(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (const one of this.#running.values()) {
      if (one.isLate) continue;
      if (one.deadlineMs > now) {
        this.#timer = this.#clock.setTimer(() => this.#look(), one.deadlineMs - now);
        return;
      }
      one.isLate = true;
      one.onLate();
    }
  }
}
