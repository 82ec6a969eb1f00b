import { del, get, post, type StepScenario } from "../step.ts";
import { core, namespaced, pod } from "./_objects.ts";

const NS = "suite-unstored";
const BINDINGS = core(NS, "bindings");
const STATUSES = "/api/v1/componentstatuses";
const as = (view: string) => ({
  headers: { accept: `application/json;as=${view};v=v1;g=meta.k8s.io` },
});
const target = { kind: "Node", name: "suite-none" };
const etcd = "?fieldSelector=metadata.name%3Detcd-0";

/** Kinds whose objects are not stored: Bindings and ComponentStatuses. */
export const unstored: StepScenario = {
  name: "unstored",
  steps: [
    namespaced(NS),
    post(core(NS, "pods"), pod("a"), { unseen: true }),
    post(core(NS, "pods"), pod("b"), { unseen: true }),
    post(BINDINGS, { metadata: { name: "a" } }),
    post(BINDINGS, { metadata: { name: "a" }, target: { kind: "Pod" } }),
    post(BINDINGS, { metadata: { name: "a" }, target: { kind: "Pod", name: "x" } }),
    post(BINDINGS, { metadata: {}, target }),
    post(BINDINGS, { metadata: { name: "none" }, target }),
    post(BINDINGS, { metadata: { name: "a", namespace: "other" }, target }),
    post(`${BINDINGS}?dryRun=All`, { metadata: { name: "a" }, target }),
    post(`${BINDINGS}?fieldValidation=Strict`, { metadata: { name: "a" }, target, spec: {} }),
    post(BINDINGS, { metadata: { name: "a", annotations: { k: "v" } }, target }),
    post(BINDINGS, { metadata: { name: "a" }, target }),
    get(`${core(NS, "pods")}/a`),
    post(BINDINGS, { kind: "Pod", apiVersion: "v1" }),
    post(BINDINGS, ""),
    post(BINDINGS, "[]"),
    post(core("suite-none", "bindings"), { metadata: { name: "a" }, target }),
    post(`${core(NS, "pods")}/b/binding`, { metadata: { name: "a" }, target }),
    post(`${core(NS, "pods")}/b/binding`, { metadata: { name: "b" }, target: { kind: "Pod" } }),
    post(`${core(NS, "pods")}/b/binding`, "{"),
    post(`${core(NS, "pods")}/b/binding`, { metadata: { name: "b" }, target, more: 1 }),
    post(`${core(NS, "pods")}/b/eviction`, { metadata: { name: "a" } }),
    post(`${core(NS, "pods")}/b/eviction`, { metadata: { name: "b", namespace: "other" } }),
    post(`${core(NS, "pods")}/b/eviction`, { metadata: { name: "b" }, more: 1 }),
    post(core(NS, "pods/c/eviction"), { metadata: { name: "c" } }),
    get(BINDINGS),
    get(`${BINDINGS}/a`),
    del(BINDINGS),
    post(`${BINDINGS}/a`, {}),
    post("/api/v1/bindings", {}),
    get(`${STATUSES}${etcd}`),
    get(`${STATUSES}${etcd}`, as("Table")),
    get(`${STATUSES}${etcd}`, as("PartialObjectMetadataList")),
    get(`${STATUSES}${etcd}&limit=1&resourceVersion=5`),
    get(`${STATUSES}?labelSelector=a`),
    get(`${STATUSES}?fieldSelector=spec.a%3Db`),
    get(`${STATUSES}?watch=1`),
    get(`${STATUSES}/scheduler`),
    get(`${STATUSES}/controller-manager`, as("Table")),
    get(`${STATUSES}/etcd-0`, { headers: { accept: "application/yaml" } }),
    get(`${STATUSES}/none`),
    post(STATUSES, {}),
    del(`${STATUSES}/etcd-0`),
    get(STATUSES, { as: "nobody" }),
  ],
};
