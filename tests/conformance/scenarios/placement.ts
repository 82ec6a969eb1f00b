import { get, merge, post, put, type RequestStep, type StepScenario } from "../step.ts";
import { core, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-placement";
const PODS = core(NS, "pods");
const BUDGETS = grouped("policy/v1", NS, "poddisruptionbudgets");
const METADATA = {
  headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
};
const ZONE = "topology.kubernetes.io/zone";

const bind = (name: string, node: string, metadata: object = {}): RequestStep =>
  post(`${PODS}/${name}/binding`, {
    metadata: { name, ...metadata },
    target: { kind: "Node", name: node },
  });

const evict = (name: string): RequestStep =>
  post(`${PODS}/${name}/eviction`, { metadata: { name } });

/** Creates a Pod that is not ready, and a budget with that status. */
const guarded = (name: string, budget: object, status?: object): RequestStep[] => [
  post(PODS, pod(name, { nodeName: "n1" }, { labels: { app: name } }), { unseen: true }),
  merge(`${PODS}/${name}/status`, { status: { phase: "Running" } }, { unseen: true }),
  post(BUDGETS, {
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: { app: name } }, ...budget },
  }, { unseen: true }),
  ...(status === undefined ? [] : [
    merge(`${BUDGETS}/${name}/status`, {
      status: { observedGeneration: 1, expectedPods: 1, ...status },
    }, { unseen: true }),
  ]),
  evict(name),
];

const SIGNERS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const ROLES = "/apis/rbac.authorization.k8s.io/v1";
const PEM =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ1ZqQ0NBVDRDQVFBd0VURVBNQTBHQTFVRUF3d0dZVzVuWld4aE1JSUJJakFOQmdrcWhraUc5dzBCQVFFRgpBQU9DQVE4QU1JSUJDZ0tDQVFFQTByczhJTHRHdTYxakx2dHhWTTJSVlRWMDNHWlJTWWw0dWluVWo4RElaWjBOCnR2MUZtRVFSd3VoaUZsOFEzcWl0Qm0wMUFSMkNJVXBGd2ZzSjZ4MXF3ckJzVkhZbGlBNVhwRVpZM3ExcGswSDQKM3Z3aGJlK1o2MVNrVHF5SVBYUUwrTWM5T1Nsbm0xb0R2N0NtSkZNMUlMRVI3QTVGZnZKOEdFRjJ6dHBoaUlFMwpub1dtdHNZb3JuT2wzc2lHQ2ZGZzR4Zmd4eW8ybmlneFNVekl1bXNnVm9PM2ttT0x1RVF6cXpkakJ3TFJXbWlECklmMXBMWnoyalVnald4UkhCM1gyWnVVV1d1T09PZnpXM01LaE8ybHEvZi9DdS8wYk83c0x0MCt3U2ZMSU91TFcKcW90blZtRmxMMytqTy82WDNDKzBERHk5aUtwbXJjVDBnWGZLemE1dHJRSURBUUFCb0FBd0RRWUpLb1pJaHZjTgpBUUVMQlFBRGdnRUJBR05WdmVIOGR4ZzNvK21VeVRkbmFjVmQ1N24zSkExdnZEU1JWREkyQTZ1eXN3ZFp1L1BVCkkwZXpZWFV0RVNnSk1IRmQycVVNMjNuNVJsSXJ3R0xuUXFISUh5VStWWHhsdnZsRnpNOVpEWllSTmU3QlJvYXgKQVlEdUI5STZXT3FYbkFvczFqRmxNUG5NbFpqdU5kSGxpT1BjTU1oNndLaTZzZFhpVStHYTJ2RUVLY01jSVUyRgpvU2djUWdMYTk0aEpacGk3ZnNMdm1OQUxoT045UHdNMGM1dVJVejV4T0dGMUtCbWRSeEgvbUNOS2JKYjFRQm1HCkkwYitEUEdaTktXTU0xMzhIQXdoV0tkNjVoVHdYOWl4V3ZHMkh4TG1WQzg0L1BHT0tWQW9FNkpsYWFHdTlQVmkKdjlOSjVaZlZrcXdCd0hKbzZXdk9xVlA3SVFjZmg3d0drWm89Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
const AS_APPROVER = { headers: { "impersonate-user": "suite-approver" } };

