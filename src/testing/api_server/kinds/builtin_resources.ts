import type { ResourceDefinition, SubresourceDefinition } from "./resource_info.ts";

const READ_WRITE: readonly string[] = ["get", "patch", "update"];
const STATUS: SubresourceDefinition = { name: "status", verbs: READ_WRITE };
const SCALE: SubresourceDefinition = {
  name: "scale",
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
  verbs: READ_WRITE,
};

/** Returns the definition of a built-in resource. Derives the singular name and the list kind from `kind`. */
function builtin(
  groupVersion: string,
  plural: string,
  kind: string,
  rest: Partial<ResourceDefinition> = {},
): ResourceDefinition {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  return {
    group,
    version,
    plural,
    kind,
    namespaced: true,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    ...rest,
  };
}

/** The built-in resources, which need no CustomResourceDefinition, in the order of discovery. */
export const BUILTIN_RESOURCES: readonly ResourceDefinition[] = [
  builtin("v1", "configmaps", "ConfigMap", {
    shortNames: ["cm"],
  }),
  builtin("v1", "events", "Event", {
    shortNames: ["ev"],
    uncached: true,
  }),
  builtin("v1", "namespaces", "Namespace", {
    namespaced: false,
    shortNames: ["ns"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    subresources: [{ name: "finalize", verbs: ["update"] }, STATUS],
  }),
  builtin("v1", "nodes", "Node", {
    namespaced: false,
    shortNames: ["no"],
    subresources: [STATUS],
  }),
  builtin("v1", "pods", "Pod", {
    shortNames: ["po"],
    categories: ["all"],
    subresources: [
      { name: "binding", kind: "Binding", verbs: ["create"] },
      { name: "eviction", group: "policy", version: "v1", kind: "Eviction", verbs: ["create"] },
      { name: "log", verbs: ["get"] },
      STATUS,
    ],
  }),
  builtin("v1", "secrets", "Secret"),
  builtin("v1", "serviceaccounts", "ServiceAccount", {
    shortNames: ["sa"],
  }),
  builtin("v1", "services", "Service", {
    shortNames: ["svc"],
    categories: ["all"],
    subresources: [STATUS],
  }),
  builtin("apps/v1", "deployments", "Deployment", {
    shortNames: ["deploy"],
    categories: ["all"],
    subresources: [SCALE, STATUS],
  }),
  builtin("apps/v1", "replicasets", "ReplicaSet", {
    shortNames: ["rs"],
    categories: ["all"],
    subresources: [SCALE, STATUS],
  }),
  builtin("events.k8s.io/v1", "events", "Event", {
    shortNames: ["ev"],
    uncached: true,
  }),
  builtin("authentication.k8s.io/v1", "selfsubjectreviews", "SelfSubjectReview", {
    namespaced: false,
    verbs: ["create"],
  }),
  builtin("authorization.k8s.io/v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview", {
    namespaced: false,
    verbs: ["create"],
  }),
  builtin("authorization.k8s.io/v1", "selfsubjectrulesreviews", "SelfSubjectRulesReview", {
    namespaced: false,
    verbs: ["create"],
  }),
  builtin("authorization.k8s.io/v1", "subjectaccessreviews", "SubjectAccessReview", {
    namespaced: false,
    verbs: ["create"],
  }),
  builtin("batch/v1", "jobs", "Job", {
    categories: ["all"],
    subresources: [STATUS],
  }),
  builtin("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget", {
    shortNames: ["pdb"],
    subresources: [STATUS],
  }),
  builtin("rbac.authorization.k8s.io/v1", "clusterrolebindings", "ClusterRoleBinding", {
    namespaced: false,
  }),
  builtin("rbac.authorization.k8s.io/v1", "clusterroles", "ClusterRole", {
    namespaced: false,
  }),
  builtin("rbac.authorization.k8s.io/v1", "rolebindings", "RoleBinding"),
  builtin("rbac.authorization.k8s.io/v1", "roles", "Role"),
  builtin(
    "admissionregistration.k8s.io/v1",
    "mutatingwebhookconfigurations",
    "MutatingWebhookConfiguration",
    { namespaced: false, categories: ["api-extensions"] },
  ),
  builtin(
    "admissionregistration.k8s.io/v1",
    "validatingwebhookconfigurations",
    "ValidatingWebhookConfiguration",
    { namespaced: false, categories: ["api-extensions"] },
  ),
  builtin("apiextensions.k8s.io/v1", "customresourcedefinitions", "CustomResourceDefinition", {
    namespaced: false,
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    subresources: [STATUS],
  }),
  builtin("coordination.k8s.io/v1", "leases", "Lease"),
];
