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
  viewed,
  watch,
} from "../step.ts";
import { configMap, core, definition, DEFINITIONS, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-collections";
const V1 = "suite.example.com/v1";
const PARTS = grouped(V1, NS, "parts");
const ALPHA = grouped("suite.example.com/v1alpha1", NS, "parts");
const MAPS = core(NS, "configmaps");
const PODS = core(NS, "pods");
const accepting = (accept: string) => ({ headers: { accept } });
const TABLE = viewed("Table");
const PARTIAL = viewed("PartialObjectMetadataList");
const part = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: V1,
  kind: "Part",
  metadata: { name, ...metadata },
  spec,
});
const schema = {
  openAPIV3Schema: {
    type: "object",
    required: ["spec"],
    properties: {
      spec: {
        type: "object",
        properties: {
          size: { type: "string", default: "small", enum: ["small", "large"] },
          count: { type: "integer", format: "int32", minimum: 0 },
          when: { type: "string", format: "date-time" },
          ratio: { type: "number" },
          on: { type: "boolean" },
          tags: {
            type: "array",
            maxItems: 5,
            items: { type: "string", maxLength: 9 },
            "x-kubernetes-list-type": "set",
          },
          owner: { type: "object", properties: { name: { type: "string" } } },
          rows: {
            type: "array",
            items: {
              type: "object",
              properties: { k: { type: "string" }, v: { type: "integer" } },
            },
          },
        },
        "x-kubernetes-validations": [
          {
            rule: "!has(self.count) || self.count < 10 || self.size == 'large'",
            message: "too many",
          },
          {
            rule: "!has(oldSelf.on) || has(self.on)",
            message: "on stays",
            fieldPath: ".on",
            reason: "FieldValueForbidden",
          },
          {
            rule: "!has(self.tags) || self.tags.all(t, t.startsWith('t'))",
            messageExpression: "'tags: ' + self.tags.join(',')",
          },
        ],
      },
      status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  },
};
const DEFINITION = definition("parts", "Part", {
  names: { plural: "parts", kind: "Part", shortNames: ["pt"], categories: ["all"] },
  versions: [
    {
      name: "v1",
      served: true,
      storage: true,
      schema,
      subresources: {
        status: {},
        scale: {
          specReplicasPath: ".spec.count",
          statusReplicasPath: ".status.count",
          labelSelectorPath: ".status.selector",
        },
      },
      selectableFields: [{ jsonPath: ".spec.size" }, { jsonPath: ".spec.count" }, {
        jsonPath: ".spec.on",
      }, { jsonPath: ".spec.owner.name" }],
      additionalPrinterColumns: [
        { name: "Size", type: "string", jsonPath: ".spec.size" },
        { name: "Count", type: "integer", jsonPath: ".spec.count", priority: 1 },
        { name: "When", type: "date", jsonPath: ".spec.when" },
        { name: "Ratio", type: "number", jsonPath: ".spec.ratio" },
        { name: "On", type: "boolean", jsonPath: ".spec.on" },
        { name: "Tags", type: "string", jsonPath: ".spec.tags" },
        { name: "First", type: "string", jsonPath: ".spec.tags[0]" },
        { name: "Rows", type: "string", jsonPath: ".spec.rows[*].k" },
        { name: "Big", type: "string", jsonPath: ".spec.rows[?(@.v>1)].k" },
        { name: "Owner", type: "string", jsonPath: ".spec.owner" },
        { name: "Label", type: "string", jsonPath: ".metadata.labels.l" },
        { name: "Bad", type: "integer", jsonPath: ".spec.size" },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    },
    {
      name: "v1alpha1",
      served: true,
      storage: false,
      deprecated: true,
      deprecationWarning: "old parts",
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
    {
      name: "v1beta1",
      served: false,
      storage: false,
      schema: { openAPIV3Schema: { type: "object" } },
    },
  ],
});

/** Collections of custom and built-in kinds: views, selections, pages and watches with all their parameters. */
export const collections: StepScenario = {
  name: "collections",
  setting: {},
  steps: [
    namespaced(NS),
    post(DEFINITIONS, DEFINITION, { unseen: true }),
    get(PARTS, { whileStatus: [404, 429], unseen: true }),
    post(`${PARTS}?dryRun=All`, part("w", { tags: [] }), { whileStatus: [404, 429], unseen: true }),
    post(
      PARTS,
      part("a", {
        count: 1,
        tags: ["t1", "t2"],
        when: "2020-01-01T00:00:00Z",
        ratio: 1,
        on: true,
        rows: [{ k: "x", v: 1 }, { k: "y", v: 2 }],
        owner: { name: "o" },
      }, { labels: { l: "1" } }),
    ),
    post(PARTS, part("b", { count: 2, size: "large", tags: [], when: "bad" })),
    post(PARTS, part("b", { count: 2, size: "large", tags: [], ratio: 1.50 })),
    post(PARTS, part("c", { count: 20, tags: ["t", "x"] })),
    post(PARTS, part("c", { tags: ["x", "y"] })),
    post(PARTS, part("c", {})),
    post(PARTS, { ...part("c"), spec: undefined }),
    post(ALPHA, { ...part("d", { free: 1 }), apiVersion: "suite.example.com/v1alpha1" }),
    post(ALPHA, {
      ...part("e", { tags: [], other: 1.0 }),
      apiVersion: "suite.example.com/v1alpha1",
    }),
    get(`${PARTS}/d`),
    get(`${ALPHA}/a`),
    get(`${grouped("suite.example.com/v1beta1", NS, "parts")}/a`),
    merge(`${PARTS}/a`, { spec: { on: null } }),
    merge(`${PARTS}/a`, { spec: { tags: ["t1", "t1"] } }),
    merge(`${PARTS}/a`, { spec: { count: 2147483648 } }),
    merge(`${PARTS}/a`, { spec: { count: 1.0, ratio: 2 } }),
    jsonPatch(`${PARTS}/a`, [{ op: "add", path: "/spec/tags/-", value: "t3" }, {
      op: "test",
      path: "/spec/ratio",
      value: 2.0,
    }]),
    put(`${PARTS}/a/status`, part("a", { tags: [] })),
    merge(`${PARTS}/a/status`, { status: { count: 4, selector: "a=b" } }),
    get(`${PARTS}/a/scale`),
    put(`${PARTS}/a/scale`, { metadata: { name: "a" }, spec: { replicas: 30 } }),
    merge(`${PARTS}/a/scale`, { spec: { replicas: 3 } }),
    apply(`${PARTS}/a/scale`, "m", {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      spec: { replicas: 4 },
    }),
    // Views.
    get(PARTS, TABLE),
    get(`${PARTS}?includeObject=Object`, TABLE),
    get(`${PARTS}?limit=1`, TABLE),
    get(`${PARTS}/a?includeObject=None`, TABLE),
    get(ALPHA, TABLE),
    get(PARTS, PARTIAL),
    get(`${PARTS}?limit=1`, PARTIAL),
    get(`${PARTS}/a`, PARTIAL),
    get(PARTS, viewed("PartialObjectMetadata")),
    get(PARTS, accepting("application/yaml")),
    get(
      PARTS,
      accepting(
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io, application/json",
      ),
    ),
    post(`${PARTS}?dryRun=All`, part("t", { tags: [] }), TABLE),
    merge(`${PARTS}/a?dryRun=All`, { metadata: { labels: { l: "2" } } }, {
      ...viewed("Table"),
    }),
    merge(`${PARTS}/a?dryRun=All`, { metadata: { labels: { l: "2" } } }, {
      ...viewed("PartialObjectMetadata"),
    }),
    // Fields.
    ...[
      "spec.size=large",
      "spec.size!=large",
      "spec.size=",
      "spec.count=2",
      "spec.count=02",
      "spec.on=true",
      "spec.owner.name=o,metadata.name=a",
      "spec.owner.name!=o",
      "spec.owner=x",
      "metadata.namespace=x",
      `metadata.namespace=${NS}`,
      "status.count=4",
      ".spec.size=large",
    ].map((selector) => get(`${PARTS}?fieldSelector=${encodeURIComponent(selector)}`, PARTIAL)),
    get(`${ALPHA}?fieldSelector=spec.size%3Dlarge`),
    get("/apis/suite.example.com/v1/parts?fieldSelector=spec.size%3Dsmall", PARTIAL),
    del(`${PARTS}?fieldSelector=spec.size%3Dlarge&dryRun=All`),
    // Watches of parts.
    watch("w1", `${PARTS}?watch=1&fieldSelector=spec.size%3Dlarge&resourceVersion=0`),
    watch("w2", `${PARTS}?watch=1&resourceVersion=0&allowWatchBookmarks=false`, TABLE),
    watch(
      "w3",
      `${PARTS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      viewed("PartialObjectMetadata"),
    ),
    watch("w4", `${ALPHA}?watch=1&resourceVersion=0&labelSelector=l`),
    merge(`${PARTS}/a`, { spec: { size: "large" } }),
    merge(`${PARTS}/b`, { spec: { size: "small" } }),
    merge(`${PARTS}/a`, { metadata: { labels: { l: null } } }),
    del(`${PARTS}/a`),
    close("w1", 5),
    close("w2", 7),
    close("w3", 9),
    close("w4", 3),
    // Pages.
    ...["p1", "p2", "p3", "p4"].map((name) =>
      post(MAPS, configMap(name, {}, { labels: { page: name } }), { unseen: true })
    ),
    get(`${MAPS}?limit=2`, { save: "page" }),
    get(`${MAPS}?limit=1&continue={{page.metadata.continue}}`, { save: "next" }),
    get(`${MAPS}?limit=0&continue={{page.metadata.continue}}`),
    get(`${MAPS}?continue={{page.metadata.continue}}`, TABLE),
    get(`${MAPS}?continue={{page.metadata.continue}}&labelSelector=page%3Dp4`),
    get(`${MAPS}?continue={{page.metadata.continue}}&resourceVersion=1`),
    get(`${MAPS}?continue={{page.metadata.continue}}&resourceVersion=0`),
    get(`${MAPS}?continue={{page.metadata.continue}}&resourceVersionMatch=Exact`),
    get(`${PARTS}?continue={{page.metadata.continue}}`),
    get(
      `/api/v1/configmaps?limit=1&continue={{page.metadata.continue}}&fieldSelector=metadata.name%3Dp1`,
    ),
    get(`${MAPS}?limit=2&labelSelector=page`),
    get(`${MAPS}?limit=1&fieldSelector=metadata.name%3Dp3`),
    get(
      `${MAPS}?limit=1&resourceVersion={{page.metadata.resourceVersion}}&resourceVersionMatch=Exact`,
    ),
    get(
      `${MAPS}?limit=1&resourceVersion={{page.metadata.resourceVersion}}&resourceVersionMatch=NotOlderThan`,
    ),
    get(`${MAPS}?limit=1&resourceVersion={{page.metadata.resourceVersion}}`),
    get(`${MAPS}?resourceVersion={{page.metadata.resourceVersion}}`, PARTIAL),
    del(`${MAPS}?limit=1&labelSelector=page%3Dp1`),
    del(`${MAPS}?continue={{page.metadata.continue}}&dryRun=All`),
    get(`${MAPS}?limit=1&continue={{next.metadata.continue}}`),
    // Watches of Pods by fields.
    post(PODS, pod("x"), { unseen: true }),
    watch("p1", `${PODS}?watch=1&fieldSelector=spec.nodeName%3Dn&resourceVersion=0`),
    watch("p2", `${PODS}?watch=1&fieldSelector=status.phase%21%3DRunning&resourceVersion=0`),
    watch("p3", `/api/v1/watch/namespaces/${NS}/pods/x?resourceVersion=0`, TABLE),
    post(`${PODS}/x/binding`, { metadata: { name: "x" }, target: { name: "n" } }),
    merge(`${PODS}/x/status`, { status: { phase: "Running", podIP: "10.0.0.1" } }),
    merge(`${PODS}/x/status`, { status: { phase: "Succeeded" } }),
    del(`${PODS}/x?gracePeriodSeconds=0`),
    close("p1", 4),
    close("p2", 5),
    close("p3", 5),
    ...[
      "spec.nodeName=n",
      "status.phase=Running",
      "spec.restartPolicy=Always",
      "spec.schedulerName=default-scheduler",
      "spec.serviceAccountName=default",
      "status.podIP=10.0.0.1",
      "status.nominatedNodeName=",
      "spec.hostNetwork=false",
      "spec.x=y",
      "status.phase",
    ]
      .map((selector) => get(`${PODS}?fieldSelector=${encodeURIComponent(selector)}`, PARTIAL)),
    // The end of a definition with objects.
    merge(`${DEFINITIONS}/parts.suite.example.com`, { spec: { versions: [] } }),
    jsonPatch(`${DEFINITIONS}/parts.suite.example.com`, [{
      op: "remove",
      path: "/spec/versions/0",
    }]),
    jsonPatch(`${DEFINITIONS}/parts.suite.example.com`, [{
      op: "replace",
      path: "/spec/versions/1/served",
      value: false,
    }], { settleMs: 1000 }),
    get(`${ALPHA}/d`),
    get("/apis/suite.example.com"),
    get("/apis/suite.example.com/v1"),
  ],
};
