import type { Counter, Gauge, Histogram, MetricsProvider } from "../base/mod.ts";

/** Histogram buckets of reconcile times, in seconds, as in controller-runtime. */
// deno-fmt-ignore
const BUCKETS_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** The `result` label of `controller_runtime_reconcile_total`. */
export type ReconcileOutcome = "success" | "requeue" | "requeue_after" | "error";

/** The metrics of a controller. Metrics that controller-runtime has as well have its names. */
export class ReconcileMetrics {
  readonly activeWorkers: Gauge;
  /** Counts how often the controller gave up on a key. */
  readonly givenUp: Counter;
  /** Counts the detected hot loops. */
  readonly hotLoops: Counter;
  readonly #totals: Readonly<Record<ReconcileOutcome, Counter>>;
  readonly #errors: Counter;
  readonly #seconds: Histogram;

  constructor(controller: string, provider: MetricsProvider) {
    const labels = { controller };
    const total = (result: ReconcileOutcome) =>
      provider.counter("controller_runtime_reconcile_total", { controller, result });
    this.activeWorkers = provider.gauge("controller_runtime_active_workers", labels);
    this.givenUp = provider.counter("controller_runtime_terminal_reconcile_errors_total", labels);
    this.hotLoops = provider.counter("controller_hot_loops_total", labels);
    this.#totals = {
      success: total("success"),
      requeue: total("requeue"),
      requeue_after: total("requeue_after"),
      error: total("error"),
    };
    this.#errors = provider.counter("controller_runtime_reconcile_errors_total", labels);
    this.#seconds = provider.histogram(
      "controller_runtime_reconcile_time_seconds",
      labels,
      BUCKETS_SECONDS,
    );
  }

  reconciled(outcome: ReconcileOutcome, durationMs: number): void {
    this.#totals[outcome].inc();
    if (outcome === "error") this.#errors.inc();
    this.#seconds.observe(durationMs / 1000);
  }
}
