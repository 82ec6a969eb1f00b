import {
  close,
  del,
  get,
  merge,
  post,
  put,
  request,
  type Step,
  strategic,
  watch,
} from "../../step.ts";

const WIDGETS = "/apis/demo.example.com/v1/namespaces/wire/widgets";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The definition of Widgets. */
const SPEC = {
  group: "demo.example.com",
  scope: "Namespaced",
  names: {
    plural: "widgets",
    singular: "widget",
    kind: "Widget",
    listKind: "WidgetList",
    shortNames: ["wd"],
  },
  versions: [{
    name: "v1",
    served: true,
    storage: true,
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
    },
    additionalPrinterColumns: [{
      name: "Replicas",
      type: "integer",
      jsonPath: ".spec.replicas",
    }, { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
    selectableFields: [{ jsonPath: ".spec.color" }],
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: {
            type: "object",
            required: ["replicas"],
            properties: {
              replicas: { type: "integer", minimum: 0, maximum: 10 },
              color: { type: "string", default: "red", enum: ["red", "green", "blue"] },
              note: { type: "string", maxLength: 5 },
            },
            "x-kubernetes-validations": [{
              rule: "!(self.color == 'blue' && self.replicas > 5)",
              message: "blue is limited to 5",
            }],
          },
          status: {
            type: "object",
            properties: { replicas: { type: "integer" }, phase: { type: "string" } },
          },
        },
      },
    },
  }],
};

/** The owners of the fields of the Widget after the patch of its status. */
const OWNED = [{
  apiVersion: "demo.example.com/v1",
  fieldsType: "FieldsV1",
  fieldsV1: {
    "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
    "f:spec": { ".": {}, "f:color": {}, "f:replicas": {} },
  },
  manager: "wire-recorder",
  operation: "Update",
  time: "2026-11-20T12:54:29Z",
}, {
  apiVersion: "demo.example.com/v1",
  fieldsType: "FieldsV1",
  fieldsV1: {
    "f:metadata": { "f:labels": { "f:zz": {} } },
    "f:status": { ".": {}, "f:phase": {}, "f:replicas": {} },
  },
  manager: "wire-recorder",
  operation: "Update",
  subresource: "status",
  time: "2026-11-20T12:54:29Z",
}];

/** The schema of Widgets with one more field. */
const WIDER = {
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        required: ["replicas"],
        properties: {
          color: { type: "string", default: "red", enum: ["red", "green", "blue"] },
          extra: { type: "string" },
          note: { type: "string", maxLength: 5 },
          replicas: { type: "integer", maximum: 10, minimum: 0 },
        },
        "x-kubernetes-validations": [{
          rule: "!(self.color == 'blue' && self.replicas > 5)",
          message: "blue is limited to 5",
        }],
      },
      status: {
        type: "object",
        properties: { phase: { type: "string" }, replicas: { type: "integer" } },
      },
    },
  },
};

