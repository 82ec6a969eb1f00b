import { apply, get, merge, post, put, type RequestStep, type StepScenario } from "../step.ts";
import { configMap, core, definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-ownership";
const V1 = "suite.example.com/v1";
const MAPS = core(NS, "configmaps");
const OWNED = grouped(V1, NS, "owneds");
const D = `${grouped("apps/v1", NS, "deployments")}/d`;

const DEFINITION = definition("owneds", "Owned", {
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
              set: {
                type: "array",
                "x-kubernetes-list-type": "set",
                items: { "x-kubernetes-int-or-string": true },
              },
              numbers: {
                type: "array",
                "x-kubernetes-list-type": "set",
                items: { type: "integer" },
              },
              map: {
                type: "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["s", "n", "b"],
                items: {
                  type: "object",
                  required: ["s"],
                  properties: {
                    s: { type: "string" },
                    n: { type: "integer", default: 7 },
                    b: { type: "boolean", default: false },
                    v: { type: "string" },
                    o: { type: "object", properties: { p: { type: "string" } } },
                  },
                },
              },
              plain: { type: "array", items: { type: "string" } },
              free: { type: "object", additionalProperties: { type: "string" } },
              any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
              ratio: { type: "number" },
              flag: { type: "boolean" },
            },
          },
        },
      },
    },
  }],
});

const owned = (spec: object, name = "o") => ({
  apiVersion: V1,
  kind: "Owned",
  metadata: { name },
  spec,
});
const owns = (manager: string, spec: object, force = false): RequestStep =>
  apply(`${OWNED}/o`, manager, owned(spec), { force });

const containers = (...list: unknown[]) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d", labels: { app: "d" } },
  spec: {
    selector: { matchLabels: { app: "d" } },
    template: { metadata: { labels: { app: "d" } }, spec: { containers: list } },
  },
});
const container = (rest: object) => containers({ name: "c", image: "i:1", ...rest });
const env = (...list: [string, string][]) =>
  container({ env: list.map(([name, value]) => ({ name, value })) });
const replaced = (body: object): RequestStep => put(`${D}?fieldManager=put`, body);
const tried = (body: object): RequestStep => apply(`${D}?dryRun=All`, "typed", body);

