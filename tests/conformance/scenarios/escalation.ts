import {
  apply,
  del,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type RequestStep,
  type StepScenario,
} from "../step.ts";
import { configMap, core, grouped, namespaced } from "./_objects.ts";

const NS = "suite-escalation";
const MAPS = core(NS, "configmaps");
const RBAC = "rbac.authorization.k8s.io";
const V1 = `${RBAC}/v1`;
const ROLES = grouped(V1, NS, "roles");
const BINDINGS = grouped(V1, NS, "rolebindings");
const LEASES = grouped("coordination.k8s.io/v1", NS, "leases");
const CLUSTER_ROLES = `/apis/${V1}/clusterroles`;
const CLUSTER_BINDINGS = `/apis/${V1}/clusterrolebindings`;
const REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
/** A user of this scenario only, so that no other scenario leaves rights for it. */
const USER = { kind: "User", apiGroup: RBAC, name: "mallory" };
const mallory = { headers: { "impersonate-user": "mallory", "impersonate-group": "suite" } };
const nobody = { as: "nobody" } as const;

/** Repeats a request until the server has read a new role or binding. */
const allowed = (step: RequestStep): RequestStep => ({ ...step, whileStatus: [403] });

const rule = (apiGroups: string[], resources: string[], verbs: string[], names?: string[]) => ({
  apiGroups,
  resources,
  verbs,
  ...(names === undefined ? {} : { resourceNames: names }),
});
const urls = (nonResourceURLs: string[], verbs: string[]) => ({ nonResourceURLs, verbs });
const role = (name: string, ...rules: unknown[]) => ({
  apiVersion: V1,
  kind: "Role",
  metadata: { name },
  ...(rules.length === 0 ? {} : { rules }),
});
const clusterRole = (name: string, ...rules: unknown[]) => ({
  ...role(name, ...rules),
  kind: "ClusterRole",
});
const binding = (name: string, kind: string, of: string, rest: unknown = {}) => ({
  apiVersion: V1,
  kind: "RoleBinding",
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind, name: of },
  subjects: [USER],
  ...rest as object,
});
const clusterBinding = (name: string, of: string) => ({
  ...binding(name, "ClusterRole", of),
  kind: "ClusterRoleBinding",
});
const PODS = rule([""], ["pods"], ["get"]);
const SECRETS = rule([""], ["secrets"], ["get"]);
const as = (user: string, more: Record<string, string> = {}) => ({
  headers: { "impersonate-user": user, ...more },
});

/** A grant for the next steps, and a wait until the server has read it. */
const grant = (name: string, rules: unknown[], wait: RequestStep): RequestStep[] => [
  post(ROLES, role(name, ...rules), { unseen: true }),
  post(BINDINGS, binding(name, "Role", name), { unseen: true }),
  allowed(wait),
];

