import type { Cached, Condition, Pod, PodStatus } from "@kubeloop/controller/types";
import { containerStatus, type StatusContext } from "./container_status.ts";
import type { ContainerRun } from "./container_run.ts";
import type { PodRun } from "./pod_run.ts";

/** The parts of a Pod status that do not depend on the containers. */
export interface PodPlace {
  readonly hostIP: string;
  readonly podIP: string;
  /** The time at which the kubelet accepted the Pod. */
  readonly startTime: string;
  /** Formats a clock time, in milliseconds, as a Kubernetes timestamp. */
  readonly timeOf: (ms: number) => string;
}

type Phase = NonNullable<PodStatus["phase"]>;
type Reason = Partial<Pick<Condition, "reason" | "message">>;

/** Returns the status that the kubelet reports for a Pod whose containers are in the state of `run`. */
export function podStatus(
  pod: Cached<Pod>,
  run: PodRun,
  nowMs: number,
  { hostIP, podIP, startTime, timeOf }: PodPlace,
): PodStatus {
  const phase = phaseOf(run, pod);
  const hasSandbox = run.all.some(({ lastRun, state }) =>
    state === "running" || state === "restarting" || lastRun !== undefined
  );
  const context: StatusContext = {
    pod,
    nowMs,
    timeOf,
    waiting: run.inits.length > 0 ? "PodInitializing" : "ContainerCreating",
  };
  const observed = pod.metadata.generation === undefined
    ? {}
    : { observedGeneration: pod.metadata.generation };
  const condition = (type: string, reason: Reason | undefined, rest: Reason = {}): Condition => ({
    type,
    ...observed,
    status: reason === undefined ? "True" : "False",
    ...reason,
    ...rest,
    lastTransitionTime: timeOf(nowMs),
  });
  const isInitialized = phase === "Succeeded" || run.isInitialized(nowMs);
  const unready = whyUnready(run, phase, nowMs);
  const incomplete = run.inits.filter(({ isSidecar, run: one }) =>
    isSidecar ? one.everStartedMs > nowMs : one.state !== "over" || one.lastRun?.exitCode !== 0
  );
  const conditions = [
    condition("PodReadyToStartContainers", hasSandbox && !run.isOver ? undefined : {}),
    condition(
      "Initialized",
      isInitialized ? undefined : {
        reason: "ContainersNotInitialized",
        message: `containers with incomplete status: ${names(incomplete.map((one) => one.run))}`,
      },
      phase === "Succeeded" ? { reason: "PodCompleted" } : {},
    ),
    condition("Ready", unready ?? closedGate(pod)),
    condition("ContainersReady", unready),
    condition("PodScheduled", undefined),
  ];
  const inits = run.inits.map(({ isSidecar, run: one }, i) => {
    const waiting = i === 0 || run.inits[i - 1]!.run.lastRun ? "PodInitializing" : context.waiting;
    return containerStatus(one, { ...context, waiting, isInit: !isSidecar });
  });
  const status: PodStatus & Record<string, unknown> = {
    ...observed,
    phase,
    ...(run.hasExceededDeadline && {
      reason: "DeadlineExceeded",
      message: "Pod was active on the node longer than the specified deadline",
    }),
    conditions: conditions.map((one) => replacing(one, pod.status?.conditions)),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    startTime,
    ...(inits.length > 0 && { initContainerStatuses: inits }),
    containerStatuses: run.mains.map((one) => containerStatus(one, context)),
  };
  return hasSandbox ? { ...status, podIP, podIPs: [{ ip: podIP }] } as PodStatus : status;
}

/** Returns the phase by the rules of the kubelet: Pending until every container has started once. */
function phaseOf(run: PodRun, { spec }: Cached<Pod>): Phase {
  if (run.hasFailedInit || run.isOver && run.hasExceededDeadline) return "Failed";
  const started = run.mains.filter(({ lastRun, state }) => state === "running" || lastRun);
  if (run.isOver) {
    return run.mains.every(({ lastRun }) => lastRun?.exitCode === 0) ? "Succeeded" : "Failed";
  }
  if (run.mains.some(({ state }) => state === "running" || state === "restarting")) {
    return started.length < run.mains.length ? "Pending" : "Running";
  }
  // Sidecars still stop after the other containers.
  if (started.length === run.mains.length && spec !== undefined) return "Running";
  return "Pending";
}

function whyUnready(run: PodRun, phase: Phase, nowMs: number): Reason | undefined {
  if (phase === "Succeeded") return { reason: "PodCompleted" };
  if (phase === "Failed") return { reason: "PodFailed" };
  const sidecars = run.inits.filter(({ isSidecar }) => isSidecar).map(({ run: one }) => one);
  const unready = [...sidecars, ...run.mains].filter((one) => !one.isReady(nowMs));
  if (unready.length === 0) return undefined;
  return {
    reason: "ContainersNotReady",
    message: `containers with unready status: ${names(unready)}`,
  };
}

/** Returns why a readiness gate keeps a Pod with ready containers from being ready. */
function closedGate({ spec, status }: Cached<Pod>): Reason | undefined {
  const { readinessGates = [] } = (spec ?? {}) as {
    readonly readinessGates?: readonly { readonly conditionType: string }[];
  };
  const messages = readinessGates.flatMap(({ conditionType }) => {
    const found = status?.conditions?.find(({ type }) => type === conditionType);
    if (found?.status === "True") return [];
    return found === undefined
      ? [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`]
      : [
        `the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`,
      ];
  });
  if (messages.length === 0) return undefined;
  return { reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}

/** Lists names as the kubelet does, which prints a slice of Go. */
function names(runs: readonly ContainerRun[]): string {
  return `[${runs.map(({ name }) => name).join(" ")}]`;
}

/**
 * Keeps the `lastTransitionTime` of a condition whose status has not changed. Texts that no longer hold become null, since
 * the status is written as a strategic merge patch.
 */
function replacing(next: Condition, present: readonly Condition[] = []): Condition {
  const before = present.find(({ type }) => type === next.type);
  const removed = (["reason", "message"] as const)
    .filter((field) => before?.[field] !== undefined && next[field] === undefined)
    .map((field) => [field, null] as const);
  const since = before?.status === next.status ? before.lastTransitionTime : undefined;
  return {
    ...next,
    ...Object.fromEntries(removed),
    ...(since !== undefined && { lastTransitionTime: since }),
  };
}
