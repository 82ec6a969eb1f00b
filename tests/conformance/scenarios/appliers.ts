import {
  apply,
  del,
  get,
  jsonPatch,
  merge,
  put,
  type RequestStep,
  type StepScenario,
  strategic,
} from "../step.ts";
import { configMap, core, deployment, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-appliers";
const MAPS = core(NS, "configmaps");
const PODS = core(NS, "pods");
const SVC = core(NS, "services");
const DEP = grouped("apps/v1", NS, "deployments");
const HPA1 = grouped("autoscaling/v1", NS, "horizontalpodautoscalers");
const HPA2 = grouped("autoscaling/v2", NS, "horizontalpodautoscalers");
const ING = grouped("networking.k8s.io/v1", NS, "ingresses");
const service = (ports: object[], more: object = {}) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s", ...more },
  spec: { ports, selector: { a: "b" } },
});
const map = (data: object, metadata: object = {}) => configMap("m", data, metadata);
const owner = (uid: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  name: uid,
  uid,
  ...more,
});
const condition = (type: string, status: string) => ({
  type,
  status,
  reason: "R",
  message: "",
  lastUpdateTime: null,
  lastTransitionTime: null,
});
const hpa = (spec: object, version = "v2") => ({
  apiVersion: `autoscaling/${version}`,
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "h" },
  spec: {
    scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
    maxReplicas: 3,
    ...spec,
  },
});
const applied = (path: string, manager: string, body: unknown, force = false): RequestStep =>
  apply(path, manager, body, { force });

