import {
  apply,
  del,
  get,
  merge,
  post,
  put,
  type RequestStep,
  type StepScenario,
  strategic,
} from "../step.ts";
import { core, deployment, grouped, namespaced, pod } from "./_objects.ts";
import { withField } from "../with_field.ts";

// Cluster-scoped kinds and status, scale, binding, eviction of built-in kinds.
const NS = "suite-alterations";
/** An object of a kind, and odd values of its fields. */
interface Case {
  readonly path: string;
  readonly object: {
    readonly metadata: { readonly name: string };
    readonly [field: string]: unknown;
  };
  readonly odd: readonly (readonly [field: string, values: readonly unknown[]])[];
}
const g = (groupVersion: string, plural: string) => grouped(groupVersion, NS, plural);
const tmpl = {
  metadata: { labels: { app: "x" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};
const CASES: Case[] = [
  {
    path: core(NS, "services"),
    object: { metadata: { name: "x" }, spec: { ports: [{ port: 80 }], selector: { a: "b" } } },
    odd: [
      ["spec.type", ["", "X", "ExternalName", "NodePort", "LoadBalancer"]],
      ["spec.clusterIP", ["None", "1.2.3.4", "", "::1", "010.0.0.1"]],
      ["spec.clusterIPs", [["None", "None"], ["10.0.0.7", "10.0.0.8"], [""], ["10.0.0.9"]]],
      ["spec.ports", [
        [],
        null,
        [{ port: 0 }],
        [{ port: 65536 }],
        [{ port: 80, protocol: "X" }],
        [{ port: 80 }, { port: 81 }],
        [{ port: 80, name: "a" }, { port: 80, name: "b" }],
        [{ port: 80, name: "A_" }],
        [{ port: 80, targetPort: "too-long-port-name-x" }],
        [{ port: 80, targetPort: 0 }],
        [{ port: 80, nodePort: 30000 }],
        [{ port: 80, appProtocol: "a b" }],
        [{ port: 80, targetPort: "" }],
      ]],
      ["spec.sessionAffinity", ["X", "ClientIP"]],
      ["spec.sessionAffinityConfig", [{ clientIP: { timeoutSeconds: 0 } }, {}]],
      ["spec.externalIPs", [["0.0.0.0"], ["x"], ["127.0.0.1"], ["10.1.2.3"]]],
      ["spec.externalName", ["x", "A_"]],
      ["spec.ipFamilies", [["IPv6"], ["X"], ["IPv4", "IPv4"], ["IPv4", "IPv6"]]],
      ["spec.ipFamilyPolicy", ["X", "PreferDualStack", "RequireDualStack"]],
      ["spec.internalTrafficPolicy", ["X", "Local"]],
      ["spec.externalTrafficPolicy", ["Local", "X"]],
      ["spec.healthCheckNodePort", [5, 30000]],
      ["spec.loadBalancerIP", ["1.1.1.1"]],
      ["spec.loadBalancerClass", ["x", "a/b"]],
      ["spec.loadBalancerSourceRanges", [["1.1.1.1"], ["10.0.0.0/8"]]],
      ["spec.publishNotReadyAddresses", [true, "x"]],
      ["spec.trafficDistribution", ["X", "PreferClose", "PreferSameNode"]],
      ["spec.allocateLoadBalancerNodePorts", [false]],
      ["spec.selector", [{ "a b": "c" }, { a: "b c" }, null]],
      ["metadata.name", ["1x", "X", "a.b", "a".repeat(64)]],
      ["metadata.annotations", [{ "service.kubernetes.io/topology-mode": "x" }, {
        "service.alpha.kubernetes.io/tolerate-unready-endpoints": "true",
      }]],
    ],
  },
  {
    path: g("batch/v1", "cronjobs"),
    object: {
      metadata: { name: "x" },
      spec: {
        schedule: "* * * * *",
        jobTemplate: {
          spec: { template: { ...tmpl, spec: { ...tmpl.spec, restartPolicy: "Never" } } },
        },
      },
    },
    odd: [
      ["spec.schedule", [
        "",
        "x",
        "* * * *",
        "60 * * * *",
        "@hourly",
        "@every 1h",
        "@every x",
        "TZ=UTC * * * * *",
        "CRON_TZ=X * * * * *",
        "*/0 * * * *",
        "1-5/2 * * * *",
        "5-1 * * * *",
        "* * 31 2 *",
        "* * * JAN MON",
        "* * * * 7",
        "@foo",
        "0 0 1 1 ?",
      ]],
      ["spec.timeZone", ["", "X", "UTC", "Europe/Berlin", "Local", "local", " UTC"]],
      ["spec.startingDeadlineSeconds", [-1, 5]],
      ["spec.concurrencyPolicy", ["X", "Forbid"]],
      ["spec.suspend", [true]],
      ["spec.successfulJobsHistoryLimit", [-1]],
      ["spec.failedJobsHistoryLimit", [-1]],
      ["metadata.name", ["a".repeat(53), "a".repeat(52)]],
      ["spec.jobTemplate", [null, {}]],
      ["spec.jobTemplate.metadata", [{ labels: { "a b": "c" } }]],
      ["spec.jobTemplate.spec.completions", [-1]],
    ],
  },
  {
    path: g("networking.k8s.io/v1", "networkpolicies"),
    object: { metadata: { name: "x" }, spec: { podSelector: {} } },
    odd: [["spec.podSelector", [null, { matchLabels: { "a b": "c" } }]], ["spec.policyTypes", [
      ["X"],
      ["Ingress", "Egress", "Ingress"],
      [],
    ]], ["spec.ingress", [
      [{}],
      [{ ports: [{ port: "A_" }] }],
      [{ ports: [{ port: 0 }] }],
      [{ ports: [{ port: 5, endPort: 4 }] }],
      [{ ports: [{ endPort: 4 }] }],
      [{ ports: [{ port: "x", endPort: 4 }] }],
      [{ from: [{}] }],
      [{ from: [{ ipBlock: { cidr: "x" } }] }],
      [{ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/8", "10.0.0.0/8"] } }] }],
      [{ from: [{ ipBlock: { cidr: "10.0.0.1/8" }, podSelector: {} }] }],
    ]], ["spec.egress", [[{
      to: [{ namespaceSelector: { matchExpressions: [{ key: "x", operator: "Y" }] } }],
    }]]]],
  },
  {
    path: core(NS, "secrets"),
    object: { metadata: { name: "x" } },
    odd: [
      ["type", [
        "",
        "kubernetes.io/tls",
        "kubernetes.io/dockerconfigjson",
        "kubernetes.io/dockercfg",
        "kubernetes.io/basic-auth",
        "kubernetes.io/ssh-auth",
        "kubernetes.io/service-account-token",
        "bootstrap.kubernetes.io/token",
        "x y",
      ]],
      ["data", [{ "a b": "" }, { a: "x" }, { "..": "" }, { a: null }, { ["a".repeat(254)]: "" }]],
      ["stringData", [{ a: "é" }, { a: 5 }]],
      ["immutable", [true, null]],
    ],
  },
  {
    path: "/api/v1/nodes",
    object: { metadata: { name: "suite-n" } },
    odd: [
      ["spec.podCIDR", ["x", "10.0.0.0/24"]],
      ["spec.podCIDRs", [["10.0.0.0/24", "10.1.0.0/24"], ["x"]]],
      ["spec.taints", [
        [{}],
        [{ key: "a", effect: "X" }],
        [{ key: "a b", effect: "NoSchedule" }],
        [{ key: "a", value: "b c", effect: "NoSchedule" }],
        [{ key: "a", effect: "NoSchedule" }, { key: "a", effect: "NoSchedule" }],
        [{ key: "a", effect: "NoExecute", timeAdded: "x" }],
      ]],
      ["spec.providerID", ["x"]],
      ["spec.configSource", [{}]],
      ["spec.externalID", ["x"]],
      ["status.capacity", [{ cpu: "x" }, { cpu: "-1" }, { "a b": "1" }]],
      ["status.addresses", [[{ type: "X", address: "y" }, { type: "X", address: "y" }]]],
    ],
  },
  {
    path: "/apis/storage.k8s.io/v1/csinodes",
    object: { metadata: { name: "suite-csin" }, spec: { drivers: [] } },
    odd: [["spec.drivers", [
      [{}],
      [{ name: "a", nodeID: "" }],
      [{ name: "A_", nodeID: "n" }],
      [{ name: "a", nodeID: "n", topologyKeys: ["", "x y"] }],
      [{ name: "a", nodeID: "n", allocatable: { count: -1 } }],
      [{ name: "a", nodeID: "n" }, { name: "a", nodeID: "m" }],
      null,
    ]]],
  },
  {
    path: "/apis/storage.k8s.io/v1/volumeattachments",
    object: {
      metadata: { name: "suite-va" },
      spec: { attacher: "a.b", nodeName: "n", source: { persistentVolumeName: "pv" } },
    },
    odd: [["spec.attacher", ["", "A_"]], ["spec.nodeName", ["", "A_"]], ["spec.source", [{}, {
      persistentVolumeName: "",
    }, { persistentVolumeName: "A_" }]]],
  },
  {
    path: "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
    object: {
      metadata: { name: "suite-fs" },
      spec: { priorityLevelConfiguration: { name: "global-default" } },
    },
    odd: [
      ["spec.matchingPrecedence", [0, 10001, -1]],
      ["spec.priorityLevelConfiguration", [{}, { name: "A_" }]],
      ["spec.distinguisherMethod", [{}, { type: "X" }]],
      ["spec.rules", [[{}], [{ subjects: [{ kind: "X" }] }], [{
        subjects: [{ kind: "User", user: { name: "" } }],
        resourceRules: [{}],
      }], [{
        subjects: [{ kind: "Group", group: { name: "a" } }],
        nonResourceRules: [{ verbs: ["x"], nonResourceURLs: ["a"] }],
      }], [{
        subjects: [{ kind: "ServiceAccount", serviceAccount: { name: "*", namespace: "A" } }],
        resourceRules: [{
          verbs: ["get", "*"],
          apiGroups: ["*", "a"],
          resources: ["a", "*"],
          namespaces: ["A", "*"],
        }],
      }]]],
    ],
  },
  {
    path: "/apis/apiregistration.k8s.io/v1/apiservices",
    object: {
      metadata: { name: "v1.suite.io" },
      spec: {
        group: "suite.io",
        version: "v1",
        groupPriorityMinimum: 10,
        versionPriority: 10,
        service: { name: "a", namespace: "b" },
        insecureSkipTLSVerify: true,
      },
    },
    odd: [
      ["spec.group", ["", "A"]],
      ["spec.version", ["", "1"]],
      ["spec.groupPriorityMinimum", [0, 20001]],
      ["spec.versionPriority", [0, 1001]],
      ["spec.service", [null, {}, { name: "a", namespace: "b", port: 0 }]],
      ["spec.insecureSkipTLSVerify", [false]],
      ["spec.caBundle", ["eA=="]],
    ],
  },
];
const PODS = core(NS, "pods");
const DEPS = grouped("apps/v1", NS, "deployments");
/** Objects with single fields changed to odd values, and writes of their subresources. */
export const alterations: StepScenario = {
  name: "alterations",
  steps: [
    namespaced(NS),
    ...CASES.flatMap(({ path, object, odd }) => [
      post(path, object),
      // A moment later, the real server says that the Service of an APIService is missing.
      get(`${path}/${object.metadata.name}`, {
        unseen: true,
        ...(path.endsWith("apiservices") ? { until: "ServiceNotFound" } : {}),
      }),
      ...odd.flatMap(([field, values]) =>
        values.flatMap((value): RequestStep[] => {
          const body = withField(object, field, value);
          return [
            post(
              `${path}?dryRun=All`,
              field.startsWith("metadata.name") || object.metadata.name === "v1.suite.io" ||
                object.metadata.name.startsWith("10")
                ? body
                : withField(body, "metadata.name", `${object.metadata.name}y`),
            ),
            ...(field.startsWith("metadata.name")
              ? []
              : [merge(`${path}/${object.metadata.name}?dryRun=All`, withField({}, field, value))]),
          ];
        })
      ),
      get(`${path}/${object.metadata.name}`, {
        headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
      }),
      get(`${path}/${object.metadata.name}`, { headers: { accept: "application/yaml" } }),
      get(`${path}/${object.metadata.name}/status`),
      merge(`${path}/${object.metadata.name}/status?dryRun=All`, {
        status: { x: 1 },
        metadata: { labels: { s: "t" } },
      }),
      apply(`${path}/${object.metadata.name}?dryRun=All`, "ap", {
        apiVersion: path.replace(/^\/apis?\//, "").replace(/\/[^/]*$/, ""),
        kind: "Wrong",
        metadata: { name: object.metadata.name },
      }),
      del(`${path}/${object.metadata.name}`, { propagationPolicy: "Foreground" }),
      del(`${path}/${object.metadata.name}`, {
        gracePeriodSeconds: 0,
        preconditions: { uid: "x" },
      }),
      merge(`${path}/${object.metadata.name}`, { metadata: { finalizers: null } }),
    ]),
    post(PODS, pod("p", { nodeName: "" })),
    post(PODS, pod("q")),
    post(DEPS, deployment("d")),
    post(`${PODS}/p/binding`, { target: { name: "n" } }),
    post(`${PODS}/p/binding`, { target: { kind: "Node", name: "n" }, metadata: { name: "other" } }),
    post(`${PODS}/p/binding`, { target: { kind: "X", name: "n" } }),
    post(`${PODS}/p/binding`, { target: {} }),
    post(`${PODS}/p/binding?dryRun=All`, {
      target: { kind: "Node", name: "n" },
      metadata: { name: "p", annotations: { a: "b" } },
    }),
    post(`${PODS}/p/binding`, {
      apiVersion: "v1",
      kind: "Binding",
      target: { kind: "Node", name: "n" },
      metadata: { name: "p", annotations: { a: "b" }, labels: { c: "d" } },
    }),
    post(`${PODS}/p/binding`, { target: { kind: "Node", name: "m" }, metadata: { name: "p" } }),
    get(`${PODS}/p`),
    post(core(NS, "bindings"), { target: { kind: "Node", name: "n" }, metadata: { name: "q" } }),
    post(`${PODS}/p/eviction`, { metadata: { name: "x" } }),
    post(`${PODS}/p/eviction`, {
      apiVersion: "policy/v1beta1",
      kind: "Eviction",
      metadata: { name: "p" },
    }),
    post(`${PODS}/p/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "p", namespace: "other" },
    }),
    post(`${PODS}/p/eviction?dryRun=All`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "p" },
    }),
    post(`${PODS}/p/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "p" },
      deleteOptions: { dryRun: ["All"], gracePeriodSeconds: -1 },
    }),
    post(`${PODS}/p/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "p" },
      deleteOptions: { preconditions: { resourceVersion: "1" } },
    }),
    post(`${PODS}/none/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "none" },
    }),
    post(`${PODS}/none/eviction`, {}),
    ...[
      "phase",
      "podIP",
      "hostIP",
      "qosClass",
      "conditions",
      "containerStatuses",
      "nominatedNodeName",
      "observedGeneration",
      "resize",
      "startTime",
    ].flatMap((f) =>
      ["x", "10.0.0.1", [{}], 5, null].map((v) =>
        merge(`${PODS}/p/status?dryRun=All`, { status: { [f]: v } })
      )
    ),
    ...[
      "replicas",
      "readyReplicas",
      "observedGeneration",
      "collisionCount",
      "conditions",
      "terminatingReplicas",
    ].flatMap((f) =>
      [-1, 5, "x", [{ type: "A" }], null].map((v) =>
        merge(`${DEPS}/d/status?dryRun=All`, { status: { [f]: v } })
      )
    ),
    put(`${PODS}/p/status`, pod("p")),
    put(`${PODS}/p/status`, pod("q")),
    put(`${PODS}/p`, pod("p")),
    put(`${PODS}/p`, pod("p", {}, { labels: { a: "b" } })),
    put(`${PODS}/p`, pod("p", { containers: [] })),
    merge(`${PODS}/p`, { spec: { containers: [{ name: "c", image: "i:2" }] } }),
    merge(`${PODS}/p`, { spec: { tolerations: [] } }),
    merge(`${PODS}/p`, { spec: { activeDeadlineSeconds: 5 } }),
    merge(`${PODS}/p`, { spec: { activeDeadlineSeconds: 6 } }),
    merge(`${PODS}/p`, { spec: { activeDeadlineSeconds: null } }),
    merge(`${PODS}/p`, { spec: { hostNetwork: true } }),
    strategic(`${PODS}/p`, { spec: { containers: [{ name: "new", image: "x" }] } }),
    strategic(`${PODS}/p`, { spec: { containers: [{ name: "c", $patch: "delete" }] } }),
    merge(`${PODS}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "c", image: "x" }] },
    }),
    merge(`${PODS}/p/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: "e" }] } }),
    merge(`${PODS}/p/ephemeralcontainers`, {
      spec: {
        ephemeralContainers: [{
          name: "e",
          image: "x",
          ports: [{ containerPort: 1 }],
          lifecycle: {},
          livenessProbe: {},
          resources: { limits: { cpu: "1" } },
        }],
      },
    }),
    strategic(`${PODS}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "e", image: "x", targetContainerName: "no" }] },
    }),
    strategic(`${PODS}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "e", image: "x", targetContainerName: "c" }] },
    }),
    strategic(`${PODS}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "e", image: "y" }] },
    }),
    merge(`${PODS}/p/resize`, {
      spec: { containers: [{ name: "c", image: "i:2", resources: { requests: { cpu: "1" } } }] },
    }),
    strategic(`${PODS}/p/resize`, {
      spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] },
    }),
    strategic(`${PODS}/q/resize`, {
      spec: { containers: [{ name: "c", resources: { limits: { cpu: "1" } } }] },
    }),
    put(`${DEPS}/d/scale`, { metadata: { name: "d" }, spec: { replicas: 2 } }),
    put(`${DEPS}/d/scale`, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "d", namespace: NS },
      spec: { replicas: 3 },
    }),
    put(`${DEPS}/d/scale`, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "x" },
      spec: { replicas: -1 },
    }),
    put(`${DEPS}/d/scale`, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "d", resourceVersion: "1" },
      spec: { replicas: 1 },
    }),
    put(`${DEPS}/d/scale`, { apiVersion: "apps/v1", kind: "Scale", metadata: { name: "d" } }),
    put(`${DEPS}/d/scale?fieldManager=sc`, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "d", namespace: NS },
      spec: { replicas: 3 },
    }),
    merge(`${DEPS}/d/scale?fieldManager=sc2`, { spec: { replicas: 3 } }),
    merge(`${DEPS}/d/scale?fieldManager=sc2`, { spec: { replicas: 4 } }),
    apply(`${DEPS}/d/scale`, "sc3", {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      spec: { replicas: 5 },
    }),
    apply(`${DEPS}/d/scale`, "sc3", {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      spec: { replicas: 5 },
    }, { force: true }),
    get(`${DEPS}/d`),
    get(`${DEPS}/d/scale`, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
    put(`${DEPS}/d/scale?fieldManager=put`, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "d" },
      spec: {},
    }),
    get(`${DEPS}/d`),
    post(`/api/v1/namespaces/${NS}/serviceaccounts/none/token`, {}),
    post(`/api/v1/namespaces/${NS}/serviceaccounts`, { metadata: { name: "sa" } }),
    post(`/api/v1/namespaces/${NS}/serviceaccounts/sa/token`, { spec: { expirationSeconds: 5 } }),
    post(`/api/v1/namespaces/${NS}/serviceaccounts/sa/token`, {
      spec: { boundObjectRef: { kind: "X", name: "y" } },
    }),
    post(`/api/v1/namespaces/${NS}/serviceaccounts/sa/token`, {
      spec: { boundObjectRef: { kind: "Pod", name: "y" } },
    }),
    put("/api/v1/namespaces/suite-alterations/finalize", {
      metadata: { name: "suite-alterations" },
      spec: { finalizers: ["kubernetes"] },
    }),
    put("/api/v1/namespaces/suite-alterations/finalize", { metadata: { name: "x" } }),
    merge("/api/v1/namespaces/suite-alterations/status?dryRun=All", {
      status: { phase: "Terminating" },
    }),
    del("/api/v1/namespaces/default"),
    del("/api/v1/namespaces/kube-system?dryRun=All"),
    merge("/api/v1/namespaces/suite-alterations?dryRun=All", {
      metadata: { labels: { "kubernetes.io/metadata.name": null } },
    }),
  ] as RequestStep[],
};
