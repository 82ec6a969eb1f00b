import {
  del,
  get,
  post,
  put,
  request,
  type RequestStep,
  type StepScenario,
  viewed,
} from "../step.ts";
import { configMap, core, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-inquiries";
const MAPS = core(NS, "configmaps");
const A = "/apis/authorization.k8s.io/v1";
const RULES = `${A}/selfsubjectrulesreviews`;
const SELF = `${A}/selfsubjectaccessreviews`;
const SUBJECT = `${A}/subjectaccessreviews`;
const LOCAL = grouped("authorization.k8s.io/v1", NS, "localsubjectaccessreviews");
const TOKENS = "/apis/authentication.k8s.io/v1/tokenreviews";
const ME = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const R = "rbac.authorization.k8s.io";
const user = (user: string, more: object = {}) => ({ spec: { user, ...more } });
const pods = { namespace: NS, verb: "get", resource: "pods" };
const nobody = { as: "nobody" } as const;
const sar = (spec: unknown): RequestStep => post(SUBJECT, { spec });

/** Reviews: what a user may do, who sends a request, and what is not a review. */
export const inquiries: StepScenario = {
  name: "inquiries",
  steps: [
    namespaced(NS),
    post(grouped(`${R}/v1`, NS, "roles"), {
      metadata: { name: "r" },
      rules: [
        { apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["get", "list"] },
        { apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"], verbs: ["*"] },
        { apiGroups: ["apps"], resources: ["*"], verbs: ["watch"] },
        { apiGroups: ["*"], resources: ["*/scale"], verbs: ["update"] },
      ],
    }, { unseen: true }),
    post(grouped(`${R}/v1`, NS, "rolebindings"), {
      metadata: { name: "r" },
      roleRef: { apiGroup: R, kind: "Role", name: "r" },
      subjects: [
        { kind: "User", apiGroup: R, name: "demo-nobody" },
        { kind: "ServiceAccount", name: "robot", namespace: NS },
        { kind: "Group", apiGroup: R, name: "team" },
      ],
    }, { unseen: true, settleMs: 500 }),
    // The rules of several bindings come in an order by chance.
    post(RULES, { spec: { namespace: NS } }, { as: "nobody", until: "configmaps", unseen: true }),
    post(RULES, { spec: {} }),
    post(RULES, {}),
    post(`${RULES}?fieldValidation=Strict`, { spec: { namespace: NS, more: 1 } }, nobody),
    post(RULES, { spec: { namespace: NS } }, { ...viewed("Table"), ...nobody }),
    post(RULES, { spec: { namespace: NS } }, { ...viewed("PartialObjectMetadata"), ...nobody }),
    post(RULES, { spec: { namespace: NS } }, { as: "anonymous" }),
    get(RULES),
    del(RULES),
    post(`${RULES}/x`, {}),
    // Access of a user.
    ...[
      { user: "demo-nobody", resourceAttributes: pods },
      { user: "demo-nobody", resourceAttributes: { ...pods, verb: "delete" } },
      { user: "demo-nobody", resourceAttributes: { ...pods, subresource: "log" } },
      { user: "demo-nobody", resourceAttributes: { ...pods, subresource: "exec" } },
      { user: "demo-nobody", resourceAttributes: { ...pods, namespace: "" } },
      { user: "demo-nobody", resourceAttributes: { ...pods, version: "v9" } },
      { user: "demo-nobody", resourceAttributes: { ...pods, group: "apps", verb: "watch" } },
      { user: "demo-nobody", resourceAttributes: { ...pods, resource: "configmaps", name: "a" } },
      { user: "demo-nobody", resourceAttributes: { ...pods, resource: "configmaps", name: "b" } },
      { user: "demo-nobody", resourceAttributes: { ...pods, resource: "*" } },
      { user: "demo-nobody", resourceAttributes: { ...pods, verb: "*" } },
      {
        user: "demo-nobody",
        resourceAttributes: {
          ...pods,
          group: "x",
          resource: "y",
          subresource: "scale",
          verb: "update",
        },
      },
      { user: `system:serviceaccount:${NS}:robot`, resourceAttributes: pods },
      { groups: ["team"], resourceAttributes: pods },
      { groups: ["team", ""], user: "", resourceAttributes: pods },
      { groups: ["system:masters"], resourceAttributes: { verb: "x" } },
      { user: "x", groups: ["system:masters"], nonResourceAttributes: { path: "/x", verb: "get" } },
      { user: "x", nonResourceAttributes: { path: "/healthz", verb: "get" } },
      {
        user: "x",
        groups: ["system:authenticated"],
        nonResourceAttributes: { path: "/api/v1", verb: "get" },
      },
      {
        user: "x",
        groups: ["system:authenticated"],
        nonResourceAttributes: { path: "/version/x", verb: "get" },
      },
      {
        user: "x",
        groups: ["system:unauthenticated"],
        nonResourceAttributes: { path: "/readyz", verb: "get" },
      },
      { user: "x", nonResourceAttributes: {} },
      { user: "x", resourceAttributes: {} },
      { user: "x" },
      { user: "", groups: [], resourceAttributes: pods },
      { resourceAttributes: pods },
      { user: "x", resourceAttributes: pods, nonResourceAttributes: { path: "/" } },
      {},
      null,
      "x",
      { user: "x", uid: "u", extra: { "A/b": ["c"], "": [] }, resourceAttributes: pods },
      { user: "x", extra: { a: "b" }, resourceAttributes: pods },
      { user: 5, resourceAttributes: pods },
      { user: "x", groups: "g", resourceAttributes: pods },
      { user: "x", group: ["g"], resourceAttributes: pods },
      ...[
        { rawSelector: "metadata.name=a" },
        { rawSelector: "metadata.name=(" },
        { rawSelector: "a", requirements: [{ key: "a", operator: "Exists" }] },
        { requirements: [] },
        {},
        { requirements: [{ key: "a", operator: "In", values: ["b"] }] },
        { requirements: [{ key: "a", operator: "In", values: [] }] },
        { requirements: [{ key: "a", operator: "Exists", values: ["b"] }] },
        { requirements: [{ key: "", operator: "Bad" }] },
      ].flatMap((selector) => [
        { user: "demo-nobody", resourceAttributes: { ...pods, fieldSelector: selector } },
        { user: "demo-nobody", resourceAttributes: { ...pods, labelSelector: selector } },
      ]),
    ].map(sar),
    ...[
      user("x", { resourceAttributes: pods }),
      user("x", { resourceAttributes: { ...pods, namespace: "other" } }),
      user("x", { resourceAttributes: { ...pods, namespace: "" } }),
      user("x", { nonResourceAttributes: { path: "/", verb: "get" } }),
      { metadata: { namespace: "other" }, ...user("x", { resourceAttributes: pods }) },
      { metadata: { namespace: NS, name: "n" }, ...user("x", { resourceAttributes: pods }) },
      {},
    ].flatMap((body) => [post(LOCAL, body), post(`${LOCAL}?dryRun=All&fieldManager=m`, body)]),
    ...[
      { spec: { resourceAttributes: pods } },
      { spec: { resourceAttributes: pods, nonResourceAttributes: { path: "/" } } },
      { spec: { nonResourceAttributes: { path: "/none", verb: "get" } } },
      { spec: { user: "admin", resourceAttributes: pods } },
      { metadata: { name: "x" }, spec: { resourceAttributes: pods } },
      { metadata: { namespace: NS }, spec: { resourceAttributes: pods } },
      { spec: {} },
      { status: { allowed: true } },
      { kind: "SubjectAccessReview", apiVersion: "authorization.k8s.io/v1" },
      { kind: "SelfSubjectAccessReview", apiVersion: "authorization.k8s.io/v1beta1" },
    ].map((body) => post(SELF, body, nobody)),
    // Tokens.
    ...[
      { spec: { token: "demo-nobody-token" } },
      { spec: { token: "demo-nobody-token", audiences: ["a", "b"] } },
      { spec: { token: "demo-nobody-token", audiences: [""] } },
      { spec: { token: "demo-nobody-token", audiences: [] } },
      { spec: { token: "x.y.z" } },
      { spec: { token: "" } },
      { spec: { token: " " } },
      { spec: {} },
      {},
      { metadata: { name: "x" }, spec: { token: "demo-admin-token" } },
      { metadata: { namespace: "x" }, spec: { token: "demo-admin-token" } },
      { spec: { token: "demo-admin-token" }, status: { authenticated: true, error: "x" } },
    ].map((body) => post(TOKENS, body)),
    post(`${TOKENS}?dryRun=All`, { spec: { token: "demo-nobody-token" } }),
    post(TOKENS, { spec: { token: "demo-nobody-token" } }, viewed("Table")),
    post(TOKENS, { spec: { token: "demo-nobody-token" } }, nobody),
    post(ME, {}, nobody),
    post(ME, { metadata: { name: "x" }, status: { userInfo: { username: "me" } } }, nobody),
    post(ME, {}, { as: "anonymous" }),
    post(ME, {}, viewed("Table")),
    post(ME, {}, { headers: { accept: "application/yaml" } }),
    post(ME, { kind: "X" }),
    post(`${ME}?fieldValidation=Strict`, { spec: {} }),
    post(ME, {}, {
      headers: { "impersonate-user": "u", "impersonate-uid": "1", "impersonate-extra-a%2Fb": "c" },
    }),
    get(ME),
    put(`${ME}/x`, {}),
    request("PATCH", ME, {}, { headers: { "content-type": "application/merge-patch+json" } }),
    // Tokens of accounts.
    post(core(NS, "serviceaccounts"), { metadata: { name: "robot" } }, { unseen: true }),
    post(core(NS, "pods"), pod("bound", { serviceAccountName: "robot" }), { unseen: true }),
    post(MAPS, configMap("a"), { unseen: true }),
    ...[
      { expirationSeconds: 599 },
      { expirationSeconds: 4294967297 },
      { expirationSeconds: "600" },
      { audiences: ["a", "a"] },
      { audiences: "a" },
      { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "none" } },
      { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "bound", uid: "x" } },
      { boundObjectRef: { kind: "Pod", apiVersion: "v2", name: "bound" } },
      { boundObjectRef: { kind: "ConfigMap", apiVersion: "v1", name: "a" } },
      { boundObjectRef: { kind: "Secret", apiVersion: "v1", name: "none" } },
      { boundObjectRef: { kind: "Node", apiVersion: "v1", name: "none" } },
      { boundObjectRef: {} },
    ].map((spec) => post(`${core(NS, "serviceaccounts")}/robot/token`, { spec })),
    post(`${core(NS, "serviceaccounts")}/none/token`, {}),
    post(`${core(NS, "serviceaccounts")}/robot/token`, { metadata: { name: "x", namespace: "y" } }),
    post(`${core(NS, "serviceaccounts")}/robot/token`, { kind: "TokenReview" }),
    post(`${core(NS, "serviceaccounts")}/robot/token`, ""),
    get(`${core(NS, "serviceaccounts")}/robot/token`),
    del(`${core(NS, "serviceaccounts")}/robot/token`),
  ],
};
