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

/** A version of which the other one has only the size. */
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
  ],
};
