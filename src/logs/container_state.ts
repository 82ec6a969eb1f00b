import { isRecord } from "../base/mod.ts";
import type { Cached, Pod } from "../types/mod.ts";

/** The state of a container, as the status of its Pod reports it. */
export interface ContainerState {
  /** Whether an instance of the container has run, so that there may be a log. */
  readonly hasRun: boolean;
  /** Whether the container runs, as far as is known. */
  readonly isRunning: boolean;
  /** Whether the container has ended and will not be started again. */
  readonly isOver: boolean;
  /** Changes when the container may have a new log. */
  readonly mark: string;
}

/** The parts of a Pod that are read. A server may send anything, so each is checked. */
type Fields = Readonly<Record<string, unknown>>;

/** Returns the names of all containers of a Pod, in the order in which they start. */
export function containersOf(pod: Cached<Pod>): string[] {
  const spec = fieldsOf(pod.spec);
  const lists = [spec.initContainers, spec.containers, spec.ephemeralContainers];
  const names = lists.flatMap(records).map(({ name }) => name);
  return [...new Set(names.filter((name) => typeof name === "string" && name !== ""))] as string[];
}

/** Returns the state of a container. */
export function stateOf(pod: Cached<Pod>, container: string): ContainerState {
  const spec = fieldsOf(pod.spec);
  const status = fieldsOf(pod.status);
  const lists = [
    status.initContainerStatuses,
    status.containerStatuses,
    status.ephemeralContainerStatuses,
  ];
  const found = fieldsOf(named(lists.flatMap(records), container));
  const { phase } = status;
  const { running, terminated } = fieldsOf(found.state);
  const restartCount = typeof found.restartCount === "number" ? found.restartCount : 0;
  const init = named(records(spec.initContainers), container);
  const isEphemeral = named(records(spec.ephemeralContainers), container) !== undefined;
  const policy = spec.restartPolicy ?? "Always";
  const isSidecar = init?.restartPolicy === "Always";
  const isLast = Boolean(terminated) && !isSidecar &&
    (isEphemeral || policy === "Never" ||
      (fieldsOf(terminated).exitCode === 0 && (init !== undefined || policy === "OnFailure")));
  const kind = running ? "running" : terminated ? "terminated" : "waiting";
  const marks = [kind, restartCount, found.containerID ?? "", fieldsOf(running).startedAt ?? ""];
  return {
    hasRun: kind !== "waiting" || restartCount > 0 ||
      Boolean(fieldsOf(found.lastState).terminated),
    isRunning: kind === "running",
    isOver: isLast || phase === "Succeeded" || phase === "Failed",
    mark: JSON.stringify(marks),
  };
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function records(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function named(list: readonly Fields[], wanted: string): Fields | undefined {
  return list.find(({ name }) => name === wanted);
}
