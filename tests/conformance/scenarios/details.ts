import { apply, del, get, merge, post, put, type RequestStep, type StepScenario } from "../step.ts";
import { configMap, core, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-details";
const MAPS = core(NS, "configmaps");
const PODS = core(NS, "pods");
const VOLUMES = "/api/v1/persistentvolumes";
const CLAIMS = grouped("resource.k8s.io/v1", NS, "resourceclaims");
const TEMPLATES = grouped("resource.k8s.io/v1", NS, "resourceclaimtemplates");
const QUOTAS = core(NS, "resourcequotas");
const REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const JOBS = grouped("batch/v1", NS, "jobs");
const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const RANGES = "/apis/networking.k8s.io/v1/servicecidrs";
const ADDRESS = { type: "Hostname", address: "n" };
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
const INDENTED = { headers: { accept: "application/json;pretty=1" } };
const OWNER = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };

function accepting(accept: string): { headers: Record<string, string> } {
  return { headers: { accept } };
}

function owned(...ownerReferences: object[]): object {
  return configMap("owned", {}, { ownerReferences });
}

function volume(name: string, spec: object): object {
  return { metadata: { name }, spec: { accessModes: ["ReadWriteOnce"], ...spec } };
}

function devices(deviceClassName: string): object {
  return { devices: { requests: [{ name: "r", exactly: { deviceClassName } }] } };
}

function dockerSecret(text: string): object {
  return {
    metadata: { name: "s" },
    type: "kubernetes.io/dockercfg",
    stringData: { ".dockercfg": text },
  };
}

function job(name: string): object {
  const spec = { restartPolicy: "Never", containers: [{ name: "c", image: "i:1" }] };
  return { metadata: { name }, spec: { template: { spec } } };
}

function limited(name: string, whole: object, container: object = {}): object {
  return pod(name, {
    resources: whole,
    containers: [{ name: "c", image: "i:1", resources: container }],
  });
}

/** Returns a block of a PEM text. */
function pem(type: string, base64: string): string {
  return `-----BEGIN ${type}-----\n${base64}\n-----END ${type}-----\n`;
}

/** A certificate, its key, and other keys: of the same type, of another type, and of a type that TLS cannot use. */
const CERTIFICATE = pem(
  "CERTIFICATE",
  "MIIBKDCB26ADAgECAhRigiLEpmbFFVCq1E/xn4P+BKjaKzAFBgMrZXAwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjYxMTQ3NDVaGA8yMTI2MTEwMjExNDc0NVowDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAPK4iz3FgGYjjIbk4TTuZq8BUn52NhT3M964xGeMBsGGo00wSzAdBgNVHQ4EFgQUxPf3J5VEa6ipcu/ZXy80p5+SWNEwHwYDVR0jBBgwFoAUxPf3J5VEa6ipcu/ZXy80p5+SWNEwCQYDVR0TBAIwADAFBgMrZXADQQCBqBxk2fdr2nY1TFaCqrjv/WSFPVieGEMtH7BVkr4BVl7ZXhMsphvqA+Q+rqBXKU2hcEPakEzJnXFqR/NFE38H",
);
const KEY = pem("PRIVATE KEY", "MC4CAQAwBQYDK2VwBCIEIOLQxRIc6OsWugkRbwBZmIvVW/b4JUUqNkOS8kpG7Crb");
const OTHER_KEY = pem(
  "PRIVATE KEY",
  "MC4CAQAwBQYDK2VwBCIEIC4+w9AmO7J4bJMRp9FF0g7s/JxWrr81+nalLDmPyeuH",
);
const CURVE_KEY = pem(
  "EC PRIVATE KEY",
  "MHcCAQEEICSyqz0CIc11yd7gdNmihJ/LuJe0rODCze9lopCzoPfBoAoGCCqGSM49AwEHoUQDQgAELgozM+bVl6rSIrSIY07akY+La0+eBKEaY4aXnB9scRSVm9QmvjqaNbufeXhOl2nyrbXK/Nk0B1WEQ1No14rPBA==",
);
const EXCHANGE_KEY = pem(
  "PRIVATE KEY",
  "MC4CAQAwBQYDK2VuBCIEINC3t/0W7qNArgIU4J0l29W+WicMozfRKc7szJhEgkFu",
);

