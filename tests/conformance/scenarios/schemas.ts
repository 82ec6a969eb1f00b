import { get, merge, post, type StepScenario } from "../step.ts";
import { definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-schemas";

const TEXT = { type: "string" };
const EITHER = [{ type: "integer" }, TEXT];

/** The schema of one property each, that a definition may not have, or may. */
const PROPERTIES: readonly object[] = [
  { $ref: "#/x" },
  { ...TEXT, id: "x", patternProperties: { z: TEXT } },
  { type: "array", items: TEXT, additionalItems: true },
  { type: "array", items: [TEXT, { type: "odd" }] },
  { type: "array", items: [] },
  { type: "array", items: TEXT, properties: { a: { type: "array", items: [TEXT] } } },
  { type: "null" },
  { type: "object", definitions: { x: TEXT }, dependencies: { a: ["b"] } },
  { type: "integer", anyOf: EITHER },
  { anyOf: EITHER },
  { allOf: [{ anyOf: EITHER }] },
  { "x-kubernetes-int-or-string": true, allOf: [{ anyOf: EITHER }, { pattern: "x" }] },
  { "x-kubernetes-int-or-string": true, anyOf: [TEXT] },
  { type: "object", "x-kubernetes-embedded-resource": true },
  { type: "object", "x-kubernetes-map-type": "odd" },
  { ...TEXT, "x-kubernetes-map-type": "atomic" },
  { ...TEXT, "x-kubernetes-list-map-keys": ["q"] },
  { ...TEXT, "x-kubernetes-list-type": "atomic", "x-kubernetes-list-map-keys": ["q"] },
  { type: "array", items: TEXT, "x-kubernetes-list-type": "odd" },
  { type: "array", items: TEXT, "x-kubernetes-list-type": "map" },
  { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["q"] },
  {
    type: "array",
    items: { type: "object", properties: { q: { type: "object" } } },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["q", "q", "r"],
  },
];

function version(property: object): object {
  const openAPIV3Schema = { type: "object", properties: { a: property } };
  return { name: "v1", served: true, storage: true, schema: { openAPIV3Schema } };
}

/** A version with more fields than the other version, which has only the size. */
function palette(name: string, storage: boolean, properties: object): object {
  const spec = {
    type: "object",
    properties: { size: { type: "integer", default: 1 }, ...properties },
  };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return { name, served: true, storage, schema };
}

const FIRST = grouped("suite.example.com/v1", NS, "palettes");
const SECOND = grouped("suite.example.com/v2", NS, "palettes");

function colors(version: string, spec: object): object {
  const apiVersion = `suite.example.com/${version}`;
  return { apiVersion, kind: "Palette", metadata: { name: "p" }, spec };
}

/** Returns a CustomResourceDefinition whose versions have little. */
function partly(versions: readonly object[]): object {
  const common = {
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { properties: { a: { type: "odd" } } } },
    subresources: { scale: { specReplicasPath: "spec", statusReplicasPath: ".status.a" } },
    additionalPrinterColumns: [{ name: "A", type: "odd", jsonPath: "a" }],
  };
  return definition("sketches", "Sketch", {
    names: { plural: "sketches", kind: "A_b", listKind: "SketchList" },
    versions: versions.map((version) => ({ ...common, ...version })),
  });
}

const PAINTS = grouped("suite.example.com/v1", NS, "paints");

/** Formats, each with a valid and an invalid text. */
const FORMATS: readonly (readonly [format: string, text: string])[] = [
  ["isbn", "0-306-40615-2"],
  ["isbn", "0-306-40615-3"],
  ["isbn", "978 0 306 40615 7"],
  ["isbn10", "097522980X"],
  ["isbn10", "9780306406157"],
  ["isbn13", "9780306406158"],
  ["creditcard", "4111 1111 1111 1111"],
  ["creditcard", "4111111111111112"],
  ["creditcard", "41111111"],
  ["ssn", "111-22-3333"],
  ["ssn", "111223333"],
  ["rgbcolor", "rgb(255, 0,9)"],
  ["rgbcolor", "rgb(256,0,0)"],
  ["rgbcolor", "rgb(01,0,0)"],
  ["bsonobjectid", "507f1f77bcf86cd799439011"],
  ["bsonobjectid", "507f1f77bcf86cd79943901"],
  ["password", "x"],
];

