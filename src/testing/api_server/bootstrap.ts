import type { KubeObject } from "@kubeloop/controller/types";

const RBAC = "rbac.authorization.k8s.io";

const LABELS = { "kubernetes.io/bootstrapping": "rbac-defaults" };

const ANNOTATIONS = { "rbac.authorization.kubernetes.io/autoupdate": "true" };

const READ = ["get", "list", "watch"];

const ALL = [...READ, "create", "delete", "deletecollection", "patch", "update"];

/** The resources that the roles `admin`, `edit` and `view` all cover. */
const WORKLOADS = [
  {
    apiGroups: [""],
    resources: [
      "configmaps",
      "events",
      "pods",
      "pods/log",
      "pods/status",
      "serviceaccounts",
      "services",
    ],
  },
  {
    apiGroups: ["apps"],
    resources: ["deployments", "deployments/scale", "replicasets", "replicasets/scale"],
  },
  { apiGroups: ["batch"], resources: ["jobs"] },
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"] },
  { apiGroups: ["policy"], resources: ["poddisruptionbudgets"] },
];

const DISCOVERY_PATHS = ["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"];

const PUBLIC_PATHS = ["/healthz", "/livez", "/readyz", "/version", "/version/"];

/** An object of a fresh cluster, with its resource. */
export interface BootstrapObject {
  /** The full name of the resource, as in `clusterroles.rbac.authorization.k8s.io`. */
  readonly resource: string;
  /** The object, without the fields that the server sets. */
  readonly object: KubeObject;
}

/**
 * Returns the objects of a fresh cluster: its namespaces, the default RBAC roles and bindings, and the Service of the
 * API server.
 */
export function bootstrapObjects(): BootstrapObject[] {
  return [
    ...["default", "kube-node-lease", "kube-public", "kube-system"].map(namespace),
    clusterRole("admin", [
      ...grant(ALL),
      rule([""], ["secrets"], ALL),
      rule([RBAC], ["roles", "rolebindings"], ALL),
    ]),
    clusterRole("cluster-admin", [
      rule(["*"], ["*"], ["*"]),
      { nonResourceURLs: ["*"], verbs: ["*"] },
    ]),
    clusterRole("edit", [...grant(ALL), rule([""], ["secrets"], ALL)]),
    clusterRole("system:basic-user", [
      rule(["authorization.k8s.io"], ["selfsubjectaccessreviews", "selfsubjectrulesreviews"], [
        "create",
      ]),
      rule(["authentication.k8s.io"], ["selfsubjectreviews"], ["create"]),
    ]),
    clusterRole("system:discovery", [
      { nonResourceURLs: [...DISCOVERY_PATHS, ...PUBLIC_PATHS], verbs: ["get"] },
    ]),
    clusterRole("system:public-info-viewer", [{ nonResourceURLs: PUBLIC_PATHS, verbs: ["get"] }]),
    clusterRole("view", grant(READ)),
    binding("cluster-admin", ["system:masters"]),
    binding("system:basic-user", ["system:authenticated"]),
    binding("system:discovery", ["system:authenticated"]),
    binding("system:public-info-viewer", ["system:authenticated", "system:unauthenticated"]),
    apiServerService(),
  ];
}

function namespace(name: string): BootstrapObject {
  return {
    resource: "namespaces",
    object: {
      kind: "Namespace",
      apiVersion: "v1",
      metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    },
  };
}

/**
 * Returns the Service by which Pods find the API server. It has no selector: a real API server maintains its endpoints
 * itself.
 */
function apiServerService(): BootstrapObject {
  return {
    resource: "services",
    object: {
      kind: "Service",
      apiVersion: "v1",
      metadata: {
        name: "kubernetes",
        namespace: "default",
        labels: { component: "apiserver", provider: "kubernetes" },
      },
      spec: {
        ports: [{ name: "https", protocol: "TCP", port: 443, targetPort: 6443 }],
        clusterIP: "10.0.0.1",
        type: "ClusterIP",
        sessionAffinity: "None",
        ipFamilyPolicy: "SingleStack",
        internalTrafficPolicy: "Cluster",
      },
    } as KubeObject,
  };
}

function rule(apiGroups: string[], resources: string[], verbs: string[]): object {
  return { verbs, apiGroups, resources };
}

function grant(verbs: string[]): object[] {
  return WORKLOADS.map(({ apiGroups, resources }) => rule(apiGroups, resources, verbs));
}

function clusterRole(name: string, rules: object[]): BootstrapObject {
  return {
    resource: `clusterroles.${RBAC}`,
    object: {
      kind: "ClusterRole",
      apiVersion: `${RBAC}/v1`,
      metadata: { name, labels: LABELS, annotations: ANNOTATIONS },
      rules,
    } as KubeObject,
  };
}

function binding(role: string, groups: string[]): BootstrapObject {
  return {
    resource: `clusterrolebindings.${RBAC}`,
    object: {
      kind: "ClusterRoleBinding",
      apiVersion: `${RBAC}/v1`,
      metadata: { name: role, labels: LABELS, annotations: ANNOTATIONS },
      subjects: groups.map((name) => ({ kind: "Group", apiGroup: RBAC, name })),
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: role },
    } as KubeObject,
  };
}
