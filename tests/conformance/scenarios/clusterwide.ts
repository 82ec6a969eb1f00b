import {
  apply,
  close,
  del,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type StepScenario,
  watch,
} from "../step.ts";
import { configMap, core, definition, DEFINITIONS, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-wide";
const GROUP = "suite.example.com";
const V1 = `${GROUP}/v1`;
const PLANETS = `/apis/${V1}/planets`;
const BOXES = grouped(V1, NS, "boxes");
const PODS = core(NS, "pods");
const READY = { whileStatus: [404, 429], unseen: true };

const PLANET = definition("planets", "Planet", {
  scope: "Cluster",
  versions: [{
    name: "v1",
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { mass: { type: "integer" } } },
          status: { type: "object", properties: { seen: { type: "boolean" } } },
        },
      },
    },
  }],
});

const BOX = definition("boxes", "Box", {
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
            properties: {
              map: { type: "object", additionalProperties: { type: "string" } },
              nullable: {
                type: "object",
                additionalProperties: { type: "string", nullable: true },
              },
              list: { type: "array", items: { type: "string" } },
              deep: {
                type: "array",
                items: {
                  type: "object",
                  properties: { a: { type: "string", default: "x" }, b: { type: "integer" } },
                },
              },
              free: { "x-kubernetes-preserve-unknown-fields": true },
              port: { "x-kubernetes-int-or-string": true },
              big: { type: "integer", format: "int64" },
              small: { type: "integer", format: "int32" },
              real: { type: "number" },
              date: { type: "string", format: "date" },
              uuid: { type: "string", format: "uuid" },
              mail: { type: "string", format: "email" },
              ip: { type: "string", format: "ipv4" },
              multiple: { type: "integer", multipleOf: 5 },
              any: {
                anyOf: [{ required: ["map"] }, { required: ["list"] }],
                type: "object",
                properties: { map: { type: "string" }, list: { type: "string" } },
              },
              not: {
                type: "object",
                not: { required: ["a"] },
                properties: { a: { type: "string" } },
              },
              all: { type: "integer", allOf: [{ minimum: 1 }, { maximum: 5 }] },
            },
          },
          status: {
            type: "object",
            properties: { ok: { type: "boolean" }, count: { type: "integer" } },
          },
        },
      },
    },
    subresources: { status: {} },
  }],
});

function box(name: string, spec: unknown = {}, metadata: object = {}): object {
  return { apiVersion: V1, kind: "Box", metadata: { name, ...metadata }, spec };
}

function planet(name: string, rest: object = {}): object {
  return { apiVersion: V1, kind: "Planet", metadata: { name }, ...rest };
}

