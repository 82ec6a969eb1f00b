import { get, post, type RequestStep, type StepScenario } from "../step.ts";
import { definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-versions";
const V1 = grouped("suite.example.com/v1", NS, "versioned");
const V2 = grouped("suite.example.com/v2", NS, "versioned");

const version = (name: string, properties: object, more: object = {}) => ({
  name,
  served: true,
  storage: name === "v1",
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties } },
    },
  },
  ...more,
});

const versioned = (apiVersion: string, name: string, spec: object) => ({
  apiVersion: `suite.example.com/${apiVersion}`,
  kind: "Versioned",
  metadata: { name },
  spec,
});

/** Creates a definition that is refused, with one version. */
const refused = (properties: object, more: object = {}): RequestStep =>
  post(
    DEFINITIONS,
    definition("refused", "Refused", { versions: [version("v1", properties, more)] }),
  );

const keyed = (keys: string[], properties: object) => ({
  list: {
    type: "array",
    items: { type: "object", properties },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": keys,
  },
});

/** Custom resources in several versions and with embedded resources, and definitions that are refused. */
export const versions: StepScenario = {
  name: "versions",
  steps: [
    namespaced(NS),
    post(
      DEFINITIONS,
      definition("versioned", "Versioned", {
        versions: [
          version("v1", {
            a: { type: "string" },
            both: { type: "integer" },
            list: {
              type: "array",
              items: { type: "string", maxLength: 1 },
              maxItems: 1,
            },
            number: { type: "integer", multipleOf: 2, minimum: 5 },
            inner: {
              type: "object",
              "x-kubernetes-embedded-resource": true,
              "x-kubernetes-preserve-unknown-fields": true,
            },
          }),
          version("v2", { b: { type: "integer", default: 3 }, both: { type: "integer" } }),
        ],
      }),
      { unseen: true },
    ),
    { ...get(V1), whileStatus: [404, 429] },
    { ...get(V2), whileStatus: [404, 429] },

    // A version loses the fields that the other one does not have.
    post(V1, versioned("v1", "first", { a: "1", b: 5, both: 1 }), { whileStatus: [404, 429] }),
    post(V2, versioned("v2", "second", { a: "1", b: 5, both: 2 }), { whileStatus: [404, 429] }),
    get(`${V2}/first`),
    get(`${V1}/second`),
    get(`${V2}/second`),
    get(V1),
    get(V2),

    // The order of the errors, and embedded metadata.
    post(V1, versioned("v1", "bad", { list: ["a", "bc"] })),
    post(V1, versioned("v1", "bad", { number: 3 })),
    post(
      V1,
      versioned("v1", "bad", {
        inner: { apiVersion: "v1", kind: "A", metadata: { labels: { "a b": "c" } } },
      }),
    ),
    post(
      V1,
      versioned("v1", "embeds", {
        inner: { apiVersion: "v1", kind: "A", metadata: { labels: { a: "b" } } },
      }),
    ),

    // Definitions.
    refused({}, { deprecationWarning: "old" }),
    refused({}, { deprecated: true, deprecationWarning: "" }),
    refused({}, { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: "spec.a" }] }),
    refused(keyed(["k", "none"], { k: { type: "object" } })),
    refused(keyed(["k", "k"], { k: { type: "string" } })),
    post(
      DEFINITIONS,
      definition("refused", "Refused", {
        versions: [{
          ...version("v1", {}),
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                metadata: { type: "object", properties: { labels: { type: "object" } } },
              },
            },
          },
        }],
      }),
    ),
    post(
      DEFINITIONS,
      definition("refused", "Refused", {
        versions: [{
          ...version("v1", {}),
          schema: {
            openAPIV3Schema: { type: "object", properties: { metadata: { type: "string" } } },
          },
        }],
      }),
    ),
  ],
};
