import type { Cached, Node, Pod } from "@kubeloop/controller/types";

/** A taint of a node, which repels Pods that do not tolerate it. */
export type Taint = NonNullable<NonNullable<Node["spec"]>["taints"]>[number];

/** A toleration of a Pod, which lets the Pod run on a node with a matching taint. */
export type Toleration = NonNullable<NonNullable<Pod["spec"]>["tolerations"]>[number];

/** The key of the taint that every new node carries until its Ready condition is true. */
export const NOT_READY = "node.kubernetes.io/not-ready";
/** The key of the taint of a node whose Lease has not been renewed in time. */
export const UNREACHABLE = "node.kubernetes.io/unreachable";

/** Returns the tolerations of a Pod. The API server adds tolerations for nodes that are not ready or not reachable. */
export function tolerationsOf({ spec }: Cached<Pod>): readonly Readonly<Toleration>[] {
  return spec?.tolerations ?? [];
}

/** Reports whether the toleration matches the taint. */
export function tolerates(toleration: Readonly<Toleration>, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (!toleration.key) return toleration.operator === "Exists";
  if (toleration.key !== taint.key) return false;
  return toleration.operator === "Exists" || (toleration.value ?? "") === (taint.value ?? "");
}

/** Returns the first `NoSchedule` or `NoExecute` taint of the node that the Pod does not tolerate. */
export function repellingTaint(node: Cached<Node>, pod: Cached<Pod>): Taint | undefined {
  const tolerations = tolerationsOf(pod);
  return (node.spec?.taints ?? []).find((taint) =>
    (taint.effect === "NoSchedule" || taint.effect === "NoExecute") &&
    !tolerations.some((toleration) => tolerates(toleration, taint))
  );
}