/** Certificates and keys of Secrets. */
const PAIRS: readonly (readonly [certificate: string, key: string])[] = [
  [CERTIFICATE, KEY],
  [`# a\n${pem("OTHER", "eA==")}${CERTIFICATE}${CERTIFICATE}`, `${pem("EC PARAMETERS", "")}${KEY}`],
  ["", ""],
  ["fake", "fake"],
  [KEY, CERTIFICATE],
  [`${pem("A", "eA==")}${pem("B", "eA==")}`, KEY],
  [CERTIFICATE, ""],
  [CERTIFICATE, CERTIFICATE],
  [CERTIFICATE, `${pem("A", "eA==")}${pem("B", "eA==")}`],
  [pem("CERTIFICATE", "ZmFrZQ=="), KEY],
  [pem("CERTIFICATE", "fake!"), KEY],
  [CERTIFICATE, pem("PRIVATE KEY", "ZmFrZQ==")],
  [CERTIFICATE, pem("ENCRYPTED PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\n\nZmFrZQ==")],
  [CERTIFICATE, OTHER_KEY],
  [CERTIFICATE, CURVE_KEY],
  [CERTIFICATE, EXCHANGE_KEY],
];

function pairSecret([certificate, key]: readonly [string, string]): object {
  return {
    metadata: { name: "pair" },
    type: "kubernetes.io/tls",
    stringData: { "tls.crt": certificate, "tls.key": key },
  };
}

/** Returns the items of a volume, with these paths. */
function items(...paths: string[]): object[] {
  return paths.map((path) => ({ key: "k", path }));
}

const OVERLAPPING: readonly object[] = [
  { name: "a", configMap: { name: "m", items: items("d", "d/e", "de", "d/") } },
  { name: "b", secret: { secretName: "s", items: items("x/y", "x", "z") } },
  {
    name: "c",
    downwardAPI: {
      items: ["l", "l"].map((path) => ({ path, fieldRef: { fieldPath: "metadata.name" } })),
    },
  },
  {
    name: "d",
    projected: {
      sources: [
        { configMap: { name: "m", items: items("token", "token/a") } },
        { serviceAccountToken: { path: "token" } },
        {},
        { secret: { name: "s", items: items("token/b", "other") } },
        {
          downwardAPI: { items: [{ path: "other", fieldRef: { fieldPath: "metadata.name" } }] },
        },
      ],
    },
  },
];

/** Requests that a real server answers with warnings. */
const warnings: readonly RequestStep[] = [
  ...PAIRS.map((pair) => post(`${core(NS, "secrets")}?dryRun=All`, pairSecret(pair))),
  post(`${PODS}?dryRun=All`, pod("overlapping", { volumes: OVERLAPPING })),
  post(
    `${PODS}?dryRun=All`,
    pod("annotated", { runtimeClassName: null }, {
      annotations: {
        "security.alpha.kubernetes.io/sysctls": "",
        "scheduler.alpha.kubernetes.io/critical-pod": "",
      },
    }),
  ),
  post(
    `${PODS}?dryRun=All`,
    pod("parts", {
      volumes: [{
        name: "v",
        ephemeral: {
          volumeClaimTemplate: {
            spec: {
              accessModes: ["ReadWriteOnce"],
              resources: { requests: { storage: "1500m" }, limits: { storage: "2500m" } },
            },
          },
        },
      }],
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{
            weight: 1,
            preference: {
              matchExpressions: [{
                key: "beta.kubernetes.io/os",
                operator: "In",
                values: ["-a", "b"],
              }],
            },
          }],
        },
      },
    }),
  ),
  post(`${core(NS, "persistentvolumeclaims")}?dryRun=All`, {
    metadata: { name: "parts" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1500m" } } },
  }),
  post("/apis/storage.k8s.io/v1/storageclasses?dryRun=All", {
    metadata: { name: "suite-details" },
    provisioner: "a.example.com/b",
    allowedTopologies: [{
      matchLabelExpressions: [{
        key: "failure-domain.beta.kubernetes.io/zone",
        values: ["a"],
      }],
    }],
  }),
  post(`${grouped("storage.k8s.io/v1", NS, "csistoragecapacities")}?dryRun=All`, {
    metadata: { name: "c" },
    storageClassName: "s",
    nodeTopology: {
      matchLabels: { "beta.kubernetes.io/arch": "x" },
      matchExpressions: [{ key: "beta.kubernetes.io/os", operator: "Exists" }],
    },
  }),
  post("/apis/node.k8s.io/v1/runtimeclasses?dryRun=All", {
    metadata: { name: "suite-details" },
    handler: "h",
    scheduling: { nodeSelector: { "node-role.kubernetes.io/master": "" } },
  }),
  post("/apis/resource.k8s.io/v1/resourceslices?dryRun=All", {
    metadata: { name: "suite-details" },
    spec: {
      nodeName: "n",
      driver: "Drivers.example.com",
      pool: { name: "p", generation: 1, resourceSliceCount: 1 },
    },
  }),
  post("/apis/storage.k8s.io/v1/csinodes?dryRun=All", {
    metadata: { name: "suite-details" },
    spec: {
      drivers: [{ name: "a.b", nodeID: "x" }, { name: "a.b", nodeID: "x", topologyKeys: [""] }],
    },
  }),
  post("/apis/storage.k8s.io/v1/csidrivers?dryRun=All", {
    metadata: { name: "suite-details" },
    spec: {
      tokenRequests: [
        { audience: "a" },
        { audience: "a", expirationSeconds: 5 },
        { audience: "b", expirationSeconds: 5_000_000_000 },
      ],
    },
  }),
  ...["", "A b"].map((attacher) =>
    post("/apis/storage.k8s.io/v1/volumeattachments?dryRun=All", {
      metadata: { name: "suite-details" },
      spec: { attacher, nodeName: "", source: {} },
    })
  ),
  post(RANGES, { metadata: { name: "suite-warned" }, spec: { cidrs: ["10.7.0.0/24"] } }, {
    unseen: true,
  }),
  merge(`${RANGES}/suite-warned`, { spec: { cidrs: ["10.8.0.0/24"] } }),
  merge(`${RANGES}/suite-warned`, { spec: { cidrs: null } }),
  del(`${RANGES}/suite-warned`, undefined, { unseen: true }),
  // An item without its key: no manager owns a field then.
  post(core(NS, "serviceaccounts"), {
    metadata: { name: "keyless" },
    secrets: [{ name: "x" }, {}],
    imagePullSecrets: [{}],
  }),
  merge(`${core(NS, "serviceaccounts")}/keyless`, { secrets: null }),
];

