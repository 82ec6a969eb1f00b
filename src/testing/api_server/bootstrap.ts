import type { KubeObject } from "@kubeloop/controller/types";

const RBAC = "rbac.authorization.k8s.io";

const LABELS = { "kubernetes.io/bootstrapping": "rbac-defaults" };

const ANNOTATIONS = { "rbac.authorization.kubernetes.io/autoupdate": "true" };

const READ = ["get", "list", "watch"];

const WRITE = ["create", "delete", "deletecollection", "patch", "update"];

const ALL = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** Parts of the default roles: the API groups (`core` is the core group), the resources and the verbs. */
type Part = readonly [groups: string, resources: string, verbs: readonly string[]];

const ADMIN: readonly Part[] = [
  ["authorization.k8s.io", "localsubjectaccessreviews", ["create"]],
  [RBAC, "rolebindings roles", ALL],
];

const EDIT: readonly Part[] = [
  ["core", "pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy", READ],
  ["core", "serviceaccounts", ["impersonate"]],
  ["core", "pods pods/attach pods/exec pods/portforward pods/proxy", WRITE],
  ["core", "pods/eviction", ["create"]],
  [
    "core",
    "configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy",
    WRITE,
  ],
  ["core", "serviceaccounts/token", ["create"]],
  ["core events.k8s.io", "events", WRITE],
  [
    "apps",
    "daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
    WRITE,
  ],
  ["autoscaling", "horizontalpodautoscalers", WRITE],
  ["batch", "cronjobs jobs", WRITE],
  [
    "extensions",
    "daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale",
    WRITE,
  ],
  ["policy", "poddisruptionbudgets", WRITE],
  ["networking.k8s.io", "ingresses networkpolicies", WRITE],
  ["coordination.k8s.io", "leases", ALL],
  ["resource.k8s.io", "resourceclaims resourceclaimtemplates", WRITE],
];

const VIEW: readonly Part[] = [
  [
    "core",
    "configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status",
    READ,
  ],
  [
    "core",
    "bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status",
    READ,
  ],
  ["core", "namespaces", READ],
  ["core events.k8s.io", "events", READ],
  ["discovery.k8s.io", "endpointslices", READ],
  [
    "apps",
    "controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
    READ,
  ],
  ["autoscaling", "horizontalpodautoscalers horizontalpodautoscalers/status", READ],
  ["batch", "cronjobs cronjobs/status jobs jobs/status", READ],
  [
    "extensions",
    "daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale",
    READ,
  ],
  ["policy", "poddisruptionbudgets poddisruptionbudgets/status", READ],
  ["networking.k8s.io", "ingresses ingresses/status networkpolicies", READ],
  ["resource.k8s.io", "resourceclaims resourceclaims/status resourceclaimtemplates", READ],
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
    aggregatedRole("admin"),
    clusterRole("cluster-admin", [
      rule(["*"], ["*"], ["*"]),
      { nonResourceURLs: ["*"], verbs: ["*"] },
    ]),
    aggregatedRole("edit", "admin"),
    aggregatePart("admin", ADMIN),
    aggregatePart("edit", EDIT),
    aggregatePart("view", VIEW),
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
    aggregatedRole("view", "edit"),
    binding("cluster-admin", ["system:masters"]),
    binding("system:basic-user", ["system:authenticated"]),
    binding("system:discovery", ["system:authenticated"]),
    binding("system:public-info-viewer", ["system:authenticated", "system:unauthenticated"]),
    apiServerService(),
    priorityClass(
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ),
    priorityClass(
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
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

/** Returns a priority class that every cluster has. */
function priorityClass(name: string, value: number, description: string): BootstrapObject {
  return {
    resource: "priorityclasses.scheduling.k8s.io",
    object: {
      kind: "PriorityClass",
      apiVersion: "scheduling.k8s.io/v1",
      metadata: { name },
      value,
      description,
      preemptionPolicy: "PreemptLowerPriority",
    } as KubeObject,
  };
}

function rule(apiGroups: string[], resources: string[], verbs: string[]): object {
  return { verbs, apiGroups, resources };
}

function clusterRole(
  name: string,
  rules: object[] | null,
  { labels = {}, ...rest }: { labels?: object; aggregationRule?: object } = {},
): BootstrapObject {
  return {
    resource: `clusterroles.${RBAC}`,
    object: {
      kind: "ClusterRole",
      apiVersion: `${RBAC}/v1`,
      metadata: { name, labels: { ...LABELS, ...labels }, annotations: ANNOTATIONS },
      rules,
      ...rest,
    } as KubeObject,
  };
}

/** Returns the label of the roles whose rules the role `name` gathers. */
function labelFor(name: string): Record<string, string> {
  return { [`${RBAC}/aggregate-to-${name}`]: "true" };
}

/** Returns a role that gathers its rules from others, and may itself be part of the role `into`. */
function aggregatedRole(name: string, into?: string): BootstrapObject {
  return clusterRole(name, null, {
    ...(into === undefined ? {} : { labels: labelFor(into) }),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: labelFor(name) }] },
  });
}

function aggregatePart(name: string, parts: readonly Part[]): BootstrapObject {
  const rules = parts.map(([groups, resources, verbs]) =>
    rule(groups.split(" ").map((one) => one === "core" ? "" : one), resources.split(" "), [
      ...verbs,
    ])
  );
  return clusterRole(`system:aggregate-to-${name}`, rules, { labels: labelFor(name) });
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
