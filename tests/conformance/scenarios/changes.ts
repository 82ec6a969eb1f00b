import {
  close,
  del,
  get,
  jsonPatch,
  merge,
  post,
  type RequestStep,
  type StepScenario,
  strategic,
  watch,
} from "../step.ts";
import { configMap, core, deployment, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-changes";
const D = grouped("apps/v1", NS, "deployments");
const J = grouped("batch/v1", NS, "jobs");
const CLAIMS = grouped("resource.k8s.io/v1", NS, "resourceclaims");
const RB = grouped("rbac.authorization.k8s.io/v1", NS, "rolebindings");
const SVC = core(NS, "services");
const SEC = core(NS, "secrets");
const PVC = core(NS, "persistentvolumeclaims");
const PODS = core(NS, "pods");
const MAPS = core(NS, "configmaps");
const RC = core(NS, "replicationcontrollers");
const tpl = {
  metadata: { labels: { app: "j" } },
  spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
};
const job = (name: string, spec: object = {}) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name },
  spec: { template: tpl, ...spec },
});
/** Updates of fields that are fixed or depend on others, patches of all types, watches, deletions, names and metadata. */
export const changes: StepScenario = {
  name: "changes",
  setting: {},
  steps: [
    namespaced(NS),
    // Updates of immutable and other fields.
    post(J, job("j")),
    ...[
      { completions: 3 },
      { parallelism: 2 },
      { suspend: true },
      { template: { ...tpl, spec: { ...tpl.spec, containers: [{ name: "c", image: "x" }] } } },
      { selector: { matchLabels: { a: "b" } } },
      { backoffLimit: 1 },
      { activeDeadlineSeconds: 5 },
      { completionMode: "Indexed" },
      { ttlSecondsAfterFinished: 5 },
      { podFailurePolicy: { rules: [] } },
      { podReplacementPolicy: "Failed" },
      { managedBy: "a/b" },
    ].map((spec) => merge(`${J}/j?dryRun=All`, { spec })),
    ...[
      { active: 1 },
      { succeeded: -1 },
      { startTime: "2026-01-01T00:00:00Z" },
      { completionTime: "2026-01-01T00:00:00Z" },
      { conditions: [{ type: "Complete", status: "True" }] },
      { conditions: [{ type: "Failed", status: "True" }, { type: "Complete", status: "True" }] },
      { completedIndexes: "0-2" },
      { failedIndexes: "1" },
      { ready: 5, active: 1 },
      { terminating: -1 },
      { uncountedTerminatedPods: { succeeded: ["a", "a"] } },
    ].map((status) => merge(`${J}/j/status?dryRun=All`, { status })),
    post(D, deployment("d")),
    ...[
      { selector: { matchLabels: { x: "y" } } },
      { paused: true },
      { strategy: { type: "Recreate" } },
      { strategy: { type: "Recreate", rollingUpdate: null } },
      { revisionHistoryLimit: -1 },
      { progressDeadlineSeconds: 0 },
      { template: { metadata: { labels: { app: "z" } } } },
      { minReadySeconds: 700 },
    ].map((spec) => merge(`${D}/d?dryRun=All`, { spec })),
    ...[
      { spec: { template: { spec: { containers: [{ name: "c", $patch: "delete" }] } } } },
      { spec: { template: { spec: { containers: [{ name: "d" }] } } } },
      { spec: { template: { spec: { $setElementOrder: [] } } } },
      {
        spec: {
          template: {
            spec: {
              "$setElementOrder/containers": [{ name: "c" }],
              containers: [{ name: "c", image: "n" }],
            },
          },
        },
      },
      { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
      { metadata: { labels: { $patch: "replace", q: "1" } } },
      { metadata: { finalizers: ["a/b"], "$deleteFromPrimitiveList/finalizers": ["x"] } },
      { spec: { template: { spec: { tolerations: [{ key: "a" }] } } } },
      { spec: { replicas: "3" } },
      { spec: { nope: 1 } },
      { nope: 1 },
    ].flatMap((
      b,
    ) => [
      strategic(`${D}/d?dryRun=All`, b),
      strategic(`${D}/d?dryRun=All&fieldValidation=Strict`, b),
    ]),
    ...[
      [{ op: "add", path: "/spec/replicas", value: 3 }],
      [{ op: "remove", path: "/spec/nope" }],
      [{ op: "replace", path: "/spec/selector/matchLabels", value: {} }],
      [{ op: "test", path: "/spec/replicas", value: 1 }, { op: "remove", path: "/spec/replicas" }],
      [{ op: "move", from: "/metadata/labels", path: "/metadata/annotations" }],
      [{
        op: "copy",
        from: "/spec/template/spec/containers/0",
        path: "/spec/template/spec/containers/-",
      }],
      [{ op: "add", path: "/spec/template/spec/containers/5", value: {} }],
      [{ op: "add", path: "", value: {} }],
      [{ op: "x", path: "/a" }],
      [{}],
      [null],
      [{ op: "add", path: "spec" }],
      [{ op: "add", path: "/metadata/labels/a~1b", value: "c" }],
      [{ op: "replace", path: "/metadata/name", value: "other" }],
      [{ op: "replace", path: "/kind", value: "Pod" }],
      [{ op: "replace", path: "/apiVersion", value: "apps/v2" }],
      [{ op: "remove", path: "/metadata/uid" }],
      [{ op: "replace", path: "/metadata/resourceVersion", value: "1" }],
    ].map((b) => jsonPatch(`${D}/d?dryRun=All`, b)),
    // DRA.
    ...[
      {},
      { devices: {} },
      { devices: { requests: [] } },
      { devices: { requests: [{ name: "a" }] } },
      { devices: { requests: [{ name: "a", exactly: {} }] } },
      { devices: { requests: [{ name: "a", exactly: { deviceClassName: "A_" } }] } },
      { devices: { requests: [{ name: "A", exactly: { deviceClassName: "c" } }] } },
      {
        devices: {
          requests: [{ name: "a", exactly: { deviceClassName: "c", allocationMode: "X" } }],
        },
      },
      { devices: { requests: [{ name: "a", exactly: { deviceClassName: "c", count: -1 } }] } },
      {
        devices: {
          requests: [{ name: "a", exactly: { deviceClassName: "c" } }, {
            name: "a",
            exactly: { deviceClassName: "c" },
          }],
        },
      },
      { devices: { requests: [{ name: "a", firstAvailable: [] }] } },
      {
        devices: {
          requests: [{ name: "a", firstAvailable: [{ name: "s", deviceClassName: "c" }] }],
        },
      },
      {
        devices: {
          requests: [{
            name: "a",
            exactly: { deviceClassName: "c", selectors: [{ cel: { expression: "nope" } }] },
          }],
        },
      },
      { devices: { constraints: [{ matchAttribute: "x" }] } },
      { devices: { config: [{}] } },
      {
        devices: {
          requests: [{ name: "a", exactly: { deviceClassName: "c", adminAccess: true } }],
        },
      },
      {
        devices: {
          requests: [{
            name: "a",
            exactly: { deviceClassName: "c", tolerations: [{ operator: "X" }] },
          }],
        },
      },
    ].map((spec) => post(`${CLAIMS}?dryRun=All`, { metadata: { name: "r" }, spec })),
    // Watches with selectors and representations.
    post(MAPS, configMap("w1", {}, { labels: { l: "1" } }), { save: "w1" }),
    watch("plain", `${MAPS}?watch=1&resourceVersion={{w1.metadata.resourceVersion}}`),
    watch(
      "sel",
      `${MAPS}?watch=1&resourceVersion={{w1.metadata.resourceVersion}}&labelSelector=l%3D1`,
    ),
    watch(
      "field",
      `${MAPS}?watch=1&resourceVersion={{w1.metadata.resourceVersion}}&fieldSelector=metadata.name%3Dw2`,
    ),
    watch("table", `${MAPS}?watch=1&resourceVersion={{w1.metadata.resourceVersion}}`, {
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    }),
    watch("meta", `${MAPS}?watch=1&resourceVersion={{w1.metadata.resourceVersion}}`, {
      headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
    }),
    watch("yaml", `${MAPS}?watch=1&resourceVersion={{w1.metadata.resourceVersion}}`, {
      headers: { accept: "application/yaml" },
    }),
    post(MAPS, configMap("w2")),
    merge(`${MAPS}/w2`, { metadata: { labels: { l: "1" } } }),
    merge(`${MAPS}/w1`, { metadata: { labels: { l: null } } }),
    merge(`${MAPS}/w2`, { data: { x: "y" } }),
    del(`${MAPS}/w2`),
    del(`${MAPS}/w1`),
    close("plain", 6),
    close("sel", 4),
    close("field", 4),
    close("table", 6),
    close("meta", 6),
    close("yaml", 0),
    // Deletions.
    post(PODS, pod("del", { nodeName: "n" }, { finalizers: ["a/b"] })),
    del(`${PODS}/del`, { gracePeriodSeconds: 5 }),
    del(`${PODS}/del`, { gracePeriodSeconds: 100 }),
    del(`${PODS}/del`, { gracePeriodSeconds: 1 }),
    del(`${PODS}/del`, { gracePeriodSeconds: 0 }),
    del(`${PODS}/del`, { gracePeriodSeconds: -5 }),
    get(`${PODS}/del`),
    merge(`${PODS}/del`, { metadata: { finalizers: ["a/b", "c/d"] } }),
    merge(`${PODS}/del`, { metadata: { labels: { x: "y" } } }),
    merge(`${PODS}/del`, { metadata: { deletionTimestamp: null } }),
    merge(`${PODS}/del`, { metadata: { finalizers: null } }),
    get(`${PODS}/del`),
    ...["Orphan", "Background", "Foreground", "X", ""].flatMap((
      propagationPolicy,
      i,
    ) => [
      post(MAPS, configMap(`p${i}`)),
      del(`${MAPS}/p${i}`, { propagationPolicy }),
      get(`${MAPS}/p${i}`),
      del(`${MAPS}/p${i}`, { orphanDependents: true, propagationPolicy }),
      del(`${MAPS}/p${i}?propagationPolicy=${propagationPolicy}`),
    ]),
    del(MAPS, { dryRun: ["All"] }),
    del(`${MAPS}?labelSelector=none`, { preconditions: { uid: "x" } }),
    del(`${MAPS}?limit=1`),
    del(MAPS),
    get(MAPS),
    del(SVC),
    del(`${core(NS, "namespaces")}`),
    del("/api/v1/namespaces"),
    del("/api/v1/nodes?dryRun=All"),
    // Services' updates.
    post(SVC, { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } }),
    ...[
      { clusterIP: "" },
      { clusterIP: "None" },
      { type: "NodePort" },
      { type: "ExternalName", externalName: "x" },
      { type: "ExternalName" },
      { ports: [] },
      { sessionAffinity: "ClientIP" },
      { ipFamilies: ["IPv6"] },
      { ipFamilyPolicy: "PreferDualStack" },
      { externalTrafficPolicy: "Local" },
      { healthCheckNodePort: 30001 },
      { type: "LoadBalancer", loadBalancerClass: "a/b" },
      { clusterIPs: [] },
      { clusterIPs: ["None"] },
      { ports: [{ port: 80, nodePort: 30005 }] },
      { type: "NodePort", ports: [{ port: 80, nodePort: 5 }] },
      {
        type: "NodePort",
        ports: [{ port: 80, nodePort: 30006 }, { port: 81, name: "b", nodePort: 30006 }],
      },
    ].map((spec) => merge(`${SVC}/s?dryRun=All`, { spec })),
    post(SEC, { metadata: { name: "s" }, immutable: true, data: { a: "eA==" } }),
    ...[{ data: { a: "eQ==" } }, { immutable: false }, { type: "x" }, { stringData: { b: "c" } }, {
      metadata: { labels: { a: "b" } },
    }].map((b) => merge(`${SEC}/s`, b)),
    post(RB, {
      metadata: { name: "r" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "x" },
    }),
    merge(`${RB}/r`, { roleRef: { name: "y" } }),
    merge(`${RB}/r`, { subjects: [{ kind: "User", name: "u" }] }),
    post(PVC, {
      metadata: { name: "c" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    merge(`${PVC}/c`, { spec: { accessModes: ["ReadOnlyMany"] } }),
    merge(`${PVC}/c`, { spec: { volumeName: "v" } }),
    merge(`${PVC}/c`, { spec: { storageClassName: "s" } }),
    merge(`${PVC}/c/status`, { status: { phase: "Bound", capacity: { storage: "-1" } } }),
    merge(`${PVC}/c/status`, {
      status: {
        phase: "Bound",
        capacity: { storage: "1Gi" },
        conditions: [{ type: "Resizing", status: "True" }],
        allocatedResources: { cpu: "1" },
      },
    }),
    merge(`${PVC}/c`, { spec: { resources: { requests: { storage: "500Mi" } } } }),
    // Names.
    ...[
      "a",
      "A",
      "a_b",
      "a.b",
      "a..b",
      "-a",
      "a-",
      "1",
      "ä",
      "a/b",
      "a%b",
      ".",
      "..",
      "a:b",
      " a",
      "",
    ].flatMap((
      name,
    ) => [
      post(`${MAPS}?dryRun=All`, { metadata: { name } }),
      post(`${SVC}?dryRun=All`, { metadata: { name }, spec: { ports: [{ port: 1 }] } }),
      post(`/api/v1/namespaces?dryRun=All`, { metadata: { name } }),
      post(`${grouped("rbac.authorization.k8s.io/v1", NS, "roles")}?dryRun=All`, {
        metadata: { name },
      }),
      post(`${RC}?dryRun=All`, {
        metadata: { name },
        spec: {
          selector: { a: "b" },
          template: {
            metadata: { labels: { a: "b" } },
            spec: { containers: [{ name: "c", image: "i" }] },
          },
        },
      }),
    ]),
    // Metadata.
    ...[
      { labels: { "a/b/c": "d" } },
      { labels: { "": "x" } },
      { labels: { a: "b c" } },
      { labels: { ["x".repeat(64)]: "" } },
      { labels: { a: "x".repeat(64) } },
      { labels: { "A.b/c": "d" } },
      { annotations: { "a b": "c" } },
      { annotations: { "A/B": "x" } },
      { finalizers: ["a"] },
      { finalizers: ["a/b", "a/b"] },
      { finalizers: ["A_/b"] },
      { finalizers: ["orphan", "foregroundDeletion"] },
      { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }] },
      { ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] },
      { ownerReferences: [{ apiVersion: "a/b/c", kind: "K", name: "n", uid: "u" }] },
      { ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "n", uid: "u" }] },
      {
        ownerReferences: [
          { apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true },
          { apiVersion: "v1", kind: "Pod", name: "q", uid: "v", controller: true },
        ],
      },
      { generateName: "a".repeat(300) },
      { generateName: "x-", name: "y" },
      { managedFields: [{ manager: "m", operation: "X" }] },
      { managedFields: [{ manager: "m", operation: "Update", apiVersion: "v1", fieldsType: "X" }] },
      { generation: 5, selfLink: "x", creationTimestamp: null },
    ].map((m) => post(`${MAPS}?dryRun=All`, { metadata: { name: "m", ...m } })),
  ] as RequestStep[],
};