/** Server-side apply by several managers: to subresources, in several versions, with metadata, by text. */
export const appliers: StepScenario = {
  name: "appliers",
  steps: [
    namespaced(NS),
    // Metadata.
    applied(`${MAPS}/m`, "a", map({ x: "1" }, { labels: { l: "1" }, annotations: { n: "1" } })),
    applied(`${MAPS}/m`, "b", map({ x: "2" }, { labels: { l: "2" }, annotations: { n: "2" } })),
    applied(`${MAPS}/m`, "b", map({ y: "2" }, { labels: { l: "1" }, finalizers: ["a.b/c"] })),
    applied(`${MAPS}/m`, "c", map({}, { finalizers: ["a.b/d", "a.b/c"] })),
    applied(`${MAPS}/m`, "b", map({}, { ownerReferences: [owner("u1"), owner("u2")] })),
    applied(`${MAPS}/m`, "c", map({}, { ownerReferences: [owner("u2", { controller: true })] })),
    applied(`${MAPS}/m`, "c", map({}, { ownerReferences: [owner("u3", { controller: true })] })),
    applied(`${MAPS}/m`, "d", map({}, { ownerReferences: [owner("u4", { controller: true })] })),
    applied(`${MAPS}/m`, "d", map({}, { ownerReferences: [owner("u4"), owner("u4")] })),
    applied(`${MAPS}/m`, "d", map({}, { ownerReferences: [{ uid: "u5" }] })),
    applied(`${MAPS}/m`, "c", map({}, { finalizers: [] })),
    applied(`${MAPS}/m`, "d", map({}, { generateName: "gen-" })),
    applied(`${MAPS}/m`, "d", map({}, { uid: "other" })),
    applied(`${MAPS}/m`, "d", map({}, { resourceVersion: "1" })),
    applied(`${MAPS}/m`, "d", map({}, { resourceVersion: "x" })),
    applied(`${MAPS}/m`, "d", map({}, { namespace: "other" })),
    applied(`${MAPS}/m`, "d", map({}, { namespace: "" })),
    applied(`${MAPS}/m`, "d", map({}, { creationTimestamp: null })),
    applied(`${MAPS}/m`, "d", map({}, { deletionTimestamp: "2026-01-01T00:00:00Z" })),
    applied(`${MAPS}/m`, "d", map({}, { generation: 7, selfLink: "/x" })),
    applied(`${MAPS}/m`, "d", map({}, { labels: null })),
    applied(`${MAPS}/m`, "d", map({}, { labels: { a: null } })),
    applied(`${MAPS}/m`, "d", map({}, { labels: { "-": "x" } })),
    applied(`${MAPS}/m`, "d", map({}, { managedFields: [] })),
    applied(`${MAPS}/m`, "d", map({}, { managedFields: [{ manager: "x" }] })),
    applied(`${MAPS}/m`, "d", { ...map({}), metadata: null }),
    applied(`${MAPS}/m`, "d", { ...map({}), metadata: { name: "n" } }),
    applied(`${MAPS}/m`, "d", { ...map({}), kind: "Secret" }),
    applied(`${MAPS}/m`, "d", { ...map({}), kind: "ConfigMapList", items: [] }),
    applied(`${MAPS}/m`, "d", { ...map({}), apiVersion: "v2" }),
    applied(`${MAPS}/m`, "d", { ...map({}), apiVersion: "apps/v1" }),
    applied(`${MAPS}/m`, "d", { ...map({}), apiVersion: "" }),
    applied(`${MAPS}/m`, "d", { ...map({}), apiVersion: "a/b/c" }),
    applied(`${MAPS}/m`, "d", { ...map({}), apiVersion: 1 }),
    applied(`${MAPS}/m`, "d", { ...map({}), immutable: "x" }),
    applied(`${MAPS}/m`, "d", { ...map({}), binaryData: { b: "!" } }),
    applied(`${MAPS}/m`, "d", { ...map({}), binaryData: { b: "YQ==" } }),
    applied(`${MAPS}/m`, "d", "apiVersion: v1\nkind: ConfigMap\ndata:\n  t: |\n    a\n    b\n"),
    applied(`${MAPS}/m`, "d", "a: 1\n---\nb: 2\n"),
    applied(`${MAPS}/m`, "d", "- a\n"),
    applied(
      `${MAPS}/m`,
      "d",
      "apiVersion: v1\nkind: ConfigMap\ndata: &a\n  t: x\nbinaryData: *a\n",
    ),
    applied(`${MAPS}/m`, "d", "apiVersion: v1\nkind: ConfigMap\ndata:\n  on: yes\n"),
    applied(`${MAPS}/m`, "d", "apiVersion: v1\nkind: ConfigMap\ndata:\n  1: a\n"),
    applied(`${MAPS}/m`, "d", "null"),
    applied(`${MAPS}/m`, "", map({})),
    { ...applied(`${MAPS}/m`, "x", map({})), path: `${MAPS}/m` },
    { ...applied(`${MAPS}/m`, "x", map({})), path: `${MAPS}/m?fieldManager=x&force=maybe` },
    { ...applied(`${MAPS}/m`, "x", map({})), path: `${MAPS}/m?fieldManager=x&force=` },
    { ...applied(`${MAPS}/m`, "x", map({})), path: `${MAPS}/m?fieldManager=x&fieldManager=y` },
    merge(`${MAPS}/m?force=true`, {}),
    jsonPatch(`${MAPS}/m?force=false`, []),
    applied(MAPS, "x", map({})),
    get(`${MAPS}/m`),
    merge(`${MAPS}/m?fieldManager=reset`, { metadata: { managedFields: [{}] } }),
    merge(`${MAPS}/m?fieldManager=reset`, { data: { z: "1" } }),
    jsonPatch(`${MAPS}/m`, [{ op: "replace", path: "/metadata/managedFields", value: [] }]),
    strategic(`${MAPS}/m?fieldManager=s`, {
      data: { z: null, q: "1" },
      metadata: { finalizers: [] },
    }),
    put(`${MAPS}/m?fieldManager=p`, map({ z: "1" }, { ownerReferences: [] })),
    // Subresources.
    applied(`${DEP}/d`, "a", deployment("d", { replicas: 2 })),
    applied(`${DEP}/d/scale`, "s", {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "d" },
      spec: { replicas: 3 },
    }),
    applied(`${DEP}/d/scale`, "s", {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "d" },
      spec: { replicas: 3 },
    }, true),
    applied(`${DEP}/d`, "a", deployment("d", { replicas: 2 })),
    applied(`${DEP}/d`, "a", deployment("d", {})),
    applied(`${DEP}/d/scale`, "s", { apiVersion: "v1", kind: "Scale", spec: { replicas: 3 } }),
    applied(`${DEP}/d/scale`, "s", { apiVersion: "autoscaling/v1", kind: "Scale", spec: {} }),
    applied(`${DEP}/d/scale`, "t", {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { labels: { a: "b" } },
      status: { replicas: 4 },
    }),
    applied(`${DEP}/none/scale`, "t", {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      spec: { replicas: 1 },
    }),
    merge(`${DEP}/d/scale?fieldManager=sm`, { spec: { replicas: 5 } }),
    strategic(`${DEP}/d/scale?fieldManager=sm`, { spec: { replicas: 6 } }),
    get(`${DEP}/d`),
    applied(`${DEP}/d/status`, "st", {
      ...deployment("d"),
      spec: undefined,
      status: { replicas: 1, conditions: [condition("A", "True")] },
    }),
    applied(`${DEP}/d/status`, "su", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      status: { replicas: 2, conditions: [condition("A", "False"), condition("B", "True")] },
    }),
    applied(`${DEP}/d/status`, "su", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      status: { replicas: 2, conditions: [condition("A", "False"), condition("B", "True")] },
    }, true),
    applied(`${DEP}/d/status`, "st", { apiVersion: "apps/v1", kind: "Deployment", status: {} }),
    applied(`${DEP}/d/status`, "sp", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { labels: { x: "y" } },
      spec: { replicas: 9 },
    }),
    applied(`${DEP}/d`, "a", { ...deployment("d"), status: { replicas: 8 } }),
    applied(`${DEP}/none/status`, "st", { apiVersion: "apps/v1", kind: "Deployment", status: {} }),
    // Versions.
    applied(
      `${HPA2}/h`,
      "two",
      hpa({
        metrics: [{
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
        }],
      }),
    ),
    applied(`${HPA1}/h`, "one", hpa({ targetCPUUtilizationPercentage: 60 }, "v1")),
    applied(`${HPA1}/h`, "one", hpa({ targetCPUUtilizationPercentage: 60 }, "v1"), true),
    applied(`${HPA1}/h`, "one", hpa({ minReplicas: 2 }, "v1")),
    applied(`${HPA2}/h`, "two", hpa({ minReplicas: 3 })),
    applied(
      `${HPA2}/h`,
      "two",
      hpa({ minReplicas: 3, behavior: { scaleDown: { stabilizationWindowSeconds: 5 } } }),
      true,
    ),
    applied(`${HPA1}/h`, "two", hpa({}, "v1")),
    get(`${HPA1}/h`),
    get(`${HPA2}/h`),
    // Ports of services: keys with defaults.
    applied(`${SVC}/s`, "a", service([{ port: 80, name: "p" }])),
    applied(`${SVC}/s`, "b", service([{ port: 80, protocol: "UDP", name: "u" }])),
    applied(`${SVC}/s`, "b", service([{ port: 80, protocol: "TCP", targetPort: 8080 }])),
    applied(`${SVC}/s`, "b", service([{ port: 80, targetPort: 8080 }]), true),
    applied(`${SVC}/s`, "a", service([])),
    applied(`${SVC}/s`, "c", service([{ port: 81, name: "q" }, { port: 81, name: "r" }])),
    applied(`${SVC}/s`, "c", service([{ name: "q" }])),
    applied(`${SVC}/s`, "c", { ...service([]), spec: { type: "NodePort", clusterIP: "None" } }),
    get(`${SVC}/s`),
    // Pods.
    applied(
      `${PODS}/p`,
      "a",
      pod("p", { tolerations: [{ key: "a", operator: "Exists" }], nodeSelector: { a: "b" } }),
    ),
    applied(`${PODS}/p`, "b", pod("p", { containers: [{ name: "c", image: "i:2" }] })),
    applied(`${PODS}/p`, "b", pod("p", { containers: [{ name: "c", image: "i:2" }] }), true),
    applied(`${PODS}/p`, "b", pod("p", { containers: [{ name: "d", image: "i:2" }] })),
    applied(
      `${PODS}/p`,
      "b",
      pod("p", { containers: [], tolerations: [{ key: "z", operator: "Exists" }] }),
    ),
    applied(
      `${PODS}/p`,
      "b",
      pod("p", { containers: [{ name: "c" }], nodeSelector: { a: "c" } }),
      true,
    ),
    applied(`${PODS}/p/ephemeralcontainers`, "e", {
      ...pod("p"),
      spec: { ephemeralContainers: [{ name: "e", image: "i" }] },
    }),
    applied(`${PODS}/p/ephemeralcontainers`, "f", {
      ...pod("p"),
      spec: {
        ephemeralContainers: [{ name: "f", image: "i", resources: { limits: { cpu: "1" } } }],
      },
    }),
    applied(`${PODS}/p/ephemeralcontainers`, "e", {
      ...pod("p"),
      spec: { ephemeralContainers: [] },
    }),
    applied(`${PODS}/p/resize`, "r", {
      ...pod("p"),
      spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] },
    }),
    applied(`${PODS}/p/resize`, "r", {
      ...pod("p"),
      spec: { containers: [{ name: "zz", resources: { requests: { cpu: "1" } } }] },
    }),
    applied(`${PODS}/p/status`, "k", {
      ...pod("p"),
      spec: undefined,
      status: {
        phase: "Running",
        podIPs: [{ ip: "10.1.1.1" }],
        containerStatuses: [{ name: "c", image: "i", imageID: "", ready: true, restartCount: 0 }],
      },
    }),
    applied(`${PODS}/p/status`, "l", {
      ...pod("p"),
      spec: undefined,
      status: { phase: "Failed", podIPs: [{ ip: "10.1.1.1" }, { ip: "10.1.1.2" }] },
    }, true),
    applied(`${PODS}/p/binding`, "l", { apiVersion: "v1", kind: "Binding", target: { name: "n" } }),
    applied(`${PODS}/p/eviction`, "l", { apiVersion: "policy/v1", kind: "Eviction" }),
    get(`${PODS}/p`),
    // Ingress paths are atomic.
    ...[["a", "/a"], ["b", "/b"]].map(([manager, path]) =>
      applied(`${ING}/i`, manager!, {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name: "i" },
        spec: {
          rules: [{
            host: "h",
            http: {
              paths: [{
                path,
                pathType: "Prefix",
                backend: { service: { name: "s", port: { number: 1 } } },
              }],
            },
          }],
        },
      })
    ),
    del(`${MAPS}/m?fieldManager=x`),
    del(`${ING}/i`),
  ],
};
