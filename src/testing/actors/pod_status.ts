import type {
  Cached,
  Condition,
  ContainerStatus,
  Pod,
  PodStatus,
} from "@kubeloop/controller/types";
import type { PastRun, PodRun } from "./pod_run.ts";

/** The parts of a Pod status that do not depend on the containers. */
export interface PodPlace {
  readonly hostIP: string;
  readonly podIP: string;
  /** The time at which the kubelet accepted the Pod. */
  readonly startTime: string;
  /** Formats a clock time, in milliseconds, as a Kubernetes timestamp. */
  readonly timeOf: (ms: number) => string;
}

/** Returns the status that the kubelet reports for a Pod whose containers are in the state of `run`. */
export function podStatus(
  pod: Cached<Pod>,
  run: PodRun,
  nowMs: number,
  { hostIP, podIP, startTime, timeOf }: PodPlace,
): PodStatus {
  const containers = pod.spec?.containers ?? [];
  const phase = phaseOf(run);
  const hasStarted = run.state !== "creating";
  const isReady = run.isReady(nowMs);
  const unready = isReady ? {} : whyUnready(phase, containers.map(({ name }) => name));
  const condition = (type: string, holds: boolean, rest: Partial<Condition> = {}): Condition => ({
    type,
    status: holds ? "True" : "False",
    ...rest,
    lastTransitionTime: timeOf(nowMs),
  });
  const conditions = [
    condition("PodReadyToStartContainers", hasStarted && run.state !== "over"),
    condition("Initialized", true, phase === "Succeeded" ? { reason: "PodCompleted" } : {}),
    condition("Ready", isReady, unready),
    condition("ContainersReady", isReady, unready),
    condition("PodScheduled", true),
  ];
  const status: PodStatus & { podIPs?: { ip: string }[]; hostIPs?: { ip: string }[] } = {
    phase,
    conditions: conditions.map((one) => keepTransition(one, pod.status?.conditions)),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    startTime,
    containerStatuses: containers.map(({ name, image = "" }): ContainerStatus => ({
      name,
      image,
      ready: isReady,
      restartCount: run.restarts,
      ...containerState(pod, name, run, timeOf),
    })),
  };
  return hasStarted ? { ...status, podIP, podIPs: [{ ip: podIP }] } as PodStatus : status;
}

function phaseOf({ lastRun, state }: PodRun): NonNullable<PodStatus["phase"]> {
  if (state === "creating") return "Pending";
  if (state !== "over") return "Running";
  return lastRun?.exitCode === 0 ? "Succeeded" : "Failed";
}

function whyUnready(phase: string, names: readonly string[]): Partial<Condition> {
  if (phase === "Succeeded") return { reason: "PodCompleted" };
  if (phase === "Failed") return { reason: "PodFailed" };
  return {
    reason: "ContainersNotReady",
    message: `containers with unready status: [${names.join(" ")}]`,
  };
}

/** Keeps the `lastTransitionTime` of a condition whose status has not changed. */
function keepTransition(next: Condition, present: readonly Condition[] = []): Condition {
  const before = present.find(({ type }) => type === next.type);
  if (before?.status !== next.status || before.lastTransitionTime === undefined) return next;
  return { ...next, lastTransitionTime: before.lastTransitionTime };
}

function containerState(
  pod: Cached<Pod>,
  name: string,
  run: PodRun,
  timeOf: (ms: number) => string,
) {
  const { backoffMs, lastRun, restarts, startedAtMs, state } = run;
  const past = lastRun === undefined ? {} : { terminated: terminated(lastRun, timeOf) };
  switch (state) {
    case "creating":
      return { started: false, state: { waiting: { reason: "ContainerCreating" } }, lastState: {} };
    case "running":
      return {
        started: true,
        state: { running: { startedAt: timeOf(startedAtMs) } },
        lastState: restarts > 0 ? past : {},
      };
    case "waiting": {
      if (backoffMs === 0) return { started: false, state: past, lastState: {} };
      const { metadata } = pod;
      const message = `back-off ${
        backoffText(backoffMs)
      } restarting failed container=${name} pod=${metadata.name}_${metadata.namespace}(${run.uid})`;
      return {
        started: false,
        state: { waiting: { reason: "CrashLoopBackOff", message } },
        lastState: past,
      };
    }
    case "over":
      return { started: false, state: lastRun === undefined ? NEVER_RAN : past, lastState: {} };
  }
}

/** The state of a container that was stopped before it had started. */
const NEVER_RAN = {
  terminated: {
    exitCode: 137,
    reason: "ContainerStatusUnknown",
    message: "The container could not be located when the pod was terminated",
    startedAt: null,
    finishedAt: null,
  },
};

function terminated(
  { exitCode, finishedAtMs, startedAtMs }: PastRun,
  timeOf: (ms: number) => string,
) {
  return {
    exitCode,
    reason: exitCode === 0 ? "Completed" : "Error",
    startedAt: timeOf(startedAtMs),
    finishedAt: timeOf(finishedAtMs),
  };
}

function backoffText(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

/** Reports whether `actual` contains every field of `wanted`. List items that have a `type` are matched by it. */
export function covers(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual)) return false;
    if (wanted.some((one) => one?.type !== undefined)) {
      return wanted.every((one) => covers(actual.find(({ type }) => type === one.type), one));
    }
    return actual.length === wanted.length && wanted.every((one, i) => covers(actual[i], one));
  }
  if (typeof wanted !== "object" || wanted === null) {
    return Object.is(actual ?? null, wanted ?? null);
  }
  if (typeof actual !== "object" || actual === null) return false;
  return Object.entries(wanted).every(([key, value]) =>
    covers((actual as Record<string, unknown>)[key], value)
  );
}
