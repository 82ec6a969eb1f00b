import { apply, get, jsonPatch, merge, post, type StepScenario, strategic } from "../step.ts";
import { configMap, core, deployment, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-patches";
const MAPS = core(NS, "configmaps");
const PODS = core(NS, "pods");
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const D = `${DEPLOYMENTS}/d`;
const template = (spec: object) => ({ spec: { template: { spec } } });

/** The four types of patches; applies.ts has the details of server-side apply. */
export const patches: StepScenario = {
  name: "patches",
  steps: [
    namespaced(NS),
    post(MAPS, configMap("a", { x: "1", y: "2" }, { labels: { l: "1" } }), { save: "a" }),
    merge(`${MAPS}/a`, { data: { x: null, z: "3" } }),
    merge(`${MAPS}/a`, { data: null }),
    merge(`${MAPS}/a`, {
      data: { a: "1" },
      metadata: { labels: null, annotations: { "example.com/a": "b" } },
    }),
    merge(`${MAPS}/a`, {}),
    merge(`${MAPS}/a`, {
      metadata: { resourceVersion: "{{a.metadata.resourceVersion}}" },
      data: { b: "2" },
    }),
    merge(`${MAPS}/a`, { metadata: { name: "b" } }),
    merge(`${MAPS}/a`, { metadata: { namespace: "b" } }),
    merge(`${MAPS}/a`, { metadata: { uid: "b" } }),
    merge(`${MAPS}/a`, { metadata: { creationTimestamp: null } }),
    merge(`${MAPS}/a`, { kind: "Secret" }),
    merge(`${MAPS}/a`, { apiVersion: "v2" }),
    merge(`${MAPS}/a`, { data: "x" }),
    merge(`${MAPS}/a`, { data: { "bad key": "x" } }),
    merge(`${MAPS}/a`, []),
    merge(`${MAPS}/a`, "null"),
    merge(`${MAPS}/a`, "x"),
    merge(`${MAPS}/a`, ""),
    merge(`${MAPS}/a?fieldValidation=Strict`, { bogus: 1 }),
    merge(`${MAPS}/a`, { bogus: 1 }),
    merge(`${MAPS}/a?dryRun=All`, { data: { dry: "1" } }),
    merge(`${MAPS}/a?fieldManager=other`, { data: { o: "1" } }),
    merge(`${MAPS}/a?force=true`, { data: { o: "1" } }),
    merge(`${MAPS}/missing`, { data: {} }),
    merge(`${MAPS}/missing`, "{"),
    jsonPatch(`${MAPS}/missing`, "["),
    strategic(`${DEPLOYMENTS}/missing`, "{"),
    merge(`${DEPLOYMENTS}/missing/scale`, "{"),
    merge(MAPS, { data: {} }),
    jsonPatch(`${MAPS}/a`, [{ op: "add", path: "/data/n", value: "1" }, {
      op: "replace",
      path: "/data/a",
      value: "9",
    }]),
    jsonPatch(`${MAPS}/a`, [{ op: "test", path: "/data/n", value: "2" }, {
      op: "remove",
      path: "/data/n",
    }]),
    jsonPatch(`${MAPS}/a`, [{ op: "test", path: "/data/n", value: "1" }, {
      op: "remove",
      path: "/data/n",
    }]),
    jsonPatch(`${MAPS}/a`, [{ op: "remove", path: "/data/none" }]),
    jsonPatch(`${MAPS}/a`, [{ op: "replace", path: "/data/none", value: "x" }]),
    jsonPatch(`${MAPS}/a`, [{ op: "add", path: "/none/x", value: "x" }]),
    jsonPatch(`${MAPS}/a`, [{ op: "move", from: "/data/a", path: "/data/moved" }]),
    jsonPatch(`${MAPS}/a`, [{ op: "copy", from: "/data/moved", path: "/data/copied" }]),
    jsonPatch(`${MAPS}/a`, [{ op: "add", path: "/metadata/labels", value: { "a~b": "1" } }]),
    jsonPatch(`${MAPS}/a`, [{ op: "add", path: "/metadata/labels/example.com~1x", value: "1" }]),
    jsonPatch(`${MAPS}/a`, [{ op: "nope", path: "/data" }]),
    jsonPatch(`${MAPS}/a`, [{ path: "/data" }]),
    jsonPatch(`${MAPS}/a`, [{ op: "add", path: "data/x", value: "1" }]),
    jsonPatch(`${MAPS}/a`, []),
    jsonPatch(`${MAPS}/a`, {}),
    jsonPatch(`${MAPS}/a`, "["),
    jsonPatch(`${MAPS}/a`, [{ op: "replace", path: "/metadata/name", value: "x" }]),
    jsonPatch(`${MAPS}/a`, [{ op: "replace", path: "", value: {} }]),
    jsonPatch(`${MAPS}/a`, [{ op: "test", path: "/metadata/resourceVersion", value: "1" }]),
    post(
      PODS,
      pod("p", {
        containers: [{ name: "c", image: "i:1", env: [{ name: "A", value: "1" }] }, {
          name: "s",
          image: "s:1",
        }],
      }, { finalizers: ["example.com/a"] }),
    ),
    strategic(`${PODS}/p`, { spec: { containers: [{ name: "c", image: "i:2" }] } }),
    strategic(`${PODS}/p`, { spec: { containers: [{ name: "new", image: "n" }] } }),
    strategic(`${PODS}/p`, { spec: { containers: [{ image: "n" }] } }),
    strategic(`${PODS}/p`, { spec: { tolerations: [{ key: "k", operator: "Exists" }] } }),
    strategic(`${PODS}/p`, { metadata: { finalizers: ["example.com/b"] } }),
    strategic(`${PODS}/p`, {
      metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a", "example.com/b"] },
    }),
    jsonPatch(`${PODS}/p`, [{ op: "replace", path: "/spec/containers/0/image", value: "i:3" }]),
    jsonPatch(`${PODS}/p`, [{ op: "replace", path: "/spec/containers/7/image", value: "i:3" }]),
    merge(`${PODS}/p`, { spec: { containers: [{ name: "c", image: "i:4" }] } }),
    strategic(`${PODS}/p/status`, { status: { conditions: [{ type: "Ready", status: "True" }] } }),
    strategic(`${PODS}/p/status`, { status: { conditions: [{ type: "Other", status: "False" }] } }),
    strategic(`${PODS}/p/status`, {
      status: { conditions: [{ type: "Ready", $patch: "delete" }] },
    }),
    post(DEPLOYMENTS, deployment("d")),
    strategic(
      D,
      template({
        containers: [{
          name: "c",
          image: "i:2",
          env: [{ name: "A", value: "1" }, { name: "B", value: "2" }],
          ports: [{ containerPort: 80 }],
        }],
      }),
    ),
    strategic(
      D,
      template({
        containers: [{
          name: "c",
          env: [{ name: "A", $patch: "delete" }, { name: "C", value: "3" }],
        }],
      }),
    ),
    strategic(
      D,
      template({
        containers: [{ name: "side", image: "s" }],
        "$setElementOrder/containers": [{ name: "side" }, { name: "c" }],
      }),
    ),
    strategic(D, template({ containers: [{ name: "side", $patch: "delete" }] })),
    strategic(D, template({ containers: [{ $patch: "replace" }, { name: "only", image: "o" }] })),
    strategic(D, template({ volumes: [{ name: "v", emptyDir: {} }] })),
    strategic(D, template({ volumes: [{ name: "v", configMap: { name: "x" } }] })),
    strategic(
      D,
      template({
        volumes: [{ name: "v", $retainKeys: ["name", "configMap"], configMap: { name: "x" } }],
      }),
    ),
    strategic(D, { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }),
    strategic(D, { spec: { replicas: null } }),
    strategic(D, { metadata: { labels: { a: "b", $patch: "replace" } } }),
    strategic(D, { spec: { template: { metadata: { labels: { $patch: "delete" } } } } }),
    strategic(D, { spec: { $patch: "nope" } }),
    strategic(D, { spec: { replicas: "x" } }),
    strategic(D, { spec: { bogus: 1 } }),
    merge(D, { spec: { selector: { matchLabels: { app: "other" } } } }),
    strategic(`${MAPS}/a`, { data: { s: "1", moved: null } }),
    strategic(`${MAPS}/a`, "{"),
    {
      method: "PATCH",
      path: `${MAPS}/a`,
      body: { data: {} },
      headers: { "content-type": "application/json" },
    },
    { method: "PATCH", path: `${MAPS}/a`, body: { data: {} }, headers: { "content-type": "" } },
    apply(`${MAPS}/new`, "me", configMap("new", { a: "1" })),
    apply(`${MAPS}/new`, "me", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: '2'\n"),
    apply(`${MAPS}/new`, "me", configMap("other")),
    apply(`${MAPS}/new`, "me", { kind: "ConfigMap", data: {} }),
    apply(`${MAPS}/new`, "me", { apiVersion: "v1", data: {} }),
    apply(`${MAPS}/new`, "me", { apiVersion: "v1", kind: "Secret" }),
    apply(`${MAPS}/new`, "me", { apiVersion: "apps/v1", kind: "ConfigMap" }),
    apply(`${MAPS}/new`, "", configMap("new")),
    apply(`${MAPS}/new`, "me", {
      ...configMap("new"),
      metadata: {
        managedFields: [{
          manager: "x",
          operation: "Apply",
          apiVersion: "v1",
          fieldsType: "FieldsV1",
          fieldsV1: {},
        }],
      },
    }),
    apply(`${MAPS}/new`, "me", { ...configMap("new"), bogus: 1 }),
    apply(`${MAPS}/new`, "me", { ...configMap("new"), data: [] }),
    apply(`${MAPS}/new`, "me", configMap("new", {}, { uid: "x" })),
    apply(`${MAPS}/new`, "me", configMap("new", { a: "2" }, { resourceVersion: "1" })),
    apply(`${MAPS}/new?dryRun=All`, "me", configMap("new", { a: "3" })),
    apply(`${MAPS}/new/status`, "me", configMap("new", { a: "3" })),
    apply(`${MAPS}/new`, "me", "a: ["),
    apply(`${MAPS}/new`, "me", ""),
    get(`${MAPS}/new`),
  ],
};
