import { get, merge, post, type RequestStep, type StepScenario } from "../step.ts";
import { namespaced } from "./_objects.ts";

const NS = "suite-devices";
const GROUP = "/apis/resource.k8s.io/v1";
const CLAIMS = `${GROUP}/namespaces/${NS}/resourceclaims`;
const TABLE = { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } };

const claim = (name: string, request: object = {}) => ({
  metadata: { name },
  spec: {
    devices: { requests: [{ name: "gpu", exactly: { deviceClassName: "gpu", ...request } }] },
  },
});

const result = (device: object = {}) => ({
  devices: {
    results: [{ request: "gpu", driver: "gpu.example.com", pool: "p", device: "d1", ...device }],
  },
});

/** Creates a claim and writes one status after the other. */
const statuses = (name: string, ...written: readonly object[]): RequestStep[] => [
  post(CLAIMS, claim(name), { unseen: true }),
  ...written.map((status) => merge(`${CLAIMS}/${name}/status`, { status })),
  get(`${CLAIMS}/${name}`, TABLE),
];

/** Creates a class with one selector. */
const selecting = (name: string, expression: string): RequestStep =>
  post(`${GROUP}/deviceclasses`, {
    metadata: { name },
    spec: { selectors: [{ cel: { expression } }] },
  });

const pool = { name: "p", generation: 1, resourceSliceCount: 1 };

const slice = (name: string, spec: object): RequestStep =>
  post(`${GROUP}/resourceslices`, {
    metadata: { name },
    spec: { driver: "gpu.example.com", nodeName: "n1", pool, ...spec },
  });

const device = (name: string, parts: object): RequestStep =>
  slice(name, { devices: [{ name: "d1", ...parts }] });

/** The validation of ResourceClaims, DeviceClasses and ResourceSlices. */
export const devices: StepScenario = {
  name: "devices",
  steps: [
    namespaced(NS),
    post("/api/v1/namespaces", {
      metadata: {
        name: `${NS}-admin`,
        labels: { "resource.kubernetes.io/admin-access": "true" },
      },
    }, { unseen: true }),
    ...statuses(
      "c1",
      { reservedFor: [{ resource: "pods", name: "a", uid: "u1" }] },
      { allocation: result() },
      { allocation: result({ device: "d2" }) },
      { reservedFor: [{ resource: "pods", name: "a", uid: "u1" }, { name: "b", uid: "u1" }] },
      { reservedFor: [{ resource: "", name: "", uid: "" }] },
      { reservedFor: [{ resource: "pods", name: "a", uid: "u1" }] },
      { allocation: null },
    ),
    ...statuses(
      "c2",
      { allocation: result({ request: "tpu" }) },
      { allocation: result({ driver: "D_", pool: "a b", device: "x y" }) },
      { allocation: result({ adminAccess: true }) },
      { allocation: { ...result(), nodeSelector: { nodeSelectorTerms: [] } } },
      {
        allocation: {
          devices: { config: [{ source: "FromOdd", opaque: { driver: "d", parameters: {} } }] },
        },
      },
      { devices: [{ driver: "gpu.example.com", pool: "p", device: "d1" }] },
      {
        allocation: result(),
        devices: [{
          driver: "gpu.example.com",
          pool: "p",
          device: "d1",
          conditions: [{ type: "Ready" }],
          networkData: { ips: ["10.0.0.1/24", "bad"] },
        }],
      },
    ),
    post(CLAIMS, claim("admin", { adminAccess: true })),
    post(
      `${GROUP}/namespaces/${NS}-admin/resourceclaims`,
      claim("admin", { adminAccess: true }),
    ),
    post(`${GROUP}/namespaces/${NS}/resourceclaimtemplates`, {
      metadata: { name: "admin" },
      spec: { spec: claim("admin", { adminAccess: true }).spec },
    }),
    post(CLAIMS, claim("cel", { selectors: [{ cel: { expression: "device.driver" } }] })),
    selecting("suite-good", "device.attributes['a.b'].model == 'x' && device.driver == 'd'"),
    selecting("suite-bind", "cel.bind(dra, device.attributes['a.b'], dra.numa == 1)"),
    selecting("suite-any", "device.attributes['a.b'].ready"),
    selecting("suite-bad", "cel.bind(x, device.driver, x)"),
    selecting("suite-bad", "dyn(true)"),
    selecting("suite-bad", "device.attributes['a']"),
    selecting("suite-bad", "device.nope"),
    selecting("suite-bad", "true ||"),
    selecting("suite-bad", ""),
    selecting("suite-bad", "type(device) == string"),
    slice("suite-s1", {}),
    slice("suite-s2", { sharedCounters: [{ name: "c", counters: { m: { value: "1" } } }] }),
    slice("suite-bad", { nodeName: null }),
    slice("suite-bad", { nodeName: "" }),
    slice("suite-bad", { nodeName: null, allNodes: false }),
    slice("suite-bad", { allNodes: true, nodeSelector: { nodeSelectorTerms: [] } }),
    slice("suite-bad", { pool: { name: "a//b", generation: -1, resourceSliceCount: 0 } }),
    slice("suite-bad", { devices: [{ name: "B_" }, { name: "a" }, { name: "a" }] }),
    device("suite-bad", { attributes: { a: {} } }),
    device("suite-bad", { attributes: { a: { int: 1, bool: true } } }),
    device("suite-bad", { attributes: { v: { version: "1.x" } } }),
    device("suite-bad", { attributes: { "/x": { int: 1 } } }),
    device("suite-s3", {
      attributes: { model: { string: "x" } },
      capacity: { memory: { value: "1Gi", requestPolicy: { default: "1Gi" } } },
      taints: [{ key: "k", effect: "NoSchedule" }],
      allowMultipleAllocations: true,
    }),
    merge(`${GROUP}/resourceslices/suite-s1`, { spec: { driver: "x", nodeName: "n2" } }),
    merge(`${GROUP}/resourceslices/suite-s1`, { spec: { pool: { name: "q" } } }),
  ],
};
