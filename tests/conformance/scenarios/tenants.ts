import {
  close,
  del,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type RequestStep,
  type StepScenario,
  strategic,
  viewed,
  watch,
} from "../step.ts";
import { configMap, core, deployment, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-tenants";
const PODS = core(NS, "pods");
const PVCS = core(NS, "persistentvolumeclaims");
const QUOTAS = core(NS, "resourcequotas");
const RANGES = core(NS, "limitranges");
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const PRIORITIES = "/apis/scheduling.k8s.io/v1/priorityclasses";
const INGRESSES = grouped("networking.k8s.io/v1", NS, "ingresses");
const INGRESS_CLASSES = "/apis/networking.k8s.io/v1/ingressclasses";
const dry = (path: string, body: unknown): RequestStep => post(`${path}?dryRun=All`, body);
const resources = (requests: object | undefined, limits?: object) => ({
  containers: [{ name: "c", image: "i:1", resources: { requests, limits } }],
});
const claim = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const secured = (securityContext: object, more: object = {}) => ({
  containers: [{ name: "c", image: "i:1", securityContext }],
  ...more,
});
const RESTRICTED = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};
const level = (levels: Record<string, string | null>): RequestStep =>
  merge(`/api/v1/namespaces/${NS}`, {
    metadata: {
      labels: Object.fromEntries(
        Object.entries(levels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]),
      ),
    },
  });

const HARD = {
  pods: "2",
  "requests.cpu": "1",
  "limits.memory": "1Gi",
  configmaps: "2",
  "count/deployments.apps": "0",
  "requests.storage": "2Gi",
  "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "0",
  "services.nodeports": "0",
  "requests.example.com/gpu": "1",
};

