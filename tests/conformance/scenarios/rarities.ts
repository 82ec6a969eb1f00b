import { del, get, merge, post, put, type StepScenario } from "../step.ts";
import { configMap, core, deployment, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-rarities";
const DEPS = grouped("apps/v1", NS, "deployments");
const SETS = grouped("apps/v1", NS, "statefulsets");
const DSETS = grouped("apps/v1", NS, "daemonsets");
const REVS = grouped("apps/v1", NS, "controllerrevisions");
const PVCS = core(NS, "persistentvolumeclaims");
const PODS = core(NS, "pods");
const stateful = (name: string, spec: object = {}) => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name },
  spec: {
    serviceName: "s",
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "c", image: "i" }] },
    },
    ...spec,
  },
});
const daemon = (name: string, spec: object = {}) => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "c", image: "i" }] },
    },
    ...spec,
  },
});
const claim = (name: string, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const dry = (path: string, body: unknown) => post(`${path}?dryRun=All`, body);
const surge = (maxSurge: unknown, maxUnavailable: unknown = undefined) => ({
  strategy: {
    type: "RollingUpdate",
    rollingUpdate: { maxSurge, ...(maxUnavailable === undefined ? {} : { maxUnavailable }) },
  },
});
/** Rare values: empty percentages, claims of one name, data sources, annotations with a meaning, quantities. */
export const rarities: StepScenario = {
  name: "rarities",
  steps: [
    namespaced(NS),
    ...["", "25%", "abc", "1000%", "1.5%", 0, -1, 2147483648, null].flatMap((v) => [
      dry(DEPS, deployment("d", surge(v))),
      dry(DEPS, deployment("d", surge(1, v))),
      dry(
        DSETS,
        daemon("d", {
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: v } },
        }),
      ),
      dry(
        DSETS,
        daemon("d", {
          updateStrategy: {
            type: "RollingUpdate",
            rollingUpdate: { maxSurge: v, maxUnavailable: 0 },
          },
        }),
      ),
      dry(
        SETS,
        stateful("d", {
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: v } },
        }),
      ),
      dry(grouped("policy/v1", NS, "poddisruptionbudgets"), {
        metadata: { name: "p" },
        spec: { minAvailable: v },
      }),
      dry(grouped("policy/v1", NS, "poddisruptionbudgets"), {
        metadata: { name: "p" },
        spec: { maxUnavailable: v },
      }),
    ]),
    // Claim templates.
    dry(SETS, stateful("s", { volumeClaimTemplates: [claim("a"), claim("a")] })),
    dry(SETS, stateful("s", { volumeClaimTemplates: [claim("a"), claim("b")] })),
    dry(SETS, stateful("s", { volumeClaimTemplates: [claim("A")] })),
    dry(SETS, stateful("s", { volumeClaimTemplates: [{ metadata: {}, spec: {} }] })),
    dry(SETS, stateful("s", { volumeClaimTemplates: [claim("a", { accessModes: [] })] })),
    dry(
      SETS,
      stateful("s", { volumeClaimTemplates: [claim("a", { accessModes: ["X"], resources: {} })] }),
    ),
    dry(
      SETS,
      stateful("s", {
        volumeClaimTemplates: [claim("a", { storageClassName: "A B", volumeMode: "X" })],
      }),
    ),
    dry(
      SETS,
      stateful("s", {
        volumeClaimTemplates: [{
          ...claim("a"),
          metadata: { name: "a", namespace: "other", labels: { "-": "x" } },
        }],
      }),
    ),
    dry(
      SETS,
      stateful("s", { volumeClaimTemplates: [{ ...claim("a"), status: { phase: "Bound" } }] }),
    ),
    dry(SETS, stateful("s", { persistentVolumeClaimRetentionPolicy: { whenDeleted: "X" } })),
    dry(
      SETS,
      stateful("s", {
        ordinals: { start: -1 },
        minReadySeconds: -1,
        revisionHistoryLimit: -1,
        replicas: -1,
      }),
    ),
    dry(SETS, stateful("s", { serviceName: "A_B" })),
    dry(SETS, stateful("s", { podManagementPolicy: "X", updateStrategy: { type: "X" } })),
    dry(
      SETS,
      stateful("s", { updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } }),
    ),
    dry(SETS, stateful("s", { updateStrategy: { rollingUpdate: { partition: -1 } } })),
    // Revisions.
    ...[{}, null, [], "x", 5, "", { a: 1 }, { "": {} }, true].map((data) =>
      dry(REVS, { metadata: { name: "r" }, data, revision: 1 })
    ),
    dry(REVS, { metadata: { name: "r" }, revision: 1 }),
    dry(REVS, { metadata: { name: "r" }, data: { a: 1 } }),
    dry(REVS, { metadata: { name: "r" }, data: { a: 1 }, revision: -1 }),
    post(REVS, { metadata: { name: "r" }, data: { a: 1 }, revision: 1 }),
    merge(`${REVS}/r`, { data: { a: 2 } }),
    merge(`${REVS}/r`, { data: {} }),
    merge(`${REVS}/r`, { data: null }),
    merge(`${REVS}/r`, { revision: 2 }),
    put(`${REVS}/r`, { metadata: { name: "r" }, data: { a: 1 }, revision: -3 }),
    // Data sources.
    ...[
      { dataSource: { kind: "PersistentVolumeClaim", name: "x" } },
      { dataSource: { kind: "Pod", name: "x" } },
      { dataSource: { kind: "VolumeSnapshot", name: "x", apiGroup: "snapshot.storage.k8s.io" } },
      { dataSource: { kind: "VolumeSnapshot", name: "x", apiGroup: "other.io" } },
      { dataSource: { kind: "Thing", name: "x", apiGroup: "" } },
      { dataSource: { kind: "", name: "", apiGroup: "x" } },
      { dataSource: { kind: "PersistentVolumeClaim", name: "x", apiGroup: "v1" } },
      { dataSourceRef: { kind: "Pod", name: "x" } },
      { dataSourceRef: { kind: "Thing", name: "x", apiGroup: "a.b" } },
      { dataSourceRef: { kind: "PersistentVolumeClaim", name: "x" } },
      { dataSourceRef: { kind: "PersistentVolumeClaim", name: "x", namespace: "y" } },
      {
        dataSource: { kind: "PersistentVolumeClaim", name: "x" },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "x" },
      },
      {
        dataSource: { kind: "PersistentVolumeClaim", name: "x" },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "y" },
      },
      {
        dataSource: { kind: "Pod", name: "x" },
        dataSourceRef: { kind: "Thing", name: "x", apiGroup: "a.b" },
      },
    ].map((spec) => dry(PVCS, claim("c", spec))),
    post(PVCS, claim("kept", { dataSource: { kind: "PersistentVolumeClaim", name: "x" } })),
    merge(`${PVCS}/kept`, { spec: { dataSource: { kind: "Pod" } } }),
    merge(`${PVCS}/kept`, { spec: { dataSource: null, dataSourceRef: null } }),
    merge(`${PVCS}/kept`, { spec: { resources: { requests: { storage: "2Gi" } } } }),
    // Paths of namespaces in namespaces.
    ...["namespaces", "namespaces/x", "nodes", "nodes/x", "persistentvolumes", "componentstatuses"]
      .flatMap((
        p,
      ) => [
        get(`/api/v1/namespaces/${NS}/${p}`),
        post(`/api/v1/namespaces/${NS}/${p}`, { metadata: { name: "x" } }),
        del(`/api/v1/namespaces/${NS}/${p}`),
      ]),
    get(`/apis/rbac.authorization.k8s.io/v1/namespaces/${NS}/clusterroles`),
    get("/api/v1/namespaces/X/namespaces"),
    get("/api/v1/pods/x"),
    get("/api/v1/configmaps/x"),
    del("/api/v1/configmaps"),
    post("/api/v1/configmaps", configMap("x")),
    get("/apis/apps/v1/deployments/x"),
    get("/apis/apps/v1/deployments/x/scale"),
    get("/api/v1/namespaces/X/finalize"),
    get("/api/v1/namespaces/X/status"),
    get(`/api/v1/namespaces/${NS}/bindings`),
    get(`/api/v1/namespaces/${NS}/bindings/x`),
    // Annotations of AppArmor and seccomp.
    ...[
      { "container.apparmor.security.beta.kubernetes.io/c": "runtime/default" },
      { "container.apparmor.security.beta.kubernetes.io/c": "unconfined" },
      { "container.apparmor.security.beta.kubernetes.io/c": "localhost/x" },
      { "container.apparmor.security.beta.kubernetes.io/c": "localhost/" },
      { "container.apparmor.security.beta.kubernetes.io/c": "bad" },
      { "container.apparmor.security.beta.kubernetes.io/x": "runtime/default" },
      { "container.apparmor.security.beta.kubernetes.io/": "runtime/default" },
      { "seccomp.security.alpha.kubernetes.io/pod": "runtime/default" },
      { "seccomp.security.alpha.kubernetes.io/pod": "bad" },
      { "container.seccomp.security.alpha.kubernetes.io/c": "localhost/x" },
      { "scheduler.alpha.kubernetes.io/critical-pod": "" },
      { "security.alpha.kubernetes.io/sysctls": "a=b" },
      { "kubernetes.io/config.mirror": "x" },
      { "controller.kubernetes.io/pod-deletion-cost": "x" },
      { "controller.kubernetes.io/pod-deletion-cost": "+5" },
      {
        "scheduler.alpha.kubernetes.io/tolerations": "[]",
        "scheduler.alpha.kubernetes.io/affinity": "{}",
      },
    ].flatMap((annotations) => [
      dry(PODS, pod("p", {}, { annotations })),
      dry(DEPS, {
        ...deployment("d", {
          template: {
            metadata: { labels: { app: "d" }, annotations },
            spec: { containers: [{ name: "c", image: "i" }] },
          },
        }),
      }),
    ]),
    dry(
      PODS,
      pod("p", {
        securityContext: { appArmorProfile: { type: "Localhost", localhostProfile: "x" } },
      }, {
        annotations: { "container.apparmor.security.beta.kubernetes.io/c": "runtime/default" },
      }),
    ),
    dry(
      PODS,
      pod("p", {
        containers: [{
          name: "c",
          image: "i",
          securityContext: { appArmorProfile: { type: "Unconfined" } },
        }],
      }, {
        annotations: { "container.apparmor.security.beta.kubernetes.io/c": "runtime/default" },
      }),
    ),
    dry(PODS, pod("p", { securityContext: { appArmorProfile: { type: "Localhost" } } })),
    dry(
      PODS,
      pod("p", { securityContext: { appArmorProfile: { type: "X", localhostProfile: "y" } } }),
    ),
    dry(PODS, pod("p", { securityContext: { seccompProfile: { type: "Localhost" } } })),
    // Quantities.
    ...[
      "+1",
      "00100m",
      "0100",
      "1.0",
      "1.50",
      ".5",
      "5.",
      "1e3",
      "1E3",
      "1e-3",
      "0.001m",
      "1n",
      "1000m",
      "1024Ki",
      "1Ki",
      "0.5Ki",
      "-1",
      "+0",
      "-0",
      "0m",
      "1e+3",
      "1K",
      "1k",
      "1Zi",
      "9.5Gi",
      "1.5E",
      "12345678901234567890m",
      "1e",
      "1 ",
      "",
      "0x1",
      "1u",
      "1500u",
      "100e-2",
      "1.e3",
      "1M",
      "1000k",
      "1e9Gi",
    ].flatMap((q) => [
      dry(
        PODS,
        pod("p", { containers: [{ name: "c", image: "i", resources: { limits: { cpu: q } } }] }),
      ),
      dry(
        PODS,
        pod("p", {
          containers: [{ name: "c", image: "i", resources: { requests: { memory: q } } }],
        }),
      ),
    ]),
  ],
};
