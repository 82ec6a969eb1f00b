import type { Clock } from "../../base/mod.ts";
import type { OperatorMetrics } from "../../metrics/mod.ts";

/** Measures the time to the first reconcile, and until all objects of the first list are reconciled. */
export class Startup {
  readonly #clock: Clock;
  readonly #metrics: OperatorMetrics;
  readonly #startedMs: number;
  /** The keys of the first list that were not reconciled yet. */
  readonly #listed = new Set<string>();
  #phase: "first_reconcile" | "initial_list" | "done" = "first_reconcile";

  constructor(clock: Clock, metrics: OperatorMetrics) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#startedMs = clock.now();
  }

  /** Records an object of the first list. */
  listed(key: string): void {
    if (this.#phase !== "done") this.#listed.add(key);
  }

  /** Records the end of a reconcile. */
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
