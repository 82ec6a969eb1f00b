import type { Gauge, Logger, MetricsProvider } from "../../base/mod.ts";

/**
 * What a manager does: it is created, starts its caches, stands by while another replica leads, leads (as every replica
 * does without leader election), stops, and has stopped.
 */
export type ManagerPhase =
  | "created"
  | "starting"
  | "standing by"
  | "leading"
  | "stopping"
  | "stopped";

const PHASES: readonly ManagerPhase[] = [
  "created",
  "starting",
  "standing by",
  "leading",
  "stopping",
  "stopped",
];

/** The phase of a manager: in its log, in the metric `kubeloop_manager_state`, and in its probes. */
export class ManagerState {
  readonly #name: string;
  readonly #logger: Logger;
  readonly #gauges: ReadonlyMap<ManagerPhase, Gauge>;
  #phase: ManagerPhase = "created";

  /** Creates the state of the manager `name`. */
  constructor(name: string, logger: Logger, metrics: MetricsProvider) {
    this.#name = name;
    this.#logger = logger;
    this.#gauges = new Map(
      PHASES.map((phase) => [phase, metrics.gauge("kubeloop_manager_state", { state: phase })]),
    );
    this.#show();
  }

  /** The phase. */
  get phase(): ManagerPhase {
    return this.#phase;
  }

  /** Whether the caches have synced and the manager is not stopping. */
  get isReady(): boolean {
    return this.#phase === "standing by" || this.#phase === "leading";
  }

  /** Whether everything has stopped, so that the process has nothing left to do. */
  get hasStopped(): boolean {
    return this.#phase === "stopped";
  }

  /**
   * Enters a phase, unless it is the present one, or the manager is stopping and it is an earlier one.
   *
   * @param phase The phase.
   * @param facts What the log says besides the phase, such as what runs. Default: the phase alone.
   */
  enter(phase: ManagerPhase, facts: readonly string[] = []): void {
    const isEarlier = PHASES.indexOf(phase) < PHASES.indexOf("stopping");
    const isStopping = this.#phase === "stopping" || this.hasStopped;
    if (phase === this.#phase || (isStopping && isEarlier)) return;
    this.#phase = phase;
    this.#show();
    this.#logger.info(`${this.#name}: ${[...facts, phase].join(", ")}`);
  }

  #show(): void {
    for (const [phase, gauge] of this.#gauges) gauge.set(phase === this.#phase ? 1 : 0);
  }
}
