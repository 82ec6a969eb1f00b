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
  strategic,
  watch,
} from "../step.ts";
import { definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-custom";
const GROUP = "suite.example.com";
const V1 = `${GROUP}/v1`;
const GEARS = grouped(V1, NS, "gears");
const GEARS2 = grouped(`${GROUP}/v2`, NS, "gears");
const LOOSE = grouped(V1, NS, "looses");
const TABLE = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };
const READY = { whileStatus: [404, 429] };

const SCHEMA = {
  type: "object",
  required: ["spec"],
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 1, maximum: 10 },
        ratio: { type: "number", exclusiveMinimum: true, minimum: 0 },
        color: { type: "string", enum: ["red", "green"], default: "red" },
        name: { type: "string", pattern: "^[a-z]+$", minLength: 2, maxLength: 5 },
        when: { type: "string", format: "date-time" },
        replicas: { type: "integer", default: 1 },
        maybe: { type: "string", nullable: true },
        nested: {
          type: "object",
          default: {},
          properties: { deep: { type: "boolean", default: true }, other: { type: "string" } },
        },
        tags: {
          type: "array",
          maxItems: 3,
          items: { type: "string" },
          "x-kubernetes-list-type": "set",
        },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            required: ["port"],
            properties: {
              port: { type: "integer" },
              protocol: { type: "string", default: "TCP" },
              name: { type: "string" },
            },
          },
        },
        limits: {
          type: "object",
          maxProperties: 2,
          additionalProperties: { "x-kubernetes-int-or-string": true },
        },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        atom: {
          type: "object",
          "x-kubernetes-map-type": "atomic",
          properties: { a: { type: "string" }, b: { type: "string" } },
        },
        one: {
          type: "object",
          properties: { x: { type: "integer" }, y: { type: "integer" } },
          oneOf: [{ required: ["x"] }, { required: ["y"] }],
        },
        template: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
    status: {
      type: "object",
      properties: {
        phase: { type: "string" },
        replicas: { type: "integer" },
        selector: { type: "string" },
        conditions: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
          items: {
            type: "object",
            required: ["type"],
            properties: { type: { type: "string" }, status: { type: "string" } },
          },
        },
      },
    },
  },
};

const VERSION = {
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: SCHEMA },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    },
  },
  additionalPrinterColumns: [
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    {
      name: "Phase",
      type: "string",
      jsonPath: ".status.phase",
      priority: 1,
      description: "where it is",
    },
    { name: "Since", type: "date", jsonPath: ".metadata.creationTimestamp" },
    { name: "Deep", type: "boolean", jsonPath: ".spec.nested.deep" },
  ],
  selectableFields: [{ jsonPath: ".spec.color" }],
};

const GEAR = definition("gears", "Gear", {
  names: {
    plural: "gears",
    singular: "gear",
    kind: "Gear",
    listKind: "GearList",
    shortNames: ["gr"],
    categories: ["all"],
  },
  versions: [VERSION, {
    name: "v2",
    served: true,
    storage: false,
    deprecated: true,
    deprecationWarning: "v2 is not for you",
    schema: { openAPIV3Schema: SCHEMA },
    subresources: { status: {} },
    selectableFields: [{ jsonPath: ".spec.color" }],
  }],
});

const LOOSE_DEFINITION = definition("looses", "Loose", {
  versions: [{
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  }],
});

function gear(name: string, spec: object = { size: 1 }, metadata: object = {}): object {
  return { apiVersion: V1, kind: "Gear", metadata: { name, ...metadata }, spec };
}

function broken(name: string, spec: object): object {
  return definition(name, name[0]!.toUpperCase() + name.slice(1, -1), spec);
}

const one = (schema: object, rest: object = {}) => ({
  versions: [{
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...rest,
  }],
});

