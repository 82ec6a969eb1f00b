import { apply, del, get, merge, post, put, type StepScenario } from "../step.ts";
import { definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-stored";
const GROUP = "suite.example.com";
const LOTS = grouped(`${GROUP}/v1`, NS, "lots");
const OLD_PARTS = grouped(`${GROUP}/v1`, NS, "parts");
const NEW_PARTS = grouped(`${GROUP}/v2`, NS, "parts");
const APPROVAL = "api-approved.kubernetes.io";
const SERVED = { whileStatus: [404, 429, 503], unseen: true };

const TEXT = { type: "string" };

const schema = (properties: object) => ({ openAPIV3Schema: { type: "object", properties } });

const STATUS = {
  type: "object",
  default: { conditions: [{ type: "Ready", status: "Unknown", reason: "Pending" }] },
  properties: {
    phase: { ...TEXT, default: "New" },
    conditions: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
      items: {
        type: "object",
        required: ["type"],
        properties: { type: TEXT, status: TEXT, reason: { ...TEXT, default: "None" } },
      },
    },
  },
};

const lots = (properties: object): { spec?: object } =>
  definition("lots", "Lot", {
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: schema({ spec: { type: "object", properties }, status: STATUS }),
    }],
  });

const FREE = { type: "object" };

const FIRST = lots({
  size: { type: "integer", default: 3 },
  kept: TEXT,
  gone: TEXT,
  free: FREE,
  frees: { type: "array", items: FREE },
  empty: { ...FREE, additionalProperties: false },
});

const lot = (name: string, rest: object = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind: "Lot",
  metadata: { name },
  ...rest,
});

const part = (version: string, name: string, spec: object) => ({
  apiVersion: `${GROUP}/${version}`,
  kind: "Part",
  metadata: { name },
  spec,
});

/** Returns the definition of a kind in a protected group. */
const protectedKind = (annotations?: object) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "lots.suite.k8s.io", ...(annotations === undefined ? {} : { annotations }) },
  spec: {
    group: "suite.k8s.io",
    scope: "Namespaced",
    names: { plural: "lots", singular: "lot", kind: "Lot", listKind: "LotList" },
    versions: [{ name: "v1", served: true, storage: true, schema: schema({ spec: TEXT }) }],
  },
});

/** Reads of stored objects: the defaults of their status, and the fields of a schema that has changed. */
export const stored: StepScenario = {
  name: "stored",
  steps: [
    namespaced(NS),
    post(DEFINITIONS, FIRST, { unseen: true }),
    get(LOTS, SERVED),
    post(`${LOTS}?dryRun=All`, lot("dry")),
    post(LOTS, lot("a", { spec: { kept: "k", gone: "g" } })),
    post(LOTS, lot("b", { status: { phase: "Old", conditions: [] } })),
    get(`${LOTS}/b`),
    put(`${LOTS}/b`, lot("b", { spec: { size: 4 }, status: { phase: "Old" } })),
    merge(`${LOTS}/b/status?dryRun=All`, { status: { phase: null } }),
    merge(`${LOTS}/b/status`, { status: { phase: "Done", conditions: null } }),
    merge(`${LOTS}/b/status`, { status: null }),
    merge(`${LOTS}/b/status`, { status: { conditions: [{ type: "Ready" }] } }),
    apply(`${LOTS}/c`, "m", lot("c", { spec: { kept: "x" } })),
    apply(`${LOTS}/c/status`, "s", lot("c", { status: { phase: "Up" } })),
    apply(`${LOTS}/d?dryRun=All`, "m", lot("d", { spec: { gone: "x" } })),
    apply(
      `${LOTS}/f`,
      "m",
      lot("f", { spec: { free: { a: { b: 1 } }, frees: [{ a: 1, b: [2] }] } }),
    ),
    post(LOTS, lot("g", { spec: { free: { a: { b: 1 } }, frees: [{ a: 1 }, {}] } })),
    apply(`${LOTS}/f`, "n", lot("f", { spec: { free: { c: 1 }, empty: { a: 1 } } })),
    apply(`${LOTS}/f`, "n", lot("f", { spec: { empty: {} } })),
    // Objects stored under the first schema are read under the second one.
    merge(`${DEFINITIONS}/lots.suite.example.com`, {
      spec: lots({
        size: { type: "integer", default: 9 },
        kept: TEXT,
        color: { ...TEXT, default: "red" },
      })
        .spec,
    }, { unseen: true }),
    get(`${LOTS}/a`, { until: '"color":"red"' }),
    get(LOTS, { whileStatus: [429] }),
    get(`${LOTS}?labelSelector=x`),
    merge(`${LOTS}/a`, { metadata: { labels: { l: "1" } } }),
    apply(`${LOTS}/c`, "m", lot("c", { spec: { kept: "y" } })),
    merge(`${LOTS}/b`, { spec: { color: null, size: null } }),
    post(LOTS, lot("e", { spec: { gone: "g" } })),
    del(`${LOTS}/a`),
    post(
      DEFINITIONS,
      definition("parts", "Part", {
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: schema({
              spec: { type: "object", properties: { one: { ...TEXT, default: "1" }, both: TEXT } },
            }),
          },
          {
            name: "v2",
            served: true,
            storage: false,
            schema: schema({
              spec: {
                type: "object",
                properties: { one: TEXT, two: { ...TEXT, default: "2" }, both: TEXT },
              },
            }),
          },
        ],
      }),
      { unseen: true },
    ),
    get(NEW_PARTS, SERVED),
    post(`${NEW_PARTS}?dryRun=All`, part("v2", "dry", { both: "b" })),
    post(NEW_PARTS, part("v2", "a", { both: "b" })),
    get(`${NEW_PARTS}/a`),
    get(`${OLD_PARTS}/a`),
    merge(`${NEW_PARTS}/a?dryRun=All`, { spec: { both: "c" } }),
    merge(`${OLD_PARTS}/a`, { spec: { both: "c" } }),
    post(DEFINITIONS, protectedKind()),
    post(DEFINITIONS, protectedKind({ [APPROVAL]: "because" })),
    post(DEFINITIONS, protectedKind({ [APPROVAL]: "https:/nohost" })),
    post(DEFINITIONS, protectedKind({ [APPROVAL]: "http://host/x" }), { unseen: true }),
    // Which condition comes first is a race of two controllers.
    merge(`${DEFINITIONS}/lots.suite.k8s.io`, { metadata: { annotations: { [APPROVAL]: "x" } } }),
    merge(`${DEFINITIONS}/lots.suite.k8s.io`, { metadata: { annotations: { [APPROVAL]: null } } }),
  ],
};
