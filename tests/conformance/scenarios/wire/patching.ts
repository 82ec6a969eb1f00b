import { get, jsonPatch, merge, post, put, request, type Step, strategic } from "../../step.ts";

const WIRE = "/api/v1/namespaces/wire";

/** Patches of all types, and server-side apply. */
export const patching: readonly Step[] = [
  post(`${WIRE}/configmaps`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "pt" },
    data: { a: "1", b: "2" },
  }, { unseen: true }),
  merge(`${WIRE}/configmaps/pt`, { data: { a: "x", b: null }, metadata: { labels: { l: "1" } } }),
  merge(`${WIRE}/configmaps/pt`, {}),
  merge(`${WIRE}/configmaps/pt`, { metadata: { resourceVersion: "1" }, data: { a: "y" } }),
  merge(`${WIRE}/configmaps/pt`, [1]),
  merge(`${WIRE}/configmaps/pt`, { metadata: { name: "other" } }),
  jsonPatch(`${WIRE}/configmaps/pt`, [{ op: "test", path: "/data/a", value: "x" }, {
    op: "add",
    path: "/data/c",
    value: "3",
  }], { save: "pt" }),
  jsonPatch(`${WIRE}/configmaps/pt`, [{ op: "test", path: "/data/a", value: "nope" }]),
  jsonPatch(`${WIRE}/configmaps/pt`, [{ op: "frob", path: "/data/a" }]),
  jsonPatch(`${WIRE}/configmaps/pt`, [{ op: "remove", path: "/data/zz" }]),
  jsonPatch(`${WIRE}/configmaps/pt`, { op: "add" }),
  strategic(`${WIRE}/pods/p2`, { spec: { containers: [{ name: "nginx", image: "nginx:1.28" }] } }),
  merge(`${WIRE}/pods/p2`, { spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] } }),
  strategic(`${WIRE}/pods/p2/status`, {
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
    },
  }),
  merge(`${WIRE}/pods/p2`, { status: { phase: "Failed" } }),
  get(`${WIRE}/pods/p2/status`),
  strategic(`${WIRE}/pods/p2`, { spec: { containers: [{ name: "nginx", image: "" }] } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m1`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssa" },
    data: { a: "1" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m1`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssa" },
    data: { a: "1" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m2`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssa" },
    data: { a: "2" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m2&force=true`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssa" },
    data: { a: "2" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m3`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssa" },
    data: { a: "2", c: "3" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m3`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssa" },
    data: {},
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssa" },
    data: { a: "1" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m1`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssa", managedFields: [{ manager: "x" }] },
    data: { a: "1" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m1`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "zz" },
    data: {},
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request(
    "PATCH",
    `${WIRE}/configmaps/ssay?fieldManager=m1`,
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ssay\ndata:\n  k: v\n",
    { headers: { "content-type": "application/apply-patch+yaml" } },
  ),
  request("PATCH", `${WIRE}/configmaps/pt?fieldManager=m1`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "pt" },
    data: { a: "mine" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m2`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssa", resourceVersion: "1" },
    data: { a: "9" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/nonesuch?fieldManager=m2`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "nonesuch", uid: "x" },
    data: {},
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  merge(`${WIRE}/configmaps/ssa?force=true`, {}),
  request("PATCH", `${WIRE}/pods/p3/status?fieldManager=ctl`, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p3" },
    status: { phase: "Running" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m2`, { data: {} }, {
    headers: { "content-type": "application/apply-patch+yaml" },
  }),
  request("PATCH", `${WIRE}/configmaps/ssa?fieldManager=m2`, "a: [", {
    headers: { "content-type": "application/apply-patch+yaml" },
  }),
  put(`${WIRE}/configmaps/ssay?fieldManager=upd`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "wire", name: "ssay", managedFields: [{}] },
    data: { k: "v2" },
  }),
  request("PATCH", `${WIRE}/configmaps/ssay?fieldManager=m9&force=true`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ssay" },
    data: { k: "j" },
  }, { headers: { "content-type": "application/apply-patch+json" } }),
];
