import { post, type RequestStep, type StepScenario } from "../step.ts";
import { grouped, namespaced } from "./_objects.ts";

const NS = "suite-impersonation";
const REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const RBAC = "rbac.authorization.k8s.io";

type Headers = Readonly<Record<string, string>>;

const whoAmI = (headers: Headers, rest: Partial<RequestStep> = {}): RequestStep =>
  post(REVIEWS, {}, { headers, ...rest });

/** Lets the user without rights impersonate, and asks until the server has read it. */
const allowed = (name: string, rule: object, headers: Headers): RequestStep[] => [
  post(`/apis/${RBAC}/v1/clusterroles`, {
    metadata: { name },
    rules: [{ verbs: ["impersonate"], ...rule }],
  }, { unseen: true }),
  post(`/apis/${RBAC}/v1/clusterrolebindings`, {
    metadata: { name },
    subjects: [{ kind: "User", apiGroup: RBAC, name: "demo-nobody" }],
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name },
  }, { unseen: true }),
  whoAmI(headers, { as: "nobody", whileStatus: [403] }),
];

/** The user of a request with Impersonate headers, and the rights that it needs. */
export const impersonation: StepScenario = {
  name: "impersonation",
  setting: {},
  steps: [
    namespaced(NS),
    whoAmI({}),
    whoAmI({}, { as: "nobody" }),
    ...[
      { "impersonate-user": "a" },
      { "impersonate-user": "a", "impersonate-group": "g" },
      { "impersonate-user": "a", "impersonate-group": "system:authenticated" },
      { "impersonate-user": "a", "impersonate-group": "system:unauthenticated" },
      { "impersonate-user": "system:anonymous" },
      { "impersonate-user": "system:anonymous", "impersonate-group": "g" },
      { "impersonate-user": "system:anonymous", "impersonate-group": "system:unauthenticated" },
      { "impersonate-user": "system:serviceaccount:x:y" },
      { "impersonate-user": "system:serviceaccount:x:y", "impersonate-group": "g" },
      { "impersonate-user": "system:serviceaccount:x" },
      { "impersonate-user": "system:serviceaccount:x:y:z" },
      { "impersonate-user": "system:serviceaccount:X:y" },
      { "impersonate-user": "system:serviceaccount::y" },
      { "impersonate-user": "system:serviceaccount:x:" },
      { "impersonate-user": "system:node:n" },
      { "impersonate-user": "a", "impersonate-uid": "u" },
      { "impersonate-user": "a", "impersonate-extra-one": "1" },
      { "impersonate-user": "a", "impersonate-extra-One%2ftwo": "1" },
      { "impersonate-user": "a", "impersonate-extra-bad%zz": "1" },
      { "impersonate-user": "a", "impersonate-extra-a": "1", "impersonate-extra-b": "2" },
      { "impersonate-group": "g" },
      { "impersonate-uid": "u" },
      { "impersonate-extra-one": "1" },
      { "impersonate-group": "g", "impersonate-uid": "u", "impersonate-extra-one": "1" },
      { "impersonate-user": "" },
    ].flatMap((headers) => [whoAmI(headers), whoAmI(headers, { as: "nobody" })]),
    ...allowed("suite-imp-user", { apiGroups: [""], resources: ["users"], resourceNames: ["a"] }, {
      "impersonate-user": "a",
    }),
    whoAmI({ "impersonate-user": "b" }, { as: "nobody" }),
    whoAmI({ "impersonate-user": "a", "impersonate-group": "g" }, { as: "nobody" }),
    whoAmI({ "impersonate-user": "a", "impersonate-uid": "u" }, { as: "nobody" }),
    whoAmI({ "impersonate-user": "a", "impersonate-extra-one": "1" }, { as: "nobody" }),
    ...allowed("suite-imp-uid", { apiGroups: ["authentication.k8s.io"], resources: ["uids"] }, {
      "impersonate-user": "a",
      "impersonate-uid": "u",
    }),
    ...allowed(
      "suite-imp-extra",
      { apiGroups: ["authentication.k8s.io"], resources: ["userextras/one"] },
      { "impersonate-user": "a", "impersonate-extra-one": "1" },
    ),
    whoAmI({ "impersonate-user": "a", "impersonate-extra-two": "1" }, { as: "nobody" }),
    ...allowed("suite-imp-group", { apiGroups: [""], resources: ["groups"] }, {
      "impersonate-user": "a",
      "impersonate-group": "g",
    }),
    ...allowed("suite-imp-account", { apiGroups: [""], resources: ["serviceaccounts"] }, {
      "impersonate-user": "system:serviceaccount:x:y",
    }),
    post(grouped("authorization.k8s.io/v1", NS, "localsubjectaccessreviews"), {
      metadata: { namespace: NS },
      spec: {
        user: "demo-nobody",
        resourceAttributes: { namespace: NS, verb: "impersonate", resource: "users", name: "a" },
      },
    }),
  ],
};
