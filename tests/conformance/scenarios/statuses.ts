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
import {
  configMap,
  core,
  definition,
  DEFINITIONS,
  deployment,
  grouped,
  namespaced,
  pod,
} from "./_objects.ts";

const NS = "suite-statuses";
const PODS = core(NS, "pods");
const CONFIGS = core(NS, "configmaps");
const SECRETS = core(NS, "secrets");
const SERVICES = core(NS, "services");
const CONTROLLERS = core(NS, "replicationcontrollers");
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const CRONS = grouped("batch/v1", NS, "cronjobs");
const BUDGETS = grouped("policy/v1", NS, "poddisruptionbudgets");
const CLAIMS = grouped("resource.k8s.io/v1", NS, "resourceclaims");
const TEMPLATES = grouped("resource.k8s.io/v1", NS, "resourceclaimtemplates");
const SLICES = "/apis/resource.k8s.io/v1/resourceslices";
const VOLUMES = "/api/v1/persistentvolumes";
const VOLUME_CLAIMS = core(NS, "persistentvolumeclaims");
const RANGES = "/apis/networking.k8s.io/v1/servicecidrs";
const SCHEMAS = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
const LEVELS = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
const HOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const APIS = "/apis/apiregistration.k8s.io/v1/apiservices";
const NAMESPACES = "/api/v1/namespaces";
const ROLES = grouped("rbac.authorization.k8s.io/v1", NS, "roles");
const NODES = "/api/v1/nodes";
const HINTS = "service.kubernetes.io/topology-aware-hints";
const KEPT = `${DEFINITIONS}/keepers.suite.example.com`;

const trial = (path: string, rest: object, metadata: object = {}): RequestStep =>
  post(`${path}?dryRun=All`, { metadata: { name: "suite-x", ...metadata }, ...rest });

const made = (path: string, rest: object, name = "made"): RequestStep =>
  post(path, { metadata: { name }, ...rest }, { unseen: true });

const status = (path: string, value: unknown): RequestStep =>
  merge(`${path}/status?dryRun=All`, { status: value });