/** Cluster-scoped custom resources without subresources, unusual values, and objects that every cluster has. */
export const clusterwide: StepScenario = {
  name: "clusterwide",
  steps: [
    namespaced(NS),
    post(DEFINITIONS, PLANET, { unseen: true }),
    post(DEFINITIONS, BOX, { unseen: true }),
    get(PLANETS, READY),
    get(BOXES, READY),
    post(`${PLANETS}?dryRun=All`, planet("x"), READY),
    post(`${BOXES}?dryRun=All`, box("x"), READY),
    get(PLANETS, { save: "start", unseen: true }),
    watch("planets", `${PLANETS}?watch=1&resourceVersion={{start.metadata.resourceVersion}}`),
    post(PLANETS, planet("earth", { spec: { mass: 1 }, status: { seen: true } }), {
      save: "earth",
    }),
    merge(`${PLANETS}/earth`, { status: { seen: false } }),
    merge(`${PLANETS}/earth`, { metadata: { annotations: { a: "b" } } }),
    merge(`${PLANETS}/earth/status`, { status: { seen: true } }),
    get(`${PLANETS}/earth/status`),
    get(`${PLANETS}/earth/scale`),
    put(
      `${PLANETS}/earth`,
      planet("earth", {
        metadata: { name: "earth", resourceVersion: "{{earth.metadata.resourceVersion}}" },
      }),
    ),
    post(grouped(V1, NS, "planets"), planet("mars")),
    get(grouped(V1, NS, "planets")),
    post(PLANETS, planet("mars", { metadata: { name: "mars", namespace: NS } })),
    post(
      PLANETS,
      planet("mars", {
        metadata: {
          name: "mars",
          finalizers: ["example.com/f"],
          ownerReferences: [{
            apiVersion: V1,
            kind: "Planet",
            name: "earth",
            uid: "{{earth.metadata.uid}}",
          }],
        },
      }),
    ),
    del(`${PLANETS}/mars?propagationPolicy=Foreground`),
    del(`${PLANETS}/mars`),
    put(`${PLANETS}/mars`, planet("mars", { spec: { mass: 2 } })),
    jsonPatch(`${PLANETS}/mars`, [{ op: "remove", path: "/metadata/finalizers" }]),
    get(`${PLANETS}/mars`),
    del(`${PLANETS}/earth`, { preconditions: { uid: "nope" } }),
    del(`${PLANETS}/earth?dryRun=All`),
    del(`${PLANETS}/earth?propagationPolicy=Orphan`),
    del(PLANETS),
    close("planets", 7),
    post(
      BOXES,
      box("nulls", {
        map: { a: null, b: "x" },
        nullable: { a: null, b: "x" },
        list: null,
        deep: [{ b: null }, {}],
        free: { n: null, l: [null] },
      }),
    ),
    post(BOXES, box("nulls2", { map: null, free: null, port: null })),
    post(BOXES, box("bad", { list: ["a", null] })),
    post(BOXES, box("bad", { list: "a" })),
    post(BOXES, box("bad", { map: ["a"] })),
    post(BOXES, box("bad", { map: { a: 1 } })),
    post(BOXES, box("bad", { deep: ["a"] })),
    post(BOXES, box("bad", { port: true })),
    post(BOXES, box("bad", { small: 3000000000 })),
    post(BOXES, box("bad", { date: "x" })),
    post(BOXES, box("bad", { multiple: 7 })),
    post(BOXES, box("bad", { any: {} })),
    post(BOXES, box("bad", { not: { a: "x" } })),
    post(BOXES, box("bad", { all: 9 })),
    post(BOXES, box("bad", "text")),
    post(BOXES, box("bad", [])),
    post(BOXES, box("bad", null)),
    post(BOXES, { ...box("badstatus"), status: "x" }),
    post(BOXES, box("numbers", { big: 9007199254740993, real: 1, small: 5, port: "http" })),
    post(
      BOXES,
      `{"apiVersion":"${V1}","kind":"Box","metadata":{"name":"raw"},"spec":{"real":1.0,"big":1e3,"port":80}}`,
    ),
    post(
      BOXES,
      `{"apiVersion":"${V1}","kind":"Box","metadata":{"name":"proto"},"spec":{"free":{"__proto__":{"x":1},"constructor":1},"map":{"__proto__":"y"}}}`,
    ),
    post(BOXES, box("meta", {}, { bogus: 1, labels: { a: "b" }, annotations: { c: "d" } })),
    post(BOXES, box("meta2", {}, { labels: { "bad key": "x" } })),
    post(
      BOXES,
      box("meta2", {}, { finalizers: ["nodomain", "foregroundDeletion"] }),
    ),
    post(
      BOXES,
      box("meta2", {}, {
        generation: 5,
        uid: "x",
        selfLink: "/x",
        creationTimestamp: "2001-01-01T00:00:00Z",
      }),
    ),
    post(BOXES, box("meta3", {}, { resourceVersion: "1" })),
    post(BOXES, { ...box("top"), extra: 1, data: {} }),
    post(
      BOXES,
      "apiVersion: suite.example.com/v1\nkind: Box\nmetadata:\n  name: yaml\nspec:\n  list: [a, b]\n",
      { headers: { "content-type": "application/yaml" } },
    ),
    post(BOXES, "[]"),
    post(BOXES, "{"),
    post(BOXES, ""),
    post(BOXES, "null"),
    post(`${BOXES}?dryRun=All`, box("dry")),
    merge(`${BOXES}/nulls?dryRun=All`, { spec: { list: ["z"] } }),
    merge(`${BOXES}/nulls`, { spec: { map: { b: null }, list: [] } }),
    merge(`${BOXES}/nulls`, { spec: { deep: [{ a: null, b: 1 }] } }),
    merge(`${BOXES}/nulls`, { metadata: { name: "other" } }),
    merge(`${BOXES}/nulls`, { kind: "Other" }),
    merge(`${BOXES}/nulls`, "x"),
    merge(`${BOXES}/nulls/status`, { status: { ok: true, count: 1 } }),
    merge(`${BOXES}/nulls/status`, { status: { ok: "yes" } }),
    merge(`${BOXES}/nulls/status`, {
      metadata: {
        labels: { via: "status" },
        annotations: { via: "status" },
        finalizers: ["example.com/s"],
      },
    }),
    merge(`${BOXES}/nulls/status`, { status: null }),
    merge(`${BOXES}/nulls/status`, { metadata: { finalizers: null } }),
    jsonPatch(`${BOXES}/nulls/status`, [{ op: "add", path: "/status", value: { count: 2 } }]),
    jsonPatch(`${BOXES}/nulls/status`, [{ op: "replace", path: "/status/count", value: 3 }, {
      op: "test",
      path: "/status/ok",
      value: true,
    }]),
    merge(`${BOXES}/missing/status`, { status: {} }),
    put(`${BOXES}/missing/status`, box("missing")),
    apply(
      `${BOXES}/applied`,
      "one",
      box("applied", { map: { a: "1" }, deep: [{ b: 1 }], free: { x: [1] } }),
    ),
    apply(`${BOXES}/applied`, "two", box("applied", { map: { b: "1" }, list: ["q"] })),
    apply(`${BOXES}/applied`, "two", box("applied", { map: { a: "2" } })),
    apply(`${BOXES}/applied`, "two", box("applied", { map: { b: "2" } }, { labels: { l: "1" } })),
    apply(`${BOXES}/applied`, "one", box("applied", { deep: [{ b: 2 }] })),
    apply(`${BOXES}/applied`, "one", box("applied", { map: { a: null } })),
    apply(`${BOXES}/applied`, "", box("applied")),
    apply(`${BOXES}/applied?dryRun=All`, "one", box("applied", { map: { a: "dry" } })),
    apply(`${BOXES}/applied`, "one", box("other")),
    apply(`${BOXES}/applied`, "one", { ...box("applied"), apiVersion: "v1" }),
    apply(`${BOXES}/applied`, "one", { ...box("applied"), kind: "Planet" }),
    apply(`${BOXES}/fresh`, "one", { ...box("fresh"), status: { ok: true } }),
    get(`${BOXES}?labelSelector=l%3D1`),
    get(`${BOXES}?fieldSelector=metadata.namespace%3D${NS},metadata.name%3Dapplied`),
    get(`${BOXES}?fieldSelector=spec.big%3D1`),
    get(`${BOXES}/applied?resourceVersion=0`),
    get(`${BOXES}?resourceVersion=9999999`),
    get(`${BOXES}/none`),
    del(`${BOXES}/none`),
    get(`${BOXES}?limit=1`, { headers: { accept: "application/yaml" } }),
    get(`${BOXES}/raw`, {
      headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" },
    }),
    get(`${BOXES}?limit=2`, {
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    }),
    get(BOXES, { as: "nobody" }),
    get(BOXES, { as: "anonymous" }),
    del(`${BOXES}?labelSelector=a%3Db`),
    post(
      PODS,
      pod("p", {
        containers: [{
          name: "c",
          image: "i",
          resources: { limits: { cpu: "0.5", memory: "128Mi" }, requests: { cpu: "250m" } },
        }],
      }),
    ),
    post(
      PODS,
      pod("q", {
        containers: [{
          name: "c",
          image: "registry:5000/x@sha256:" + "a".repeat(64),
          resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } },
        }],
      }),
    ),
    post(
      PODS,
      pod("bad", {
        hostNetwork: true,
        containers: [{ name: "c", image: "i", ports: [{ containerPort: 80, hostPort: 81 }] }],
      }),
    ),
    post(PODS, pod("bad", { containers: [{ name: "c", image: "i", livenessProbe: {} }] })),
    post(
      PODS,
      pod("bad", {
        containers: [{
          name: "c",
          image: "i",
          livenessProbe: { httpGet: { path: "x" }, exec: {} },
        }],
      }),
    ),
    post(PODS, pod("bad", { containers: [{ name: "c", image: "i", imagePullPolicy: "Often" }] })),
    post(
      PODS,
      pod("bad", {
        containers: [{ name: "c", image: "i", volumeMounts: [{ name: "none", mountPath: "/x" }] }],
      }),
    ),
    post(
      PODS,
      pod("bad", {
        tolerations: [{ operator: "Exists", value: "x" }, { key: "a", operator: "Nope" }],
      }),
    ),
    post(PODS, pod("bad", { nodeSelector: { "bad key": "x" } })),
    post(PODS, pod("bad", { serviceAccountName: "UPPER", priorityClassName: "x" })),
    post(PODS, pod("bad", { activeDeadlineSeconds: 0, terminationGracePeriodSeconds: -5 })),
    post(PODS, pod("bad", { hostname: "UP", subdomain: "a.b" })),
    post(PODS, pod("bad", { initContainers: [{ name: "c", image: "i" }] })),
    post(PODS, pod("bad", { containers: [] })),
    post(PODS, pod("bad", { containers: "x" })),
    post(PODS, pod("bad", { volumes: [{ name: "v", emptyDir: {}, configMap: { name: "x" } }] })),
    post(PODS, pod("bad", { dnsPolicy: "None" })),
    post(PODS, pod("bad", { securityContext: { runAsUser: -1 } })),
    post(
      PODS,
      pod("bad", {
        topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "x" }],
      }),
    ),
    merge(`${PODS}/p/status`, { status: { phase: "Nope", conditions: "x" } }),
    merge(`${PODS}/p/status`, {
      status: {
        containerStatuses: [{
          name: "c",
          ready: true,
          restartCount: 2,
          image: "i",
          imageID: "",
          state: { running: { startedAt: "2026-11-20T12:00:00Z" } },
        }],
        phase: "Running",
        startTime: "2026-11-20T12:00:00Z",
        hostIP: "1.1.1.1",
        podIP: "2.2.2.2",
        podIPs: [{ ip: "2.2.2.2" }],
      },
    }),
    get(`${PODS}/p`, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
    get(`${PODS}?fieldSelector=status.podIP%3D2.2.2.2`, {
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    }),
    jsonPatch(`${PODS}/p`, [{ op: "add", path: "/metadata/labels", value: { a: "b" } }]),
    jsonPatch(`${PODS}/p`, [{
      op: "add",
      path: "/spec/tolerations/-",
      value: { key: "x", operator: "Exists" },
    }]),
    del(PODS),
    post(
      core(NS, "configmaps"),
      configMap("annotated", {}, {
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" },
      }),
    ),
  ],
};
