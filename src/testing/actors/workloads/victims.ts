import type { Cached, Pod } from "@kubeloop/controller/types";
import { readySinceMs } from "../control/mod.ts";

const PHASES = ["Pending", "Unknown", "Running"];
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

/**
 * Sorts the Pods of a ReplicaSet for deletion, as kube-controller-manager does: first Pods without a node, then Pods that do
 * not run, are not ready, cost less by their annotation, share their node with more ready Pods of the set, are ready for a
 * shorter time, have restarted more often, and are younger.
 */
export function leastMissedFirst(pods: readonly Cached<Pod>[]): Cached<Pod>[] {
  const readyOn = new Map<string, number>();
  for (const pod of pods) {
    const node = pod.spec?.nodeName;
    if (node && readySinceMs(pod) !== undefined) readyOn.set(node, (readyOn.get(node) ?? 0) + 1);
  }
  const ranks = new Map(pods.map((pod) => [pod, rank(pod, readyOn)]));
  return [...pods].sort((a, b) => compare(ranks.get(a)!, ranks.get(b)!));
}

/** The numbers by which Pods are compared, the first one first. A smaller number is deleted earlier. */
function rank(pod: Cached<Pod>, readyOn: ReadonlyMap<string, number>): number[] {
  const { metadata, spec, status } = pod;
  const sinceMs = readySinceMs(pod);
  const restarts = (status?.containerStatuses ?? []).map(({ restartCount }) => restartCount);
  return [
    spec?.nodeName ? 1 : 0,
    PHASES.indexOf(status?.phase ?? ""),
    sinceMs === undefined ? 0 : 1,
    Number.parseInt(metadata.annotations?.[DELETION_COST] ?? "", 10) || 0,
    -(readyOn.get(spec?.nodeName ?? "") ?? 0),
    -(sinceMs ?? 0),
    -Math.max(0, ...restarts),
    -(Date.parse(metadata.creationTimestamp ?? "") || 0),
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, i) => value !== b[i]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