const request = (name: string, signerName: string, conditions?: readonly object[]) => ({
  metadata: { name },
  spec: { request: PEM, signerName, usages: ["client auth"] },
  ...(conditions === undefined ? {} : { status: { conditions } }),
});

const condition = (type: string) => [{ type, status: "True", reason: "R", message: "m" }];

const decide = (name: string, signer: string, part: "approval" | "status", type: string) =>
  put(`${SIGNERS}/${name}/${part}`, request(name, signer, condition(type)), AS_APPROVER);

/** Where Pods go and how they leave: bindings and evictions. And who may approve and sign certificates. */
export const placement: StepScenario = {
  name: "placement",
  steps: [
    namespaced(NS),
    post("/api/v1/nodes", {
      metadata: {
        name: "suite-zoned",
        labels: { [ZONE]: "z1", "topology.kubernetes.io/region": "r1", other: "x" },
      },
    }, { unseen: true }),
    post(PODS, pod("b1", {}, { labels: { [ZONE]: "old", keep: "1" } }), { unseen: true }),
    bind("b1", "n1", { labels: { [ZONE]: "new", more: "2" }, annotations: { a: "b" } }),
    get(`${PODS}/b1`),
    post(PODS, pod("b2", {}, { labels: { [ZONE]: "mine" } }), { unseen: true }),
    bind("b2", "suite-zoned", { labels: { [ZONE]: "asked" } }),
    get(`${PODS}/b2`, METADATA),
    post(PODS, pod("b3", { nodeName: "suite-zoned" })),
    post(PODS, pod("b4", { schedulingGates: [{ name: "a" }] }), { unseen: true }),
    bind("b4", "n1"),
    ...guarded("e1", {}),
    ...guarded("e2", {}, { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1 }),
    ...guarded("e3", {}, { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 }),
    get(`${BUDGETS}/e3`),
    ...guarded("e4", { unhealthyPodEvictionPolicy: "AlwaysAllow" }),
    post(`${ROLES}/clusterroles`, {
      metadata: { name: "suite-approver" },
      rules: [
        {
          apiGroups: ["certificates.k8s.io"],
          resources: ["signers"],
          resourceNames: ["suite.example.com/*"],
          verbs: ["approve", "sign"],
        },
        {
          apiGroups: ["certificates.k8s.io"],
          resources: [
            "certificatesigningrequests/approval",
            "certificatesigningrequests/status",
          ],
          verbs: ["update"],
        },
      ],
    }, { unseen: true }),
    post(`${ROLES}/clusterrolebindings`, {
      metadata: { name: "suite-approver" },
      roleRef: {
        apiGroup: "rbac.authorization.k8s.io",
        kind: "ClusterRole",
        name: "suite-approver",
      },
      subjects: [{ kind: "User", name: "suite-approver" }],
    }, { unseen: true }),
    post(SIGNERS, request("suite-own", "suite.example.com/one"), { unseen: true }),
    post(SIGNERS, request("suite-other", "other.example.com/one"), { unseen: true }),
    decide("suite-other", "other.example.com/one", "approval", "Approved"),
    decide("suite-other", "other.example.com/one", "status", "Failed"),
    decide("suite-own", "suite.example.com/one", "approval", "Approved"),
    decide("suite-own", "suite.example.com/one", "status", "Failed"),
    // A scheduler that has nominated a node, and could not place the Pod at first.
    post(PODS, pod("b5"), { unseen: true }),
    merge(`${PODS}/b5/status`, {
      status: {
        nominatedNodeName: "suite-zoned",
        conditions: [
          { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "m" },
          { type: "Other", status: "True" },
        ],
      },
    }),
    bind("b5", "suite-zoned"),
    get(`${PODS}/b5`),
    bind("b5", "suite-zoned"),
  ],
};
