import { apply, get, jsonPatch, merge, post, put, type StepScenario } from "../step.ts";
import { configMap, core, deployment, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-applies";
const MAPS = core(NS, "configmaps");
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const SERVICES = core(NS, "services");
const D = `${DEPLOYMENTS}/d`;

const partial = (spec: object, metadata: object = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d", ...metadata },
  spec,
});
const containers = (...list: object[]) => ({ template: { spec: { containers: list } } });
const service = (ports: object[]) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s" },
  spec: { selector: { app: "x" }, ports },
});

/** Server-side apply: managed fields, conflicts, lists by key, removal. */
export const applies: StepScenario = {
  name: "applies",
  steps: [
    namespaced(NS),
    apply(`${MAPS}/a`, "one", configMap("a", { x: "1", y: "1" }, { labels: { l: "1" } })),
    apply(`${MAPS}/a`, "one", configMap("a", { x: "1", y: "1" }, { labels: { l: "1" } })),
    apply(`${MAPS}/a`, "two", configMap("a", { x: "1", z: "1" })),
    apply(`${MAPS}/a`, "two", configMap("a", { x: "2" })),
    apply(`${MAPS}/a`, "two", configMap("a", { x: "2", y: "2" })),
    apply(`${MAPS}/a`, "two", configMap("a", { x: "2" }), { force: true }),
    apply(`${MAPS}/a`, "one", configMap("a", { y: "1" })),
    apply(`${MAPS}/a`, "two", configMap("a", {})),
    apply(`${MAPS}/a`, "one", { apiVersion: "v1", kind: "ConfigMap" }),
    get(`${MAPS}/a`),
    merge(`${MAPS}/a`, { data: { m: "1" } }),
    apply(`${MAPS}/a`, "one", configMap("a", { m: "2" })),
    apply(`${MAPS}/a`, "one", configMap("a", { m: "2" }), { force: true }),
    apply(`${MAPS}/a`, "suite", configMap("a", { m: "3" }), { force: true }),
    put(`${MAPS}/a`, configMap("a", { m: "4" })),
    merge(`${MAPS}/a`, { metadata: { managedFields: [] } }),
    merge(`${MAPS}/a`, { metadata: { managedFields: [{}] } }),
    apply(`${MAPS}/a`, "one", configMap("a", { n: "1" })),
    merge(`${MAPS}/a`, {
      metadata: {
        managedFields: [{
          manager: "x",
          operation: "Nope",
          apiVersion: "v1",
          fieldsType: "FieldsV1",
          fieldsV1: {},
        }],
      },
    }),
    merge(`${MAPS}/a`, {
      metadata: {
        managedFields: [{
          manager: "x",
          operation: "Update",
          apiVersion: "v1",
          fieldsType: "FieldsV2",
          fieldsV1: {},
        }],
      },
    }),
    jsonPatch(`${MAPS}/a`, [{ op: "remove", path: "/metadata/managedFields" }]),
    apply(
      `${MAPS}/a`,
      "one",
      configMap("a", {}, { finalizers: ["example.com/one"], annotations: { "a/b": "1" } }),
    ),
    apply(
      `${MAPS}/a`,
      "two",
      configMap("a", {}, { finalizers: ["example.com/two"], annotations: { "a/b": "2" } }),
    ),
    apply(
      `${MAPS}/a`,
      "two",
      configMap("a", {}, {
        finalizers: ["example.com/two"],
        ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u1" }],
      }),
    ),
    apply(`${MAPS}/a`, "one", configMap("a", {}, { finalizers: [] })),
    apply(`${MAPS}/a`, "two", configMap("a", {})),
    apply(D, "one", deployment("d", { replicas: 2 })),
    apply(D, "two", partial({ replicas: 3 })),
    apply(
      D,
      "two",
      partial(
        containers({
          name: "side",
          image: "s:1",
          ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "UDP" }],
        }),
      ),
    ),
    apply(D, "two", partial(containers({ name: "c", image: "i:2" }))),
    apply(
      D,
      "two",
      partial(
        containers({ name: "c", env: [{ name: "A", value: "1" }] }, { name: "side", image: "s:1" }),
      ),
    ),
    apply(
      D,
      "one",
      deployment("d", {
        template: {
          metadata: { labels: { app: "d" } },
          spec: {
            containers: [{
              name: "c",
              image: "i:1",
              env: [{ name: "A", value: "2" }, { name: "B", value: "1" }],
            }],
          },
        },
      }),
    ),
    apply(
      D,
      "one",
      deployment("d", {
        template: {
          metadata: { labels: { app: "d" } },
          spec: {
            containers: [{
              name: "c",
              image: "i:1",
              env: [{ name: "A", value: "2" }, { name: "B", value: "1" }],
            }],
          },
        },
      }),
      { force: true },
    ),
    apply(D, "two", partial(containers({ name: "c" }))),
    apply(D, "three", partial({ selector: { matchLabels: { app: "d" } } })),
    apply(D, "three", partial({ strategy: { type: "Recreate" } })),
    apply(D, "three", partial(containers({ image: "nameless" }))),
    apply(D, "three", partial(containers({ name: "c", image: "x" }, { name: "c", image: "y" }))),
    apply(
      D,
      "three",
      partial(containers({ name: "c", ports: [{ containerPort: 80 }, { containerPort: 80 }] })),
    ),
    apply(D, "three", partial({ replicas: "x" })),
    apply(D, "three", partial({ nope: "x" })),
    apply(D, "three", partial({ template: "x" })),
    apply(`${D}/status`, "ctl", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      status: { replicas: 1, conditions: [{ type: "Available", status: "True" }] },
    }),
    apply(D, "one", deployment("d", { replicas: 2 })),
    merge(`${D}/scale`, { spec: { replicas: 4 } }),
    get(D),
    apply(`${SERVICES}/s`, "one", service([{ name: "http", port: 80 }])),
    apply(`${SERVICES}/s`, "two", service([{ name: "https", port: 443 }])),
    apply(`${SERVICES}/s`, "two", service([{ name: "other", port: 80 }])),
    apply(`${core(NS, "pods")}/p`, "one", pod("p")),
    apply(`${core(NS, "pods")}/p`, "two", {
      apiVersion: "v1",
      kind: "Pod",
      spec: { tolerations: [{ key: "a", operator: "Exists" }] },
    }),
    apply(`${core(NS, "pods")}/p`, "two", {
      apiVersion: "v1",
      kind: "Pod",
      spec: { containers: [{ name: "c", image: "i:9" }] },
    }, { force: true }),
    apply(`${core(NS, "pods")}/p/status`, "kubelet", {
      apiVersion: "v1",
      kind: "Pod",
      status: {
        phase: "Running",
        conditions: [{ type: "Ready", status: "True" }],
        podIPs: [{ ip: "10.1.1.1" }],
      },
    }),
    apply("/api/v1/namespaces/suite-applied", "one", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { labels: { a: "b" } },
    }),
    apply(`${core("suite-nowhere", "configmaps")}/a`, "one", configMap("a")),
    post(MAPS, configMap("plain"), { unseen: true }),
    apply(`${MAPS}/plain`, "suite", configMap("plain", { k: "v" })),
    get(`${MAPS}/plain`),
  ],
};