/** The life of a definition and of its custom resources. */
export const resources: readonly Step[] = [
  post(DEFINITIONS, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.demo.example.com" },
    spec: {
      group: "demo.example.com",
      scope: "Namespaced",
      names: {
        plural: "widgets",
        singular: "widget",
        kind: "Widget",
        listKind: "WidgetList",
        shortNames: ["wd"],
      },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [{
          name: "Replicas",
          type: "integer",
          jsonPath: ".spec.replicas",
        }, { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
        selectableFields: [{ jsonPath: ".spec.color" }],
        schema: {
          openAPIV3Schema: { type: "object", properties: { spec: { properties: { x: {} } } } },
        },
      }],
    },
  }),
  post(DEFINITIONS, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "wrong.demo.example.com" },
    spec: SPEC,
  }),
  get(WIDGETS),
  get(`${DEFINITIONS}?limit=1`, { save: "now-1", unseen: true }),
  watch(
    "watch-crd-becoming-established",
    `${DEFINITIONS}?watch=1&resourceVersion={{now-1.metadata.resourceVersion}}&fieldSelector=metadata.name%3Dwidgets.demo.example.com`,
  ),
  post(DEFINITIONS, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.demo.example.com" },
    spec: SPEC,
  }),
  close("watch-crd-becoming-established", 3),
  get(`${DEFINITIONS}/widgets.demo.example.com`),
  get("/apis/demo.example.com/v1"),
  get("/apis/demo.example.com"),
  get(WIDGETS, { whileStatus: [404, 429] }),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "w1" },
    spec: { replicas: 1, unknown: "x" },
    status: { phase: "Lies" },
  }),
  post(`${WIDGETS}?fieldValidation=Strict`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "w2" },
    spec: { replicas: 1, unknown: "x" },
  }),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "w3" },
    spec: { replicas: 1, color: "pink" },
  }),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "w3" },
    spec: {},
  }),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "w3" },
    spec: { replicas: 6, color: "blue" },
  }),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "w3" },
    spec: { replicas: "three" },
  }),
  post(WIDGETS, { metadata: { name: "x" }, spec: { replicas: 1 } }),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Gadget",
    metadata: { name: "x" },
    spec: { replicas: 1 },
  }),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "x" },
    spec: "no",
  }),
  merge(`${WIDGETS}/w1`, { spec: { replicas: 2 } }),
  merge(`${WIDGETS}/w1`, { metadata: { labels: { a: "b" } } }),
  merge(`${WIDGETS}/w1`, { status: { phase: "Nope" } }),
  merge(`${WIDGETS}/w1/status`, {
    status: { phase: "Ready", replicas: 2 },
    spec: { replicas: 9 },
    metadata: { labels: { zz: "1" } },
  }, { save: "w1" }),
  put(`${WIDGETS}/w1/status`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: {
      creationTimestamp: "2026-11-20T12:54:29Z",
      generation: 2,
      labels: { a: "b" },
      managedFields: OWNED,
      name: "w1",
      namespace: "wire",
      resourceVersion: "{{w1.metadata.resourceVersion}}",
      uid: "{{w1.metadata.uid}}",
    },
    spec: { color: "red", replicas: 2 },
    status: { phase: "Put", replicas: 2 },
  }, { save: "w1-2" }),
  put(`${WIDGETS}/w1/status`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: {
      creationTimestamp: "2026-11-20T12:54:29Z",
      generation: 2,
      labels: { a: "b" },
      managedFields: OWNED,
      name: "w1",
      namespace: "wire",
      resourceVersion: "{{w1.metadata.resourceVersion}}",
      uid: "{{w1-2.metadata.uid}}",
    },
    spec: { color: "red", replicas: 2 },
    status: { phase: "Put", replicas: 2 },
  }),
  put(`${WIDGETS}/w1`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: {
      creationTimestamp: "2026-11-20T12:54:29Z",
      generation: 2,
      labels: { a: "b" },
      managedFields: OWNED,
      name: "w1",
      namespace: "wire",
      uid: "{{w1-2.metadata.uid}}",
    },
    spec: { color: "red", replicas: 2 },
    status: { phase: "Put", replicas: 2 },
  }),
  put(`${WIDGETS}/w1/status`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: {
      creationTimestamp: "2026-11-20T12:54:29Z",
      generation: 2,
      labels: { a: "b" },
      managedFields: OWNED,
      name: "w1",
      namespace: "wire",
      uid: "{{w1-2.metadata.uid}}",
    },
    spec: { color: "red", replicas: 2 },
    status: { phase: "Put", replicas: 2 },
  }),
  get(`${WIDGETS}/w1/scale`),
  merge(`${WIDGETS}/w1/scale`, { spec: { replicas: 3 } }),
  strategic(`${WIDGETS}/w1`, {}),
  merge(`${WIDGETS}/w1/status`, { metadata: { resourceVersion: "1" }, status: { phase: "x" } }),
  merge(`${WIDGETS}/w1/status`, { status: { replicas: "x" } }),
  request("PATCH", `${WIDGETS}/w9?fieldManager=c1`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "w9" },
    spec: { replicas: 1 },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIDGETS}/w9/status?fieldManager=c1`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "w9" },
    status: { phase: "A" },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  request("PATCH", `${WIDGETS}/w9?fieldManager=c2`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "w9" },
    spec: { replicas: 2 },
  }, { headers: { "content-type": "application/apply-patch+yaml" } }),
  get(`${WIDGETS}?fieldSelector=spec.color%3Dred&limit=1`),
  get(`${WIDGETS}?fieldSelector=spec.note%3Dred`),
  get(WIDGETS, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
  get(WIDGETS, { headers: { accept: "application/vnd.kubernetes.protobuf" } }),
  del(`${WIDGETS}/w9`),
  put(`${WIDGETS}/nope`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "nope", resourceVersion: "1" },
    spec: { replicas: 1 },
  }),
  put(`${WIDGETS}/nope`, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "nope" },
    spec: { replicas: 1 },
  }),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "fin", finalizers: ["demo.example.com/f"] },
    spec: { replicas: 1 },
  }, { unseen: true }),
  del(`${WIDGETS}/fin`, undefined, { save: "fin" }),
  watch("cr-watch", `${WIDGETS}?watch=1&resourceVersion={{fin.metadata.resourceVersion}}`),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "wa" },
    spec: { replicas: 1 },
  }, { unseen: true }),
  merge(`${WIDGETS}/wa/status`, { status: { phase: "R" } }, { unseen: true }),
  del(`${WIDGETS}/wa`, undefined, { unseen: true }),
  merge(`${WIDGETS}/fin`, { metadata: { finalizers: null } }, { unseen: true }),
  close("cr-watch", 4),
  watch(
    "cr-watch-initial-events",
    `${WIDGETS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  ),
  close("cr-watch-initial-events", 2),
  watch(
    "cr-watch-partialmetadata",
    `${WIDGETS}?watch=1&timeoutSeconds=3&allowWatchBookmarks=true`,
    { headers: { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" } },
  ),
  close("cr-watch-partialmetadata"),
  get(`${WIDGETS}?limit=1`, { save: "now-2", unseen: true }),
  watch(
    "cr-watch-while-crd-schema-changes",
    `${WIDGETS}?watch=1&resourceVersion={{now-2.metadata.resourceVersion}}`,
  ),
  get(`${DEFINITIONS}/widgets.demo.example.com`, { unseen: true }),
  merge(`${DEFINITIONS}/widgets.demo.example.com`, {
    spec: {
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
                required: ["replicas"],
                properties: {
                  color: { type: "string", default: "red", enum: ["red", "green", "blue"] },
                  note: { type: "string", maxLength: 5 },
                  replicas: { type: "integer", maximum: 10, minimum: 0 },
                  extra: { type: "string" },
                },
                "x-kubernetes-validations": [{
                  rule: "!(self.color == 'blue' && self.replicas > 5)",
                  message: "blue is limited to 5",
                }],
              },
              status: {
                type: "object",
                properties: { phase: { type: "string" }, replicas: { type: "integer" } },
              },
            },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [{
          name: "Replicas",
          type: "integer",
          jsonPath: ".spec.replicas",
        }, { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
        selectableFields: [{ jsonPath: ".spec.color" }],
      }],
    },
  }, { unseen: true }),
  close("cr-watch-while-crd-schema-changes"),
  get(`${WIDGETS}?limit=1`, { save: "now-3", unseen: true }),
  watch(
    "cr-watch-while-version-added",
    `${WIDGETS}?watch=1&resourceVersion={{now-3.metadata.resourceVersion}}`,
    { whileStatus: [429] },
  ),
  get(`${DEFINITIONS}/widgets.demo.example.com`, { unseen: true }),
  merge(`${DEFINITIONS}/widgets.demo.example.com`, {
    spec: {
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: WIDER,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [{
          name: "Replicas",
          type: "integer",
          jsonPath: ".spec.replicas",
        }, { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
        selectableFields: [{ jsonPath: ".spec.color" }],
      }, {
        name: "v2",
        served: true,
        storage: false,
        schema: WIDER,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [{
          name: "Replicas",
          type: "integer",
          jsonPath: ".spec.replicas",
        }, { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
        selectableFields: [{ jsonPath: ".spec.color" }],
      }],
    },
  }, { unseen: true }),
  close("cr-watch-while-version-added"),
  post(WIDGETS, {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name: "after-crd" },
    spec: { replicas: 1, extra: "e" },
  }, { save: "after-crd", unseen: true }),
  get("/apis/demo.example.com/v2/namespaces/wire/widgets/w1"),
  get("/apis/demo.example.com"),
  watch(
    "cr-watch-while-crd-deleted",
    `${WIDGETS}?watch=1&resourceVersion={{after-crd.metadata.resourceVersion}}`,
  ),
  del(`${DEFINITIONS}/widgets.demo.example.com`),
  close("cr-watch-while-crd-deleted"),
  get(WIDGETS),
  get(`${DEFINITIONS}/widgets.demo.example.com`),
];
