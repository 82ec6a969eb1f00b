import type { GroupVersionKind } from "@kubeloop/controller/client";
import type { Manifest } from "./manifests.ts";

/** The kinds that must exist before all others. */
const FIRST = ["Namespace", "CustomResourceDefinition"];

/** The order of Helm, in which objects come after the objects that they refer to. */
const THEN = [
  "PriorityClass",
  "NetworkPolicy",
  "ResourceQuota",
  "LimitRange",
  "PodDisruptionBudget",
  "ServiceAccount",
  "Secret",
  "ConfigMap",
  "StorageClass",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "ClusterRole",
  "ClusterRoleBinding",
  "Role",
  "RoleBinding",
  "Service",
  "DaemonSet",
  "Pod",
  "ReplicationController",
  "ReplicaSet",
  "Deployment",
  "HorizontalPodAutoscaler",
  "StatefulSet",
  "Job",
  "CronJob",
  "IngressClass",
  "Ingress",
  "APIService",
];

/** The kinds that may reject or change other objects, or need a Service that is applied before. */
const LAST = [
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
];

/** The ranks of known kinds. */
const ORDER: ReadonlyMap<string, number> = new Map([
  ...[...FIRST, ...THEN].map((kind, index) => [kind, index] as const),
  ...LAST.map((kind, index) => [kind, 1000 + index] as const),
]);
const OTHERS = 999;

/** Matches the API versions of built-in kinds: a custom kind may have the same name. */
const GROUPS = /^(v1|(apps|batch|autoscaling|policy|[a-z]+(\.authorization)?\.k8s\.io)\/.*)$/;

/** Returns the rank of a kind. Objects are applied by rank, and objects of the same rank at the same time. */
export function rankOf({ apiVersion, kind }: GroupVersionKind): number {
  return GROUPS.test(apiVersion) ? ORDER.get(kind) ?? OTHERS : OTHERS;
}

/** Returns manifests in the order in which they are applied, with the ones of the same rank together. */
export function byRank(manifests: readonly Manifest[]): Manifest[][] {
  return [...Map.groupBy(manifests, ({ object }) => rankOf(object))]
    .sort(([a], [b]) => a - b).map(([, sameRank]) => sameRank);
}

/** Reports whether an object is a Namespace. */
export function isNamespace({ apiVersion, kind }: GroupVersionKind): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}

/** Reports whether an object is a CustomResourceDefinition. */
export function isDefinition({ apiVersion, kind }: GroupVersionKind): boolean {
  return apiVersion.startsWith("apiextensions.k8s.io/") && kind === "CustomResourceDefinition";
}
