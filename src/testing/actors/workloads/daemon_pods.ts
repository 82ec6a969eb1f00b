import type { Cached, DeepReadonly, Node, Pod, PodSpec, Stored } from "@kubeloop/controller/types";
import {
  isBeingDeleted,
  matchesNode,
  podFromTemplate,
  repellingTaint,
  type Toleration,
} from "../control/mod.ts";
import { type DaemonSet, DaemonSets } from "./apps_kinds.ts";

/** The label with the hash of the template of a Pod. */
export const HASH_LABEL = "controller-revision-hash";
const GENERATION_LABEL = "pod-template-generation";
/** The annotation of a DaemonSet with the number of its templates, which the API server counts. */
const GENERATION = "deprecated.daemonset.template.generation";

/** The taints of nodes in trouble, which Pods of DaemonSets tolerate. */
const TOLERATED: readonly (readonly [key: string, effect: string])[] = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
];

/** Returns the Pod of a DaemonSet for a node. The scheduler binds it to that node, since its affinity names it. */
export function daemonPod(set: Cached<DaemonSet>, node: string, hash: string): Pod {
  const pod = podFromTemplate(set.spec?.template ?? {}, set as Stored<DaemonSet>, DaemonSets);
  const spec: PodSpec = pod.spec ?? { containers: [] };
  const terms = [{ matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] }];
  const generation = set.metadata.annotations?.[GENERATION];
  return {
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        ...(generation !== undefined && { [GENERATION_LABEL]: generation }),
        [HASH_LABEL]: hash,
      },
    },
    spec: {
      ...spec,
      tolerations: withTolerations(spec),
      affinity: {
        ...spec.affinity,
        nodeAffinity: {
          ...spec.affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
        },
      },
    },
  };
}

function withTolerations(
  { hostNetwork, tolerations = [] }: Partial<DeepReadonly<PodSpec>>,
): Toleration[] {
  const wanted = hostNetwork ? [...TOLERATED, ["network-unavailable", "NoSchedule"]] : TOLERATED;
  const added = wanted.map(([name, effect = ""]): Toleration => ({
    key: `node.kubernetes.io/${name}`,
    operator: "Exists",
    effect,
  }));
  const isAdded = ({ effect, key }: Toleration) =>
    added.some((one) => one.key === key && one.effect === effect);
  return [...tolerations.filter((one) => !isAdded(one)), ...added];
}

/** Returns the name of the node that a Pod of a DaemonSet is on, or is made for. */
export function nodeOf({ spec }: Cached<Pod>): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const { affinity } = (spec ?? {}) as {
    readonly affinity?: {
      readonly nodeAffinity?: {
        readonly requiredDuringSchedulingIgnoredDuringExecution?: {
          readonly nodeSelectorTerms?: readonly {
            readonly matchFields?: readonly { readonly values?: readonly string[] }[];
          }[];
        };
      };
    };
  };
  const { nodeSelectorTerms: [term] = [] } =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? {};
  return term?.matchFields?.[0]?.values?.[0];
}

/** Reports whether a Pod of the DaemonSet must start on a node, and whether a running Pod may stay there. */
export function placement(
  set: Cached<DaemonSet>,
  node: Cached<Node>,
): { readonly starts: boolean; readonly stays: boolean } {
  const template = set.spec?.template.spec;
  const spec = { ...template, tolerations: withTolerations(template ?? {}) };
  const pod = { ...set, spec } as unknown as Cached<Pod>;
  const { nodeName = node.metadata.name } = template ?? {};
  if (nodeName !== node.metadata.name || !matchesNode(pod, node)) {
    return { starts: false, stays: false };
  }
  if (repellingTaint(node, pod) === undefined) return { starts: true, stays: true };
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
  const evicting = { ...node, spec: { ...node.spec, taints } } as Cached<Node>;
  return { starts: false, stays: repellingTaint(evicting, pod) === undefined };
}

/** Returns the Pods of each node, oldest first, and terminating Pods last. */
export function podsByNode(pods: readonly Cached<Pod>[]): Map<string, Cached<Pod>[]> {
  const byNode = new Map<string, Cached<Pod>[]>();
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node !== undefined) byNode.set(node, [...byNode.get(node) ?? [], pod]);
  }
  const rank = (pod: Cached<Pod>) =>
    `${isBeingDeleted(pod) ? 1 : 0} ${pod.metadata.creationTimestamp} ${pod.metadata.name}`;
  for (const list of byNode.values()) list.sort((a, b) => rank(a) < rank(b) ? -1 : 1);
  return byNode;
}
