import type { GroupVersionKind } from "@kubeloop/controller/client";

/** What must exist before everything else. */
const FIRST = ["Namespace", "CustomResourceDefinition"];

/** The order of Helm, in which objects find what they refer to. */
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

/** What would refuse or change the others, or needs a service that is one of the others. */
const LAST = [
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
];

/** Known kinds, then all others, such as custom resources, and what must come last. */
const ORDER: ReadonlyMap<string, number> = new Map([
  ...[...FIRST, ...THEN].map((kind, index) => [kind, index] as const),
  ...LAST.map((kind, index) => [kind, 1000 + index] as const),
]);
const OTHERS = 999;

/** The groups whose kinds have an order: a custom kind may be called like one of them. */
const GROUPS = /^(v1|(apps|batch|autoscaling|policy|[a-z]+(\.authorization)?\.k8s\.io)\/.*)$/;

/** Returns the place of a kind in the order in which objects are applied. Kinds with the same number may go together. */
export function rankOf({ apiVersion, kind }: GroupVersionKind): number {
  return GROUPS.test(apiVersion) ? ORDER.get(kind) ?? OTHERS : OTHERS;
}

/** Reports whether an object is a Namespace. */
export function isNamespace({ apiVersion, kind }: GroupVersionKind): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}

/** Reports whether an object is a CustomResourceDefinition. */
export function isDefinition({ apiVersion, kind }: GroupVersionKind): boolean {
  return apiVersion.startsWith("apiextensions.k8s.io/") && kind === "CustomResourceDefinition";
}
