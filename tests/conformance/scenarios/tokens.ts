import { del, get, post, type RequestStep, type StepScenario } from "../step.ts";
import { core, grouped, namespaced } from "./_objects.ts";

const NS = "suite-tokens";
const ACCOUNTS = core(NS, "serviceaccounts");
const TOKEN = `${ACCOUNTS}/robot/token`;
const RBAC = "rbac.authorization.k8s.io";
const REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
const AUDIENCE = "https://kubernetes.default.svc";
const containers = [{ name: "c", image: "i" }];

/** Sends the token that an earlier step saved. */
const bearer = (saved: string) =>
  ({
    as: "anonymous",
    headers: { authorization: `Bearer {{${saved}.status.token}}` },
  }) as const;

const review = (token: string, audiences?: readonly string[]): RequestStep =>
  post(REVIEWS, { spec: { token, ...(audiences === undefined ? {} : { audiences }) } });

const bound = (kind: string, name: string, rest: object = {}) => ({
  spec: { boundObjectRef: { apiVersion: "v1", kind, name, ...rest } },
});

/** Tokens of service accounts: their audiences, the users that they authenticate, and their expiry. */
export const tokens: StepScenario = {
  name: "tokens",
  steps: [
    namespaced(NS),
    post(ACCOUNTS, { metadata: { name: "robot" } }, { save: "robot" }),
    post(ACCOUNTS, { metadata: { name: "other" } }, { unseen: true }),
    post(core(NS, "secrets"), { metadata: { name: "secret" } }, { unseen: true, save: "secret" }),
    post(core(NS, "pods"), {
      metadata: { name: "pod" },
      spec: { serviceAccountName: "robot", containers },
    }, { unseen: true, save: "pod" }),
    post(core(NS, "pods"), {
      metadata: { name: "placed" },
      spec: { serviceAccountName: "robot", nodeName: "suite-none", containers },
    }, { unseen: true }),
    post("/api/v1/nodes", { metadata: { name: "suite-token-node" } }, { unseen: true }),
    post(TOKEN, {}, { save: "token" }),
    post(TOKEN, { spec: {} }),
    post(TOKEN, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: { name: "robot", namespace: NS, labels: { a: "b" } },
      spec: { audiences: ["x", AUDIENCE], expirationSeconds: 7200 },
    }, { save: "both" }),
    post(TOKEN, { spec: { audiences: ["x"] } }, { save: "foreign" }),
    post(TOKEN, { spec: { expirationSeconds: 599 } }),
    post(TOKEN, { spec: { expirationSeconds: -1 } }),
    post(TOKEN, { spec: { expirationSeconds: 600 } }),
    post(TOKEN, { spec: { expirationSeconds: 3607 } }),
    post(TOKEN, { spec: { expirationSeconds: 315360000 } }),
    post(TOKEN, { spec: { expirationSeconds: 4294967297 } }),
    post(TOKEN, { spec: { expirationSeconds: "x" } }),
    post(TOKEN, { spec: { unknown: 1 } }),
    post(`${TOKEN}?fieldValidation=Strict`, { spec: { unknown: 1 } }),
    post(`${TOKEN}?dryRun=All`, {}),
    post(`${TOKEN}?dryRun=x`, {}),
    post(TOKEN, { kind: "Pod", apiVersion: "v1" }),
    post(TOKEN, "{"),
    post(TOKEN, ""),
    post(TOKEN, { metadata: { name: "other" } }),
    post(TOKEN, { metadata: { namespace: "other" } }),
    post(TOKEN, { metadata: { uid: "1-2" } }),
    post(TOKEN, { metadata: { uid: "{{robot.metadata.uid}}" } }),
    post(`${ACCOUNTS}/none/token`, {}),
    post(`${core("suite-none", "serviceaccounts")}/robot/token`, {}),
    post(TOKEN, bound("Pod", "pod"), { save: "of-pod" }),
    post(TOKEN, bound("Pod", "placed"), { save: "of-placed" }),
    post(TOKEN, bound("Pod", "pod", { uid: "{{pod.metadata.uid}}" })),
    post(TOKEN, bound("Pod", "pod", { uid: "1-2" })),
    post(TOKEN, bound("Pod", "none")),
    post(`${ACCOUNTS}/other/token`, bound("Pod", "pod")),
    post(TOKEN, {
      spec: { ...bound("Pod", "pod").spec, expirationSeconds: 3607 },
    }),
    post(TOKEN, bound("Secret", "secret"), { save: "of-secret" }),
    post(TOKEN, bound("Secret", "none")),
    post(TOKEN, bound("Secret", "secret", { uid: "1-2" })),
    post(TOKEN, bound("Node", "suite-token-node"), { save: "of-node" }),
    post(TOKEN, bound("Node", "none")),
    post(TOKEN, bound("ConfigMap", "x")),
    post(TOKEN, bound("Pod", "pod", { apiVersion: "apps/v1" })),
    post(TOKEN, { spec: { boundObjectRef: {} } }),
    get(TOKEN),
    del(TOKEN),
    post(TOKEN, {}, { as: "nobody" }),
    review("{{token.status.token}}"),
    review("{{token.status.token}}", [AUDIENCE, "y"]),
    review("{{token.status.token}}", ["y"]),
    review("{{both.status.token}}", ["x", "y"]),
    review("{{both.status.token}}"),
    review("{{foreign.status.token}}"),
    review("{{foreign.status.token}}", ["x"]),
    review("{{of-pod.status.token}}"),
    review("{{of-placed.status.token}}"),
    review("{{of-node.status.token}}"),
    review("{{token.status.token}}x"),
    review("no.such.token"),
    review("none"),
    post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, bearer("token")),
    get("/version", bearer("foreign")),
    get(core(NS, "configmaps"), bearer("token")),
    post(grouped(`${RBAC}/v1`, NS, "roles"), {
      metadata: { name: "robots" },
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }],
    }, { unseen: true }),
    post(grouped(`${RBAC}/v1`, NS, "rolebindings"), {
      metadata: { name: "robots" },
      roleRef: { apiGroup: RBAC, kind: "Role", name: "robots" },
      subjects: [{ kind: "Group", apiGroup: RBAC, name: `system:serviceaccounts:${NS}` }],
    }, { unseen: true }),
    { ...get(core(NS, "configmaps"), bearer("token")), whileStatus: [403] },
    post(core(NS, "configmaps"), { metadata: { name: "a" } }, bearer("token")),
    post(core(NS, "configmaps"), { metadata: { name: "a" } }, {
      headers: { "impersonate-user": `system:serviceaccount:${NS}:robot` },
    }),
    del(`${core(NS, "secrets")}/secret`, undefined, { unseen: true }),
    { ...get("/version", bearer("of-secret")), whileStatus: [200] },
    review("{{of-secret.status.token}}"),
    del(`${ACCOUNTS}/robot`),
    { ...get("/version", bearer("token")), whileStatus: [200] },
    { ...review("{{both.status.token}}", ["x"]), unseen: true },
    post(ACCOUNTS, { metadata: { name: "robot" } }, { unseen: true }),
    { ...get("/version", bearer("both")), whileStatus: [200] },
  ],
};
