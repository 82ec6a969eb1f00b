import { del, get, merge, post, put, type RequestStep, type StepScenario } from "../../step.ts";
import { allow, Hooks } from "./_hooks.ts";

const NS = "hooks-cluster";
const hooks = new Hooks(NS);
const NAMESPACES = "/api/v1/namespaces";
const NODES = "/api/v1/nodes";
const AUTHORIZATION = "/apis/authorization.k8s.io/v1";
const AUTHENTICATION = "/apis/authentication.k8s.io/v1";
const HOOKS = "/apis/admissionregistration.k8s.io/v1";
const labels = { "hooks-cluster": "on" };
const named = (name: string, fields: object = {}): object => ({
  metadata: { name, labels },
  ...fields,
});

const RULE = {
  operations: ["*"],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: ["*/*"],
};

const CLASS = { value: 5 };
const RULES = { rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }] };
const VOLUME = {
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    hostPath: { path: "/x" },
  },
};

const STEPS: readonly RequestStep[] = [
  post(NAMESPACES, named("hooks-one")),
  post(NAMESPACES, named("hooks-two", { spec: { finalizers: ["acme.io/f"] } })),
  merge(`${NAMESPACES}/hooks-one`, { metadata: { annotations: { a: "b" } } }),
  merge(`${NAMESPACES}/hooks-one/status`, { metadata: { annotations: { c: "d" } } }),
  put(`${NAMESPACES}/hooks-one/finalize`, named("hooks-one", { spec: { finalizers: [] } })),
  del(`${NAMESPACES}/hooks-one?dryRun=All`),
  del(`${NAMESPACES}/hooks-one`),
  del(`${NAMESPACES}/hooks-one`),
  del(`${NAMESPACES}/hooks-two`, { propagationPolicy: "Foreground" }),
  del(`${NAMESPACES}/hooks-two`),
  post(NODES, named("hooks-node")),
  merge(`${NODES}/hooks-node/status`, { status: { phase: "Running" } }),
  merge(`${NODES}/hooks-node`, { spec: { unschedulable: true } }),
  get(`${NODES}/hooks-node/proxy/stats`),
  get(`${NODES}/none/proxy`),
  del(`${NODES}/hooks-node`),
  post(`${AUTHORIZATION}/selfsubjectaccessreviews`, {
    metadata: { labels },
    spec: { resourceAttributes: { verb: "get", resource: "pods" } },
  }),
  post(`${AUTHORIZATION}/selfsubjectaccessreviews?dryRun=All`, {
    metadata: { labels, name: "x" },
    spec: { nonResourceAttributes: { verb: "get", path: "/x" } },
  }),
  post(`${AUTHORIZATION}/subjectaccessreviews`, {
    metadata: { labels },
    spec: { user: "u", groups: ["g"], resourceAttributes: { verb: "get", resource: "pods" } },
  }),
  post(`${AUTHORIZATION}/subjectaccessreviews`, { metadata: { labels }, spec: {} }),
  post(`${AUTHENTICATION}/tokenreviews`, {
    metadata: { labels },
    spec: { token: "demo-nobody-token" },
  }),
  post(`${AUTHENTICATION}/tokenreviews`, { metadata: { labels }, spec: {} }),
  post("/apis/scheduling.k8s.io/v1/priorityclasses", named("hooks-class", CLASS)),
  merge("/apis/scheduling.k8s.io/v1/priorityclasses/hooks-class", { description: "d" }),
  del("/apis/scheduling.k8s.io/v1/priorityclasses/hooks-class"),
  post("/api/v1/persistentvolumes", named("hooks-volume", VOLUME)),
  merge("/api/v1/persistentvolumes/hooks-volume/status", { status: { phase: "Available" } }),
  del("/api/v1/persistentvolumes/hooks-volume"),
  post("/apis/rbac.authorization.k8s.io/v1/clusterroles", named("hooks-role", RULES)),
  put(
    "/apis/rbac.authorization.k8s.io/v1/clusterroles/hooks-role",
    named("hooks-role", RULES),
  ),
  del("/apis/rbac.authorization.k8s.io/v1/clusterroles/hooks-role"),
  post("/apis/storage.k8s.io/v1/storageclasses", named("hooks-storage", { provisioner: "a.b/c" })),
  del("/apis/storage.k8s.io/v1/storageclasses?labelSelector=hooks-cluster"),
  post(`${HOOKS}/validatingwebhookconfigurations`, named("hooks-configuration")),
  del(`${HOOKS}/validatingwebhookconfigurations/hooks-configuration`),
  post(
    `${HOOKS}/validatingadmissionpolicies`,
    named("hooks-policy", { spec: { validations: [{ expression: "true" }] } }),
  ),
  del(`${HOOKS}/validatingadmissionpolicies/hooks-policy`),
  post("/apis/networking.k8s.io/v1/ingressclasses", named("hooks-ingress")),
  post("/apis/node.k8s.io/v1/runtimeclasses", named("hooks-runtime", { handler: "h" })),
];

/** The reviews for requests outside of namespaces. */
export const cluster: StepScenario = {
  name: "hooks-cluster",
  webhooks: hooks.scripts({
    "mutating/hooks-cluster": allow,
    "validating/hooks-cluster": allow,
    "validating/hooks-scope": allow,
    "validating/hooks-connect": allow,
    "validating/hooks-selected": allow,
  }),
  steps: [
    ...hooks.begin,
    hooks.install("mutating", "hooks-cluster", { rules: [RULE], namespaceSelector: {} }),
    hooks.install("validating", "hooks-cluster", {
      rules: [RULE],
      namespaceSelector: { matchExpressions: [{ key: "none", operator: "DoesNotExist" }] },
    }),
    hooks.install("validating", "hooks-connect", {
      rules: [{ ...RULE, operations: ["CONNECT"], resources: ["nodes/*"] }],
      namespaceSelector: { matchLabels: { none: "here" } },
      objectSelector: {},
    }),
    hooks.install("validating", "hooks-scope", {
      rules: [{ ...RULE, resources: ["namespaces", "nodes"], scope: "Cluster" }],
      namespaceSelector: {},
      objectSelector: { matchLabels: labels },
    }),
    hooks.install("validating", "hooks-selected", {
      rules: [{ ...RULE, resources: ["namespaces", "nodes"] }],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "hooks-one" } },
      objectSelector: { matchLabels: labels },
    }),
    ...hooks.ready,
    ...STEPS,
    ...hooks.end,
  ],
};
