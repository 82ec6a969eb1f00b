import { apply, get, merge, post, type RequestStep, type StepScenario } from "../step.ts";
import { core, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-fields";
const SERVICES = core(NS, "services");
const JOBS = grouped("batch/v1", NS, "jobs");
const SETS = grouped("apps/v1", NS, "daemonsets");
const INGRESSES = grouped("networking.k8s.io/v1", NS, "ingresses");
const CLAIMS = core(NS, "persistentvolumeclaims");
const STORAGE = "/apis/storage.k8s.io/v1";
const accepting = (as: string) => ({
  headers: { accept: `application/json;as=${as};g=meta.k8s.io;v=v1` },
});

const PORTS = [{ port: 80 }];

const service = (name: string, spec: object, metadata: object = {}): RequestStep =>
  post(SERVICES, { metadata: { name, ...metadata }, spec: { ports: PORTS, ...spec } });

const template = (labels: object, spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: "c", image: "i:1" }], ...spec },
});

const job = (name: string, metadata: object, labels: object): RequestStep =>
  post(JOBS, {
    metadata: { name, ...metadata },
    spec: { template: template(labels, { restartPolicy: "Never" }) },
  });

const backend = { service: { name: "s", port: { number: 1 } } };
const CLASS = "kubernetes.io/ingress.class";

const attachment = (name: string, spec: object): RequestStep =>
  post(`${STORAGE}/volumeattachments`, { metadata: { name }, spec });

