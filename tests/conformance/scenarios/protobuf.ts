import {
  apply,
  del,
  get,
  jsonPatch,
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

const NS = "suite-protobuf";
const TYPE = "application/vnd.kubernetes.protobuf";
const MAPS = core(NS, "configmaps");
const PODS = core(NS, "pods");
const SECRETS = core(NS, "secrets");
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const ITEMS = grouped("suite.example.com/v1", NS, "encodeditems");

/** Returns a step whose answer is in protobuf, in the form of the object itself or in a view. */
function encoded(step: RequestStep, view = ""): RequestStep {
  const as = view && `;as=${view};v=v1;g=meta.k8s.io`;
  return { ...step, headers: { ...step.headers, accept: `${TYPE}${as}` } };
}

/** Objects with fields of all types, by their collections. */
const OBJECTS: readonly (readonly [path: string, object: object])[] = [
  [
    PODS,
    pod("a", {
      nodeSelector: { b: "2", a: "1" },
      terminationGracePeriodSeconds: 0,
      tolerations: [{ operator: "Exists", tolerationSeconds: 7 }],
      containers: [{
        name: "c",
        image: "i:1",
        env: [{ name: "E", value: "ä<&>" }],
        ports: [{ containerPort: 80 }, { containerPort: 53, protocol: "UDP", name: "dns" }],
        resources: { requests: { cpu: "0.5", memory: "1Gi" }, limits: { cpu: "1e3m" } },
        livenessProbe: { httpGet: { port: "web" } },
        readinessProbe: { tcpSocket: { port: 80 } },
      }],
      volumes: [{ name: "v", emptyDir: { sizeLimit: "1Mi" } }, {
        name: "w",
        projected: { sources: [{ secret: { name: "s" } }], defaultMode: 0o400 },
      }],
    }, { annotations: { note: "x".repeat(200) }, finalizers: ["suite.example.com/x"] }),
  ],
  [SECRETS, { metadata: { name: "a" }, data: { k: "AP8=" }, stringData: { l: "ö" } }],
  [core(NS, "services"), {
    metadata: { name: "a" },
    spec: { clusterIP: "None", ports: [{ port: 80, targetPort: "web" }], selector: { a: "b" } },
  }],
  [core(NS, "resourcequotas"), {
    metadata: { name: "a" },
    spec: { hard: { pods: "10", "requests.memory": "1.5Gi" } },
  }],
  [core(NS, "events"), {
    metadata: { name: "a" },
    involvedObject: { kind: "Pod", namespace: NS, name: "a" },
    eventTime: "2026-01-02T03:04:05.000006Z",
    reportingController: "suite.example.com/c",
    reportingInstance: "i",
    action: "Did",
    reason: "Why",
    type: "Normal",
  }],
  [grouped("coordination.k8s.io/v1", NS, "leases"), {
    metadata: { name: "a" },
    spec: { holderIdentity: "h", renewTime: "2026-01-02T03:04:05.000006Z" },
  }],
  [DEPLOYMENTS, deployment("a")],
  [grouped("apps/v1", NS, "controllerrevisions"), {
    metadata: { name: "a" },
    revision: 3,
    data: { b: [1, 2.5, "x", null], a: {} },
  }],
  [grouped("batch/v1", NS, "cronjobs"), {
    metadata: { name: "a" },
    spec: {
      schedule: "* * * * *",
      jobTemplate: {
        spec: {
          template: {
            spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i:1" }] },
          },
        },
      },
    },
  }],
  [grouped("autoscaling/v1", NS, "horizontalpodautoscalers"), {
    metadata: { name: "a" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
      maxReplicas: 2,
    },
  }],
  [grouped("networking.k8s.io/v1", NS, "ingresses"), {
    metadata: { name: "a" },
    spec: {
      rules: [{
        http: {
          paths: [{
            path: "/",
            pathType: "Prefix",
            backend: { service: { name: "a", port: { number: 80 } } },
          }],
        },
      }],
    },
  }],
  [grouped("rbac.authorization.k8s.io/v1", NS, "roles"), {
    metadata: { name: "a" },
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }],
  [grouped("discovery.k8s.io/v1", NS, "endpointslices"), {
    metadata: { name: "a" },
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.1.2.3"], conditions: { ready: false } }],
    ports: [{ port: 80 }],
  }],
  [grouped("policy/v1", NS, "poddisruptionbudgets"), {
    metadata: { name: "a" },
    spec: { minAvailable: "50%", selector: {} },
  }],
];

/** Answers in protobuf, which are compared as the JSON of the same answer. */
export const protobuf: StepScenario = {
  name: "protobuf",
  steps: [
    namespaced(NS),
    ...OBJECTS.flatMap(([path, object]) => [
      encoded(post(path, object)),
      encoded(get(`${path}/a`)),
      encoded(get(`${path}/a`), "PartialObjectMetadata"),
      encoded(get(path)),
      encoded(get(path), "PartialObjectMetadataList"),
      encoded(post(path, object)),
    ]),
    // Writes.
    encoded(post(MAPS, configMap("a"))),
    encoded(put(`${MAPS}/a`, configMap("a", { k: "w", l: "" }))),
    encoded(put(`${MAPS}/a`, configMap("a"), { headers: { "content-type": TYPE } })),
    encoded(merge(`${MAPS}/a`, { binaryData: { b: "AAEC" } })),
    encoded(strategic(`${MAPS}/a`, { metadata: { ownerReferences: null } })),
    encoded(jsonPatch(`${MAPS}/a`, [{ op: "test", path: "/data/k", value: "no" }])),
    encoded(apply(`${MAPS}/a`, "m", configMap("a", { k: "other" }))),
    encoded(apply(`${MAPS}/a`, "m", configMap("a", { k: "other" }), { force: true })),
    encoded(merge(`${MAPS}/a`, { metadata: { resourceVersion: "1" } })),
    encoded(post(MAPS, { metadata: { name: "A" } })),
    encoded(post(MAPS, { metadata: { name: "b" }, unknown: 1 })),
    encoded(post(`${MAPS}?dryRun=All`, { metadata: { generateName: "gen-" } })),
    encoded(post(MAPS, "{")),
    encoded(merge(`${PODS}/a/status`, {
      status: {
        phase: "Running",
        startTime: "2026-01-02T03:04:05Z",
        conditions: [{ type: "Ready", status: "True", lastProbeTime: null }],
        containerStatuses: [{
          name: "c",
          ready: true,
          restartCount: 1,
          image: "i:1",
          imageID: "",
          state: { running: { startedAt: "2026-01-02T03:04:05Z" } },
        }],
      },
    })),
    encoded(get(`${DEPLOYMENTS}/a/scale`)),
    encoded(merge(`${DEPLOYMENTS}/a/scale`, { spec: { replicas: 0 } })),
    encoded(post(`${PODS}/a/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "other" },
    })),
    encoded(post(`${PODS}/a/binding`, { target: { kind: "Node", name: "n" } })),
    encoded(post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      spec: { resourceAttributes: { verb: "get", resource: "pods" } },
    })),
    encoded(post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {})),
    encoded(post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "x" } })),
    // Failures.
    encoded(get(`${MAPS}/none`)),
    encoded(get(`${MAPS}?limit=x`)),
    encoded(get(`${MAPS}?labelSelector=%2C`)),
    encoded(get(`${MAPS}?resourceVersion=x`)),
    encoded(get(`${MAPS}?watch=1&resourceVersion=x`)),
    encoded(get("/api/v1/nothings")),
    encoded(get(MAPS, { as: "nobody" })),
    encoded(get(MAPS, { as: "stranger" })),
    encoded(get(`${MAPS}/a`), "Table"),
    encoded(get(`${MAPS}/a`), "PartialObjectMetadataList"),
    encoded(get(MAPS), "PartialObjectMetadata"),
    // Pages and watches.
    encoded(get(`${SECRETS}?limit=1`)),
    ...["", "PartialObjectMetadata"].map((view) =>
      encoded(
        get(
          `${MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1`,
        ),
        view,
      )
    ),
    encoded(get(`${MAPS}?watch=1&resourceVersion=1&timeoutSeconds=1`)),
    // Definitions and custom resources.
    encoded(post(
      DEFINITIONS,
      definition("encodeditems", "EncodedItem", {
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  default: { b: 1 },
                  additionalProperties: { type: "integer", minimum: 1, enum: [1, 2] },
                  "x-kubernetes-validations": [{ rule: "true", message: "m" }],
                },
              },
            },
          },
          additionalPrinterColumns: [{ name: "S", type: "string", jsonPath: ".spec" }],
        }],
      }),
    )),
    get(ITEMS, { whileStatus: [404], until: "EncodedItemList", unseen: true }),
    encoded(get(ITEMS)),
    encoded(get(`${ITEMS}/none`)),
    encoded(get(`${ITEMS}?watch=1`)),
    encoded(get(ITEMS), "PartialObjectMetadataList"),
    encoded(post(ITEMS, {
      apiVersion: "suite.example.com/v1",
      kind: "EncodedItem",
      metadata: { name: "a" },
    })),
    // Deletions.
    encoded(del(`${MAPS}/a`, { preconditions: { uid: "x" } })),
    encoded(del(`${MAPS}/a`)),
    encoded(del(`${PODS}/a`)),
    encoded(del(`${DEPLOYMENTS}/a`, { propagationPolicy: "Foreground" })),
    encoded(del(SECRETS)),
    encoded(del(`${core(NS, "services")}/a?dryRun=All`)),
  ],
};
