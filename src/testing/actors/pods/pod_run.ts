import type { Random } from "@kubeloop/controller/internal/base";
import type {
  Cached,
  Container,
  ContainerStatus,
  DeepReadonly,
  Pod,
} from "@kubeloop/controller/types";
import { ContainerOutput, type LogSink } from "./container_output.ts";
import { ContainerRun, type RestartPolicy } from "./container_run.ts";
import { type LifeDefaults, lifeOf } from "./pod_life.ts";
import type { Probe } from "./probes.ts";

/** The rules of the life of a Pod. */
export interface PodRunOptions extends LifeDefaults {
  readonly meanTimeToCrashMs: number;
  /** Where the output of the containers goes. */
  readonly logs: LogSink | undefined;
  readonly random: Random;
}

/** The fields of a container that the type {@linkcode Container} does not have. */
type FullContainer = DeepReadonly<Container> & {
  readonly restartPolicy?: string;
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
};

/** An init container: a sidecar keeps running, the others run to their end. */
export interface InitRun {
  readonly run: ContainerRun;
  readonly isSidecar: boolean;
}

/**
 * The state machine of the containers of one Pod: init containers run one after another, sidecars start in their order and
 * stay, and then the other containers run at the same time. All times are clock times, not wall times.
 */
export class PodRun {
  /** The uid of the Pod. */
  readonly uid: string;
  /** The init containers and sidecars, in their order. */
  readonly inits: readonly InitRun[];
  /** The other containers. */
  readonly mains: readonly ContainerRun[];
  readonly #graceMs: number;
  readonly #deadlineMs: number;
  #isStopping = false;
  #hasExceededDeadline = false;

  /** Starts to create the containers at `nowMs`. If the status says Running, the earlier containers count as lost. */
  constructor(pod: Cached<Pod>, nowMs: number, options: PodRunOptions) {
    const { metadata, spec, status } = pod;
    this.uid = metadata.uid;
    const { activeDeadlineSeconds = Infinity, terminationGracePeriodSeconds = 30 } =
      (spec ?? {}) as { activeDeadlineSeconds?: number; terminationGracePeriodSeconds?: number };
    this.#graceMs = 1000 * terminationGracePeriodSeconds;
    this.#deadlineMs = nowMs + 1000 * activeDeadlineSeconds;
    const policy = spec?.restartPolicy ?? "Always";
    const restartsOf = ({ name }: FullContainer) => statuses(pod).get(name)?.restartCount ?? 0;
    const key = `${metadata.namespace}/${metadata.name}`;
    const { logs } = options;
    logs?.admit(key);
    const runOf = (container: FullContainer, restartPolicy: RestartPolicy, runsToEnd: boolean) => {
      const { image = "", name } = container;
      const life = lifeOf(pod, { name, image, runsToEnd }, options);
      return new ContainerRun({
        name,
        image,
        restartPolicy,
        life,
        output: logs &&
          new ContainerOutput(logs, { pod: key, container: name }, life.logs),
        probes: {
          startup: container.startupProbe,
          readiness: container.readinessProbe,
          liveness: container.livenessProbe,
        },
        meanTimeToCrashMs: runsToEnd ? Infinity : options.meanTimeToCrashMs,
        random: options.random,
        restarts: restartsOf(container),
      });
    };
    this.inits = ((spec?.initContainers ?? []) as readonly FullContainer[]).map((container) => {
      const isSidecar = container.restartPolicy === "Always";
      const restartPolicy = isSidecar ? "Always" : policy === "Never" ? "Never" : "OnFailure";
      return { run: runOf(container, restartPolicy, !isSidecar), isSidecar };
    });
    this.mains = ((spec?.containers ?? []) as readonly FullContainer[]).map((container) =>
      runOf(container, policy, false)
    );
    if (status?.phase === "Running") this.#recover(nowMs);
    else this.#beginFirst(nowMs);
  }

  /** Whether {@linkcode PodRun.stop} was called. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** All containers, init containers first. */
  get all(): readonly ContainerRun[] {
    return [...this.inits.map(({ run }) => run), ...this.mains];
  }

  /** Whether no container runs or will run again. */
  get isOver(): boolean {
    if (this.hasFailedInit) return true;
    return this.mains.every(({ state }) => state === "over") &&
      this.inits.every(({ run }) => run.state === "over");
  }

  /** Whether an init container has failed for good. */
  get hasFailedInit(): boolean {
    return this.inits.some(({ isSidecar, run }) =>
      !isSidecar && run.state === "over" && run.lastRun?.exitCode !== 0
    );
  }

