import { del, get, merge, post, put, type RequestStep, type StepScenario } from "../step.ts";
import { configMap, core, grouped, namespaced } from "./_objects.ts";

const NS = "suite-access";
const MAPS = core(NS, "configmaps");
const RBAC = "rbac.authorization.k8s.io";
const ROLES = grouped(`${RBAC}/v1`, NS, "roles");
const BINDINGS = grouped(`${RBAC}/v1`, NS, "rolebindings");
const CLUSTER_ROLES = `/apis/${RBAC}/v1/clusterroles`;
const CLUSTER_BINDINGS = `/apis/${RBAC}/v1/clusterrolebindings`;
const REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const user = { kind: "User", apiGroup: RBAC, name: "demo-nobody" };
const nobody = { as: "nobody" } as const;
const table = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

/** Repeats a request until the server has read a new role or binding. */
const allowed = (step: RequestStep): RequestStep => ({ ...step, whileStatus: [403] });

/** Access control: refusals, roles, bindings, reviews, impersonation. */
export const access: StepScenario = {
  name: "access",
  steps: [
    namespaced(NS),
    post(MAPS, configMap("a"), { unseen: true }),
    post(MAPS, configMap("b"), { unseen: true }),
    get(MAPS, nobody),
    get(`${MAPS}/a`, nobody),
    get(`${MAPS}?watch=1`, nobody),
    post(MAPS, configMap("c"), nobody),
    put(`${MAPS}/a`, configMap("a"), nobody),
    merge(`${MAPS}/a`, {}, nobody),
    del(`${MAPS}/a`, undefined, nobody),
    del(MAPS, undefined, nobody),
    get(`${core(NS, "pods")}/p/log`, nobody),
    get(`${core(NS, "pods")}/p/status`, nobody),
    get("/api/v1/configmaps", nobody),
    get("/api/v1/nodes", nobody),
    get("/api/v1/namespaces", nobody),
    get(`/api/v1/namespaces/${NS}`, nobody),
    get("/apis/nosuch.example.com/v1/things", nobody),
    get("/apis/apps/v1/namespaces/x/nosuch", nobody),
    get("/metrics", nobody),
    get("/logs/x", nobody),
    get("/version", nobody),
    get("/api", nobody),
    get("/apis/apps", nobody),
    get("/healthz", nobody),
    get("/api", { as: "anonymous" }),
    get("/version", { as: "anonymous" }),
    get(MAPS, { as: "anonymous" }),
    get(MAPS, { as: "stranger" }),
    get("/version", { as: "stranger" }),
    get(MAPS, { headers: { authorization: "Basic YTpi" }, as: "anonymous" }),
    get(MAPS, { headers: { authorization: "Bearer" }, as: "anonymous" }),
    get(MAPS, { headers: { "impersonate-user": "demo-nobody" } }),
    get(MAPS, {
      headers: { "impersonate-user": "someone", "impersonate-group": "system:masters" },
    }),
    get(MAPS, { headers: { "impersonate-group": "system:masters" } }),
    get(MAPS, { headers: { "impersonate-user": "demo-admin" }, as: "nobody" }),
    get(MAPS, { headers: { "impersonate-user": "system:serviceaccount:x:y" } }),
    post(ROLES, {
      metadata: { name: "reader" },
      rules: [{
        apiGroups: [""],
        resources: ["configmaps"],
        verbs: ["get", "list"],
        resourceNames: ["a"],
      }],
    }),
    post(ROLES, {
      metadata: { name: "bad" },
      rules: [{ apiGroups: [""], resources: ["configmaps"] }],
    }),
    post(ROLES, {
      metadata: { name: "bad" },
      rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }],
    }),
    post(ROLES, { metadata: { name: "bad" }, rules: [{ verbs: ["get"] }] }),
    post(BINDINGS, {
      metadata: { name: "reader" },
      roleRef: { apiGroup: RBAC, kind: "Role", name: "reader" },
      subjects: [user],
    }),
    allowed(get(`${MAPS}/a`, nobody)),
    get(`${MAPS}/b`, nobody),
    get(MAPS, nobody),
    get(`${MAPS}?fieldSelector=metadata.name%3Da`, nobody),
    merge(`${BINDINGS}/reader`, { roleRef: { name: "other" } }),
    merge(`${BINDINGS}/reader`, { roleRef: null }),
    merge(`${BINDINGS}/reader`, { subjects: [{ kind: "Group", name: "demo-none" }] }),
    post(BINDINGS, {
      metadata: { name: "bad" },
      roleRef: { kind: "Nope", name: "" },
      subjects: [{ kind: "X", name: "" }, { kind: "ServiceAccount", name: "sa" }],
    }),
    get(ROLES, table),
    get(BINDINGS, table),
    post(CLUSTER_ROLES, {
      metadata: { name: "suite-part", labels: { "suite/part": "1" } },
      rules: [{ apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["*"] }],
    }),
    post(CLUSTER_ROLES, {
      metadata: { name: "suite-urls" },
      rules: [{ nonResourceURLs: ["/metrics", "/logs/*"], verbs: ["get"] }],
    }),
    post(CLUSTER_BINDINGS, {
      metadata: { name: "suite-urls" },
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "suite-urls" },
      subjects: [{ kind: "Group", apiGroup: RBAC, name: "demo-none" }],
    }),
    post(BINDINGS, {
      metadata: { name: "part" },
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "suite-part" },
      subjects: [{ kind: "Group", apiGroup: RBAC, name: "demo-none" }],
    }),
    allowed(get(core(NS, "pods"), nobody)),
    get(core("default", "pods"), nobody),
    get(`${core(NS, "pods")}/none/log`, nobody),
    get(`${core(NS, "pods")}/none/status`, nobody),
    post(core(NS, "pods"), {}, nobody),
    post(REVIEWS, {
      spec: {
        resourceAttributes: { verb: "get", resource: "configmaps", namespace: NS, name: "b" },
      },
    }, nobody),
    post(REVIEWS, {
      spec: { resourceAttributes: { verb: "list", resource: "pods", namespace: NS } },
    }, nobody),
    post(REVIEWS, { spec: { nonResourceAttributes: { path: "/metrics", verb: "get" } } }, nobody),
    post(REVIEWS, { spec: {} }, nobody),
    post(REVIEWS, { spec: { resourceAttributes: { verb: "*", resource: "*", group: "*" } } }),
    post("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      spec: {
        user: "demo-nobody",
        groups: ["demo-none"],
        resourceAttributes: { verb: "list", resource: "pods", namespace: NS },
      },
    }),
    post("/apis/authorization.k8s.io/v1/subjectaccessreviews", { spec: {} }),
    post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, nobody),
    post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}),
    get(REVIEWS),
    del(`${BINDINGS}/part`),
    { ...get(core(NS, "pods"), nobody), whileStatus: [200] },
  ],
};
