import { get, merge, post, put, type RequestStep, type StepScenario, strategic } from "../step.ts";
import { configMap, core, deployment, grouped, pod } from "./_objects.ts";

const NS = "suite-admission";
const LIMITED = "suite-admission-limits";
const COUNTED = "suite-admission-quota";
const SCOPED = "suite-admission-scopes";
const BASELINE = "suite-admission-baseline";
const RESTRICTED = "suite-admission-restricted";
const CLASSES = "/apis/node.k8s.io/v1/runtimeclasses";
const INGRESSES = grouped("networking.k8s.io/v1", NS, "ingresses");
const INGRESS_CLASSES = "/apis/networking.k8s.io/v1/ingressclasses";
const PODS = core(NS, "pods");

const namespace = (name: string, labels: object = {}): RequestStep =>
  post("/api/v1/namespaces", { metadata: { name, labels } }, { unseen: true });

const security = (mode: string, level: string) => ({
  [`pod-security.kubernetes.io/${mode}`]: level,
});

/** Returns a Pod whose only container has these resources. */
const sized = (name: string, requests: object, limits: object = {}, spec: object = {}) =>
  pod(name, {
    containers: [{ name: "c", image: "i:1", resources: { requests, limits } }],
    ...spec,
  });

const claim = (name: string, storage: string, spec: object = {}) => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
});

const service = (name: string, type: string) => ({
  metadata: { name },
  spec: { type, ports: [{ port: 80 }] },
});

/** Creates a quota and says that nothing of it is used, as its controller would. */
const quota = (
  namespace: string,
  name: string,
  hard: Record<string, string>,
  spec: object = {},
): RequestStep[] => {
  const path = core(namespace, "resourcequotas");
  const used = Object.fromEntries(Object.keys(hard).map((key) => [key, "0"]));
  return [
    post(path, { metadata: { name }, spec: { hard, ...spec } }),
    merge(`${path}/${name}/status`, { status: { hard, used } }),
  ];
};

const limitRange: RequestStep = post(core(LIMITED, "limitranges"), {
  metadata: { name: "limits" },
  spec: {
    limits: [
      {
        type: "Container",
        default: { cpu: "500m", memory: "256Mi" },
        defaultRequest: { cpu: "100m" },
        min: { cpu: "50m" },
        max: { cpu: "1", memory: "1Gi" },
        maxLimitRequestRatio: { cpu: "10" },
      },
      { type: "Pod", max: { cpu: "2" }, min: { memory: "10Mi" } },
      { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "5Gi" } },
    ],
  },
});

/** An Ingress without a class. */
const unnamed = {
  metadata: { name: "unnamed" },
  spec: { defaultBackend: { service: { name: "s", port: { number: 1 } } } },
};