/** Ownership of fields: the order of managed fields, duplicates in lists, conflicts and types. */
export const ownership: StepScenario = {
  name: "ownership",
  steps: [
    namespaced(NS),
    post(DEFINITIONS, DEFINITION, { unseen: true }),
    get(OWNED, { whileStatus: [404, 429], unseen: true }),
    post(`${OWNED}?dryRun=All`, owned({}, "wait"), { whileStatus: [404, 429], unseen: true }),
    // Sets and maps: order, conflicts, removal.
    owns("one", {
      set: ["b", 10, "a", 9, "10"],
      numbers: [10, 9, -1],
      map: [
        { s: "b", v: "1" },
        { s: "a", n: 10, v: "1" },
        { s: "a", n: 9, b: true, v: "1" },
        { s: "a", n: 9, v: "1", o: { p: "1" } },
      ],
      plain: ["x", "y"],
      free: { z: "1", a: "1" },
      any: { n: { m: [1, { k: "v" }] }, l: [1] },
      ratio: 0.5,
      flag: false,
    }),
    owns("two", { set: ["c", 9], map: [{ s: "a", n: 9, v: "2", o: { p: "2" } }] }),
    owns("two", { set: ["c", 9], map: [{ s: "a", n: 9, v: "1", o: {} }] }),
    owns("two", { plain: ["x"], free: { a: "2" }, any: { l: [2] } }),
    owns("two", { plain: ["x"], free: { a: "2" }, any: { l: [2] } }, true),
    owns("two", { any: { n: { m: [2] } } }),
    owns("two", { map: [{ s: "b" }, { s: "new", v: "1" }, { s: "a", n: 10 }] }),
    owns("two", { map: [{ s: "a", n: 10 }, { s: "newer", v: "1" }, { s: "b" }] }),
    owns("one", { set: ["z", "b"], map: [{ s: "b", v: "1" }] }),
    owns("one", { map: [] }),
    owns("one", { map: null, free: null }),
    owns("two", {}),
    owns("one", {}),
    owns("three", { set: ["a", "a"] }),
    owns("three", { set: [["a"]] }),
    owns("three", { numbers: ["a"] }),
    owns("three", { numbers: [1.5] }),
    owns("three", { map: [{ n: 1 }] }),
    owns("three", { map: [{}] }),
    owns("three", { map: ["x"] }),
    owns("three", { map: [null] }),
    owns("three", { map: [{ s: "a" }, { s: "a", n: 7, b: false }] }),
    owns("three", { map: { s: "a" } }),
    owns("three", { flag: "x" }),
    owns("three", { flag: null }),
    owns("three", { ratio: "x" }),
    owns("three", { ratio: {} }),
    owns("three", { ratio: [] }),
    owns("three", { ratio: true }),
    owns("three", { free: { a: 5 } }),
    owns("three", { free: ["a"] }),
    owns("three", { more: 2 }),
    owns("three", { map: [{ s: "a", nope: 1 }] }),
    get(`${OWNED}/o`),
    // Wrong types in an apply, as Go prints them.
    ...[{}, [], 5, true, null, { a: [1, "x", null, { b: false }] }].map((image) =>
      tried(containers({ name: "c", image }))
    ),
    tried(containers("x")),
    tried(containers(["x"])),
    tried(containers({ name: 5, image: "x" })),
    tried(container({ args: "x" })),
    tried(container({ args: [1] })),
    tried(container({ stdin: "x" })),
    tried(container({ stdin: { a: 1 } })),
    tried(container({ ports: [{ containerPort: "x" }] })),
    tried(container({ ports: [{ containerPort: true }] })),
    tried(container({ ports: [{ containerPort: [1] }] })),
    tried(container({ ports: [{ protocol: "TCP" }] })),
    tried(container({ resources: { limits: { cpu: {} } } })),
    tried(container({ resources: { limits: { cpu: ["1"] } } })),
    tried(container({ resources: { limits: { cpu: true } } })),
    tried(container({ resources: [] })),
    tried(container({ livenessProbe: { httpGet: { port: { a: 1 } } } })),
    tried({ ...container({}), metadata: { name: "d", labels: ["x"] } }),
    tried({ ...container({}), metadata: { name: "d", labels: { a: 1 } } }),
    tried({ ...container({}), metadata: { name: "d", finalizers: ["x/y", "x/y"] } }),
    tried({ ...container({}), metadata: { name: "d", creationTimestamp: 5 } }),
    tried({ ...container({}), metadata: { name: "d", ownerReferences: [{ name: "x" }] } }),
    tried({ ...container({}), spec: "x" }),
    tried({ ...container({}), spec: [] }),
    // Duplicates, which only updates can make.
    apply(D, "first", env(["A", "1"], ["B", "1"])),
    replaced(env(["A", "1"], ["A", "2"], ["B", "1"])),
    replaced(env(["A", "1"], ["A", "3"], ["B", "1"])),
    apply(D, "second", env(["A", "4"])),
    apply(D, "second", env(["A", "4"]), { force: true }),
    replaced(env(["B", "1"], ["A", "1"], ["A", "1"])),
    replaced(env(["A", "1"])),
    replaced(env(["A", "1"], ["A", "1"])),
    replaced(env()),
    replaced(env(["C", "1"], ["C", "2"])),
    apply(D, "first", env(["B", "2"], ["C", "3"])),
    apply(D, "first", env(["C", "3"])),
    apply(D, "first", container({})),
    get(D),
    // The eleventh manager of updates takes the place of the oldest ones.
    post(`${MAPS}?fieldManager=m00`, configMap("many", { m00: "1" }), { unseen: true }),
    ...Array.from({ length: 13 }, (_, i) => `m${String(i + 1).padStart(2, "0")}`).map((name) =>
      merge(`${MAPS}/many?fieldManager=${name}`, { data: { [name]: "1" } })
    ),
    merge(`${MAPS}/many?fieldManager=m05`, { data: { m00: null, m01: "2" } }),
    apply(`${MAPS}/many`, "applier", configMap("many", { m02: "2" })),
    apply(`${MAPS}/many`, "applier", configMap("many", { m02: "2", m13: "2" }), { force: true }),
    ...[
      [{ manager: "x", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1" }],
      [{ manager: "x", operation: "Apply", apiVersion: "v1", time: "2026-01-01T00:00:00Z" }],
      [{ manager: "x", operation: "Update", apiVersion: "", fieldsType: "FieldsV1", fieldsV1: {} }],
      [{
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": {} },
      }],
      [{
        manager: "x",
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "x:data": {} },
      }],
      [{
        manager: "y",
        operation: "Apply",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:m03": {} } },
        subresource: "status",
        time: "2026-01-01T00:00:00Z",
      }, {
        manager: "x",
        operation: "Apply",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:m04": {} } },
        time: "2026-01-01T00:00:00Z",
      }],
      [{}, {}],
      [{}],
    ].map((managedFields) => merge(`${MAPS}/many?dryRun=All`, { metadata: { managedFields } })),
  ],
};
