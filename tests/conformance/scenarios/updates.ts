import { del, get, jsonPatch, merge, post, put, type StepScenario, strategic } from "../step.ts";
import { configMap, core, deployment, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-updates";
const MAPS = core(NS, "configmaps");
const PODS = core(NS, "pods");
const SERVICES = core(NS, "services");
const SECRETS = core(NS, "secrets");
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const SETS = grouped("apps/v1", NS, "replicasets");
const JOBS = grouped("batch/v1", NS, "jobs");
const NAMESPACE = `/api/v1/namespaces/${NS}`;

/** Objects that are read, changed and updated, as controllers do. */
export const updates: StepScenario = {
  name: "updates",
  steps: [
    namespaced(NS),
    post(DEPLOYMENTS, deployment("d"), { save: "d" }),
    put(`${DEPLOYMENTS}/d`, "{{d}}"),
    put(`${DEPLOYMENTS}/d/status`, "{{d}}"),
    merge(`${DEPLOYMENTS}/d/status`, {
      status: {
        observedGeneration: 1,
        replicas: 1,
        conditions: [{
          type: "Available",
          status: "True",
          reason: "R",
          message: "m",
          lastUpdateTime: "2026-11-20T12:00:00Z",
          lastTransitionTime: "2026-11-20T12:00:00.5Z",
        }],
      },
    }),
    put(`${DEPLOYMENTS}/d`, "{{d}}"),
    put(`${DEPLOYMENTS}/d/status`, "{{d}}"),
    merge(`${DEPLOYMENTS}/d`, {
      spec: { replicas: 3, template: { metadata: { annotations: { restarted: "now" } } } },
    }),
    merge(`${DEPLOYMENTS}/d`, { spec: { template: { spec: { containers: [] } } } }),
    merge(`${DEPLOYMENTS}/d`, { spec: { template: { spec: { restartPolicy: "Never" } } } }),
    merge(`${DEPLOYMENTS}/d`, { spec: { progressDeadlineSeconds: 5, minReadySeconds: 9 } }),
    merge(`${DEPLOYMENTS}/d`, { spec: { revisionHistoryLimit: -1 } }),
    strategic(`${DEPLOYMENTS}/d`, {
      spec: {
        template: { spec: { containers: [{ name: "c", resources: { limits: { cpu: "2" } } }] } },
      },
    }),
    get(`${DEPLOYMENTS}/d`),
    merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: -1 } }),
    merge(`${DEPLOYMENTS}/missing/scale`, { spec: { replicas: 1 } }),
    put(`${DEPLOYMENTS}/missing`, deployment("missing")),
    del(`${DEPLOYMENTS}/d?propagationPolicy=Foreground`),
    merge(`${DEPLOYMENTS}/d`, { metadata: { finalizers: null } }),
    post(SETS, {
      metadata: {
        name: "r",
        ownerReferences: [{
          apiVersion: "apps/v1",
          kind: "Deployment",
          name: "d",
          uid: "{{d.metadata.uid}}",
          controller: true,
        }],
      },
      spec: {
        replicas: 2,
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
      },
    }, { save: "r" }),
    put(`${SETS}/r`, "{{r}}"),
    merge(`${SETS}/r`, { spec: { replicas: 1 } }),
    put(`${SETS}/r/status`, "{{r}}"),
    merge(`${SETS}/r/status`, { status: { replicas: 1, readyReplicas: 2 } }),
    merge(`${SETS}/r`, { spec: { selector: { matchLabels: { a: "c" } } } }),
    get(`${SETS}/r/scale`),
    post(PODS, pod("p", {}, { labels: { a: "b" } }), { save: "p" }),
    put(`${PODS}/p`, "{{p}}"),
    merge(`${PODS}/p/status`, {
      status: {
        phase: "Running",
        conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-11-20T12:00:00Z" }],
        containerStatuses: [{
          name: "c",
          ready: true,
          restartCount: 0,
          image: "i",
          imageID: "x",
          started: true,
          state: { running: {} },
        }],
      },
    }),
    put(`${PODS}/p/status`, "{{p}}"),
    put(`${PODS}/p`, "{{p}}"),
    strategic(`${PODS}/p/status`, {
      status: { conditions: [{ type: "Ready", status: "False", reason: "X" }] },
    }),
    jsonPatch(`${PODS}/p/status`, [{ op: "replace", path: "/status/phase", value: "Failed" }]),
    jsonPatch(`${PODS}/p`, [{ op: "replace", path: "/status/phase", value: "Pending" }]),
    merge(`${PODS}/p`, {
      metadata: {
        ownerReferences: [{
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: "r",
          uid: "{{r.metadata.uid}}",
          controller: true,
          blockOwnerDeletion: true,
        }],
      },
    }),
    merge(`${PODS}/p`, { metadata: { labels: { a: null, "bad key": "x" } } }),
    merge(`${PODS}/p`, { metadata: { generateName: "x-", finalizers: ["a/b"] } }),
    merge(`${PODS}/p`, { metadata: { finalizers: ["nope"] } }),
    del(`${PODS}/p`),
    merge(`${PODS}/p`, { metadata: { finalizers: ["a/b", "c/d"] } }),
    put(`${PODS}/p`, pod("p", {}, { finalizers: [] })),
    get(`${PODS}/p`),
    post(SERVICES, { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } }, { save: "s" }),
    put(`${SERVICES}/s`, "{{s}}"),
    put(`${SERVICES}/s`, { metadata: { name: "s" }, spec: { ports: [{ port: 81 }] } }),
    merge(`${SERVICES}/s`, { spec: { type: "NodePort" } }),
    merge(`${SERVICES}/s`, { spec: { sessionAffinity: "Nope" } }),
    post(SECRETS, { metadata: { name: "s" }, stringData: { a: "b" } }, { save: "secret" }),
    put(`${SECRETS}/s`, "{{secret}}"),
    put(`${SECRETS}/s`, { metadata: { name: "s" }, stringData: { c: "d" } }),
    post(JOBS, {
      metadata: { name: "j" },
      spec: {
        template: { spec: { restartPolicy: "OnFailure", containers: [{ name: "c", image: "i" }] } },
      },
    }, { save: "j" }),
    merge(`${JOBS}/j`, { spec: { suspend: true } }),
    merge(`${JOBS}/j/status`, { status: { active: 1, startTime: "2026-11-20T12:00:00Z" } }),
    del(`${JOBS}/j`),
    del(`${JOBS}/j?propagationPolicy=Background`),
    get(NAMESPACE, { save: "ns" }),
    put(NAMESPACE, "{{ns}}"),
    merge(NAMESPACE, { metadata: { labels: { team: "x" } } }),
    put(NAMESPACE, "{{ns}}"),
    merge(`${NAMESPACE}/status`, { status: { conditions: [{ type: "A", status: "True" }] } }),
    post(MAPS, configMap("m", { a: "1" }), { save: "m" }),
    put(`${MAPS}/m`, "{{m}}"),
    merge(`${MAPS}/m`, { data: { a: "2" } }),
    put(`${MAPS}/m`, "{{m}}"),
    jsonPatch(`${MAPS}/m`, [{
      op: "test",
      path: "/metadata/resourceVersion",
      value: "{{m.metadata.resourceVersion}}",
    }, { op: "add", path: "/data/b", value: "1" }]),
    merge(`${MAPS}/m`, { metadata: { resourceVersion: "{{m.metadata.resourceVersion}}" } }),
    merge(`${MAPS}/m`, { metadata: { resourceVersion: "0" }, data: { z: "1" } }),
    merge(`${MAPS}/m`, { metadata: { resourceVersion: "" }, data: { z: "2" } }),
    merge(`${MAPS}/m`, { metadata: { resourceVersion: "x" } }),
    del(`${MAPS}/m`, { preconditions: { resourceVersion: "{{m.metadata.resourceVersion}}" } }),
    del(`${MAPS}/m`, { preconditions: { uid: "{{m.metadata.uid}}" } }),
    post(MAPS, "{{m}}"),
    post("/api/v1/namespaces", { metadata: { generateName: "gen-" } }, { save: "gen" }),
    del("/api/v1/namespaces/{{gen.metadata.name}}"),
    get("/api/v1/namespaces/default/pods?limit=500"),
  ],
};
