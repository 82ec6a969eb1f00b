import { get, jsonPatch, merge, post, put, type StepScenario } from "../step.ts";
import { core, deployment, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-kinds";
const TABLE = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };
const SECRETS = core(NS, "secrets");
const SERVICES = core(NS, "services");
/** A namespace without Services, because the real server sometimes writes events about them. */
const EVENTS_NS = "suite-events";
const EVENTS = core(EVENTS_NS, "events");
const NEW_EVENTS = grouped("events.k8s.io/v1", EVENTS_NS, "events");
const LEASES = grouped("coordination.k8s.io/v1", NS, "leases");
const JOBS = grouped("batch/v1", NS, "jobs");
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const SETS = grouped("apps/v1", NS, "replicasets");
const BUDGETS = grouped("policy/v1", NS, "poddisruptionbudgets");
const NODES = "/api/v1/nodes";
const MICRO = "2026-11-20T12:00:00.000000Z";
const template = {
  metadata: { labels: { app: "x" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};

function event(name: string, rest: object = {}): object {
  return {
    metadata: { name },
    involvedObject: { kind: "Pod", namespace: EVENTS_NS, name: "p" },
    reason: "R",
    message: "m",
    ...rest,
  };
}

function newEvent(name: string, rest: object = {}): object {
  return {
    metadata: { name },
    eventTime: MICRO,
    reportingController: "c",
    reportingInstance: "i",
    action: "A",
    reason: "R",
    type: "Normal",
    regarding: { kind: "Pod", namespace: EVENTS_NS, name: "p" },
    ...rest,
  };
}

function lease(name: string, spec: object = {}): object {
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, spec };
}

/** Defaults, validation and columns of the built-in kinds. */
export const kinds: StepScenario = {
  name: "kinds",
  steps: [
    namespaced(NS),
    namespaced(EVENTS_NS),
    post(SECRETS, { metadata: { name: "a" }, stringData: { k: "v" }, data: { b: "AQID" } }),
    post(SECRETS, { metadata: { name: "tls" }, type: "kubernetes.io/tls", data: {} }),
    post(SECRETS, { metadata: { name: "bad" }, data: { k: "***" } }),
    merge(`${SECRETS}/a`, { stringData: { k: "w" } }),
    merge(`${SECRETS}/a`, { type: "other" }),
    merge(`${SECRETS}/a`, { immutable: true }),
    merge(`${SECRETS}/a`, { data: { k: "AA==" } }),
    get(SECRETS, TABLE),
    post(core(NS, "serviceaccounts"), { metadata: { name: "sa" } }),
    get(core(NS, "serviceaccounts"), TABLE),
    post(SERVICES, {
      metadata: { name: "s" },
      spec: { selector: { a: "b" }, ports: [{ port: 80 }] },
    }),
    post(SERVICES, {
      metadata: { name: "headless" },
      spec: { clusterIP: "None", selector: { a: "b" } },
    }),
    post(SERVICES, {
      metadata: { name: "ext" },
      spec: { type: "ExternalName", externalName: "example.com" },
    }),
    post(SERVICES, {
      metadata: { name: "np" },
      spec: { type: "NodePort", ports: [{ port: 80, targetPort: "http", name: "h" }] },
    }),
    post(SERVICES, { metadata: { name: "bad" }, spec: { ports: [{ port: 0 }] } }),
    post(SERVICES, { metadata: { name: "bad" }, spec: { ports: [{ port: 80 }, { port: 81 }] } }),
    post(SERVICES, { metadata: { name: "bad" }, spec: {} }),
    post(SERVICES, { metadata: { name: "9bad" }, spec: { ports: [{ port: 80 }] } }),
    post(SERVICES, { metadata: { name: "bad" }, spec: { type: "Nope", ports: [{ port: 80 }] } }),
    merge(`${SERVICES}/s`, { spec: { ports: [{ port: 81, name: "x" }] } }),
    merge(`${SERVICES}/s`, { spec: { clusterIP: "10.0.0.250" } }),
    get(SERVICES, TABLE),
    post(DEPLOYMENTS, deployment("d", { replicas: 3 })),
    post(DEPLOYMENTS, { ...deployment("bad"), spec: {} }),
    post(DEPLOYMENTS, deployment("bad", { selector: { matchLabels: { app: "other" } } })),
    post(DEPLOYMENTS, deployment("bad", { replicas: -1 })),
    post(DEPLOYMENTS, deployment("bad", { strategy: { type: "Recreate", rollingUpdate: {} } })),
    post(
      DEPLOYMENTS,
      deployment("bad", { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    ),
    post(
      DEPLOYMENTS,
      deployment("exp", {
        selector: { matchExpressions: [{ key: "app", operator: "In", values: ["exp"] }] },
      }),
    ),
    post(
      DEPLOYMENTS,
      deployment("bad", { selector: { matchExpressions: [{ key: "app", operator: "Nope" }] } }),
    ),
    merge(`${DEPLOYMENTS}/d`, { spec: { paused: true } }),
    merge(`${DEPLOYMENTS}/d`, { metadata: { annotations: { a: "b" } } }),
    merge(`${DEPLOYMENTS}/d/status`, {
      status: {
        replicas: 3,
        readyReplicas: 1,
        updatedReplicas: 3,
        availableReplicas: 1,
        observedGeneration: 2,
      },
    }),
    merge(`${DEPLOYMENTS}/d/status`, { status: { readyReplicas: 9 } }),
    get(`${DEPLOYMENTS}/d/scale`),
    put(`${DEPLOYMENTS}/d/scale`, {
      metadata: { name: "d", namespace: NS },
      spec: { replicas: 1 },
    }),
    put(`${DEPLOYMENTS}/d/scale`, {
      metadata: { name: "x", namespace: NS },
      spec: { replicas: 1 },
    }),
    put(`${DEPLOYMENTS}/d/scale`, {
      metadata: { name: "d", namespace: NS, resourceVersion: "1" },
      spec: { replicas: 2 },
    }),
    jsonPatch(`${DEPLOYMENTS}/d/scale`, [{ op: "replace", path: "/spec/replicas", value: 8 }]),
    get(DEPLOYMENTS, TABLE),
    post(SETS, {
      metadata: { name: "rs" },
      spec: { selector: { matchLabels: { app: "x" } }, template },
    }),
    merge(`${SETS}/rs/status`, { status: { replicas: 1, readyReplicas: 1 } }),
    get(SETS, TABLE),
    get(`${SETS}?fieldSelector=status.replicas%3D1`),
    post(JOBS, {
      metadata: { name: "j" },
      spec: {
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
      },
    }),
    post(JOBS, {
      metadata: { name: "bad" },
      spec: { template: { spec: { containers: [{ name: "c", image: "i" }] } } },
    }),
    post(JOBS, {
      metadata: { name: "bad" },
      spec: {
        parallelism: -1,
        completions: -1,
        template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
      },
    }),
    merge(`${JOBS}/j`, { spec: { parallelism: 2 } }),
    merge(`${JOBS}/j`, { spec: { completions: 9 } }),
    get(JOBS, TABLE),
    post(BUDGETS, {
      metadata: { name: "b" },
      spec: { minAvailable: "50%", selector: { matchLabels: { a: "b" } } },
    }),
    post(BUDGETS, { metadata: { name: "bad" }, spec: { minAvailable: 1, maxUnavailable: 1 } }),
    get(BUDGETS, TABLE),
    post(
      LEASES,
      lease("l", {
        holderIdentity: "me",
        leaseDurationSeconds: 15,
        renewTime: MICRO,
        acquireTime: MICRO,
        leaseTransitions: 0,
      }),
      { save: "l" },
    ),
    put(`${LEASES}/l`, lease("l", { holderIdentity: "you" })),
    put(`${LEASES}/l`, {
      ...lease("l", { holderIdentity: "you", renewTime: "2026-11-20T12:00:01.123456Z" }),
      metadata: { name: "l", resourceVersion: "{{l.metadata.resourceVersion}}" },
    }),
    put(`${LEASES}/l`, {
      ...lease("l", { holderIdentity: "she" }),
      metadata: { name: "l", resourceVersion: "{{l.metadata.resourceVersion}}" },
    }),
    put(`${LEASES}/created`, lease("created", { holderIdentity: "x" })),
    post(
      LEASES,
      lease("bad", { leaseDurationSeconds: -1, leaseTransitions: -1, holderIdentity: "" }),
    ),
    post(LEASES, lease("bad", { renewTime: "2026-11-20T12:00:00Z" })),
    post(LEASES, lease("bad", { renewTime: "2026-11-20T12:00:00.123Z" })),
    post(LEASES, lease("zone", { renewTime: "2026-11-20T13:00:00.123456+01:00" })),
    merge(`${LEASES}/l`, { spec: { renewTime: "2026-11-20T12:00:09.000000Z" } }),
    get(LEASES, TABLE),
    post(EVENTS, event("e1")),
    post(
      EVENTS,
      event("e2", {
        type: "Warning",
        count: 2,
        firstTimestamp: "2026-11-20T12:00:00Z",
        lastTimestamp: "2026-11-20T12:01:00Z",
        source: { component: "c", host: "h" },
      }),
    ),
    post(EVENTS, event("bad", { involvedObject: { kind: "Pod", namespace: "other", name: "p" } })),
    post(
      EVENTS,
      event("new", {
        eventTime: MICRO,
        reportingComponent: "c",
        reportingInstance: "i",
        action: "a",
        type: "Normal",
      }),
    ),
    post(EVENTS, event("new2", { eventTime: MICRO })),
    merge(`${EVENTS}/e1`, { count: 5, message: "changed" }),
    post(NEW_EVENTS, newEvent("n1")),
    post(NEW_EVENTS, newEvent("n2", { type: "Odd" })),
    post(NEW_EVENTS, newEvent("n2", { eventTime: null })),
    post(
      NEW_EVENTS,
      newEvent("n2", { reportingController: "", reportingInstance: "", action: "", reason: "" }),
    ),
    merge(`${NEW_EVENTS}/n1`, { series: { count: 2, lastObservedTime: MICRO } }),
    merge(`${NEW_EVENTS}/n1`, { note: "changed" }),
    get(`${NEW_EVENTS}/e2`),
    get(`${EVENTS}/n1`),
    get(EVENTS, TABLE),
    get(NEW_EVENTS, TABLE),
    get(`${EVENTS}?fieldSelector=involvedObject.kind%3DPod,type%3DWarning`),
    get(`${NEW_EVENTS}?fieldSelector=regarding.name%3Dp,type%3DWarning`),
    post(NODES, {
      metadata: { name: "suite-node", labels: { zone: "a" } },
      spec: { unschedulable: true },
    }),
    merge(`${NODES}/suite-node/status`, {
      status: {
        capacity: { cpu: "4", memory: "8Gi" },
        conditions: [{ type: "Ready", status: "True" }],
        nodeInfo: { kubeletVersion: "v1.35.4" },
      },
    }),
    merge(`${NODES}/suite-node`, { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }),
    merge(`${NODES}/suite-node`, { spec: { taints: [{ key: "a", effect: "Nope" }] } }),
    get(`${NODES}?fieldSelector=metadata.name%3Dsuite-node`, TABLE),
    get(`${NODES}?fieldSelector=spec.unschedulable%3Dtrue`),
    { method: "DELETE", path: `${NODES}/suite-node` },
    post(core(NS, "pods"), pod("p")),
    post(`${core(NS, "pods")}/p/binding`, {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "p" },
      target: { kind: "Node", name: "n" },
    }),
    post(`${core(NS, "pods")}/p/binding`, {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "p" },
      target: { kind: "Node", name: "n2" },
    }),
    post(`${core(NS, "pods")}/p/binding`, {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "p" },
      target: { kind: "Node" },
    }),
    get(`${core(NS, "pods")}/p/log`),
    get(`${core(NS, "pods")}/none/log`),
    post("/api/v1/namespaces", {
      metadata: { name: "suite-kinds-2", labels: { "kubernetes.io/metadata.name": "wrong" } },
    }),
    post("/api/v1/namespaces", { metadata: { name: "dotted.name" } }),
    merge("/api/v1/namespaces/suite-kinds-2", {
      metadata: { labels: { "kubernetes.io/metadata.name": "wrong", x: "y" } },
    }),
    merge("/api/v1/namespaces/suite-kinds-2", { spec: { finalizers: [] } }),
    merge("/api/v1/namespaces/suite-kinds-2/status", { status: { phase: "Terminating" } }),
    put("/api/v1/namespaces/suite-kinds-2", { metadata: { name: "suite-kinds-2" } }),
    // Tables without rows, of kinds with columns of their own and of kinds without.
    get(core("suite-none", "limitranges"), TABLE),
    get(grouped("rbac.authorization.k8s.io/v1", "suite-none", "roles"), TABLE),
    get(grouped("storage.k8s.io/v1", "suite-none", "csistoragecapacities"), TABLE),
    get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?labelSelector=no%3Dthing", TABLE),
  ],
};
