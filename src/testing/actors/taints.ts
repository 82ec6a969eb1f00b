import type { Node, Pod } from "@kubeloop/controller/types";

/** Keeps Pods off a node. */
export type Taint = NonNullable<NonNullable<Node["spec"]>["taints"]>[number];

/** Lets a Pod onto a node all the same. */
export interface Toleration {
  key?: string;
  operator?: "Exists" | "Equal";
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

/** On every new node, until its Ready condition is true. */
export const NOT_READY = "node.kubernetes.io/not-ready";
/** On a node that has not been heard of for some time. */
export const UNREACHABLE = "node.kubernetes.io/unreachable";

/** What a Pod tolerates; the API server gives each some tolerations for nodes in trouble. */
export function tolerationsOf({ spec }: Pod): readonly Toleration[] {
  return (spec as { tolerations?: Toleration[] } | undefined)?.tolerations ?? [];
}

/** Whether a Pod may be on a node in spite of the taint. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (!toleration.key) return toleration.operator === "Exists";
  if (toleration.key !== taint.key) return false;
  return toleration.operator === "Exists" || (toleration.value ?? "") === (taint.value ?? "");
}

/** The first taint that keeps new Pods like this one off the node. */
export function repellingTaint(node: Node, pod: Pod): Taint | undefined {
  const tolerations = tolerationsOf(pod);
  return (node.spec?.taints ?? []).find((taint) =>
    (taint.effect === "NoSchedule" || taint.effect === "NoExecute") &&
    !tolerations.some((toleration) => tolerates(toleration, taint))
  );
}
