import type { Clock, Timer } from "../../base/mod.ts";

/** Callbacks for a reconcile that does not end. */
export interface DeadlineHandler {
  /** Called at the deadline. */
  late(): void;
  /** Called in the next turn if the reconcile has not ended: it ignores its signal, or ends slowly. */
  hung(): void;
}

/** A running reconcile. */
interface Running {
  readonly deadlineMs: number;
  readonly handler: DeadlineHandler;
  state: "in time" | "late" | "hung";
}

/**
 * The deadlines of the running reconciles of a controller. All have the same time limit, so one timer for the oldest
 * reconcile suffices.
 */
export class ReconcileDeadlines {
  readonly #clock: Clock;
  readonly #limitMs: number;
  /** By key, in the order of their deadlines. */
  readonly #running = new Map<string, Running>();
  #timer: Timer | undefined;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** Records the start of a reconcile. */
  started(key: string, startedMs: number, handler: DeadlineHandler): void {
    this.#running.set(key, { deadlineMs: startedMs + this.#limitMs, handler, state: "in time" });
    this.#timer ??= this.#clock.setTimer(() => this.#look(), this.#limitMs);
  }

  /** Records the end of a reconcile. */
  ended(key: string): void {
    this.#running.delete(key);
  }

  /** The keys of running reconciles, the oldest first. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** The keys of running reconciles that are past their deadline. */
  get late(): readonly string[] {
    return [...this.#running].filter(([, { state }]) => state !== "in time").map(([key]) => key);
  }

  /** Ends the timer. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #look(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    let nextMs = Infinity;
    for (const one of this.#running.values()) {
      if (one.state === "hung") continue;
      if (one.state === "late") {
        one.state = "hung";
        one.handler.hung();
      } else if (one.deadlineMs <= now) {
        one.state = "late";
        one.handler.late();
        nextMs = now;
      } else {
        nextMs = Math.min(nextMs, one.deadlineMs);
        // The deadlines of the others are later.
        break;
      }
    }
    if (nextMs === Infinity) return;
    this.#timer = this.#clock.setTimer(() => this.#look(), nextMs - now);
  }
}
