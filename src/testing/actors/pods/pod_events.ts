import type {
  Cached,
  ContainerStatus,
  DeepReadonly,
  Pod,
  PodStatus,
} from "@kubeloop/controller/types";
import type { ContainerRun } from "./container_run.ts";
import type { PodRun } from "./pod_run.ts";

/** An Event of a kubelet about a container of a Pod. */
export interface PodEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly fieldPath: string;
}

type Status = DeepReadonly<ContainerStatus>;

/** Returns the Events of a kubelet, in their order, when the status of a Pod changes. */
export function podEvents(
  pod: Cached<Pod>,
  run: PodRun,
  after: PodStatus,
): readonly PodEvent[] {
  const before = byName(pod.status ?? {});
  const current = byName(after);
  return run.all.flatMap((container, index) => {
    const now = current.get(container.name);
    if (now === undefined) return [];
    const list = index < run.inits.length ? "initContainers" : "containers";
    const fieldPath = `spec.${list}{${container.name}}`;
    return containerEvents(pod, container, before.get(container.name), now)
      .map(([type, reason, message]) => ({ type, reason, message, fieldPath }));
  });
}

/** Returns the Events about the containers that a kubelet stops because their Pod is deleted. */
export function stopEvents(run: PodRun): readonly PodEvent[] {
  return run.mains.filter(({ state }) => state === "running").map(({ name }) => ({
    type: "Normal",
    reason: "Killing",
    message: `Stopping container ${name}`,
    fieldPath: `spec.containers{${name}}`,
  }));
}

type Line = readonly [type: PodEvent["type"], reason: string, message: string];

function containerEvents(
  { metadata }: Cached<Pod>,
  { lastRun, name }: ContainerRun,
  before: Status | undefined,
  now: Status,
): readonly Line[] {
  const lines: Line[] = [];
  const waiting = now.state?.waiting?.reason ?? "";
  const waited = before?.state?.waiting?.reason ?? "";
  const image = JSON.stringify(now.image);
  if (/ImagePull/.test(waiting) && waiting !== waited) {
    const why = now.state?.waiting?.message ?? waiting;
    lines.push(
      ["Normal", "Pulling", `Pulling image ${image}`],
      ["Warning", "Failed", `Failed to pull image ${image}: ${why}`],
      ["Warning", "Failed", "Error: ErrImagePull"],
      ["Normal", "BackOff", `Back-off pulling image ${image}`],
      ["Warning", "Failed", `Error: ${waiting}`],
    );
  } else if (/^Create.*Error$/.test(waiting) && waiting !== waited) {
    lines.push(["Warning", "Failed", `Error: ${now.state?.waiting?.message ?? waiting}`]);
  }
  const started = startOf(now);
  const isNewRun = started !== undefined && started !== (before && startOf(before));
  if (isNewRun) {
    const pulled =
      `Container image ${image} already present on machine and can be accessed by the pod`;
    lines.push(
      ["Normal", "Pulled", pulled],
      ["Normal", "Created", "Container created"],
      ["Normal", "Started", "Container started"],
    );
  } else if (before?.ready === true && !now.ready && now.state?.running !== undefined) {
    lines.push(["Warning", "Unhealthy", `Readiness probe failed: ${FAILED}`]);
  }
  const hasEnded = now.state?.running === undefined && before?.state?.running !== undefined;
  if (hasEnded && lastRun?.probe !== undefined) {
    const probe = lastRun.probe;
    lines.push(
      ["Warning", "Unhealthy", `${probe} probe failed: ${FAILED}`],
      [
        "Normal",
        "Killing",
        `Container ${name} failed ${probe.toLowerCase()} probe, will be restarted`,
      ],
    );
  }
  if (waiting === "CrashLoopBackOff" && waiting !== waited) {
    const { name: podName, namespace, uid } = metadata;
    const where = `container ${name} in pod ${podName}_${namespace}(${uid})`;
    lines.push(["Warning", "BackOff", `Back-off restarting failed ${where}`]);
  }
  return lines;
}

/** The answer to a probe that fails. */
const FAILED = "HTTP probe failed with statuscode: 503";

/** Returns when the last run of a container has started. */
function startOf({ lastState, state }: Status): string | undefined {
  const terminated = state?.terminated ?? lastState?.terminated;
  return (state?.running?.startedAt ?? terminated?.startedAt) || undefined;
}

function byName(status: DeepReadonly<PodStatus>): Map<string, Status> {
  const { containerStatuses = [], initContainerStatuses = [] } = status as {
    readonly containerStatuses?: readonly Status[];
    readonly initContainerStatuses?: readonly Status[];
  };
  return new Map([...initContainerStatuses, ...containerStatuses].map((one) => [one.name, one]));
}
