import type { Cached, Node, Pod } from "@kubeloop/controller/types";
import { repellingTaint } from "./taints.ts";

/** Returns the reason why a Pod cannot run on a node, in kube-scheduler's words; undefined if the Pod fits. */
export function whyNot(
  node: Cached<Node>,
  pod: Cached<Pod>,
  podsOnNode: number,
): string | undefined {
  const { metadata, spec, status } = node;
  if (spec?.unschedulable === true) return "node(s) were unschedulable";
  const taint = repellingTaint(node, pod);
  if (taint !== undefined) return `node(s) had untolerated taint(s)`;
  const labels = metadata.labels ?? {};
  const selector = Object.entries(pod.spec?.nodeSelector ?? {});
  if (selector.some(([key, value]) => labels[key] !== value)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  const room = Number(status?.allocatable?.pods ?? Infinity);
  return podsOnNode >= room ? "Too many pods" : undefined;
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