/** Answers to requests that few clients send. */
export const details: StepScenario = {
  name: "details",
  steps: [
    namespaced(NS),
    get(`${MAPS}/none`, INDENTED),
    get("/apis/coordination.k8s.io", INDENTED),
    get(`${MAPS}?continue=undefined`),
    del(`${MAPS}/none`, { kind: 5 }),
    post(MAPS, owned(OWNER, OWNER)),
    put(`${MAPS}/owned`, owned(OWNER, { ...OWNER, controller: true }, OWNER, OWNER)),
    merge(`${MAPS}/owned`, { metadata: { ownerReferences: [OWNER, OWNER] } }),

    post(PODS, pod("p"), { unseen: true }),
    get(`${PODS}/p/ephemeralcontainers`, accepting(TABLE)),
    get(`${PODS}/p/resize`, accepting(TABLE)),
    get(`${PODS}/p/log`, accepting(TABLE)),
    post(`${PODS}/p/eviction?dryRun=All`, { metadata: { name: "p" } }, accepting(TABLE)),
    post(REVIEWS, { spec: { resourceAttributes: { verb: "get" } } }, accepting(TABLE)),
    post(
      REVIEWS,
      { spec: { resourceAttributes: { verb: "get" } } },
      accepting(`${TABLE},application/json`),
    ),
    post(REVIEWS, {
      spec: {
        resourceAttributes: {
          verb: "get",
          fieldSelector: { requirements: [{ key: "a", operator: "In" }] },
          labelSelector: { requirements: [{ key: "b", operator: "X" }] },
        },
      },
    }),
    post("/apis/authentication.k8s.io/v1/selfsubjectreviews", { metadata: { name: "x" } }),
    post(`${PODS}/p/eviction?dryRun=All`, {
      apiVersion: "policy/v1beta1",
      kind: "Eviction",
      metadata: { name: "p" },
    }),

    post(PODS, pod("overhead", { overhead: {} })),
    post(PODS, limited("whole", { limits: { cpu: "2", memory: "1Gi", "hugepages-2Mi": "2Mi" } })),
    post(
      PODS,
      limited("both", { limits: { cpu: "2", memory: "1Gi" } }, { requests: { cpu: "100m" } }),
    ),
    post(PODS, limited("less", { limits: { cpu: "2" } }, { limits: { cpu: "3" } })),
    post(PODS, limited("asked", { requests: { memory: "1" } }, { limits: { cpu: "3" } })),
    post(
      PODS,
      pod("dots", {
        volumes: [{
          name: "v",
          downwardAPI: { items: [{ path: "..", fieldRef: { fieldPath: "metadata.name" } }] },
        }],
      }),
    ),

    post(VOLUMES, volume("suite-details-none", { hostPath: { path: "/x" } })),
    post(VOLUMES, volume("suite-details-empty", { capacity: {}, hostPath: { path: "/x" } })),
    post(
      VOLUMES,
      volume("suite-details-iscsi", {
        capacity: { storage: "1" },
        iscsi: { targetPortal: "1.2.3.4", iqn: "x", lun: 1, initiatorName: "y" },
      }),
    ),
    post(
      VOLUMES,
      volume("suite-details", {
        capacity: { storage: "1" },
        local: { path: "/x" },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
          },
        },
      }),
      { unseen: true },
    ),
    merge(`${VOLUMES}/suite-details`, { spec: { nodeAffinity: null } }),
    merge(`${VOLUMES}/suite-details`, {
      spec: {
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchFields: [] }, { matchExpressions: [] }] },
        },
      },
    }),
    post(grouped("networking.k8s.io/v1", NS, "ingresses"), {
      metadata: { name: "i" },
      spec: { rules: [] },
    }),

    post(CLAIMS, { metadata: { name: "c" }, spec: devices("one") }, { unseen: true }),
    merge(`${CLAIMS}/c`, { spec: devices("two") }),
    post(TEMPLATES, { metadata: { name: "t" }, spec: { spec: devices("one") } }, { unseen: true }),
    merge(`${TEMPLATES}/t`, { spec: { metadata: { labels: { a: "b" } }, spec: devices("two") } }),
    get("/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nope%3Dx"),
    post(
      QUOTAS,
      { metadata: { name: "q" }, spec: { hard: { "count/x.y": "5" } } },
      { unseen: true },
    ),
    merge(`${QUOTAS}/q`, { spec: { scopes: ["BestEffort"] } }),
    post(REQUESTS, { metadata: { name: "suite-details" }, spec: {} }),
    post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      metadata: { name: "suite-details" },
      webhooks: [{
        name: "a.b.c",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        clientConfig: { url: "x:" },
      }],
    }),
    put(`/api/v1/namespaces/${NS}/finalize`, {
      metadata: { name: NS },
      spec: { finalizers: ["kubernetes", "bad"] },
    }),
    apply(core(NS, "serviceaccounts") + "/a", "m", {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "a" },
      secrets: [{ namespace: "x" }],
    }),

    get(`${core(NS, "endpoints")}?labelSelector=a%3D%3D%3Db`),
    get(`${core(NS, "endpoints")}/x`, accepting("text/css")),
    post(core(NS, "secrets"), dockerSecret("tru")),
    post(core(NS, "secrets"), dockerSecret('{"a":}')),
    post(core(NS, "secrets"), dockerSecret("5 x")),
    post("/api/v1/nodes", { metadata: { name: "suite-details" } }, { unseen: true }),
    merge("/api/v1/nodes/suite-details/status", {
      status: { addresses: [ADDRESS, ADDRESS], capacity: { cpu: "-1" } },
    }),
    post(POLICIES, {
      metadata: { name: "suite-details" },
      spec: {
        matchConstraints: {
          resourceRules: [{
            apiGroups: ["none.example.com"],
            apiVersions: ["v1"],
            operations: ["CREATE"],
            resources: ["things"],
          }],
        },
        validations: [{ expression: "true" }],
      },
    }, { unseen: true }),
    merge(`${POLICIES}/suite-details/status`, {
      status: { typeChecking: { expressionWarnings: [{}, { fieldRef: "spec", warning: "w" }] } },
    }),
    del(`${POLICIES}/suite-details`, undefined, { unseen: true }),
    post(
      RANGES,
      { metadata: { name: "suite-details" }, spec: { cidrs: ["10.97.0.0/16"] } },
      { unseen: true },
    ),
    merge(`${RANGES}/suite-details/status`, { spec: { cidrs: ["10.96.0.0/16"] } }),
    del(`${RANGES}/suite-details`, undefined, { unseen: true }),

    post(JOBS, job("j".repeat(64))),
    post(`${JOBS}?dryRun=All`, job("j")),
    post(JOBS, job("j")),
    post(PODS, {
      ...pod("empty"),
      spec: {
        containers: [{ name: "c", image: "i", env: [], args: [] }],
        volumes: [],
        affinity: {},
      },
    }),

    post(
      MAPS,
      configMap("odd", { k: "\u0000\u0007\u001f", l: '\\"/' }, {
        annotations: { a: "\u00e9<>&\u2028\u{1f600}" },
      }),
      { unseen: true },
    ),
    get(`${MAPS}/odd`, accepting("application/yaml")),
    ...["UPPER", "a/b:latest@sha256:" + "0".repeat(64), "UPPER/x", "x:y:z"].map((image) =>
      post(`${PODS}?dryRun=All`, pod("image", { containers: [{ name: "c", image }] }))
    ),
    ...warnings,
  ],
};
