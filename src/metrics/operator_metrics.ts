import type { Counter, Gauge, MetricsProvider } from "../base/mod.ts";

/** The kind of a write that was skipped because it would have changed nothing. */
export type SkippedWrite = "apply" | "status" | "finalizer";

/** Maximum number of hot loops per controller with separate series. */
const MAX_LOOPS = 5;

/** The labels of {@linkcode OperatorMetrics.hotLoop}. */
export interface HotLoopLabels {
  /** The resource of the changing field, such as `deployments.apps`. */
  readonly resource: string;
  /** The path of the field, such as `status.conditions[Ready].lastHeartbeatTime`. */
  readonly field: string;
  /** The field manager that writes it. */
  readonly writer: string;
}

/** The metrics of a managed controller, besides the metrics of every controller. */
export class OperatorMetrics {
  /** The number of workers: `controller_runtime_max_concurrent_reconciles`. */
  readonly maxConcurrentReconciles: Gauge;
  /** Counts the reconciles that were aborted at their deadline: `controller_runtime_reconcile_timeouts_total`. */
  readonly timeouts: Counter;
  /** Counts the waits of keys for the controller's own writes: `stale_sync_skips_total` of KEP-5647. */
  readonly staleSyncSkips: Counter;
  /** Counts the waits that timed out: `kubeloop_stale_read_timeouts_total`. */
  readonly staleReadTimeouts: Counter;
  /** Counts the keys that were slowed down because of a hot loop: `controller_hot_loops_total`. */
  readonly hotLoops: Counter;
  /** The number of paused objects: `kubeloop_paused_objects`. */
  readonly pausedObjects: Gauge;
  /** Counts the reconciles that a newer generation has ended: `kubeloop_superseded_reconciles_total`. */
  readonly superseded: Counter;
  readonly #skipped: Readonly<Record<SkippedWrite, Counter>>;
  readonly #startup: (phase: string) => Gauge;
  readonly #references: (resource: string) => Readonly<Record<"watches" | "waiting", Gauge>>;
  readonly #loop: (labels: HotLoopLabels) => Counter;
  readonly #loops = new Set<string>();

  /**
   * Creates the metrics of the controller `controller`.
   *
   * @param controller The name of the controller, a label of all these metrics.
   * @param provider The provider.
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
    this.pausedObjects = provider.gauge("kubeloop_paused_objects", labels);
    this.superseded = provider.counter("kubeloop_superseded_reconciles_total", labels);
    this.#skipped = {
      apply: skipped("apply"),
      status: skipped("status"),
      finalizer: skipped("finalizer"),
    };
    this.#startup = (phase) =>
      provider.gauge("kubeloop_controller_startup_seconds", { controller, phase });
    this.#references = (resource) => ({
      watches: provider.gauge("kubeloop_reference_watches", { controller, resource }),
      waiting: provider.gauge("kubeloop_reference_waiting_keys", { controller, resource }),
    });
    this.#loop = (loop) =>
      provider.counter("kubeloop_hot_loop_fields_total", { controller, ...loop });
  }

  /** Counts a write that was not sent because it would have changed nothing: `kubeloop_writes_skipped_total`. */
  writeSkipped(write: SkippedWrite): void {
    this.#skipped[write].inc();
  }

  /**
   * Returns the numbers of watches of referenced objects and of keys that wait for them: `kubeloop_reference_watches` and
   * `kubeloop_reference_waiting_keys`.
   *
   * @param resource The referenced kind, such as `secrets`.
   */
  references(resource: string): Readonly<Record<"watches" | "waiting", Gauge>> {
    return this.#references(resource);
  }

  /**
   * Reports the start-up latency: `kubeloop_controller_startup_seconds`.
   *
   * @param phase `first_reconcile`: the first reconcile has ended; `initial_list`: all objects of the first list were
   * reconciled.
   * @param ms The time since the start of the controller, in milliseconds.
   */
  started(phase: "first_reconcile" | "initial_list", ms: number): void {
    this.#startup(phase).set(ms / 1000);
  }

  /**
   * Counts a hot loop by the changing field and its writer: `kubeloop_hot_loop_fields_total`. The label has one or two parts
   * of the path, and never a name from an object. From the sixth loop of a controller on, the labels are `other`.
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

/** Fields whose own fields are determined by the schema of a kind. */
const STRUCTS: readonly string[] = ["metadata", "spec", "status"];

/** Returns the first part of a path, and the second part of a struct, without keys of lists and maps. */
function shortPath(field: string): string {
  const [first = "", second] = field.split("[", 1)[0]?.split(".", 2) ?? [];
  return second !== undefined && STRUCTS.includes(first) ? `${first}.${second}` : first;
}