  /** Whether the Pod has run for longer than `activeDeadlineSeconds`. */
  get hasExceededDeadline(): boolean {
    return this.#hasExceededDeadline;
  }

  /** Whether all init containers have ended and all sidecars have started. */
  isInitialized(nowMs: number): boolean {
    return this.inits.every((one) => initializedMs(one) <= nowMs);
  }

  /** Tells the containers to stop within `graceMs`. */
  stop(nowMs: number, graceMs: number): void {
    this.#isStopping = true;
    for (const run of this.mains) run.stop(nowMs, graceMs);
    for (const { run } of this.inits) run.stop(nowMs, graceMs);
  }

  /** Crashes the running containers at once, or the one of that name; returns whether there was one. */
  crash(nowMs: number, exitCode: number, container?: string): boolean {
    const crashed = this.all.filter(({ name }, i) =>
      container === undefined ? i >= this.inits.length : name === container
    ).map((run) => run.crash(nowMs, exitCode));
    return crashed.includes(true);
  }

  /** Restarts the containers after their node was down. */
  reboot(nowMs: number): void {
    for (const run of this.all) run.reboot(nowMs);
  }

  /** Performs all transitions that are due; returns the time of the next one, undefined if none is scheduled. */
  advance(nowMs: number): number | undefined {
    if (this.#deadlineMs <= nowMs && !this.isOver && !this.#isStopping) {
      this.#hasExceededDeadline = true;
      this.stop(this.#deadlineMs, this.#graceMs);
    }
    let nextMs = this.#isStopping ? Infinity : this.#deadlineMs;
    let beginMs: number | undefined;
    for (const one of this.inits) {
      if (beginMs !== undefined) one.run.begin(beginMs);
      nextMs = Math.min(nextMs, one.run.advance(nowMs));
      const doneMs = initializedMs(one);
      if (doneMs > nowMs) {
        beginMs = Infinity;
        if (!this.#isStopping) break;
      } else if (beginMs !== Infinity) beginMs = Math.max(beginMs ?? 0, doneMs);
    }
    for (const run of this.mains) {
      if (beginMs !== undefined) run.begin(beginMs);
      nextMs = Math.min(nextMs, run.advance(nowMs));
    }
    if (this.hasFailedInit) this.#endRest(nowMs);
    nextMs = Math.min(nextMs, this.#stopSidecars(nowMs));
    if (this.isOver || nextMs === Infinity) return undefined;
    return nextMs;
  }

  #beginFirst(nowMs: number): void {
    const first = this.inits[0]?.run;
    if (first !== undefined) first.begin(nowMs);
    else for (const run of this.mains) run.begin(nowMs);
  }

  /** The init containers of a Pod that was running do not run again. */
  #recover(nowMs: number): void {
    for (const { isSidecar, run } of this.inits) {
      if (isSidecar) run.lose(nowMs);
      else run.skip(nowMs);
    }
    for (const run of this.mains) run.lose(nowMs);
  }

  /** Sidecars stop once the other containers have ended. */
  #stopSidecars(nowMs: number): number {
    if (!this.mains.every(({ state }) => state === "over")) return Infinity;
    const overMs = Math.max(0, ...this.mains.map(({ overAtMs }) => overAtMs));
    let nextMs = Infinity;
    for (const { run } of this.inits.filter(({ isSidecar }) => isSidecar)) {
      run.stop(overMs, this.#graceMs);
      nextMs = Math.min(nextMs, run.advance(nowMs));
    }
    return nextMs;
  }

  /** Without its init containers, nothing else of the Pod runs. */
  #endRest(nowMs: number): void {
    for (const run of this.all) {
      run.stop(nowMs, this.#graceMs);
      run.advance(nowMs);
    }
  }
}

/** Returns when the next container may start after this one; Infinity if it may not yet. */
function initializedMs({ isSidecar, run }: InitRun): number {
  if (isSidecar) return run.everStartedMs;
  return run.state === "over" && run.lastRun?.exitCode === 0 ? run.overAtMs : Infinity;
}

function statuses({ status }: Cached<Pod>): Map<string, Pick<ContainerStatus, "restartCount">> {
  const { containerStatuses = [], initContainerStatuses = [] } = (status ?? {}) as {
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
  return new Map([...initContainerStatuses, ...containerStatuses].map((one) => [one.name, one]));
}
