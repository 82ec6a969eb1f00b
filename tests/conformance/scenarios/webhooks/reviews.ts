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
  strategic,
} from "../../step.ts";
import { core, deployment, grouped, pod } from "../_objects.ts";
import { allow, EVERYTHING, Hooks } from "./_hooks.ts";

const NS = "hooks-reviews";
const hooks = new Hooks(NS);
const { maps } = hooks;
const pods = core(NS, "pods");
const accounts = core(NS, "serviceaccounts");
const deployments = grouped("apps/v1", NS, "deployments");
const leases = grouped("coordination.k8s.io/v1", NS, "leases");
const AUTHORIZATION = grouped("authorization.k8s.io/v1", NS, "localsubjectaccessreviews");

const map = (name: string, fields: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  ...fields,
});

const SYSTEM = {
  name: "system",
  uid: "11111111-2222-3333-4444-555555555555",
  resourceVersion: "",
  generation: 7,
  creationTimestamp: "2020-01-01T00:00:00Z",
  deletionTimestamp: "2020-01-01T00:00:00Z",
  deletionGracePeriodSeconds: 5,
  selfLink: "/x",
};

const impersonated = {
  headers: {
    "impersonate-user": "some one",
    "impersonate-group": "system:masters",
    "impersonate-uid": "uid-7",
    "impersonate-extra-scopes": "a",
    "impersonate-extra-acme.io%2fproject": "b",
  },
};

const OWNER = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "1" };
const NODE = { kind: "Node", name: "none" };

/** Writes of ConfigMaps. */
const WRITES: readonly RequestStep[] = [
  post(maps, map("a", { data: { k: "v" } })),
  post(maps, map("a")),
  post(maps, { metadata: SYSTEM }),
  post(maps, { metadata: { generateName: "gen-" } }),
  post(`${maps}?dryRun=All&fieldManager=me&fieldValidation=Strict&pretty=true`, map("dry")),
  post(maps, map("invalid", { data: { "a b": "" } })),
  post(maps, map("elsewhere", { metadata: { name: "elsewhere", namespace: "default" } })),
  post(maps, map("mistyped", { data: 7 })),
  post(maps, map("owned", { metadata: { name: "owned", ownerReferences: [OWNER, OWNER] } })),
  post(maps, map("unknown", { other: 1 })),
  post(`${maps}?fieldValidation=Ignore`, map("ignoring", { other: 1 })),
  post(maps, map("by", {}), impersonated),
  put(`${maps}/a`, map("a", { data: { k: "2" } })),
  put(`${maps}/a`, map("a", { data: { k: "2" } })),
  put(`${maps}/a?dryRun=All&fieldManager=other`, map("a", { data: { k: "3" } })),
  put(`${maps}/a`, map("a", { metadata: { name: "a", resourceVersion: "1" } })),
  put(`${maps}/a`, map("a", { metadata: { name: "a", uid: "other" } })),
  put(`${maps}/a`, map("b")),
  put(`${maps}/none`, map("none")),
  put(`${maps}/a`, map("a", { data: { "a b": "" } })),
  merge(`${maps}/a`, { data: { m: "1" } }),
  merge(`${maps}/a`, {}),
  merge(`${maps}/a`, { metadata: { resourceVersion: "1" } }),
  merge(`${maps}/none`, { data: {} }),
  strategic(`${maps}/a?fieldManager=strategic`, { data: { s: "1" } }),
  jsonPatch(`${maps}/a`, [{ op: "add", path: "/data/j", value: "1" }]),
  jsonPatch(`${maps}/a`, [{ op: "test", path: "/data/j", value: "2" }]),
  apply(`${maps}/a`, "applier", map("a", { data: { a: "1" } })),
  apply(`${maps}/a`, "applier", map("a", { data: { a: "1" } })),
  apply(`${maps}/a`, "other", map("a", { data: { a: "2" } })),
  apply(`${maps}/a?dryRun=All`, "other", map("a", { data: { a: "2" } }), { force: true }),
  apply(`${maps}/a`, "other", map("a", { data: { a: "2" } }), { force: true }),
  apply(`${maps}/applied?fieldValidation=Strict`, "applier", map("applied", { data: { a: "1" } })),
  merge(`${maps}/a`, { metadata: { finalizers: ["acme.io/hold"] } }),
  del(`${maps}/a?gracePeriodSeconds=5`),
  del(`${maps}/a`),
  merge(`${maps}/a`, { metadata: { finalizers: [] } }),
  del(`${maps}/none`),
  del(`${maps}/by?dryRun=All`),
  del(`${maps}/by`, { preconditions: { uid: "other" } }),
  del(`${maps}/by`, { propagationPolicy: "Foreground", gracePeriodSeconds: 0 }),
  merge(`${maps}/by`, { metadata: { finalizers: null } }),
  del(`${maps}/owned?propagationPolicy=Orphan`),
  del(`${maps}/applied`, {
    kind: "DeleteOptions",
    apiVersion: "v1",
    preconditions: { resourceVersion: "1" },
  }),
  post(maps, map("c1", { metadata: { name: "c1", labels: { c: "x" } } })),
  post(maps, map("c2", { metadata: { name: "c2", labels: { c: "x" } } })),
  del(`${maps}?labelSelector=c&dryRun=All`),
  del(`${maps}?labelSelector=c`, { gracePeriodSeconds: 3, propagationPolicy: "Background" }),
  del(`${maps}?labelSelector=none`),
  get(`${maps}/ignoring`),
];