/** Admission plugins for tenants: quotas, ranges, priorities, Pod security, and defaults by classes. */
export const tenants: StepScenario = {
  name: "tenants",
  setting: {},
  steps: [
    namespaced(NS),
    // Pod security.
    ...[
      { enforce: "x" },
      { enforce: "baseline", "enforce-version": "v1.0" },
      { enforce: "baseline", "enforce-version": "v1.99" },
      { enforce: "baseline", "enforce-version": "1.30" },
      { warn: "Restricted" },
      { "audit-version": "" },
    ].map(level),
    post(PODS, pod("before", { hostNetwork: true })),
    level({ enforce: "baseline", warn: "restricted", "warn-version": "v1.25" }),
    ...[
      pod("p", secured(RESTRICTED)),
      pod("p", secured({})),
      pod("p", secured({ privileged: false }, { hostPID: true })),
      pod("p", secured({ capabilities: { add: ["NET_ADMIN", "CHOWN"], drop: ["all"] } })),
      pod("p", secured({ procMount: "Unmasked" }, { hostUsers: false })),
      pod("p", secured({ seLinuxOptions: { type: "spc_t", user: "x" } })),
      pod("p", secured({ seccompProfile: { type: "Unconfined" } })),
      pod("p", secured({ appArmorProfile: { type: "Unconfined" } })),
      pod("p", secured(RESTRICTED, { hostPID: true, hostIPC: true })),
      pod(
        "p",
        secured(RESTRICTED, {
          volumes: [{ name: "v", hostPath: { path: "/" } }, {
            name: "w",
            nfs: { server: "s", path: "/" },
          }],
        }),
      ),
      pod(
        "p",
        secured(RESTRICTED, {
          securityContext: {
            sysctls: [{ name: "kernel.msgmax", value: "1" }, {
              name: "net.ipv4.tcp_rmem",
              value: "1",
            }],
          },
        }),
      ),
      pod(
        "p",
        secured(RESTRICTED, {
          containers: [{ name: "c", image: "i", ports: [{ containerPort: 1, hostPort: 1 }] }, {
            name: "d",
            image: "i",
            livenessProbe: { httpGet: { port: 1, host: "1.1.1.1" } },
          }],
        }),
      ),
      pod("p", secured({ runAsUser: 0, runAsNonRoot: false })),
      pod(
        "p",
        secured(RESTRICTED, {
          initContainers: [{ name: "i", image: "i", securityContext: { procMount: "Unmasked" } }],
          os: { name: "windows" },
        }),
      ),
    ].map((body) => dry(PODS, body)),
    dry(
      grouped("apps/v1", NS, "deployments"),
      deployment("d", {
        template: { metadata: { labels: { app: "d" } }, spec: secured({}, { hostIPC: true }) },
      }),
    ),
    dry(grouped("batch/v1", NS, "cronjobs"), {
      metadata: { name: "c" },
      spec: {
        schedule: "* * * * *",
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: "Never", hostPID: true, ...secured({}) } } },
        },
      },
    }),
    dry(core(NS, "podtemplates"), {
      metadata: { name: "t" },
      template: { spec: secured({}, { hostIPC: true }) },
    }),
    merge(`${PODS}/before`, { metadata: { labels: { a: "b" } } }),
    strategic(`${PODS}/before`, { spec: { containers: [{ name: "c", image: "i:2" }] } }),
    merge(`${PODS}/before/ephemeralcontainers`, {
      spec: {
        ephemeralContainers: [{
          name: "e",
          image: "i",
          securityContext: { procMount: "Unmasked" },
        }],
      },
    }),
    level({ enforce: "restricted", "enforce-version": "latest", warn: null, "warn-version": null }),
    level({ enforce: null, "enforce-version": null, audit: "restricted" }),
    // Ranges.
    ...[
      { limits: [] },
      {},
      { limits: [{}] },
      { limits: [{ type: "X" }] },
      { limits: [{ type: "Container", max: { cpu: "1" }, min: { cpu: "2" } }] },
      { limits: [{ type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "2" } }] },
      { limits: [{ type: "Container", maxLimitRequestRatio: { cpu: "0.5" } }] },
      {
        limits: [{
          type: "Container",
          max: { cpu: "2" },
          min: { cpu: "1" },
          maxLimitRequestRatio: { cpu: "3" },
        }],
      },
      { limits: [{ type: "Pod", default: { cpu: "1" }, defaultRequest: { cpu: "1" } }] },
      { limits: [{ type: "PersistentVolumeClaim" }] },
      { limits: [{ type: "PersistentVolumeClaim", min: { cpu: "1" } }] },
      { limits: [{ type: "Pod", max: { cpu: "x" } }] },
      { limits: [{ type: "Pod", max: { "a b": "1" } }] },
      { limits: [{ type: "Pod" }, { type: "Pod" }] },
      { limits: [{ type: "Container", default: { cpu: "5" }, max: { cpu: "2" } }] },
      { limits: [{ type: "Container", max: { "hugepages-2Mi": "1Mi" } }] },
      { limits: [{ type: "example.com/thing", max: { cpu: "1" } }] },
    ].map((spec) => dry(RANGES, { metadata: { name: "r" }, spec })),
    post(RANGES, {
      metadata: { name: "r" },
      spec: {
        limits: [
          {
            type: "Container",
            max: { cpu: "2" },
            min: { cpu: "10m" },
            default: { cpu: "500m" },
            defaultRequest: { cpu: "100m" },
            maxLimitRequestRatio: { memory: "2" },
          },
          { type: "Pod", max: { cpu: "3" }, maxLimitRequestRatio: { cpu: "10" } },
          { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "5Gi" } },
        ],
      },
    }, { settleMs: 1000 }),
    ...[
      resources(undefined),
      resources({ cpu: "1" }),
      resources({ cpu: "1m" }, { cpu: "1" }),
      resources({ cpu: "1" }, { cpu: "4", memory: "2Gi" }),
      resources({ memory: "100Mi" }, { memory: "300Mi" }),
      resources({ memory: "100Mi" }),
      resources(undefined, { memory: "100Mi", cpu: "0" }),
      {
        containers: ["a", "b", "c"].map((name) => ({
          name,
          image: "i",
          resources: { limits: { cpu: "1500m", memory: "1Mi", "ephemeral-storage": "1Mi" } },
        })),
      },
      {
        ...resources({ cpu: "1" }, { cpu: "1", memory: "1Mi" }),
        initContainers: [{
          name: "i",
          image: "i",
          restartPolicy: "Always",
          resources: { limits: { cpu: "2500m", memory: "1Mi" } },
        }],
      },
      {
        ...resources({ cpu: "1" }, { cpu: "1", memory: "1Mi", "ephemeral-storage": "2Gi" }),
        overhead: { cpu: "3" },
      },
      { ...resources(undefined), resources: { limits: { cpu: "4" } } },
    ].map((spec) => dry(PODS, pod("q", spec))),
    dry(PVCS, claim("q", { resources: { requests: { storage: "1Mi" } } })),
    dry(PVCS, claim("q", { resources: { requests: { storage: "6Gi" } } })),
    dry(
      PVCS,
      claim("q", { resources: { requests: { storage: "1Gi" }, limits: { storage: "6Gi" } } }),
    ),
    dry(PVCS, claim("q", { resources: {} })),
    get(`${RANGES}/r`),
    merge(`${RANGES}/r`, { spec: { limits: [] } }, { settleMs: 1000 }),
    // Priorities.
    ...[
      { value: 1 },
      { value: 1000000001 },
      { value: -2147483648 },
      { value: 2147483648 },
      { value: "1" },
      {},
      { value: 1, preemptionPolicy: "X" },
      { value: 1, preemptionPolicy: "" },
      { value: 1, description: 5 },
    ].map((more) => dry(PRIORITIES, { metadata: { name: "suite-t" }, ...more })),
    dry(PRIORITIES, { metadata: { name: "system-x" }, value: 1 }),
    dry(PRIORITIES, { metadata: { name: "system-node-critical" }, value: 2000001000 }),
    post(PRIORITIES, {
      metadata: { name: "suite-t" },
      value: 7,
      preemptionPolicy: "Never",
      globalDefault: true,
    }, { settleMs: 1000 }),
    dry(PRIORITIES, { metadata: { name: "suite-u" }, value: 8, globalDefault: true }),
    merge(`${PRIORITIES}/suite-t`, { value: 8 }),
    merge(`${PRIORITIES}/suite-t`, { preemptionPolicy: null }),
    merge(`${PRIORITIES}/suite-t`, { description: "d", globalDefault: false }),
    merge(`${PRIORITIES}/suite-t`, { globalDefault: true }, { settleMs: 1000 }),
    merge(`${PRIORITIES}/system-node-critical`, { value: 1 }),
    merge(`${PRIORITIES}/system-node-critical?dryRun=All`, { description: "x" }),
    ...[
      {},
      { priorityClassName: "suite-t" },
      { priorityClassName: "none" },
      { priorityClassName: "A_" },
      { priorityClassName: "system-node-critical" },
      { priority: 7 },
      { priority: 8 },
      { priorityClassName: "suite-t", priority: 8 },
      { priorityClassName: "suite-t", preemptionPolicy: "PreemptLowerPriority" },
      { preemptionPolicy: "Never" },
      { preemptionPolicy: "X" },
    ].map((spec) => dry(PODS, pod("q", spec))),
    del(`${PRIORITIES}/suite-t`),
    // Quotas.
    ...[
      {},
      { hard: {} },
      { hard: { cpu: "-1" } },
      { hard: { pods: "1.5" } },
      { hard: { "count/things": "1" } },
      { hard: { "count/": "1" } },
      { hard: { x: "1" } },
      { hard: { "requests.example.com/gpu": "1" } },
      { hard: { "limits.example.com/gpu": "1" } },
      { hard: { "a.storageclass.storage.k8s.io/requests.storage": "1" } },
      { hard: { pods: "1" }, scopes: ["X"] },
      { hard: { pods: "1" }, scopes: ["BestEffort", "NotBestEffort"] },
      { hard: { "requests.cpu": "1" }, scopes: ["BestEffort"] },
      { hard: { services: "1" }, scopes: ["Terminating"] },
      { hard: { pods: "1" }, scopeSelector: {} },
      {
        hard: { pods: "1" },
        scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In" }] },
      },
      {
        hard: { pods: "1" },
        scopeSelector: {
          matchExpressions: [{ scopeName: "PriorityClass", operator: "Exists", values: ["a"] }],
        },
      },
      {
        hard: { pods: "1" },
        scopeSelector: {
          matchExpressions: [{ scopeName: "BestEffort", operator: "In", values: ["a"] }],
        },
      },
      {
        hard: { pods: "1" },
        scopeSelector: { matchExpressions: [{ scopeName: "X", operator: "Y" }] },
      },
      { hard: { persistentvolumeclaims: "1" }, scopes: ["VolumeAttributesClass"] },
    ].map((spec) => dry(QUOTAS, { metadata: { name: "q" }, spec })),
    post(QUOTAS, {
      metadata: { name: "q" },
      spec: {
        hard: HARD,
      },
    }),
    put(`${QUOTAS}/q/status`, {
      metadata: { name: "q" },
      spec: {},
      status: {
        hard: HARD,
        used: {
          pods: "0",
          "requests.cpu": "0",
          "limits.memory": "0",
          configmaps: "1",
          "count/deployments.apps": "0",
          "requests.storage": "0",
          "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "0",
          "services.nodeports": "0",
          "requests.example.com/gpu": "0",
        },
      },
    }, { settleMs: 1000 }),
    ...[
      pod("a"),
      pod("a", resources({ cpu: "100m" })),
      pod("a", resources({ cpu: "2" }, { memory: "1Gi", cpu: "2" })),
      pod("a", resources({ cpu: "1" }, { memory: "2Gi", "example.com/gpu": "2" })),
      pod("a", {
        ...resources({ cpu: "1" }, { memory: "1Mi" }),
        initContainers: [{
          name: "i",
          image: "i",
          resources: { requests: { cpu: "3" }, limits: { memory: "1Mi" } },
        }],
      }),
    ].map((body) => dry(PODS, body)),
    dry(PVCS, claim("a", { storageClassName: "gold" })),
    dry(PVCS, claim("a", { resources: { requests: { storage: "3Gi" } } })),
    dry(grouped("apps/v1", NS, "deployments"), deployment("d")),
    dry(core(NS, "services"), {
      metadata: { name: "s" },
      spec: { type: "NodePort", ports: [{ port: 1 }] },
    }),
    dry(core(NS, "services"), {
      metadata: { name: "s" },
      spec: { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: [{ port: 1 }] },
    }),
    post(core(NS, "configmaps"), configMap("one")),
    post(core(NS, "configmaps"), configMap("two")),
    post(core(NS, "configmaps"), { metadata: { generateName: "gen-" } }),
    post(PODS, pod("a", resources({ cpu: "600m" }, { memory: "100Mi" }))),
    post(PODS, pod("b", resources({ cpu: "600m" }, { memory: "100Mi" }))),
    get(`${QUOTAS}/q`),
    merge(`${PODS}/a/resize`, {
      spec: {
        containers: [{
          name: "c",
          image: "i:1",
          resources: { requests: { cpu: "2" }, limits: { memory: "100Mi" } },
        }],
      },
    }),
    merge(`${QUOTAS}/q`, { spec: { hard: { pods: "1" }, scopes: ["BestEffort"] } }),
    merge(`${QUOTAS}/q/status`, { status: { used: { pods: "x" } } }),
    get(QUOTAS, viewed("Table")),
    del(`${QUOTAS}/q`, undefined, { settleMs: 500 }),
    // Classes.
    ...[
      {},
      { provisioner: "a/b/c" },
      { provisioner: "x", reclaimPolicy: "X" },
      { provisioner: "x", volumeBindingMode: "" },
      { provisioner: "x", volumeBindingMode: "X", allowVolumeExpansion: "yes" },
      { provisioner: "x", parameters: { "": "a" } },
      {
        provisioner: "x",
        parameters: Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`k${i}`, ""])),
      },
      { provisioner: "x", mountOptions: ["", "a,b"] },
      {
        provisioner: "x",
        allowedTopologies: [{ matchLabelExpressions: [{ key: "a", values: ["b", "b"] }] }],
      },
      {
        provisioner: "x",
        allowedTopologies: [{
          matchLabelExpressions: [{ key: "a", values: [] }, { key: "a", values: ["c"] }],
        }, {}],
      },
    ].map((more) => dry(CLASSES, { metadata: { name: "c" }, ...more })),
    post(CLASSES, { metadata: { name: "suite-fix" }, provisioner: "x.y" }),
    post(CLASSES, {
      metadata: {
        name: "suite-grow",
        annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
      },
      provisioner: "x.y",
      allowVolumeExpansion: true,
    }, { settleMs: 1000 }),
    merge(`${CLASSES}/suite-fix`, { provisioner: "z" }),
    merge(`${CLASSES}/suite-fix`, { parameters: { a: "b" } }),
    merge(`${CLASSES}/suite-fix`, { allowVolumeExpansion: false, mountOptions: ["x"] }),
    merge(`${CLASSES}/suite-fix`, { reclaimPolicy: "Retain" }),
    post(PVCS, claim("default")),
    post(PVCS, claim("fixed", { storageClassName: "suite-fix" })),
    post(PVCS, claim("none", { storageClassName: "" })),
    post(
      PVCS,
      claim("beta", {}, {
        annotations: { "volume.beta.kubernetes.io/storage-class": "suite-fix" },
      }),
    ),
    ...["default", "fixed", "none", "beta"].flatMap((name) => [
      merge(`${PVCS}/${name}`, { spec: { resources: { requests: { storage: "2Gi" } } } }),
      merge(`${PVCS}/${name}/status`, {
        status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
      }),
      merge(`${PVCS}/${name}`, { spec: { volumeName: "v" } }),
      merge(`${PVCS}/${name}`, { spec: { resources: { requests: { storage: "3Gi" } } } }),
      merge(`${PVCS}/${name}`, { spec: { resources: { requests: { storage: "512Mi" } } } }),
      merge(`${PVCS}/${name}`, { spec: { storageClassName: "suite-grow" } }),
    ]),
    merge(`${PVCS}/default/status`, {
      status: {
        allocatedResources: { storage: "3Gi" },
        allocatedResourceStatuses: { storage: "NodeResizeInProgress" },
      },
    }),
    merge(`${PVCS}/default/status`, {
      status: { allocatedResources: { cpu: "3" }, allocatedResourceStatuses: { storage: "X" } },
    }),
    merge(`${PVCS}/default/status`, {
      status: {
        conditions: [{ type: "Resizing", status: "True" }],
        modifyVolumeStatus: { status: "X" },
      },
    }),
    jsonPatch(`${PVCS}/default`, [{
      op: "replace",
      path: "/spec/accessModes/0",
      value: "ReadOnlyMany",
    }]),
    // Default ingress classes.
    ...[
      {},
      { controller: "x" },
      { controller: "a.b/c", parameters: { kind: "K", name: "n", scope: "X" } },
      { controller: "a.b/c", parameters: { kind: "K", name: "n", scope: "Namespace" } },
      { controller: "a.b/c", parameters: { kind: "K", name: "n", namespace: "x" } },
      { controller: "a.b/" + "c".repeat(300) },
    ].map((spec) => dry(INGRESS_CLASSES, { metadata: { name: "c" }, spec })),
    post(INGRESS_CLASSES, {
      metadata: {
        name: "suite-one",
        annotations: { "ingressclass.kubernetes.io/is-default-class": "true" },
      },
      spec: { controller: "a.b/c" },
    }, { settleMs: 1000 }),
    merge(`${INGRESS_CLASSES}/suite-one`, { spec: { controller: "x.y/z" } }),
    ...[
      {
        metadata: { name: "i" },
        spec: { defaultBackend: { service: { name: "s", port: { number: 1 } } } },
      },
      {
        metadata: { name: "i", annotations: { "kubernetes.io/ingress.class": "old" } },
        spec: { defaultBackend: { service: { name: "s", port: { name: "p" } } } },
      },
      {
        metadata: { name: "i", annotations: { "kubernetes.io/ingress.class": "old" } },
        spec: {
          ingressClassName: "x",
          defaultBackend: { service: { name: "s", port: { name: "p", number: 1 } } },
        },
      },
      {
        metadata: { name: "i" },
        spec: { ingressClassName: "", defaultBackend: { resource: { kind: "K", name: "" } } },
      },
      {
        metadata: { name: "i" },
        spec: {
          ingressClassName: "none",
          tls: [{ hosts: ["*.a", "A", ""], secretName: "A_" }],
          rules: [{ host: "1.2.3.4" }, { host: "*.x.*" }],
        },
      },
    ].map((body) => dry(INGRESSES, body)),
    post(INGRESS_CLASSES, {
      metadata: {
        name: "suite-two",
        annotations: { "ingressclass.kubernetes.io/is-default-class": "true" },
      },
      spec: { controller: "a.b/c" },
    }, { settleMs: 1100 }),
    dry(INGRESSES, {
      metadata: { name: "i" },
      spec: { defaultBackend: { service: { name: "s", port: { number: 1 } } } },
    }),
    // A namespace that ends.
    watch(
      "ns",
      `/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3D${NS}-x&resourceVersion=0`,
    ),
    post("/api/v1/namespaces", {
      metadata: { name: `${NS}-x`, finalizers: ["a.b/c"], labels: { l: "1" } },
    }),
    post(core(`${NS}-x`, "configmaps"), configMap("kept", {}, { finalizers: ["a.b/c"] })),
    del(`/api/v1/namespaces/${NS}-x`),
    post(core(`${NS}-x`, "configmaps"), configMap("late")),
    post(core(`${NS}-x`, "configmaps?dryRun=All"), configMap("late")),
    merge(`${core(`${NS}-x`, "configmaps")}/kept`, { data: { a: "b" } }),
    post(core(`${NS}-x`, "pods"), pod("late")),
    post(`${core(`${NS}-x`, "serviceaccounts")}/default/token`, {}),
    merge(`/api/v1/namespaces/${NS}-x`, { metadata: { finalizers: null } }),
    merge(`/api/v1/namespaces/${NS}-x/status`, { status: { phase: "Active" } }),
    merge(`/api/v1/namespaces/${NS}-x/finalize`, { spec: { finalizers: [] } }),
    put(`/api/v1/namespaces/${NS}-x/finalize`, {
      metadata: { name: "other" },
      spec: { finalizers: ["kubernetes"] },
    }),
    put(`/api/v1/namespaces/${NS}-x/finalize`, {
      metadata: { name: `${NS}-x` },
      spec: { finalizers: ["bad finalizer"] },
    }),
    close("ns", 3),
  ],
};
