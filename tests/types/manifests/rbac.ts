import type {
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
} from "@kubeloop/controller/types/rbac/v1";

export const reader: Role = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "Role",
  metadata: { name: "config-reader", namespace: "default" },
  rules: [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] },
    { apiGroups: [""], resources: ["secrets"], resourceNames: ["tls"], verbs: ["get"] },
  ],
};

export const leaderElection: Role = {
  metadata: { name: "leader-election", namespace: "widgets" },
  rules: [
    { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create", "update"] },
  ],
};

export const operator: ClusterRole = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "widget-operator" },
  rules: [
    { apiGroups: ["acme.io"], resources: ["widgets", "widgets/status"], verbs: ["*"] },
    { nonResourceURLs: ["/metrics"], verbs: ["get"] },
  ],
};

export const aggregated: ClusterRole = {
  metadata: { name: "monitoring" },
  aggregationRule: {
    clusterRoleSelectors: [{
      matchLabels: { "rbac.example.com/aggregate-to-monitoring": "true" },
    }],
  },
  rules: [],
};

export const readers: RoleBinding = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  metadata: { name: "config-readers", namespace: "default" },
  subjects: [
    { kind: "ServiceAccount", name: "web", namespace: "default" },
    { kind: "Group", name: "developers", apiGroup: "rbac.authorization.k8s.io" },
  ],
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "config-reader" },
};

export const operators: ClusterRoleBinding = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "widget-operator" },
  subjects: [{ kind: "ServiceAccount", name: "widget-operator", namespace: "widgets" }],
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "widget-operator" },
};
