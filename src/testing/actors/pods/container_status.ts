import type { Cached, ContainerStatus, Pod } from "@kubeloop/controller/types";
import type { ContainerRun, PastRun } from "./container_run.ts";

/** The facts, besides its state, that the status of a container depends on. */
export interface StatusContext {
  readonly pod: Cached<Pod>;
  readonly nowMs: number;
  /** Formats a clock time, in milliseconds, as a Kubernetes timestamp. */
  readonly timeOf: (ms: number) => string;
  /** The reason of a container that waits for others, or to be created. */
  readonly waiting: string;
  /** Whether the container is an init container that runs to its end. Default false. */
  readonly isInit?: boolean;
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

/** Returns the status of one container. */
export function containerStatus(
  run: ContainerRun,
  context: StatusContext,
): ContainerStatus & { readonly started: boolean } {
  const { isInit = false, nowMs } = context;
  const hasSucceeded = run.state === "over" && run.lastRun?.exitCode === 0;
  return {
    name: run.name,
    image: run.image,
    ready: isInit ? hasSucceeded : run.isReady(nowMs),
    restartCount: run.restarts,
    started: run.startupMs <= nowMs,
    ...stateOf(run, context),
  };
}

function stateOf(run: ContainerRun, { pod, timeOf, waiting }: StatusContext) {
  const { backoffMs, lastRun, restarts, startedAtMs, state, stuck } = run;
  const past = lastRun === undefined ? {} : { terminated: terminated(lastRun, timeOf) };
  switch (state) {
    case "waiting": {
      const { message, reason = waiting } = stuck ?? {};
      return {
        state: { waiting: { reason, ...(message !== undefined && { message }) } },
        lastState: {},
      };
    }
    case "running":
      return {
        state: { running: { startedAt: timeOf(startedAtMs) } },
        lastState: restarts > 0 ? past : {},
      };
    case "restarting": {
      if (backoffMs === 0) return { state: past, lastState: {} };
      const { name, namespace, uid } = pod.metadata;
      const message = `back-off ${
        backoffText(backoffMs)
      } restarting failed container=${run.name} pod=${name}_${namespace}(${uid})`;
      return { state: { waiting: { reason: "CrashLoopBackOff", message } }, lastState: past };
    }
    case "over":
      return { state: lastRun === undefined ? NEVER_RAN : past, lastState: {} };
  }
}

function terminated(
  { exitCode, finishedAtMs, reason, startedAtMs }: PastRun,
  timeOf: (ms: number) => string,
) {
  return { exitCode, reason, startedAt: timeOf(startedAtMs), finishedAt: timeOf(finishedAtMs) };
}

function backoffText(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
