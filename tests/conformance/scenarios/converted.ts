import {
  apply,
  close,
  get,
  merge,
  post,
  type RequestStep,
  type StepScenario,
  watch,
} from "../step.ts";
import { definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-converted";
const GROUP = "suite.example.com";
const NEW = grouped(`${GROUP}/v1`, NS, "cars");
const OLD = grouped(`${GROUP}/v1alpha1`, NS, "cars");
const LIST = {
  headers: { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" },
};

const schema = (properties: object) => ({
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: { type: "object", properties },
      status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  },
});

const TEXT = { type: "string" };

const car = (version: string, name: string, spec: object) => ({
  apiVersion: `${GROUP}/${version}`,
  kind: "Car",
  metadata: { name },
  spec,
});

const served = (path: string): RequestStep =>
  get(path, { whileStatus: [404, 429, 503], unseen: true });

/** Creates a definition that is refused. */
const refused = (properties: object, more: object = {}): RequestStep =>
  post(
    DEFINITIONS,
    definition("dents", "Dent", {
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: schema(properties),
        ...more,
      }],
    }),
  );

const column = { name: "A", type: "string", jsonPath: ".spec.a" };

/** Custom resources in several versions with different fields, and definitions that are refused. */
export const converted: StepScenario = {
  name: "converted",
  steps: [
    namespaced(NS),
    post(
      DEFINITIONS,
      definition("cars", "Car", {
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: schema({ color: TEXT, n: { type: "integer", default: 1 } }),
            subresources: { status: {} },
          },
          {
            name: "v1alpha1",
            served: true,
            storage: false,
            deprecated: true,
            schema: schema({ color: TEXT, paint: TEXT }),
          },
        ],
      }),
      { unseen: true },
    ),
    served(NEW),
    served(OLD),
    post(NEW, car("v1", "a", { color: "red" })),
    get(`${OLD}/a`),
    merge(`${OLD}/a`, { spec: { color: "blue" } }),
    merge(`${OLD}/a`, { spec: { paint: "matte" } }),
    get(`${NEW}/a`),
    apply(`${OLD}/b`, "one", car("v1alpha1", "b", { color: "c", paint: "p" })),
    get(`${NEW}/b`),
    apply(`${NEW}/b`, "one", car("v1", "b", { color: "d" })),
    apply(`${OLD}/b`, "two", car("v1alpha1", "b", { paint: "q" })),
    apply(`${NEW}/c`, "one", car("v1", "c", { color: "c", n: 1 })),
    apply(`${OLD}/c`, "one", car("v1alpha1", "c", { color: "c", paint: "p" })),
    apply(`${OLD}/c`, "one", car("v1alpha1", "c", { color: "d" })),
    get(`${NEW}/c`),
    watch("list", `${NEW}?watch=1`, LIST),
    close("list"),
    refused({ a: { type: "odd" }, b: {}, c: { type: "array" } }),
    refused({ a: { type: "object", "x-kubernetes-preserve-unknown-fields": false } }),
    refused({
      a: { type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } },
    }),
    refused({}, { additionalPrinterColumns: [{ ...column, format: "nope" }] }),
    refused({}, {
      subresources: {
        scale: {
          specReplicasPath: ".spec.x",
          statusReplicasPath: ".status.x",
          labelSelectorPath: ".metadata.x",
        },
      },
    }),
    refused({}, { selectableFields: [{ jsonPath: "spec" }] }),
    refused({ a: { type: "object" } }, {
      selectableFields: [{ jsonPath: ".spec.a" }, { jsonPath: ".spec.a" }],
    }),
    // Only a warning.
    refused({ a: { type: "string", format: "int32" } }),
  ],
};
