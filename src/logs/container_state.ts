import type { Cached, Pod } from "../types/mod.ts";

/** What the status of a Pod says about one of its containers. */
export interface ContainerState {
  /** Whether an instance of the container has run, so that there may be a log. */
  readonly hasRun: boolean;
  /** Whether the container runs, as far as is known. */
  readonly isRunning: boolean;
  /** Whether the container has ended and will not be started again. */
  readonly isOver: boolean;
  /** Differs between two states of the container of which one may have a log that the other has not. */
  readonly mark: string;
}

/** The parts of a status that a kubelet fills in. */
interface Status {
  readonly name: string;
  readonly restartCount?: number;
  readonly containerID?: string;
  readonly state?: {
    readonly running?: { readonly startedAt?: string } | undefined;
    readonly terminated?: { readonly exitCode?: number } | undefined;
  };
  readonly lastState?: { readonly terminated?: unknown };
}

/** The parts of a Pod that say which containers it has. */
interface Parts {
  readonly spec?: {
    readonly restartPolicy?: string;
    readonly initContainers?: readonly { readonly name: string; readonly restartPolicy?: string }[];
    readonly containers?: readonly { readonly name: string }[];
    readonly ephemeralContainers?: readonly { readonly name: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly initContainerStatuses?: readonly Status[];
    readonly containerStatuses?: readonly Status[];
    readonly ephemeralContainerStatuses?: readonly Status[];
  };
}

/** Returns the names of all containers of a Pod, in the order in which they start. */
export function containersOf(pod: Cached<Pod>): string[] {
  const { spec } = pod as Parts;
  const lists = [spec?.initContainers, spec?.containers, spec?.ephemeralContainers];
  return lists.flatMap((list) => list ?? []).map(({ name }) => name);
}

/** Returns the state of a container. */
export function stateOf(pod: Cached<Pod>, container: string): ContainerState {
  const { spec, status } = pod as Parts;
  const lists = [
    status?.initContainerStatuses,
    status?.containerStatuses,
    status?.ephemeralContainerStatuses,
  ];
  const found = lists.flatMap((list) => list ?? []).find(({ name }) => name === container);
  const phase = status?.phase;
  const { running, terminated } = found?.state ?? {};
  const restartCount = found?.restartCount ?? 0;
  const init = spec?.initContainers?.find(({ name }) => name === container);
  const isEphemeral = spec?.ephemeralContainers?.some(({ name }) => name === container) ?? false;
  const policy = spec?.restartPolicy ?? "Always";
  const isSidecar = init?.restartPolicy === "Always";
  const isLast = Boolean(terminated) && !isSidecar &&
    (isEphemeral || policy === "Never" ||
      (terminated?.exitCode === 0 && (init !== undefined || policy === "OnFailure")));
  const kind = running ? "running" : terminated ? "terminated" : "waiting";
  return {
    hasRun: kind !== "waiting" || restartCount > 0 || Boolean(found?.lastState?.terminated),
    isRunning: kind === "running",
    isOver: isLast || phase === "Succeeded" || phase === "Failed",
    mark: `${kind} ${restartCount} ${found?.containerID ?? ""} ${running?.startedAt ?? ""}`,
  };
}
