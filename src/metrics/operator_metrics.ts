import type { Counter, Gauge, MetricsProvider } from "../base/mod.ts";

/** What would have written, had it changed anything. */
export type SkippedWrite = "apply" | "status" | "finalizer";

/** The most hot loops of one controller that have series of their own. */
const MAX_LOOPS = 5;

/** What {@linkcode OperatorMetrics.hotLoop} is told about a hot loop. */
export interface HotLoopLabels {
  /** The resource whose field changes, as in `deployments.apps`. */
  readonly resource: string;
  /** The path of the field, as in `status.conditions[Ready].lastHeartbeatTime`. */
  readonly field: string;
  /** The field manager that writes it. */
  readonly writer: string;
}

/** The metrics of a controller of the operator toolkit, besides those that every controller has. */
export class OperatorMetrics {
  /** The number of workers: `controller_runtime_max_concurrent_reconciles`. */
  readonly maxConcurrentReconciles: Gauge;
  /** Counts the reconciles that were aborted at their deadline: `controller_runtime_reconcile_timeouts_total`. */
  readonly timeouts: Counter;
  /** Counts how often a key waited for the controller's own writes: `stale_sync_skips_total` of KEP-5647. */
  readonly staleSyncSkips: Counter;
  /** Counts how often such a wait was given up: `kubeloop_stale_read_timeouts_total`. */
  readonly staleReadTimeouts: Counter;
  /** Counts the keys that were slowed down because they cause themselves: `controller_hot_loops_total`. */
  readonly hotLoops: Counter;
  readonly #skipped: Readonly<Record<SkippedWrite, Counter>>;
  readonly #startup: (phase: string) => Gauge;
  readonly #loop: (labels: HotLoopLabels) => Counter;
  readonly #loops = new Set<string>();

  /**
   * Creates the metrics of the controller `controller`.
   *
   * @param controller The name of the controller, which is a label of all these metrics.
   * @param provider Where they are reported.
   */
  constructor(controller: string, provider: MetricsProvider) {
    const labels = { controller };
    const skipped = (write: SkippedWrite) =>
      provider.counter("kubeloop_writes_skipped_total", { controller, write });
    this.maxConcurrentReconciles = provider.gauge(
      "controller_runtime_max_concurrent_reconciles",
      labels,
    );
    this.timeouts = provider.counter("controller_runtime_reconcile_timeouts_total", labels);
    this.staleSyncSkips = provider.counter("stale_sync_skips_total", labels);
    this.staleReadTimeouts = provider.counter("kubeloop_stale_read_timeouts_total", labels);
    this.hotLoops = provider.counter("controller_hot_loops_total", labels);
    this.#skipped = {
      apply: skipped("apply"),
      status: skipped("status"),
      finalizer: skipped("finalizer"),
    };
    this.#startup = (phase) =>
      provider.gauge("kubeloop_controller_startup_seconds", { controller, phase });
    this.#loop = (loop) =>
      provider.counter("kubeloop_hot_loop_fields_total", { controller, ...loop });
  }

  /** Counts a write that was not sent because it would have changed nothing: `kubeloop_writes_skipped_total`. */
  writeSkipped(write: SkippedWrite): void {
    this.#skipped[write].inc();
  }

  /**
   * Reports the start-up latency: `kubeloop_controller_startup_seconds`.
   *
   * @param phase `first_reconcile`: a first reconcile has ended; `initial_list`: all objects of the first list have
   * been reconciled.
   * @param ms The time since the start of the controller, in milliseconds.
   */
  started(phase: "first_reconcile" | "initial_list", ms: number): void {
    this.#startup(phase).set(ms / 1000);
  }

  /**
   * Counts a hot loop by the field that changes and who writes it: `kubeloop_hot_loop_fields_total`. The label has one or
   * two parts of the path, and never a name that the author of an object chooses. The sixth different loop of a controller,
   * and those after it, have the labels `other`.
   */
  hotLoop({ resource, field, writer }: HotLoopLabels): void {
    const loop = { resource, field: shortPath(field), writer };
    const key = JSON.stringify(loop);
    if (!this.#loops.has(key) && this.#loops.size >= MAX_LOOPS) {
      this.#loop({ resource: "other", field: "other", writer: "other" }).inc();
      return;
    }
    this.#loops.add(key);
    this.#loop(loop).inc();
  }
}

/** The fields whose own fields the schema of a kind decides on, and not the author of an object. */
const STRUCTS: readonly string[] = ["metadata", "spec", "status"];

/** Returns the first part of a path, and the second one of a struct, without the keys of lists and maps. */
function shortPath(field: string): string {
  const [first = "", second] = field.split("[", 1)[0]?.split(".", 2) ?? [];
  return second !== undefined && STRUCTS.includes(first) ? `${first}.${second}` : first;
}