/** A CustomResourceDefinition with a field of each of these formats, and an embedded object. */
const PAINT = definition("paints", "Paint", {
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
              ...Object.fromEntries(FORMATS.map(([format]) => [format, { ...TEXT, format }])),
              inner: {
                type: "object",
                "x-kubernetes-embedded-resource": true,
                properties: { spec: { type: "object", properties: { a: TEXT } } },
              },
            },
          },
        },
      },
    },
  }],
});

function paint(spec: object): object {
  return {
    apiVersion: "suite.example.com/v1",
    kind: "Paint",
    metadata: { name: "p" },
    spec,
  };
}

/** Keywords of the schemas of CustomResourceDefinitions, and what custom resources make of them. */
export const schemas: StepScenario = {
  name: "schemas",
  steps: [
    namespaced(NS),
    ...PROPERTIES.map((property) =>
      post(
        `${DEFINITIONS}?dryRun=All`,
        definition("sketches", "Sketch", { versions: [version(property)] }),
      )
    ),
    post(
      `${DEFINITIONS}?dryRun=All`,
      definition("sketches", "Sketch", { versions: [version(TEXT), version(TEXT)] }),
    ),
    post(
      DEFINITIONS,
      definition("palettes", "Palette", {
        versions: [
          palette("v1", true, { color: { type: "string", enum: ["red", "blue"] } }),
          palette("v2", false, { shade: { type: "string", default: "dark" } }),
        ],
      }),
      { unseen: true },
    ),
    get(FIRST, { whileStatus: [404, 429, 503], unseen: true }),
    get(SECOND, { whileStatus: [404, 429, 503], unseen: true }),
    post(`${SECOND}?dryRun=All`, colors("v2", {})),
    post(SECOND, colors("v2", {})),
    merge(`${SECOND}/p?dryRun=All`, { spec: { shade: "light", size: 2 } }),
    post(FIRST, colors("v1", { color: 5 })),
    post(FIRST, colors("v1", { color: null })),
    merge(`${FIRST}/p`, { spec: { color: ["red"] } }),
    // A version that is not served has no known fields.
    merge(`${FIRST}/p`, { apiVersion: "suite.example.com/v9" }),
    merge(`${FIRST}/p?fieldValidation=Strict`, { apiVersion: "suite.example.com/v9" }),
    merge(`${FIRST}/p`, { apiVersion: "other.example.com/v1" }),
    merge(`${FIRST}/p`, { kind: "Other" }),
    // The parts that all versions share are checked after the names.
    post(`${DEFINITIONS}?dryRun=All`, partly([{ name: "v1", storage: false }])),
    post(`${DEFINITIONS}?dryRun=All`, partly([{ name: "V1" }, { name: "v2" }])),
    post(
      `${DEFINITIONS}?dryRun=All`,
      partly([{ name: "V1", storage: true }, { name: "V2", schema: { openAPIV3Schema: TEXT } }]),
    ),
    post(
      `${DEFINITIONS}?dryRun=All`,
      partly([{ name: "v1", storage: true, schema: undefined }, {
        name: "v2",
        deprecationWarning: "x",
      }]),
    ),
    post(DEFINITIONS, PAINT, { unseen: true }),
    get(PAINTS, { whileStatus: [404, 429, 503], unseen: true }),
    ...FORMATS.map(([format, text]) => post(`${PAINTS}?dryRun=All`, paint({ [format]: text }))),
    // A real server names the errors of several fields here in any order.
    ...[
      { apiVersion: "a/b/c", kind: "X" },
      { apiVersion: "v1", kind: "x y" },
      { apiVersion: "", kind: "X" },
      { apiVersion: "v1", kind: "" },
    ].map((inner) => post(`${PAINTS}?dryRun=All`, paint({ inner }))),
    post(
      `${PAINTS}?dryRun=All`,
      paint({
        inner: { apiVersion: "v1", kind: "X", metadata: { odd: 1 }, spec: { other: 1 } },
      }),
    ),
  ],
};
