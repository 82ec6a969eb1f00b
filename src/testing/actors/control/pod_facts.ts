import type { Cached, DeepReadonly, KubeObject, Pod } from "@kubeloop/controller/types";

/** Reports whether a Pod has ended: no container of it runs or will run again. */
export function isOver({ status }: Cached<Pod>): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Reports whether a Pod counts as a replica: it has not ended and is not being deleted. */
export function isActive(pod: Cached<Pod>): boolean {
  return !isOver(pod) && !isBeingDeleted(pod);
}

/** Reports whether an object is being deleted. */
export function isBeingDeleted({ metadata }: DeepReadonly<KubeObject>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Reports whether a Pod has the condition Ready. */
export function isReady(pod: Cached<Pod>): boolean {
  return readySinceMs(pod) !== undefined;
}

/** Returns the wall time at which a Pod became ready, in milliseconds; undefined if the Pod is not ready. */
export function readySinceMs({ status }: Cached<Pod>): number | undefined {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status !== "True") return undefined;
  return Date.parse(ready.lastTransitionTime ?? "") || 0;
}

/** Returns the wall time at which a Pod is available: ready for `minReadySeconds`. Infinity if it is not ready. */
export function availableAtMs(pod: Cached<Pod>, minReadySeconds = 0): number {
  const sinceMs = readySinceMs(pod);
  return sinceMs === undefined ? Infinity : sinceMs + 1000 * minReadySeconds;
}

/** Reports whether a Pod has been ready for `minReadySeconds`. */
export function isAvailable(pod: Cached<Pod>, minReadySeconds: number, wallMs: number): boolean {
  return availableAtMs(pod, minReadySeconds) <= wallMs;
}
