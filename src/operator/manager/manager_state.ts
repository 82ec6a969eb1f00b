import type { Gauge, Logger, MetricsProvider } from "../../base/mod.ts";

/**
 * The phase of a manager. `starting`: its caches sync. `standing by`: another replica leads. `leading`: its controllers run;
 * without leader election, on every replica.
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

/** The phase of a manager, for its log, the metric `kubeloop_manager_state`, and its probes. */
export class ManagerState {
  readonly #name: string;
  readonly #logger: Logger;
  readonly #gauges: ReadonlyMap<ManagerPhase, Gauge>;
  readonly #onEnter: ((phase: ManagerPhase) => void) | undefined;
  #phase: ManagerPhase = "created";

  constructor(
    name: string,
    logger: Logger,
    metrics: MetricsProvider,
    onEnter?: (phase: ManagerPhase) => void,
  ) {
    this.#name = name;
    this.#onEnter = onEnter;
    this.#logger = logger;
    this.#gauges = new Map(
      PHASES.map((phase) => [phase, metrics.gauge("kubeloop_manager_state", { state: phase })]),
    );
    this.#show();
  }

  get phase(): ManagerPhase {
    return this.#phase;
  }

  /** Whether the caches have synced and the manager is not stopping. */
  get isReady(): boolean {
    return this.#phase === "standing by" || this.#phase === "leading";
  }

  /** Whether all parts have stopped. */
  get hasStopped(): boolean {
    return this.#phase === "stopped";
  }

  /**
   * Enters a phase, unless it is the current one, or an earlier one of a stopping manager.
   *
   * @param phase The phase.
   * @param facts Facts to log before the phase, such as the number of controllers.
   */
  enter(phase: ManagerPhase, facts: readonly string[] = []): void {
    const isEarlier = PHASES.indexOf(phase) < PHASES.indexOf("stopping");
    const isStopping = this.#phase === "stopping" || this.hasStopped;
    if (phase === this.#phase || (isStopping && isEarlier)) return;
    this.#phase = phase;
    this.#show();
    this.#logger.info(`${this.#name}: ${[...facts, phase].join(", ")}`);
    this.#onEnter?.(phase);
  }

  #show(): void {
    for (const [phase, gauge] of this.#gauges) gauge.set(phase === this.#phase ? 1 : 0);
  }
}