/** Refusals and changes by the plugins that are on by default, and the diffs of immutable specs. */
export const admission: StepScenario = {
  name: "admission",
  steps: [
    namespace(NS),
    namespace(LIMITED),
    namespace(COUNTED),
    namespace(SCOPED),
    namespace(BASELINE, { ...security("enforce", "baseline"), ...security("warn", "restricted") }),
    namespace(RESTRICTED, security("enforce", "restricted")),

    // RuntimeClasses.
    post(CLASSES, {
      metadata: { name: "suite-kata" },
      handler: "kata",
      overhead: { podFixed: { cpu: "250m", memory: "120Mi" } },
      scheduling: {
        nodeSelector: { kata: "yes" },
        tolerations: [{ key: "kata", operator: "Exists" }, {
          key: "node.kubernetes.io/not-ready",
          operator: "Exists",
        }],
      },
    }, { unseen: true }),
    post(CLASSES, { metadata: { name: "suite-plain" }, handler: "runc" }, { unseen: true }),
    post(PODS, pod("kata", { runtimeClassName: "suite-kata" })),
    post(PODS, pod("selects", { runtimeClassName: "suite-kata", nodeSelector: { kata: "no" } })),
    post(PODS, pod("wide", { runtimeClassName: "suite-kata", nodeSelector: { disk: "ssd" } })),
    post(PODS, pod("light", { runtimeClassName: "suite-kata", overhead: { cpu: "1" } })),
    post(
      PODS,
      pod("same", { runtimeClassName: "suite-kata", overhead: { cpu: "0.25", memory: "120Mi" } }),
    ),
    post(PODS, pod("plain", { runtimeClassName: "suite-plain" })),
    post(PODS, pod("heavy", { runtimeClassName: "suite-plain", overhead: { cpu: "1" } })),
    post(PODS, pod("heavy", { overhead: { cpu: "1" } })),
    post(PODS, pod("missing", { runtimeClassName: "suite-missing" })),
    post(PODS, { metadata: { generateName: "gen-" }, spec: { runtimeClassName: "suite-missing" } }),

    // LimitRanges.
    limitRange,
    post(core(LIMITED, "pods"), pod("default")),
    post(core(LIMITED, "pods"), sized("large", {}, { cpu: "2" })),
    post(core(LIMITED, "pods"), sized("small", { cpu: "10m" })),
    post(core(LIMITED, "pods"), sized("ratio", { cpu: "60m" }, { cpu: "900m" })),
    post(core(LIMITED, "pods"), sized("above", { cpu: "600m" })),
    post(core(LIMITED, "pods"), sized("tiny", {}, { cpu: "1", memory: "1Mi" })),
    post(
      core(LIMITED, "pods"),
      pod("three", {
        containers: ["a", "b", "c"].map((name) => ({
          name,
          image: "i",
          resources: { limits: { cpu: "900m" } },
        })),
      }),
    ),
    post(
      core(LIMITED, "pods"),
      pod("init", {
        initContainers: [{ name: "i", image: "i" }, {
          name: "s",
          image: "i",
          restartPolicy: "Always",
        }],
      }),
    ),
    post(core(LIMITED, "persistentvolumeclaims"), claim("large", "10Gi")),
    post(core(LIMITED, "persistentvolumeclaims"), claim("small", "10Mi")),
    post(core(LIMITED, "persistentvolumeclaims"), claim("fits", "2Gi")),
    post(core(LIMITED, "limitranges"), {
      metadata: { name: "wrong" },
      spec: {
        limits: [
          { type: "Odd", min: { cpu: "1" } },
          {
            type: "Pod",
            maxLimitRequestRatio: { memory: "5" },
            max: { memory: "4" },
            min: { memory: "2" },
          },
        ],
      },
    }),

    // ResourceQuotas.
    post(core(COUNTED, "pods"), pod("before")),
    ...quota(COUNTED, "all", {
      pods: "2",
      "requests.cpu": "1",
      "limits.memory": "1Gi",
      "count/configmaps": "2",
      services: "1",
      "services.nodeports": "0",
      secrets: "1",
      "requests.storage": "5Gi",
      "gold.storageclass.storage.k8s.io/requests.storage": "1Gi",
      "count/deployments.apps": "0",
    }),
    // A quota counts once the cache of the real server has its status.
    post(`${core(COUNTED, "pods")}?dryRun=All`, pod("a"), { until: "must specify" }),
    post(core(COUNTED, "pods"), sized("a", { cpu: "600m" }, { memory: "100Mi" })),
    post(core(COUNTED, "pods"), sized("b", { cpu: "600m" }, { memory: "100Mi" })),
    get(`${core(COUNTED, "resourcequotas")}/all`),
    post(core(COUNTED, "configmaps"), configMap("a")),
    post(`${core(COUNTED, "configmaps")}?dryRun=All`, configMap("dry")),
    post(core(COUNTED, "configmaps"), configMap("b")),
    post(core(COUNTED, "configmaps"), configMap("c")),
    put(`${core(COUNTED, "configmaps")}/a`, configMap("a", { k: "w" })),
    post(core(COUNTED, "services"), service("s", "NodePort")),
    post(core(COUNTED, "services"), service("s", "ClusterIP")),
    merge(`${core(COUNTED, "services")}/s`, { spec: { type: "NodePort" } }),
    post(core(COUNTED, "services"), service("t", "ClusterIP")),
    post(core(COUNTED, "secrets"), { metadata: { name: "a" } }),
    post(core(COUNTED, "secrets"), { metadata: { name: "b" } }),
    post(core(COUNTED, "persistentvolumeclaims"), claim("a", "2Gi", { storageClassName: "gold" })),
    post(core(COUNTED, "persistentvolumeclaims"), claim("a", "4Gi", { storageClassName: "tin" })),
    post(core(COUNTED, "persistentvolumeclaims"), claim("b", "2Gi", { storageClassName: "tin" })),
    post(grouped("apps/v1", COUNTED, "deployments"), deployment("d")),
    get(`${core(COUNTED, "resourcequotas")}/all`),
    post(core(SCOPED, "resourcequotas"), {
      metadata: { name: "new" },
      spec: { hard: { replicationcontrollers: "1" } },
    }),
    ...quota(SCOPED, "best", { pods: "1" }, { scopes: ["BestEffort"] }),
    ...quota(SCOPED, "long", { "requests.memory": "1Gi" }, { scopes: ["NotTerminating"] }),
    ...quota(SCOPED, "class", { pods: "1" }, {
      scopeSelector: {
        matchExpressions: [{
          scopeName: "PriorityClass",
          operator: "In",
          values: ["system-node-critical"],
        }],
      },
    }),
    post(`${core(SCOPED, "pods")}?dryRun=All`, pod("a"), { until: "must specify" }),
    post(core(SCOPED, "pods"), pod("a", { activeDeadlineSeconds: 60 })),
    post(core(SCOPED, "pods"), pod("b", { activeDeadlineSeconds: 60 })),
    post(core(SCOPED, "pods"), sized("c", { memory: "512Mi" })),
    post(core(SCOPED, "pods"), sized("d", { memory: "600Mi" })),
    post(core(SCOPED, "pods"), sized("d", { memory: "600Mi" }, {}, { activeDeadlineSeconds: 9 })),
    post(
      core(SCOPED, "pods"),
      pod("e", {
        activeDeadlineSeconds: 9,
        priorityClassName: "system-node-critical",
        containers: [{ name: "c", image: "i:1", resources: { requests: { cpu: "1m" } } }],
      }),
    ),
    post(
      core(SCOPED, "pods"),
      pod("f", {
        activeDeadlineSeconds: 9,
        priorityClassName: "system-node-critical",
        containers: [{ name: "c", image: "i:1", resources: { requests: { cpu: "1m" } } }],
      }),
    ),
    get(core(SCOPED, "resourcequotas")),

    // Pod security levels.
    post(core(BASELINE, "pods"), pod("warned")),
    post(
      core(BASELINE, "pods"),
      pod("refused", {
        hostNetwork: true,
        hostPID: true,
        containers: [
          { name: "a", image: "i", ports: [{ containerPort: 81, hostPort: 81 }] },
          { name: "b", image: "i", securityContext: { capabilities: { add: ["SYS_ADMIN"] } } },
        ],
        volumes: [{ name: "h", hostPath: { path: "/x" } }],
        securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] },
      }),
    ),
    post(core(RESTRICTED, "pods"), pod("refused")),
    post(
      core(RESTRICTED, "pods"),
      pod("root", {
        securityContext: { runAsNonRoot: false, runAsUser: 0 },
        volumes: [{ name: "n", nfs: { server: "s", path: "/" } }, { name: "e", emptyDir: {} }],
      }),
    ),
    post(
      core(RESTRICTED, "pods"),
      pod("safe", {
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
        containers: [{
          name: "c",
          image: "i",
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        }],
      }),
    ),
    post(grouped("apps/v1", RESTRICTED, "deployments"), deployment("warned")),
    merge(`/api/v1/namespaces/${NS}`, { metadata: { labels: security("enforce", "odd") } }),
    merge(`/api/v1/namespaces/${NS}`, { metadata: { labels: security("warn-version", "v9") } }),

    // The default IngressClass.
    post(INGRESS_CLASSES, {
      metadata: {
        name: "suite-default",
        annotations: { "ingressclass.kubernetes.io/is-default-class": "true" },
      },
      spec: { controller: "suite.example.com/ingress" },
    }),
    post(`${INGRESSES}?dryRun=All`, unnamed, { unseen: true, until: "ingressClassName" }),
    post(INGRESSES, unnamed),
    {
      method: "DELETE",
      path: `${INGRESS_CLASSES}/suite-default`,
    },

    // The diff of an immutable field shows the server's internal types.
    post(PODS, pod("fixed", { volumes: [{ name: "v", configMap: { name: "c" } }] })),
    merge(`${PODS}/fixed`, {
      spec: { nodeName: "n", hostNetwork: true, terminationGracePeriodSeconds: 1 },
    }),
    strategic(`${PODS}/fixed`, {
      spec: { containers: [{ name: "c", env: [{ name: "A", value: "<&>" }] }] },
    }),
    merge(`${PODS}/fixed`, { spec: { volumes: null } }),
    strategic(`${PODS}/fixed/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "debug", image: "i" }] },
    }),
    strategic(`${PODS}/fixed/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "debug", image: "j", tty: true }] },
    }),
    post(core(NS, "persistentvolumeclaims"), claim("fixed", "1Gi")),
    merge(`${core(NS, "persistentvolumeclaims")}/fixed`, {
      spec: { resources: { requests: { storage: "2Gi" } } },
    }),
    post("/api/v1/persistentvolumes", {
      metadata: { name: "suite-fixed" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/x" },
      },
    }),
    merge("/api/v1/persistentvolumes/suite-fixed", { spec: { hostPath: { path: "/y" } } }),
    merge("/api/v1/persistentvolumes/suite-fixed/status", { status: { phase: "Available" } }),
  ],
};