/** Fields of built-in kinds that only one kind has. */
export const fields: StepScenario = {
  name: "fields",
  steps: [
    namespaced(NS),
    service("bad", { sessionAffinity: "ClientIP", sessionAffinityConfig: {} }),
    service("bad", {
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } },
    }),
    service("bad", { externalIPs: ["0.0.0.0", "x"] }),
    service("bad", { internalTrafficPolicy: "Odd", trafficDistribution: "Odd" }),
    service("bad", { type: "NodePort", externalTrafficPolicy: "Odd" }),
    service("bad", { loadBalancerClass: "a/b" }),
    service("bad", { ipFamilies: ["IPv5", "IPv4", "IPv4"], ipFamilyPolicy: "Odd" }),
    service("bad", { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "SingleStack" }),
    service("bad", { ipFamilyPolicy: "RequireDualStack" }),
    service("bad", { ipFamilies: ["IPv6"] }),
    service("bad", { ports: [{ port: 80, appProtocol: "a/b/c" }] }),
    service("bad", {}, {
      annotations: { "service.beta.kubernetes.io/load-balancer-source-ranges": "x,1.2.3.0/24" },
    }),
    service("close", { trafficDistribution: "PreferClose" }),
    service("balanced", { type: "LoadBalancer", loadBalancerClass: "a/b" }),
    merge(`${SERVICES}/balanced`, { spec: { loadBalancerClass: "a/c" } }),
    merge(`${SERVICES}/balanced`, { spec: { loadBalancerClass: null } }),
    job("shared", {}, { a: "b" }),
    job("own", { labels: { a: "b" } }, { a: "b" }),
    post(SETS, {
      metadata: { name: "set", annotations: { x: "y" } },
      spec: { selector: { matchLabels: { a: "b" } }, template: template({ a: "b" }) },
    }, { unseen: true }),
    get(`${SETS}/set`, accepting("PartialObjectMetadata")),
    get(SETS, accepting("PartialObjectMetadataList")),
    post(INGRESSES, {
      metadata: { name: "i", annotations: { [CLASS]: "x" } },
      spec: { ingressClassName: "y", defaultBackend: backend },
    }),
    post(INGRESSES, { metadata: { name: "i" }, spec: { defaultBackend: backend } }, {
      unseen: true,
    }),
    merge(`${INGRESSES}/i`, { metadata: { annotations: { [CLASS]: "x" } } }),
    merge(`${INGRESSES}/i/status`, {
      status: { loadBalancer: { ingress: [{ ip: "x", hostname: "1.2.3.4" }] } },
    }),
    post(CLAIMS, {
      metadata: { name: "c" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }, { unseen: true }),
    // One at a time, because Go's maps have no order.
    merge(`${CLAIMS}/c/status`, {
      status: { allocatedResourceStatuses: { cpu: "x" }, capacity: { a: "-1" } },
    }),
    merge(`${CLAIMS}/c/status`, { status: { allocatedResourceStatuses: { storage: "Odd" } } }),
    post(`${STORAGE}/csidrivers`, {
      metadata: { name: "suite.a" },
      spec: { tokenRequests: [{ audience: "a" }] },
    }),
    post(`${STORAGE}/csidrivers`, {
      metadata: { name: "suite.b" },
      spec: { serviceAccountTokenInSecrets: true },
    }),
    merge(`${STORAGE}/csidrivers/suite.a`, { spec: { fsGroupPolicy: "File" } }),
    merge(`${STORAGE}/csidrivers/suite.a`, { spec: { attachRequired: false } }),
    post(`${STORAGE}/csinodes`, {
      metadata: { name: "suite-n" },
      spec: { drivers: [{ name: "d", nodeID: "x", topologyKeys: ["a"] }] },
    }, { unseen: true }),
    merge(`${STORAGE}/csinodes/suite-n`, {
      spec: {
        drivers: [{ name: "d", nodeID: "y", topologyKeys: null, allocatable: { count: 1 } }],
      },
    }),
    attachment("suite-bad", { attacher: "", nodeName: "", source: { persistentVolumeName: "" } }),
    attachment("suite-a", { attacher: "a", nodeName: "n", source: { persistentVolumeName: "p" } }),
    merge(`${STORAGE}/volumeattachments/suite-a`, { spec: { nodeName: "n2" } }),
    post(core(NS, "limitranges"), {
      metadata: { name: "bad" },
      spec: {
        limits: [{
          type: "Container",
          default: { "example.com/gpu": "2" },
          defaultRequest: { "example.com/gpu": "1" },
        }],
      },
    }),
    post(core(NS, "limitranges"), {
      metadata: { name: "bad" },
      spec: { limits: [{ type: "Pod", min: { nope: "1" } }] },
    }),
    post(`${STORAGE}/storageclasses`, {
      metadata: { name: "suite-bad" },
      provisioner: "a",
      allowedTopologies: [{
        matchLabelExpressions: [{ key: "z", values: ["a"] }, { key: "z", values: ["b"] }],
      }],
    }),
    post(core(NS, "pods"), pod("git", { volumes: [{ name: "v", gitRepo: { repository: "r" } }] })),
    post(core(NS, "pods"), pod("os", { volumes: [{ name: "v", storageos: { volumeName: "v" } }] })),
    post("/apis/networking.k8s.io/v1/ipaddresses", {
      metadata: { name: "10.99.0.5" },
      spec: { parentRef: { resource: "services", name: "x", namespace: NS } },
    }, { unseen: true }),
    merge("/apis/networking.k8s.io/v1/ipaddresses/10.99.0.5", {
      spec: { parentRef: { name: "y" } },
    }),
    post(grouped("apps/v1", NS, "deployments"), {
      metadata: { name: "d" },
      spec: { selector: { matchLabels: { a: "b" } }, template: template({ a: "b" }) },
    }, { unseen: true }),
    get(`${grouped("apps/v1", NS, "deployments")}/d/scale`, accepting("Table")),
    post("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      spec: {
        user: "u",
        resourceAttributes: {
          verb: "get",
          resource: "pods",
          fieldSelector: {
            rawSelector: "a=b",
            requirements: [{ key: "a", operator: "In", values: ["b"] }],
          },
        },
      },
    }),
    apply(`${SERVICES}/close`, "suite", {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "close" },
      spec: { ports: [{ protocol: "TCP" }] },
    }),
  ],
};
