import type { Clock } from "../../base/mod.ts";
import type { OperatorMetrics } from "../../metrics/mod.ts";

/** Measures how long a controller takes to its first reconcile, and until it has reconciled the objects of the first list. */
export class Startup {
  readonly #clock: Clock;
  readonly #metrics: OperatorMetrics;
  readonly #startedMs: number;
  /** The keys of the first list that have not been reconciled. */
  readonly #listed = new Set<string>();
  #phase: "first_reconcile" | "initial_list" | "done" = "first_reconcile";

  /** Begins the measurement. */
  constructor(clock: Clock, metrics: OperatorMetrics) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#startedMs = clock.now();
  }

  /** Notes an object of the first list. */
  listed(key: string): void {
    this.#listed.add(key);
  }

  /** Notes that a reconcile has ended. */
  reconciled(key: string): void {
    if (this.#phase === "done") return;
    const ms = this.#clock.now() - this.#startedMs;
    if (this.#phase === "first_reconcile") {
      this.#metrics.started("first_reconcile", ms);
      this.#phase = "initial_list";
    }
    this.#listed.delete(key);
    if (this.#phase !== "initial_list" || this.#listed.size > 0) return;
    this.#metrics.started("initial_list", ms);
    this.#phase = "done";
  }
}
