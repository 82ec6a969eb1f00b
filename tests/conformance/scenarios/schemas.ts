import { post, type StepScenario } from "../step.ts";
import { definition, DEFINITIONS } from "./_objects.ts";

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

/** Keywords of the schemas of CustomResourceDefinitions. */
export const schemas: StepScenario = {
  name: "schemas",
  steps: [
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
  ],
};