const conditions = [
  {
    type: "",
    status: "Odd",
    reason: "b d",
    message: "m".repeat(32769),
    lastTransitionTime: null,
    observedGeneration: -1,
  },
  { type: "A", status: "True", reason: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
  { type: "A", status: "True", reason: "R", lastTransitionTime: "2026-01-01T00:00:00Z" },
];

const service = (spec: object, metadata?: object): RequestStep =>
  trial(SERVICES, { spec: { ports: [{ port: 80 }], ...spec } }, metadata);

/** The parts of a version of a definition. */
const DETAILS = {
  deprecated: true,
  deprecationWarning: "w",
  subresources: { status: {}, scale: { specReplicasPath: ".spec.r1" } },
  selectableFields: [{ jsonPath: ".spec.f1" }],
  additionalPrinterColumns: [{
    name: "a",
    type: "string",
    jsonPath: ".spec.f1",
    priority: 1,
    description: "d",
    format: "byte",
  }],
  schema: {
    openAPIV3Schema: {
      type: "object",
      externalDocs: { url: "u", description: "d" },
      properties: {
        spec: {
          type: "object",
          required: ["r1"],
          properties: {
            r1: { type: "integer", minimum: 1, maximum: 5, default: 3, enum: [3] },
            f1: { type: "string", pattern: "^a", maxLength: 9, nullable: true, title: "t" },
          },
        },
      },
    },
  },
};

/** Refusals of statuses, annotations and rarely used fields. */
export const statuses: StepScenario = {
  name: "statuses",
  steps: [
    namespaced(NS),
    made(CONTROLLERS, {
      spec: {
        selector: { a: "b" },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
      },
    }),
    status(`${CONTROLLERS}/made`, {
      replicas: 1,
      fullyLabeledReplicas: 2,
      readyReplicas: 3,
      availableReplicas: 4,
      observedGeneration: -1,
    }),
    merge(`${CONTROLLERS}/made`, { spec: { selector: { a: "c" }, replicas: -1 } }),
    merge(`${CONTROLLERS}/made`, { spec: { template: null } }),
    made(CRONS, {
      spec: {
        schedule: "@daily",
        jobTemplate: {
          spec: {
            template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
          },
        },
      },
    }),
    status(`${CRONS}/made`, { active: [{ uid: "x" }], lastSuccessfulTime: "2026-01-01T00:00:00Z" }),
    made(BUDGETS, { spec: { minAvailable: 1 } }),
    status(`${BUDGETS}/made`, { conditions, disruptedPods: { "b d": "2026-01-01T00:00:00Z" } }),
    merge(`${BUDGETS}/made?dryRun=All`, { spec: { minAvailable: null, maxUnavailable: "5%" } }),
    made(RANGES, { spec: { cidrs: ["2001:db8:5::/64"] } }, "suite-statuses"),
    status(`${RANGES}/suite-statuses`, { conditions: conditions.slice(1) }),
    made(SCHEMAS, {
      spec: { priorityLevelConfiguration: { name: "workload-low" }, matchingPrecedence: 5000 },
    }, "suite-statuses"),
    status(`${SCHEMAS}/suite-statuses`, {
      conditions: [{ type: "Dangling" }, { type: "Dangling", status: "Odd" }, { type: "" }],
    }),
    merge(`${SCHEMAS}/exempt`, { spec: { matchingPrecedence: 5 } }),
    merge(`${SCHEMAS}/catch-all?dryRun=All`, {
      metadata: { annotations: { a: "b" } },
      spec: { rules: [] },
    }),
    made(
      LEVELS,
      { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } } },
      "suite-statuses",
    ),
    get(`${LEVELS}/suite-statuses`),
    merge(`${LEVELS}/suite-statuses`, { spec: { limited: { limitResponse: { type: "Queue" } } } }),
    merge(`${LEVELS}/suite-statuses?dryRun=All`, { spec: { type: "Exempt", limited: null } }),
    merge(`${LEVELS}/exempt`, { spec: { exempt: { lendablePercent: 50 } } }),
    merge(`${LEVELS}/catch-all`, { spec: { limited: { nominalConcurrencyShares: 6 } } }),
    status(`${LEVELS}/suite-statuses`, { conditions: [{ type: "A" }, { type: "A", status: "X" }] }),
    made(APIS, {
      spec: {
        group: "suite.st",
        version: "v1",
        groupPriorityMinimum: 10,
        versionPriority: 5,
        service: { name: "s", namespace: "n" },
        insecureSkipTLSVerify: true,
      },
    }, "v1.suite.st"),
    status(`${APIS}/v1.suite.st`, { conditions: [{ type: "Available", status: "Odd" }] }),
    merge(`${APIS}/v1.suite.st`, { spec: { group: "other", service: { port: 0 } } }),
    del(`${APIS}/v1.suite.st`, undefined, { unseen: true }),
    made(VOLUMES, {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/a" },
      },
    }, "suite-statuses"),
    status(`${VOLUMES}/suite-statuses`, { phase: "Odd" }),
    trial(VOLUMES, {
      spec: {
        capacity: { storage: "1500m" },
        accessModes: ["ReadWriteOnce"],
        storageos: { volumeName: "v" },
      },
    }, {
      annotations: {
        "volume.beta.kubernetes.io/mount-options": "a",
        "volume.beta.kubernetes.io/storage-class": "b",
      },
    }),
    trial(VOLUMES, {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        glusterfs: { endpoints: "e", path: "p" },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{
              matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }, {
                key: "failure-domain.beta.kubernetes.io/zone",
                operator: "Exists",
              }],
            }],
          },
        },
      },
    }),
    trial(VOLUMES, {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        flocker: { datasetName: "a", datasetUUID: "b" },
      },
    }),
    trial(VOLUMES, {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        quobyte: { registry: "a:1", volume: "v" },
      },
    }),
    trial(VOLUME_CLAIMS, {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1500m" } } },
    }, { annotations: { "volume.beta.kubernetes.io/storage-class": "b" } }),
    made(VOLUME_CLAIMS, {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    status(`${VOLUME_CLAIMS}/made`, { capacity: { storage: "-1Gi" } }),
    status(`${VOLUME_CLAIMS}/made`, { allocatedResources: { storage: "-1500m" } }),
    status(`${VOLUME_CLAIMS}/made`, { allocatedResources: { cpu: "1" } }),
    status(`${VOLUME_CLAIMS}/made`, {
      modifyVolumeStatus: { status: "Odd", targetVolumeAttributesClassName: "x" },
      currentVolumeAttributesClassName: "Bad_N",
    }),
    merge(`${VOLUME_CLAIMS}/made?dryRun=All`, { spec: { volumeAttributesClassName: "c" } }),
    merge(`${VOLUME_CLAIMS}/made?dryRun=All`, { spec: { volumeAttributesClassName: "" } }),
    status(`${NAMESPACES}/${NS}`, {
      phase: "Odd",
      conditions: [{ type: "NamespaceDeletionContentFailure", status: "True" }],
    }),
    put(`${NAMESPACES}/${NS}/finalize?dryRun=All`, {
      metadata: { name: NS },
      spec: { finalizers: ["a.b/c", "kubernetes"] },
    }),
    trial(NAMESPACES, { spec: { finalizers: ["x"] }, status: { phase: "Terminating" } }),
    trial(NAMESPACES, {}, { labels: { "kubernetes.io/metadata.name": "other" } }),
    merge(`${NAMESPACES}/${NS}?dryRun=All`, {
      metadata: { labels: { "kubernetes.io/metadata.name": "other" } },
    }),
    // Services
    service({ type: "ExternalName" }),
    service({ type: "ExternalName", externalName: "a_b.c", ports: null }),
    service({ type: "ExternalName", externalName: "a.b", clusterIP: "10.0.0.7" }),
    service({
      type: "Odd",
      sessionAffinity: "Odd",
      externalTrafficPolicy: "Odd",
      internalTrafficPolicy: "Odd",
    }),
    service({ clusterIP: "None", type: "LoadBalancer" }),
    service({ clusterIP: "None", ports: [{ port: 80, nodePort: 30080 }] }),
    service({ clusterIP: "None", selector: null, ports: null }),
    service({ clusterIP: "10.0.0.300" }),
    service({ clusterIP: "1.2.3.4" }),
    service({ clusterIPs: ["10.0.0.5", "10.0.0.6"] }),
    service({ ipFamilies: ["IPv6"], ipFamilyPolicy: "SingleStack" }),
    service({ ipFamilies: ["IPv4", "IPv4", "Odd"], ipFamilyPolicy: "Odd" }),
    service({ ipFamilyPolicy: "RequireDualStack" }),
    service({ ports: [] }),
    service({
      ports: [{ port: 0, protocol: "Odd", targetPort: "x_", name: "A_", appProtocol: "b d" }],
    }),
    service({ ports: [{ port: 80 }, { port: 81 }] }),
    service({
      ports: [{ name: "a", port: 80 }, { name: "a", port: 80 }, {
        name: "b",
        port: 81,
        nodePort: 30001,
      }],
    }),
    service({ type: "NodePort", ports: [{ port: 80, nodePort: 80 }] }),
    service({
      type: "NodePort",
      ports: [{ name: "a", port: 80, nodePort: 30777 }, { name: "b", port: 81, nodePort: 30777 }],
    }),
    service({
      type: "NodePort",
      ports: [{ name: "a", port: 80, nodePort: 30777 }, {
        name: "b",
        port: 80,
        protocol: "UDP",
        nodePort: 30777,
      }],
    }),
    service({ externalIPs: ["x", "127.0.0.1", "0.0.0.0", "1.2.3.4", "001.2.3.4"] }),
    service({
      loadBalancerIP: "1.2.3.4",
      loadBalancerSourceRanges: ["10.0.0.0/8"],
      loadBalancerClass: "a.b/c",
      allocateLoadBalancerNodePorts: false,
      healthCheckNodePort: 30001,
    }),
    service({
      type: "LoadBalancer",
      loadBalancerIP: "1.2.3.4",
      loadBalancerSourceRanges: ["x", " 10.0.0.0/8 "],
      loadBalancerClass: "B d",
    }),
    service({ type: "LoadBalancer" }, {
      annotations: { "service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8, x" },
    }),
    service({ type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 70000 }),
    service({
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
    }),
    service({
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } },
    }),
    service({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }),
    service({ trafficDistribution: "Odd" }),
    service({ trafficDistribution: "PreferClose" }, {
      annotations: { "service.kubernetes.io/topology-mode": "Auto" },
    }),
    service({}, { annotations: { [HINTS]: "auto" } }),
    service({}, {
      annotations: { [HINTS]: "auto", "service.kubernetes.io/topology-mode": "Auto" },
    }),
    service({}, { annotations: { [HINTS]: "x", "service.kubernetes.io/topology-mode": "x" } }),
    service({ publishNotReadyAddresses: true, selector: { "b d": "x y" } }),
    service({}, { name: "1a" }),
    service({}, { name: "a.b" }),
    made(SERVICES, {
      spec: { type: "LoadBalancer", ports: [{ port: 80 }], clusterIP: "10.0.0.8" },
    }),
    status(`${SERVICES}/made`, {
      loadBalancer: {
        ingress: [{ ip: "x", ipMode: "Odd" }, { ip: "1.2.3.4", hostname: "1.2.3.4" }, {
          hostname: "a.b",
          ipMode: "VIP",
        }, { hostname: "A_b", ports: [{ port: 0, protocol: "Odd" }] }],
      },
      conditions: conditions.slice(1),
    }),
    merge(`${SERVICES}/made`, { spec: { clusterIP: "10.0.0.78" } }),
    merge(`${SERVICES}/made`, { spec: { loadBalancerClass: "a.b/c" } }),
    merge(`${SERVICES}/made?dryRun=All`, { spec: { type: "ExternalName", externalName: "a.b" } }),
    merge(`${SERVICES}/made?dryRun=All`, { spec: { type: "ClusterIP" } }),
    // Secrets, ConfigMaps, roles
    trial(SECRETS, { type: "kubernetes.io/tls", data: { "tls.crt": "YQ==" } }),
    trial(SECRETS, {
      type: "kubernetes.io/dockerconfigjson",
      data: { ".dockerconfigjson": "YQ==" },
    }),
    trial(SECRETS, { type: "kubernetes.io/dockerconfigjson" }),
    trial(SECRETS, { type: "kubernetes.io/basic-auth" }),
    trial(SECRETS, { type: "kubernetes.io/ssh-auth", stringData: { "ssh-privatekey": "" } }),
    trial(SECRETS, { type: "kubernetes.io/service-account-token" }),
    trial(SECRETS, { type: "bootstrap.kubernetes.io/token", stringData: { "token-id": "x" } }),
    trial(SECRETS, { type: "", data: { "..a": "YQ==" } }),
    trial(CONFIGS, { data: { a: "1" }, binaryData: { a: "YQ==" } }),
    trial(CONFIGS, { binaryData: { "b d": "YQ==" } }),
    trial(CONFIGS, { data: { a: "x".repeat(1048577) } }),
    post(CONFIGS, { ...configMap("fixed"), immutable: true }, { unseen: true }),
    merge(`${CONFIGS}/fixed`, { immutable: false }),
    merge(`${CONFIGS}/fixed`, { data: { k: "w" } }),
    merge(`${CONFIGS}/fixed`, { binaryData: { k: "YQ==" } }),
    merge(`${CONFIGS}/fixed?dryRun=All`, { metadata: { labels: { a: "b" } } }),
    trial(ROLES, {
      rules: [{ verbs: ["get"], apiGroups: ["*"], resources: ["*"], resourceNames: [""] }],
    }),
    // Pods and templates with warnings
    post(
      `${PODS}?dryRun=All`,
      pod("w", {
        containers: [{
          name: "c",
          image: "i",
          env: [{ name: "A", value: "1" }, { name: "A", value: "2" }],
          ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "TCP" }],
        }, { name: "d", image: "i", ports: [{ containerPort: 80 }] }],
        terminationGracePeriodSeconds: -5,
      }),
    ),
    post(
      `${PODS}?dryRun=All`,
      pod("w", {
        nodeSelector: { "beta.kubernetes.io/os": "linux" },
        imagePullSecrets: [{ name: "" }, { name: "a" }],
        hostAliases: [{ ip: "001.2.3.4" }],
        dnsConfig: { nameservers: ["01.2.3.4"] },
        initContainers: [{ name: "i", image: "i", ports: [{ containerPort: 80 }] }],
      }, {
        annotations: {
          "scheduler.alpha.kubernetes.io/critical-pod": "",
          "seccomp.security.alpha.kubernetes.io/pod": "x",
          "container.seccomp.security.alpha.kubernetes.io/c": "unconfined",
          "pod.alpha.kubernetes.io/initialized": "x",
        },
      }),
    ),
    post(
      `${PODS}?dryRun=All`,
      pod("w", {
        securityContext: {
          fsGroup: 1,
          seLinuxOptions: { level: "s0" },
          seLinuxChangePolicy: "Recursive",
        },
        volumes: [
          { name: "a", emptyDir: {} },
          { name: "r", rbd: { monitors: ["m"], image: "i" } },
          { name: "g", gitRepo: { repository: "r" } },
        ],
      }),
    ),
    post(
      `${DEPLOYMENTS}?dryRun=All`,
      deployment("w", {
        template: {
          metadata: { labels: { app: "w" } },
          spec: {
            containers: [{
              name: "c",
              image: "i",
              resources: { limits: { memory: "100m" }, requests: { "ephemeral-storage": "1500m" } },
            }],
            terminationGracePeriodSeconds: -1,
            priorityClassName: "x",
            serviceAccount: "sa",
          },
        },
      }),
    ),
    post(
      `${DEPLOYMENTS}?dryRun=All`,
      deployment("bad", {
        minReadySeconds: 5,
        template: {
          metadata: { labels: { app: "bad" }, annotations: { "b d": "c" } },
          spec: {
            containers: [{ name: "c", image: "i" }],
            hostNetwork: true,
            activeDeadlineSeconds: 5,
            initContainers: [{ name: "c" }],
          },
        },
      }),
    ),
    // Devices
    trial(SLICES, {
      spec: {
        driver: "d.example",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        perDeviceNodeSelection: true,
        devices: [{ name: "a" }, { name: "b", nodeName: "n", allNodes: true }],
      },
    }),
    trial(SLICES, {
      spec: {
        driver: "d.example",
        pool: { name: "p/q", generation: 1, resourceSliceCount: 1 },
        nodeName: "n",
        devices: [{
          name: "a",
          consumesCounters: [{ counterSet: "", counters: {} }],
          bindsToNode: true,
          bindingConditions: ["a"],
        }],
      },
    }),
    trial(SLICES, {
      spec: {
        driver: "d.example",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        nodeSelector: { nodeSelectorTerms: [{}, {}] },
      },
    }),
    made(CLAIMS, {
      spec: { devices: { requests: [{ name: "a", exactly: { deviceClassName: "c" } }] } },
    }),
    get(`${CLAIMS}/made`),
    merge(`${CLAIMS}/made`, {
      spec: { devices: { requests: [{ name: "b", exactly: { deviceClassName: "c" } }] } },
    }),
    status(`${CLAIMS}/made`, {
      reservedFor: [{ resource: "pods", name: "p", uid: "u" }, {
        resource: "pods",
        name: "q",
        uid: "u",
      }],
    }),
    status(`${CLAIMS}/made`, {
      allocation: {
        devices: {
          results: [{ request: "a", driver: "d.x", pool: "p", device: "x" }],
          config: [{ source: "Odd" }],
        },
        nodeSelector: { nodeSelectorTerms: [] },
      },
    }),
    trial(TEMPLATES, {
      spec: { metadata: { labels: { "b d": "c" } }, spec: { devices: { requests: [{}] } } },
    }),
    // Policies
    made(POLICIES, {
      spec: {
        matchConstraints: {
          resourceRules: [{
            apiGroups: ["suite.none"],
            apiVersions: ["v1"],
            resources: ["x"],
            operations: ["CREATE"],
          }],
        },
        validations: [{ expression: "true" }],
      },
    }, "suite-statuses"),
    get(`${POLICIES}/suite-statuses`),
    status(`${POLICIES}/suite-statuses`, {
      observedGeneration: -1,
      conditions: conditions.slice(1),
      typeChecking: { expressionWarnings: [{ fieldRef: "", warning: "" }] },
    }),
    merge(`${POLICIES}/suite-statuses`, { spec: { validations: [], auditAnnotations: [] } }),
    trial(HOOKS, {
      webhooks: [{
        name: "a.b.c",
        clientConfig: { url: "https://x" },
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
      }, {
        name: "a.b.c",
        clientConfig: { url: "https://x" },
        admissionReviewVersions: ["v1beta2"],
        sideEffects: "NoneOnDryRun",
      }],
    }),
    trial(HOOKS, {
      webhooks: [{
        name: "a.b.c",
        clientConfig: { url: "https://x", caBundle: "YQ==" },
        admissionReviewVersions: [],
        sideEffects: "Unknown",
      }],
    }),
    made(HOOKS, {
      webhooks: [{
        name: "a.b.c",
        clientConfig: { service: { name: "s", namespace: "n" } },
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        rules: [],
      }],
    }, "suite-statuses"),
    get(`${HOOKS}/suite-statuses`),
    del(`${HOOKS}/suite-statuses`, undefined, { unseen: true }),
    // Definitions
    post(`${DEFINITIONS}?dryRun=All`, {
      metadata: { name: "bads.suite.example.com" },
      spec: {
        group: "Bad_G",
        scope: "Odd",
        names: { plural: "bads", singular: "bad", kind: "Bad", listKind: "BadList" },
        versions: [],
      },
    }),
    post(
      `${DEFINITIONS}?dryRun=All`,
      definition("bads", "Bad", {
        versions: ["v1", "v2", "v2"].map((name, index) => ({
          name,
          served: true,
          storage: index < 2,
          additionalPrinterColumns: [{ name: "a", type: "string", jsonPath: `.${index}` }],
          schema: { openAPIV3Schema: { type: "object" } },
        })),
      }),
    ),
    post(
      `${DEFINITIONS}?dryRun=All`,
      definition("bads", "Bad", {
        conversion: { strategy: "Webhook" },
        versions: [{
          name: "v1",
          served: true,
          storage: false,
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      }),
    ),
    post(
      `${DEFINITIONS}?dryRun=All`,
      definition("bads", "Bad", {
        conversion: {
          strategy: "None",
          webhook: { conversionReviewVersions: ["v2"], clientConfig: {} },
        },
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      }),
    ),
    post(
      `${DEFINITIONS}?dryRun=All`,
      definition("bads", "Bad", {
        conversion: {
          strategy: "Webhook",
          webhook: {
            conversionReviewVersions: ["v2", "v1", "B d"],
            clientConfig: { url: "http://x", service: { name: "", namespace: "" } },
          },
        },
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      }),
    ),
    post(
      `${DEFINITIONS}?dryRun=All`,
      definition("bads", "Bad", {
        preserveUnknownFields: true,
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          deprecationWarning: "x",
          subresources: {
            scale: {
              specReplicasPath: ".x",
              statusReplicasPath: "y",
              labelSelectorPath: ".spec.a[0]",
            },
          },
          additionalPrinterColumns: [{ name: "", type: "odd", jsonPath: "x", format: "odd" }, {
            name: "a",
            type: "string",
            jsonPath: ".x[",
          }],
          selectableFields: [{ jsonPath: ".spec.none" }, { jsonPath: "" }],
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      }),
    ),
    post(
      `${DEFINITIONS}?dryRun=All`,
      definition("bads", "Bad", {
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                metadata: { type: "object", properties: { labels: { type: "object" } } },
                kind: { type: "integer" },
                apiVersion: { type: "object" },
                e: {
                  type: "object",
                  "x-kubernetes-embedded-resource": true,
                  "x-kubernetes-preserve-unknown-fields": true,
                  additionalProperties: true,
                },
                i: {
                  "x-kubernetes-int-or-string": true,
                  "x-kubernetes-preserve-unknown-fields": true,
                },
              },
            },
          },
        }],
      }),
    ),
    post(DEFINITIONS, {
      ...definition("keepers", "Keeper", {
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      }),
      metadata: { name: "keepers.suite.example.com", finalizers: ["suite.example.com/keep"] },
    }, { unseen: true }),
    merge(KEPT, { metadata: { uid: "x" } }),
    merge(`${KEPT}?dryRun=All`, { metadata: { uid: "x" } }),
    get(KEPT, { save: "kept", unseen: true }),
    put(KEPT, {
      ...definition("keepers", "Keeper", {}),
      metadata: {
        name: "keepers.suite.example.com",
        uid: "x",
        resourceVersion: "{{kept.metadata.resourceVersion}}",
      },
    }),
    del(KEPT, { preconditions: { uid: "x" } }),
    get(grouped("suite.example.com/v1", NS, "keepers"), {
      whileStatus: [404, 429, 503],
      unseen: true,
    }),
    del(KEPT, undefined, { unseen: true }),
    get(KEPT, { until: "InstanceDeletionCompleted", unseen: true }),
    del(`${KEPT}?dryRun=All`),
    del(KEPT),
    del(`${KEPT}?dryRun=All`),
    del(KEPT),
    merge(KEPT, { metadata: { finalizers: null } }),
    post(
      `${DEFINITIONS}?dryRun=All`,
      definition("bads", "Bad", {
        versions: [{ name: "v1", served: true, storage: true, ...DETAILS }, {
          name: "v2",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      }),
    ),
    service({
      type: "LoadBalancer",
      loadBalancerIP: "01.2.3.4",
      externalIPs: ["1.2.3.04", "2001:DB8::1"],
      loadBalancerSourceRanges: ["10.0.0.1/8", "2001:DB8::/32"],
    }),
    service({ clusterIP: "None", sessionAffinity: "ClientIP", externalIPs: ["1.2.3.4"] }),
    service({ externalName: "a.b" }),
    status(`${SERVICES}/made`, { loadBalancer: { ingress: [{ ip: "01.2.3.4" }, { ip: "x" }] } }),
    status(`${SERVICES}/made`, {
      loadBalancer: { ingress: [{ ip: "01.2.3.4" }, { ip: "1.2.3.4", ipMode: "VIP" }] },
    }),
    post(PODS, pod("made", { schedulingGates: [{ name: "a.b/c" }], nodeSelector: { a: "b" } }), {
      unseen: true,
    }),
    merge(`${PODS}/made`, { spec: { nodeSelector: null } }),
    merge(`${PODS}/made`, { spec: { nodeSelector: { a: null } } }),
    merge(`${CONFIGS}/fixed`, {
      metadata: { creationTimestamp: "x", ownerReferences: [{ name: "n", kind: "K" }] },
    }),
    status(`${PODS}/made`, { podIPs: [{ ip: "01.2.3.4" }], hostIPs: [{ ip: "1.2.3.4" }] }),
    status(`${PODS}/made`, {
      podIP: "01.2.3.4",
      podIPs: [{ ip: "01.2.3.4" }],
      hostIP: "1.2.3.04",
      hostIPs: [{ ip: "1.2.3.04" }],
    }),
    trial(NODES, {
      spec: { podCIDRs: ["010.0.0.1/24"], podCIDR: "010.0.0.1/24", externalID: "x" },
    }),
    trial(NODES, { spec: { configSource: { configMap: { name: "a" } }, externalID: "x" } }),
    apply(`${CONFIGS}/gen?dryRun=All`, "m", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { generateName: "gen-" },
    }),
    strategic(`${DEPLOYMENTS}/none`, {}),
  ],
};
