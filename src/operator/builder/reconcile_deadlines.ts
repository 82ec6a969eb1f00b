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

/** A wait for the end of some of the running reconciles. */
interface Drain {
  /** The keys of the reconciles that have not ended. */
  readonly left: Set<string>;
  readonly resolve: () => void;
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
  readonly #drains = new Set<Drain>();
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
    for (const drain of this.#drains) {
      drain.left.delete(key);
      if (drain.left.size > 0) continue;
      this.#drains.delete(drain);
      drain.resolve();
    }
  }

  /** Resolves when the running reconciles of the keys that match have ended. No reconcile of such a key starts meanwhile. */
  drained(matches: (key: string) => boolean): Promise<void> {
    const left = new Set(this.running.filter(matches));
    if (left.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drains.add({ left, resolve });
    return promise;
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
