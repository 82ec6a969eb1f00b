import {
  apply,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type RequestStep,
  type StepScenario,
  strategic,
} from "../step.ts";
import { core, definition, DEFINITIONS, deployment, grouped, namespaced } from "./_objects.ts";

const NS = "suite-owners";
const V1 = "suite.example.com/v1";
const V2 = "suite.example.com/v2";
const A = grouped(V1, NS, "scaleds");
const B = grouped(V2, NS, "scaleds");
const schema = {
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          size: { type: "integer" },
          replicas: { type: "integer" },
          a: { type: "string" },
          b: { type: "string" },
          l: { type: "array", items: { type: "string" } },
          m: { type: "object", additionalProperties: { type: "string" } },
        },
      },
      status: {
        type: "object",
        properties: { size: { type: "integer" }, sel: { type: "string" } },
      },
    },
  },
};
const sub = {
  status: {},
  scale: {
    specReplicasPath: ".spec.size",
    statusReplicasPath: ".status.size",
    labelSelectorPath: ".status.sel",
  },
};
const D = definition("scaleds", "Scaled", {
  versions: [{ name: "v1", served: true, storage: true, schema, subresources: sub }, {
    name: "v2",
    served: true,
    storage: false,
    schema,
    subresources: sub,
  }],
});
const o = (apiVersion: string, name: string, spec: object, rest: object = {}) => ({
  apiVersion,
  kind: "Scaled",
  metadata: { name },
  spec,
  ...rest,
});
const scale = (name: string, replicas: unknown, meta: object = {}) => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name, namespace: NS, ...meta },
  spec: replicas === undefined ? {} : { replicas },
});
const DEPS = grouped("apps/v1", NS, "deployments");
const HPA1 = grouped("autoscaling/v1", NS, "horizontalpodautoscalers");
const HPA2 = grouped("autoscaling/v2", NS, "horizontalpodautoscalers");
const EV = core(NS, "events");
const EV2 = grouped("events.k8s.io/v1", NS, "events");
const S = `${A}/x/scale`;
/** Owners of fields that are written through a scale, a status or another version. */
export const owners: StepScenario = {
  name: "owners",
  steps: [
    namespaced(NS),
    post(DEFINITIONS, D, { unseen: true }),
    get(A, { whileStatus: [404, 429], unseen: true }),
    get(B, { whileStatus: [404, 429], unseen: true }),
    post(`${A}?dryRun=All`, o(V1, "wait", {}), { whileStatus: [404, 429], unseen: true }),
    post(`${A}?fieldManager=c`, o(V1, "x", { size: 1, a: "1" })),
    put(`${S}?fieldManager=p1`, scale("x", 2)),
    get(`${A}/x`),
    put(`${S}?fieldManager=p2`, scale("x", 2)),
    get(`${A}/x`),
    put(`${S}?fieldManager=p3`, { metadata: { name: "x", namespace: NS }, spec: { replicas: 3 } }),
    get(`${A}/x`),
    put(`${S}?fieldManager=p4`, { metadata: { name: "x" }, spec: { replicas: 3 } }),
    get(`${A}/x`),
    put(`${S}?fieldManager=p5`, scale("x", 0)),
    get(`${A}/x`),
    put(`${S}?fieldManager=p6`, scale("x", undefined)),
    get(`${A}/x`),
    put(`${S}?fieldManager=p7`, scale("x", 4)),
    get(`${A}/x`),
    merge(`${S}?fieldManager=m1`, { spec: { replicas: 5 } }),
    get(`${A}/x`),
    merge(`${S}?fieldManager=m2`, { spec: { replicas: 5 } }),
    get(`${A}/x`),
    jsonPatch(`${S}?fieldManager=j1`, [{ op: "replace", path: "/spec/replicas", value: 6 }]),
    get(`${A}/x`),
    apply(S, "ap", scale("x", 6)),
    get(`${A}/x`),
    apply(S, "ap", scale("x", 7), { force: true }),
    get(`${A}/x`),
    put(`${B}/x/scale?fieldManager=v2`, scale("x", 8)),
    get(`${A}/x`),
    get(`${B}/x`),
    merge(`${B}/x/scale?fieldManager=v2m`, { spec: { replicas: 9 } }),
    get(`${B}/x`),
    apply(`${A}/x`, "whole", o(V1, "x", { size: 10 })),
    apply(`${A}/x`, "whole", o(V1, "x", { size: 10 }), { force: true }),
    put(`${S}?fieldManager=late`, scale("x", 11)),
    get(`${A}/x`),
    put(`${S}?fieldManager=late&dryRun=All`, scale("x", 12)),
    put(`${S}?fieldValidation=Strict`, { ...scale("x", 12), nope: 1 }),
    put(S, { ...scale("x", 12), kind: "Scaled" }),
    put(S, scale("x", 12, { labels: { a: "b" } })),
    put(S, scale("x", 12, { uid: "no" })),
    put(S, scale("x", 12, { resourceVersion: "1" })),
    put(S, scale("x", -1)),
    put(S, scale("x", "5")),
    put(S, {}),
    put(S, ""),
    put(S, scale("y", 1)),
    get(S),
    get(S, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
    merge(`${A}/x/status?fieldManager=st`, { status: { size: 3, sel: "a=b" } }),
    get(S),
    get(`${A}/x`),
    put(`${A}/x/status?fieldManager=st2`, o(V1, "x", { size: 99 }, { status: { size: 4 } })),
    get(`${A}/x`),
    // Owners across versions.
    post(`${A}?fieldManager=c`, o(V1, "y", { a: "1", l: ["x"], m: { k: "v" } })),
    apply(`${B}/y`, "two", o(V2, "y", { a: "1", b: "2" })),
    apply(`${A}/y`, "one", o(V1, "y", { a: "2" }), { force: true }),
    get(`${B}/y`),
    apply(`${B}/y`, "one", o(V2, "y", { b: "3" }), { force: true }),
    get(`${A}/y`),
    merge(`${B}/y?fieldManager=upd`, { spec: { m: { z: "1" } } }),
    put(`${A}/y?fieldManager=upd`, o(V1, "y", { a: "9" })),
    get(`${B}/y`),
    put(`${B}/y?fieldManager=upd`, o(V2, "y", { a: "9", l: [] })),
    get(`${A}/y`),
    apply(`${A}/y`, "one", o(V1, "y", {})),
    apply(`${A}/y/status`, "one", o(V1, "y", {}, { status: { size: 1 } })),
    get(`${A}/y`),
    // Versions of built-in kinds.
    post(`${HPA1}?fieldManager=c`, {
      metadata: { name: "h" },
      spec: {
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
        scaleTargetRef: { kind: "Deployment", name: "d" },
      },
    }),
    get(`${HPA2}/h`),
    apply(`${HPA2}/h`, "two", {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      spec: { maxReplicas: 4 },
    }),
    apply(`${HPA2}/h`, "two", {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      spec: {
        maxReplicas: 4,
        metrics: [{
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } },
        }],
      },
    }, { force: true }),
    get(`${HPA1}/h`),
    apply(`${HPA1}/h`, "two", {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      spec: { maxReplicas: 5 },
    }),
    get(`${HPA2}/h`),
    put(`${HPA1}/h?fieldManager=c`, {
      metadata: { name: "h" },
      spec: { maxReplicas: 6, scaleTargetRef: { kind: "Deployment", name: "d" } },
    }),
    get(`${HPA2}/h`),
    post(`${EV}?fieldManager=c`, {
      metadata: { name: "e" },
      involvedObject: { namespace: NS, kind: "Pod", name: "p" },
      reason: "r",
      type: "Normal",
    }),
    get(`${EV2}/e`),
    merge(`${EV}/e?fieldManager=d`, { count: 2 }),
    get(`${EV2}/e`),
    apply(`${EV2}/e`, "ap", { apiVersion: "events.k8s.io/v1", kind: "Event", note: "n" }),
    // Deployment scale.
    post(`${DEPS}?fieldManager=c`, deployment("d")),
    ...[["p1", 2], ["p2", 2], ["p3", 0], ["p4", undefined], ["p5", 1]].flatMap((
      [m, n],
    ) => [put(`${DEPS}/d/scale?fieldManager=${m}`, scale("d", n)), get(`${DEPS}/d`)]),
    put(`${DEPS}/d/scale?fieldManager=p6`, { metadata: { name: "d" }, spec: { replicas: 3 } }),
    get(`${DEPS}/d`),
    apply(`${DEPS}/d/scale`, "ap", scale("d", 3)),
    apply(`${DEPS}/d/scale`, "ap", scale("d", 4), { force: true }),
    get(`${DEPS}/d`),
    apply(`${DEPS}/d`, "ap2", { apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: 4 } }),
    merge(`${DEPS}/d/scale?fieldManager=m`, { spec: { replicas: 6 } }),
    get(`${DEPS}/d`),
    merge(`${DEPS}/d/scale?fieldManager=m`, { spec: { replicas: null } }),
    get(`${DEPS}/d`),
    strategic(`${DEPS}/d/scale?fieldManager=s`, { spec: { replicas: 7 } }),
    get(`${DEPS}/d`),
    merge(`${DEPS}/d?fieldManager=c`, { metadata: { managedFields: [{}] } }),
    put(`${DEPS}/d/scale?fieldManager=p9`, scale("d", 8)),
    get(`${DEPS}/d`),
    apply(`${DEPS}/d/scale`, "ap", scale("d", 9)),
    get(`${DEPS}/d`),
  ] as RequestStep[],
};