/** Custom resources: schemas, versions, subresources, columns. */
export const custom: StepScenario = {
  name: "custom",
  steps: [
    namespaced(NS),
    post(DEFINITIONS, GEAR, { unseen: true }),
    get(GEARS2, { ...READY, unseen: true }),
    post(`${GEARS}?dryRun=All`, gear("wait"), { ...READY, unseen: true }),
    get(`${DEFINITIONS}/gears.suite.example.com`),
    get(`/apis/${GROUP}`),
    get(`/apis/${V1}`),
    get(`/apis/${GROUP}/v2`),
    get(`/apis/${GROUP}/v3`),
    // Created only now, because discovery lists the resources of a group in no fixed order.
    post(DEFINITIONS, LOOSE_DEFINITION, { unseen: true }),
    get(LOOSE, { ...READY, unseen: true }),
    post(`${LOOSE}?dryRun=All`, { apiVersion: V1, kind: "Loose", metadata: { name: "wait" } }, {
      ...READY,
      unseen: true,
    }),
    get(GEARS),
    get(GEARS, { save: "start", unseen: true }),
    watch("gears", `${GEARS}?watch=1&resourceVersion={{start.metadata.resourceVersion}}`),
    watch(
      "red",
      `${GEARS}?watch=1&resourceVersion={{start.metadata.resourceVersion}}&fieldSelector=spec.color%3Dred`,
    ),
    watch("gears2", `${GEARS2}?watch=1&resourceVersion={{start.metadata.resourceVersion}}`),
    watch("table", `${GEARS}?watch=1&resourceVersion={{start.metadata.resourceVersion}}`, TABLE),
    post(GEARS, gear("a"), { save: "a" }),
    post(
      GEARS,
      gear("b", {
        size: 2,
        color: "green",
        unknown: 1,
        nested: { other: "x", gone: 1 },
        free: { any: { thing: [1] } },
        tags: ["a", "b"],
        ports: [{ port: 1 }, { port: 1, protocol: "UDP" }],
        limits: { cpu: 1, memory: "2" },
        maybe: null,
        one: { x: 1 },
      }),
    ),
    post(
      `${GEARS}?fieldValidation=Strict`,
      gear("strict", { size: 2, unknown: 1, nested: { gone: 1 } }),
    ),
    post(`${GEARS}?fieldValidation=Ignore`, gear("ignored", { size: 2, unknown: 1 })),
    post(
      GEARS,
      `{"apiVersion":"${V1}","kind":"Gear","metadata":{"name":"dup"},"spec":{"size":1,"size":2}}`,
    ),
    post(GEARS, { apiVersion: V1, kind: "Gear", metadata: { name: "nospec" } }),
    post(GEARS, gear("bad", {})),
    post(GEARS, gear("bad", { size: 0 })),
    post(GEARS, gear("bad", { size: 11 })),
    post(GEARS, gear("bad", { size: "1" })),
    post(GEARS, gear("bad", { size: 1.5 })),
    post(GEARS, gear("bad", { size: 1, ratio: 0 })),
    post(GEARS, gear("bad", { size: 1, color: "blue" })),
    post(GEARS, gear("bad", { size: 1, name: "A" })),
    post(GEARS, gear("bad", { size: 1, name: "toolong" })),
    post(GEARS, gear("bad", { size: 1, when: "yesterday" })),
    post(GEARS, gear("bad", { size: 1, tags: ["a", "a"] })),
    post(GEARS, gear("bad", { size: 1, tags: ["a", "b", "c", "d"] })),
    post(GEARS, gear("bad", { size: 1, ports: [{ port: 1 }, { port: 1 }] })),
    post(GEARS, gear("bad", { size: 1, ports: [{ name: "x" }] })),
    post(GEARS, gear("bad", { size: 1, limits: { a: 1, b: 2, c: 3 } })),
    post(GEARS, gear("bad", { size: 1, limits: { a: 1.5 } })),
    post(GEARS, gear("bad", { size: 1, one: {} })),
    post(GEARS, gear("bad", { size: 1, one: { x: 1, y: 2 } })),
    post(GEARS, gear("bad", { size: 1, nested: "x" })),
    post(GEARS, gear("bad", { size: null })),
    post(GEARS, gear("bad", { size: 1, color: null })),
    post(GEARS, gear("bad", { size: 1, template: { spec: {} } })),
    post(
      GEARS,
      gear("embedded", {
        size: 1,
        template: {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "x", bogus: 1 },
          spec: { a: 1 },
        },
      }),
    ),
    post(GEARS, { ...gear("bad"), apiVersion: "other.example.com/v1" }),
    post(GEARS, { ...gear("bad"), kind: "Cog" }),
    post(GEARS, { ...gear("v2"), apiVersion: `${GROUP}/v2` }),
    post(GEARS, { metadata: { name: "bare" }, spec: { size: 1 } }),
    post(GEARS, gear("UPPER")),
    post(GEARS, gear("", { size: 1 }, { generateName: "gen-" }), { save: "generated" }),
    del(`${GEARS}/{{generated.metadata.name}}`),
    post(GEARS, gear("labelled", { size: 1 }, { labels: { a: 1 } })),
    post(GEARS, { ...gear("status"), status: { phase: "Given" } }),
    post(GEARS2, { ...gear("second", { size: 3 }), apiVersion: `${GROUP}/v2` }),
    get(`${GEARS}/second`),
    get(`${GEARS2}/a`),
    get(`${GEARS2}?limit=1`),
    put(`${GEARS}/a`, gear("a", { size: 2 })),
    put(
      `${GEARS}/a`,
      gear("a", { size: 2 }, { resourceVersion: "{{a.metadata.resourceVersion}}" }),
      { save: "a2" },
    ),
    put(
      `${GEARS}/a`,
      gear("a", { size: 3 }, { resourceVersion: "{{a.metadata.resourceVersion}}" }),
    ),
    put(
      `${GEARS}/a`,
      gear("a", { size: 2 }, { resourceVersion: "{{a2.metadata.resourceVersion}}" }),
    ),
    put(`${GEARS}/missing`, gear("missing")),
    put(`${GEARS}/missing`, gear("missing", { size: 1 }, { resourceVersion: "1" })),
    merge(`${GEARS}/a`, { spec: { color: "green" }, status: { phase: "Ignored" } }),
    merge(`${GEARS}/a`, { spec: { color: null } }),
    merge(`${GEARS}/a`, { spec: { size: 99 } }),
    merge(`${GEARS}/a`, { spec: { bogus: 1 } }),
    merge(`${GEARS}/a`, { metadata: { labels: { x: "y" } } }),
    merge(`${GEARS}/a`, { metadata: { generation: 99 } }),
    strategic(`${GEARS}/a`, { spec: { size: 3 } }),
    jsonPatch(`${GEARS}/a`, [{ op: "replace", path: "/spec/size", value: 4 }, {
      op: "add",
      path: "/spec/tags",
      value: ["t"],
    }]),
    jsonPatch(`${GEARS}/a`, [{ op: "remove", path: "/spec/size" }]),
    merge(`${GEARS}/a/status`, {
      status: { phase: "Ready", replicas: 2, selector: "app=a" },
      spec: { size: 9 },
      metadata: { labels: { s: "1" } },
    }),
    put(`${GEARS}/a/status`, { ...gear("a", { size: 9 }), status: { phase: "Put" } }),
    merge(`${GEARS}/a/status`, { status: { phase: 1 } }),
    merge(`${GEARS}/a/status`, { status: { replicas: 2, selector: "app=a", bogus: 1 } }),
    get(`${GEARS}/a/status`),
    get(`${GEARS}/a/scale`),
    put(`${GEARS}/a/scale`, {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "a", namespace: NS },
      spec: { replicas: 5 },
    }),
    merge(`${GEARS}/a/scale`, { spec: { replicas: 6 } }),
    merge(`${GEARS}/a/scale`, { spec: { replicas: -1 } }),
    merge(`${GEARS}/a/scale`, { spec: { replicas: "x" } }),
    get(`${GEARS}/missing/scale`),
    get(`${GEARS}/a/scale`, TABLE),
    get(`${GEARS}/a/nosuch`),
    get(GEARS, TABLE),
    get(`${GEARS}/a`, TABLE),
    get(GEARS2, TABLE),
    get(LOOSE, TABLE),
    get(GEARS, {
      headers: { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" },
    }),
    get(`${GEARS}/a`, { headers: { accept: "application/yaml" } }),
    get(`${GEARS}?limit=2`, { save: "page" }),
    get(`${GEARS}?limit=2&continue={{page.metadata.continue}}`),
    get(`${GEARS}?fieldSelector=spec.color%3Dgreen`),
    get(`${GEARS}?fieldSelector=spec.size%3D1`),
    get(`${GEARS}?fieldSelector=metadata.name%3Da`),
    get(`${GEARS}?labelSelector=x%3Dy`),
    get(`/apis/${V1}/gears?limit=1`),
    apply(
      `${GEARS}/ssa`,
      "one",
      gear("ssa", { size: 1, ports: [{ port: 1, name: "a" }], tags: ["a"], atom: { a: "1" } }),
    ),
    apply(
      `${GEARS}/ssa`,
      "two",
      gear("ssa", { size: 1, ports: [{ port: 2, name: "b" }], tags: ["b"] }),
    ),
    apply(
      `${GEARS}/ssa`,
      "two",
      gear("ssa", { size: 2, ports: [{ port: 1, name: "c" }], atom: { b: "2" } }),
    ),
    apply(
      `${GEARS}/ssa`,
      "two",
      gear("ssa", { size: 2, ports: [{ port: 1, name: "c" }], atom: { b: "2" } }),
      { force: true },
    ),
    apply(`${GEARS}/ssa`, "one", gear("ssa", { size: 2 })),
    apply(`${GEARS}/ssa`, "two", gear("ssa", {})),
    apply(`${GEARS}/ssa`, "two", gear("ssa", { size: 5, bogus: 1 })),
    apply(`${GEARS}/ssa`, "two", gear("ssa", { size: "5" })),
    apply(`${GEARS}/ssa`, "two", gear("ssa", { size: 5, ports: [{ name: "nokey" }] })),
    apply(`${GEARS}/ssa`, "two", gear("ssa", { size: 5, ports: [{ port: 1 }, { port: 1 }] })),
    apply(`${GEARS}/ssa`, "two", gear("ssa", { size: 5, tags: ["x", "x"] })),
    apply(`${GEARS}/ssa/status`, "ctl", {
      apiVersion: V1,
      kind: "Gear",
      status: { phase: "Up", conditions: [{ type: "Ready", status: "True" }] },
    }),
    apply(`${GEARS}/ssa/status`, "ctl2", {
      apiVersion: V1,
      kind: "Gear",
      status: { conditions: [{ type: "Other", status: "True" }] },
    }),
    apply(`${GEARS}/ssa/status`, "ctl2", {
      apiVersion: V1,
      kind: "Gear",
      status: { conditions: [{ type: "Ready", status: "False" }] },
    }),
    apply(`${GEARS}/ssa/status`, "ctl2", { apiVersion: V1, kind: "Gear", status: {} }),
    apply(`${GEARS}/none/status`, "ctl", { apiVersion: V1, kind: "Gear", status: { phase: "Up" } }),
    post(LOOSE, {
      apiVersion: V1,
      kind: "Loose",
      metadata: { name: "l" },
      any: { thing: [1, { a: null }] },
      spec: 5,
      status: { x: 1 },
    }),
    merge(`${LOOSE}/l`, { any: { thing: null, more: true } }),
    merge(`${LOOSE}/l/status`, { status: { y: 1 } }),
    get(`${LOOSE}/l/scale`),
    apply(`${LOOSE}/l`, "me", { apiVersion: V1, kind: "Loose", any: { list: [1, 2] } }),
    apply(`${LOOSE}/l`, "other", { apiVersion: V1, kind: "Loose", any: { list: [3] } }),
    put(`${LOOSE}/l`, { apiVersion: V1, kind: "Loose", metadata: { name: "l" } }),
    merge(`${LOOSE}/l`, { metadata: { finalizers: ["example.com/f"] } }),
    del(`${LOOSE}/l`),
    merge(`${LOOSE}/l`, { metadata: { finalizers: null } }),
    del(`${GEARS}/a`),
    del(`${GEARS}/a`),
    close("gears", 27),
    close("red", 26),
    close("gears2", 27),
    close("table", 27),
    del(`${GEARS}?labelSelector=nothing`),
    del(GEARS),
    post(DEFINITIONS, GEAR),
    post(DEFINITIONS, broken("as", { versions: [] })),
    post(DEFINITIONS, broken("bs", { versions: [{ name: "v1", served: true, storage: true }] })),
    post(DEFINITIONS, broken("cs", one({ type: "string" }))),
    post(DEFINITIONS, broken("ds", one({ type: "object", properties: { a: {} } }))),
    post(DEFINITIONS, broken("es", one({ type: "object", properties: { a: { type: "array" } } }))),
    post(
      DEFINITIONS,
      broken("fs", one({ type: "object", properties: { a: { type: "string", default: 1 } } })),
    ),
    post(
      DEFINITIONS,
      broken("gs", { versions: [{ ...one({ type: "object" }).versions[0], storage: false }] }),
    ),
    post(DEFINITIONS, broken("hs", { ...one({ type: "object" }), scope: "Nowhere" })),
    post(
      DEFINITIONS,
      broken("is", { ...one({ type: "object" }), names: { plural: "other", kind: "Is" } }),
    ),
    post(DEFINITIONS, broken("js", { ...one({ type: "object" }), group: "short" })),
    post(
      DEFINITIONS,
      broken(
        "ks",
        one({
          type: "object",
          properties: {
            a: { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "map" },
          },
        }),
      ),
    ),
    post(DEFINITIONS, broken("ls", one({ type: "object" }, { name: "V1" }))),
    post(
      DEFINITIONS,
      broken(
        "ms",
        one({ type: "object" }, {
          subresources: { scale: { specReplicasPath: "spec", statusReplicasPath: ".status.x" } },
        }),
      ),
    ),
    merge(`${DEFINITIONS}/gears.suite.example.com`, { spec: { scope: "Cluster" } }),
    merge(`${DEFINITIONS}/gears.suite.example.com`, { spec: { group: "x.example.com" } }),
    merge(`${DEFINITIONS}/gears.suite.example.com`, { spec: { names: { kind: "Other" } } }),
    del(`${DEFINITIONS}/looses.suite.example.com`, undefined, { unseen: true }),
    get(LOOSE, { whileStatus: [200] }),
    get(`${DEFINITIONS}/looses.suite.example.com`, { whileStatus: [200] }),
    get(`/apis/${GROUP}/v1`, { unseen: true }),
  ],
};