/** Subresources, and kinds that are not stored. */
const PARTS: readonly RequestStep[] = [
  post(pods, pod("p", { terminationGracePeriodSeconds: 0 })),
  strategic(`${pods}/p/status`, { status: { message: "m" } }),
  put(`${pods}/p/status`, pod("p")),
  strategic(`${pods}/p/ephemeralcontainers`, {
    spec: { ephemeralContainers: [{ name: "e", image: "i" }] },
  }),
  strategic(`${pods}/p/resize`, {
    spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] },
  }),
  post(`${pods}/p/binding`, { metadata: { name: "p" }, target: NODE }),
  post(`${pods}/p/binding?dryRun=All`, { metadata: { name: "p" }, target: NODE }),
  post(`${pods}/none/binding`, { metadata: { name: "none" }, target: NODE }),
  post(`${pods}/p/binding`, { metadata: { name: "other" }, target: NODE }),
  post(`${pods}/p/eviction?dryRun=All`, { metadata: { name: "p" } }),
  post(`${pods}/p/eviction`, {
    metadata: { name: "p", labels: { a: "b" } },
    deleteOptions: { gracePeriodSeconds: 0 },
  }),
  post(`${pods}/none/eviction`, { metadata: { name: "none" } }),
  post(pods, pod("q")),
  post(core(NS, "bindings"), {
    metadata: { name: "q", annotations: { a: "b" }, uid: "" },
    target: NODE,
  }),
  post(core(NS, "bindings"), { metadata: { name: "none" }, target: NODE }),
  del(`${pods}/q`),
  del(`${pods}/q?gracePeriodSeconds=0`),
  get(`${pods}/p/log`),
  post(accounts, { metadata: { name: "s" } }),
  post(`${accounts}/s/token`, { spec: { expirationSeconds: 700 } }),
  post(`${accounts}/s/token?dryRun=All`, { metadata: { name: "s" }, spec: { audiences: ["a"] } }),
  post(`${accounts}/s/token`, { spec: { expirationSeconds: 7 } }),
  post(`${accounts}/none/token`, {}),
  post(`${accounts}/s/token`, { metadata: { name: "other" } }),
  post(AUTHORIZATION, {
    metadata: { namespace: NS },
    spec: { user: "u", resourceAttributes: { namespace: NS, verb: "get", resource: "pods" } },
  }),
  post(AUTHORIZATION, { spec: { resourceAttributes: {} } }),
  post(deployments, deployment("d", { replicas: 0 })),
  get(`${deployments}/d/scale`),
  merge(`${deployments}/d/scale`, { spec: { replicas: 2 } }),
  merge(`${deployments}/d/scale?dryRun=All&fieldManager=x`, { spec: { replicas: 3 } }),
  put(`${deployments}/d/scale`, { metadata: { name: "d", namespace: NS }, spec: { replicas: 1 } }),
  put(`${deployments}/d/scale`, { metadata: { name: "d", namespace: NS }, spec: { replicas: -1 } }),
  put(`${deployments}/d/scale`, { metadata: { name: "x", namespace: NS }, spec: { replicas: 1 } }),
  merge(`${deployments}/none/scale`, { spec: { replicas: 2 } }),
  apply(`${deployments}/d/scale`, "applier", {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: "d" },
    spec: { replicas: 5 },
  }, { force: true }),
  merge(`${deployments}/d/status`, { status: { replicas: 2 } }),
  merge(`${deployments}/d/status`, { spec: { replicas: 2 } }),
  del(`${deployments}/d`),
  put(`${leases}/l`, { metadata: { name: "l" }, spec: { holderIdentity: "h" } }),
  put(`${leases}/l?dryRun=All`, { metadata: { name: "l" }, spec: { holderIdentity: "h2" } }),
  put(`${leases}/l`, { metadata: { name: "l" }, spec: { holderIdentity: "h3" } }),
  post(core(NS, "services"), { metadata: { name: "svc" }, spec: { ports: [{ port: 80 }] } }),
  merge(core(NS, "services/svc/status"), { status: { loadBalancer: { ingress: [] } } }),
  del(core(NS, "services/svc")),
  post(core(NS, "secrets"), { metadata: { name: "s" }, stringData: { a: "b" } }),
  post(core(NS, "events"), {
    metadata: { name: "e" },
    involvedObject: { namespace: NS, kind: "Pod", name: "p" },
    reason: "R",
    type: "Normal",
  }),
  post(core(NS, "replicationcontrollers"), {
    metadata: { name: "rc" },
    spec: {
      replicas: 0,
      selector: { a: "b" },
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "c", image: "i" }] },
      },
    },
  }),
  merge(core(NS, "replicationcontrollers/rc/scale"), { spec: { replicas: 1 } }),
  post(grouped("batch/v1", NS, "jobs"), {
    metadata: { name: "j" },
    spec: {
      template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
    },
  }),
  del(grouped("batch/v1", NS, "jobs/j")),
  post(grouped("policy/v1", NS, "poddisruptionbudgets"), {
    metadata: { name: "b" },
    spec: { minAvailable: "50%" },
  }),
  post(grouped("rbac.authorization.k8s.io/v1", NS, "roles"), {
    metadata: { name: "r" },
    rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }],
  }),
  post(grouped("networking.k8s.io/v1", NS, "ingresses"), {
    metadata: { name: "i" },
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
  }),
  post(grouped("autoscaling/v1", NS, "horizontalpodautoscalers"), {
    metadata: { name: "h" },
    spec: { scaleTargetRef: { kind: "Deployment", name: "d" }, maxReplicas: 3 },
  }),
  merge(grouped("autoscaling/v2", NS, "horizontalpodautoscalers/h"), { spec: { minReplicas: 2 } }),
];

/** The reviews for the requests in a namespace. */
export const reviews: StepScenario = {
  name: "hooks-reviews",
  webhooks: hooks.scripts({ "mutating/see": allow, "validating/see": allow }),
  steps: [
    ...hooks.begin,
    ...(["mutating", "validating"] as const).map((type) =>
      hooks.install(type, "see", { rules: [EVERYTHING], objectSelector: {} })
    ),
    ...hooks.ready,
    ...WRITES,
    ...PARTS,
    ...hooks.end,
  ],
};
