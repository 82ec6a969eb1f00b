import type { Cached, Node, Pod } from "@kubeloop/controller/types";
import { matchesNode } from "./node_affinity.ts";
import { repellingTaint, tolerates, tolerationsOf } from "./taints.ts";

/** Returns the reason why a Pod cannot run on a node, in kube-scheduler's words; undefined if the Pod fits. */
export function whyNot(
  node: Cached<Node>,
  pod: Cached<Pod>,
  podsOnNode: number,
): string | undefined {
  const { spec, status } = node;
  if (spec?.unschedulable === true && !toleratesCordon(pod)) return "node(s) were unschedulable";
  const taint = repellingTaint(node, pod);
  if (taint !== undefined) return `node(s) had untolerated taint(s)`;
  if (!matchesNode(pod, node)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  const room = Number(status?.allocatable?.pods ?? Infinity);
  return podsOnNode >= room ? "Too many pods" : undefined;
}

/** Pods of DaemonSets run on nodes that take no other Pods. */
function toleratesCordon(pod: Cached<Pod>): boolean {
  const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  return tolerationsOf(pod).some((toleration) => tolerates(toleration, cordon));
}

/** Returns the message of the PodScheduled condition of a Pod that fits no node. */
export function unschedulableMessage(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const listed = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  const available = `0/${reasons.length} nodes are available`;
  return reasons.length === 0
    ? "no nodes available to schedule pods"
    : `${available}: ${listed.join(", ")}.`;
}