/** A user who may write roles and bindings, but may not hand out more than the own rights. */
export const escalation: StepScenario = {
  name: "escalation",
  steps: [
    namespaced(NS),
    post(MAPS, configMap("there"), { unseen: true }),
    post(ROLES, role("strong", SECRETS), { unseen: true }),
    ...grant("writer", [
      rule([RBAC], ["roles", "rolebindings"], ["get", "create", "update", "patch", "delete"]),
      rule([""], ["configmaps"], ["get", "update", "patch"]),
      rule(["coordination.k8s.io"], ["leases"], ["update", "patch"]),
      rule([""], ["pods", "services"], ["get", "list"]),
      rule(["apps"], ["*/scale", "deployments"], ["get", "update"]),
      rule(["batch"], ["*"], ["*"]),
      rule(["*"], ["events"], ["watch"]),
      rule([""], ["secrets"], ["delete"], ["a", "b"]),
    ], get(`${ROLES}/writer`, mallory)),

    // An apply that creates needs the right to create.
    apply(
      `${MAPS}/new`,
      "me",
      { ...configMap("new"), apiVersion: "v1", kind: "ConfigMap" },
      mallory,
    ),
    apply(
      `${MAPS}/new?dryRun=All`,
      "me",
      { ...configMap("new"), apiVersion: "v1", kind: "ConfigMap" },
      mallory,
    ),
    apply(`${MAPS}/new`, "me", {
      ...configMap("new"),
      apiVersion: "v1",
      kind: "ConfigMap",
      data: { "a b": "c" },
    }, mallory),
    apply(`${MAPS}/there`, "me", {
      ...configMap("there"),
      apiVersion: "v1",
      kind: "ConfigMap",
      data: { a: "b" },
    }, { ...mallory, force: true }),
    put(`${MAPS}/new`, configMap("new"), mallory),
    put(`${LEASES}/new`, { metadata: { name: "new" }, spec: {} }, mallory),
    put(
      `${LEASES}/new`,
      { metadata: { name: "new" }, spec: { leaseDurationSeconds: -1 } },
      mallory,
    ),
    apply(`${LEASES}/new`, "me", {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "new" },
      spec: {},
    }, mallory),
    ...grant("makes-one", [
      rule([""], ["configmaps"], ["create"], ["new"]),
      rule(["coordination.k8s.io"], ["leases"], ["create"], ["new"]),
    ], put(`${LEASES}/new`, { metadata: { name: "new" }, spec: {} }, mallory)),
    apply(
      `${MAPS}/new`,
      "me",
      { ...configMap("new"), apiVersion: "v1", kind: "ConfigMap" },
      mallory,
    ),
    post(MAPS, configMap("other"), mallory),
    apply(
      `${MAPS}/other`,
      "me",
      { ...configMap("other"), apiVersion: "v1", kind: "ConfigMap" },
      mallory,
    ),

    // Roles.
    post(ROLES, role("all", rule(["*"], ["*"], ["*"])), mallory),
    post(
      ROLES,
      role(
        "much",
        rule(["", "apps"], ["pods", "secrets"], ["get", "list", "watch"]),
        rule([""], ["secrets"], ["delete"], ["a", "c"]),
        rule([""], ["pods"], ["list", "create"]),
      ),
      mallory,
    ),
    post(ROLES, role("names", rule([""], ["secrets"], ["delete"])), mallory),
    post(ROLES, role("stars", rule([""], ["pods/*"], ["get"])), mallory),
    post(ROLES, role("stars", rule([""], ["*/log"], ["get"])), mallory),
    post(ROLES, role("stars", rule(["apps"], ["*"], ["get"])), mallory),
    post(ROLES, role("stars", rule(["apps"], ["replicasets/status"], ["get"])), mallory),
    post(ROLES, role("stars", rule(["*"], ["events"], ["watch", "get"])), mallory),
    post(ROLES, role("verbs", rule(["apps"], ["deployments"], ["*"])), mallory),
    post(ROLES, role("text", rule(['a<b>&"c"'], ["é"], ["get"])), mallory),
    post(ROLES, role("urls", urls(["/metrics"], ["get"])), mallory),
    post(ROLES, role("bad", { verbs: ["get"] }), mallory),
    post(ROLES, role("bad", rule([""], ["secrets"], ["get"]), { verbs: ["get"] }), mallory),
    post(ROLES, role("strong", SECRETS), mallory),
    post(ROLES, role("strong", PODS), mallory),
    post(ROLES, { metadata: { generateName: "gen-" }, rules: [SECRETS] }, mallory),
    post(ROLES, role("secret", SECRETS), mallory),
    post(
      ROLES,
      role(
        "held",
        PODS,
        rule(["apps"], ["replicasets/scale", "deployments/scale", "deployments"], ["get"]),
        rule(["batch"], ["jobs", "jobs/status", "*"], ["*", "get"]),
        rule(["", "events.k8s.io"], ["events"], ["watch"], ["one"]),
        rule([""], ["secrets"], ["delete"], ["b", "a"]),
      ),
      mallory,
    ),
    post(ROLES, role("none"), mallory),
    put(`${ROLES}/held`, role("held", SECRETS), mallory),
    put(`${ROLES}/absent`, role("absent", SECRETS), mallory),
    put(`${ROLES}/absent`, role("absent", PODS), mallory),
    merge(`${ROLES}/held`, { rules: [SECRETS] }, mallory),
    merge(`${ROLES}/strong`, { metadata: { labels: { a: "b" } } }, mallory),
    merge(`${ROLES}/strong`, { metadata: { finalizers: ["example.com/a"] } }, mallory),
    merge(`${ROLES}/strong`, {
      metadata: { finalizers: null, annotations: { a: "b" } },
    }, mallory),
    merge(`${ROLES}/strong`, { metadata: { finalizers: null } }, mallory),
    merge(`${ROLES}/strong`, {}, mallory),
    merge(`${ROLES}/strong`, { rules: [PODS] }, mallory),
    merge(`${ROLES}/strong`, { rules: [SECRETS] }, { unseen: true }),
    jsonPatch(`${ROLES}/held`, [
      { op: "add", path: "/rules/-", value: SECRETS },
    ], mallory),
    apply(`${ROLES}/held`, "me", role("held", SECRETS), { ...mallory, force: true }),
    apply(`${ROLES}/applied`, "me", role("applied", SECRETS), mallory),
    apply(`${ROLES}/applied`, "me", role("applied", PODS), mallory),
    post(`${ROLES}?dryRun=All`, role("dry", SECRETS), mallory),

    // Bindings.
    post(BINDINGS, binding("b", "ClusterRole", "cluster-admin"), mallory),
    post(BINDINGS, binding("b", "Role", "strong"), mallory),
    post(BINDINGS, binding("b", "Role", "missing"), mallory),
    post(BINDINGS, binding("b", "ClusterRole", "missing"), mallory),
    post(BINDINGS, binding("b", "Nope", "missing"), mallory),
    post(BINDINGS, binding("b", "Role", ""), mallory),
    post(
      BINDINGS,
      binding("b", "Role", "strong", { roleRef: { kind: "Role", name: "strong" } }),
      mallory,
    ),
    post(BINDINGS, binding("b", "Role", "strong", { subjects: [{ kind: "X" }] }), mallory),
    post(BINDINGS, binding("b", "Role", "held"), mallory),
    post(BINDINGS, binding("b", "Role", "held"), mallory),
    put(`${BINDINGS}/b`, binding("b", "Role", "strong"), mallory),
    put(`${BINDINGS}/b2`, binding("b2", "Role", "strong"), mallory),
    apply(`${BINDINGS}/b2`, "me", binding("b2", "Role", "strong"), mallory),
    post(BINDINGS, binding("theirs", "Role", "strong", { subjects: [] }), { unseen: true }),
    merge(`${BINDINGS}/theirs`, { subjects: [USER] }, mallory),
    merge(`${BINDINGS}/theirs`, { metadata: { labels: { a: "b" } } }, mallory),
    merge(`${BINDINGS}/theirs`, {
      metadata: {
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }],
        finalizers: ["example.com/a"],
      },
    }, mallory),
    merge(`${BINDINGS}/theirs`, { metadata: { finalizers: null } }, mallory),
    post(CLUSTER_BINDINGS, clusterBinding("suite-b", "cluster-admin"), mallory),

    // Bind and escalate.
    ...grant(
      "binder",
      [rule([RBAC], ["roles"], ["bind"], ["strong"])],
      post(BINDINGS, binding("b3", "Role", "strong"), mallory),
    ),
    post(BINDINGS, binding("b4", "ClusterRole", "cluster-admin"), mallory),
    post(ROLES, role("limit", SECRETS), { unseen: true }),
    ...grant(
      "escalator",
      [rule([RBAC], ["roles"], ["escalate"], ["limit", "limitless"])],
      merge(`${ROLES}/limit`, { rules: [rule(["*"], ["*"], ["*"])] }, mallory),
    ),
    put(`${ROLES}/limitless`, role("limitless", rule(["*"], ["*"], ["*"])), mallory),
    post(ROLES, role("limitless", rule(["*"], ["*"], ["*"])), mallory),

    // The whole cluster.
    post(
      CLUSTER_ROLES,
      clusterRole(
        "suite-escalation",
        rule([RBAC], ["clusterroles", "clusterrolebindings"], ["create", "update", "patch", "get"]),
        urls(["/metrics/*", "/logs"], ["get"]),
        rule([""], ["nodes"], ["get"]),
      ),
      { unseen: true },
    ),
    post(CLUSTER_BINDINGS, clusterBinding("suite-escalation", "suite-escalation"), {
      unseen: true,
    }),
    allowed(get(`${CLUSTER_ROLES}/suite-escalation`, mallory)),
    post(CLUSTER_ROLES, clusterRole("suite-x", rule([""], ["pods"], ["get"])), mallory),
    post(
      CLUSTER_ROLES,
      clusterRole("suite-x", urls(["/metrics", "/logs/a", "*"], ["get", "post"])),
      mallory,
    ),
    post(
      CLUSTER_ROLES,
      clusterRole("suite-ok", urls(["/metrics/a", "/metrics/*", "/logs"], ["get"])),
      mallory,
    ),
    post(CLUSTER_ROLES, {
      metadata: { name: "suite-sum" },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
    }, mallory),
    post(CLUSTER_ROLES, { metadata: { name: "suite-sum" }, aggregationRule: {} }, mallory),
    post(CLUSTER_ROLES, {
      metadata: { name: "suite-sum2" },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b c" } }] },
    }),
    post(CLUSTER_ROLES, {
      metadata: { name: "suite-sum2" },
      aggregationRule: {
        clusterRoleSelectors: [{ matchExpressions: [{ key: "a", operator: "Nope" }] }],
      },
    }),
    post(CLUSTER_ROLES, {
      metadata: { name: "suite-sum2" },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "suite/none": "b" } }] },
      rules: [rule([""], ["nodes"], ["get"])],
    }),
    merge(`${CLUSTER_ROLES}/suite-sum2`, { aggregationRule: null }, mallory),
    merge(`${CLUSTER_ROLES}/suite-sum2`, { metadata: { labels: { a: "b" } } }, mallory),
    merge(`${CLUSTER_ROLES}/suite-sum2`, { metadata: { finalizers: ["example.com/a"] } }, mallory),
    merge(`${CLUSTER_ROLES}/suite-sum2`, { metadata: { finalizers: null } }, mallory),
    post(CLUSTER_BINDINGS, clusterBinding("suite-c", "cluster-admin"), mallory),
    post(CLUSTER_BINDINGS, clusterBinding("suite-c", "suite-missing"), mallory),
    post(CLUSTER_BINDINGS, clusterBinding("suite-c", "suite-ok"), mallory),
    post(BINDINGS, binding("node", "ClusterRole", "suite-escalation"), mallory),

    // Bindings to roles that are missing.
    post(BINDINGS, binding("lost", "Role", "lost"), { unseen: true }),
    post(BINDINGS, binding("ready", "Role", "strong"), { unseen: true }),
    allowed(get(`${core(NS, "secrets")}`, { ...mallory, unseen: false, whileStatus: [200] })),
    post(REVIEWS, {
      spec: { resourceAttributes: { verb: "list", resource: "secrets", namespace: NS } },
    }, mallory),
    post(ROLES, role("lost-too", rule([""], ["nodes"], ["get"])), mallory),
    post(CLUSTER_BINDINGS, clusterBinding("suite-lost", "suite-lost"), { unseen: true }),
    post(BINDINGS, binding("ready2", "Role", "none"), { unseen: true }),

    // Impersonation.
    post(WHO, {}, as("system:serviceaccount:x:y")),
    post(WHO, {}, as("system:serviceaccount:x:y", { "impersonate-group": "g" })),
    post(WHO, {}, as("system:serviceaccount:X:y")),
    post(WHO, {}, as("system:anonymous")),
    post(WHO, {}, as("ann", { "impersonate-group": "system:unauthenticated" })),
    post(WHO, {}, as("ann", { "impersonate-group": "a,b" })),
    post(WHO, {}, as("ann", { "impersonate-uid": "u", "impersonate-extra-a%2fb": "c" })),
    post(WHO, {}, { headers: { "impersonate-uid": "u" } }),
    post(WHO, {}, { headers: { "impersonate-extra-a": "u" } }),
    post(WHO, {}, { ...nobody, ...as("ann") }),
    post(WHO, {}, { ...nobody, ...as("system:serviceaccount:x:y") }),
    post(
      CLUSTER_ROLES,
      clusterRole(
        "suite-impersonate",
        rule([""], ["users"], ["impersonate"], ["ann"]),
        rule([""], ["groups"], ["impersonate"], ["g"]),
        rule([""], ["serviceaccounts"], ["impersonate"], ["y"]),
        rule(["authentication.k8s.io"], ["userextras/scopes"], ["impersonate"], ["s"]),
      ),
      { unseen: true },
    ),
    post(CLUSTER_BINDINGS, {
      ...clusterBinding("suite-impersonate", "suite-impersonate"),
      subjects: [{ ...USER, name: "demo-nobody" }],
    }, { unseen: true }),
    allowed(post(WHO, {}, { ...nobody, ...as("ann") })),
    post(WHO, {}, { ...nobody, ...as("ann", { "impersonate-group": "g" }) }),
    post(WHO, {}, { ...nobody, ...as("ann", { "impersonate-group": "system:masters" }) }),
    post(WHO, {}, { ...nobody, ...as("bob") }),
    post(WHO, {}, { ...nobody, ...as("ann", { "impersonate-uid": "u" }) }),
    post(WHO, {}, { ...nobody, ...as("ann", { "impersonate-extra-scopes": "s" }) }),
    post(WHO, {}, { ...nobody, ...as("ann", { "impersonate-extra-scopes": "t" }) }),
    post(WHO, {}, { ...nobody, ...as("ann", { "impersonate-extra-other": "s" }) }),
    post(WHO, {}, { ...nobody, ...as("system:serviceaccount:x:y") }),
    post(WHO, {}, { ...nobody, ...as("system:serviceaccount:x:z") }),
    del(`${CLUSTER_BINDINGS}/suite-impersonate`, undefined, { unseen: true }),

    // Service accounts of the binding's own namespace.
    post(
      BINDINGS,
      binding("account", "Role", "strong", { subjects: [{ kind: "ServiceAccount", name: "sa" }] }),
      { unseen: true },
    ),
    allowed(get(`${core(NS, "secrets")}/x`, as(`system:serviceaccount:${NS}:sa`))),
    get(`${core(NS, "secrets")}/x`, as("system:serviceaccount:other:sa")),

    // Selectors that only look as if they required a name.
    post(
      ROLES,
      role(
        "one",
        rule([""], ["secrets"], ["list", "watch", "deletecollection"], ["allowed", "A_b"]),
      ),
      { unseen: true },
    ),
    post(
      BINDINGS,
      binding("one", "Role", "one", { subjects: [{ ...USER, name: "one" }] }),
      { unseen: true },
    ),
    allowed(get(`${core(NS, "secrets")}?fieldSelector=metadata.name%3Dallowed`, as("one"))),
    get(`${core(NS, "secrets")}?fieldSelector=type!%3D%5C%2Cmetadata.name%3Dallowed`, as("one")),
    get(
      `${core(NS, "secrets")}?fieldSelector=type!%3D%5C%5C%2Cmetadata.name%3Dallowed`,
      as("one"),
    ),
    get(`${core(NS, "secrets")}?fieldSelector=metadata.name!%3Dallowed`, as("one")),
    get(`${core(NS, "secrets")}?fieldSelector=metadata.name%3D%3Dallowed`, as("one")),
    get(`${core(NS, "secrets")}?fieldSelector=%20metadata.name%3Dallowed`, as("one")),
    get(`${core(NS, "secrets")}?fieldSelector=metadata.name%3DA_b`, as("one")),
    get(
      `${core(NS, "secrets")}?fieldSelector=metadata.name%3Dallowed%2Cmetadata.name%3Dother`,
      as("one"),
    ),
    get(`${core(NS, "secrets")}?fieldSelector=nonsense%2Cmetadata.name%3Dallowed`, as("one")),
    get(
      `${
        core(NS, "secrets")
      }?fieldSelector=metadata.name%3Dother&fieldSelector=metadata.name%3Dallowed`,
      as("one"),
    ),
  ],
};
