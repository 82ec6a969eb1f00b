import {
  apply,
  del,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type RequestStep,
  type StepScenario,
} from "../../step.ts";
import { DEFINITIONS } from "../_objects.ts";
import { allow, Hooks, patch } from "./_hooks.ts";
import type { Script } from "../../scripted_webhooks.ts";

const NS = "hooks-conversion";
const hooks = new Hooks(NS);
export const GROUP = "hooks.example.com";

// deno-lint-ignore no-explicit-any
type Loose = any;

const version = (name: string, storage: boolean, field: string) => ({
  name,
  served: true,
  storage,
  subresources: {
    status: {},
    scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" },
  },
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: { [field]: { type: "string" }, n: { type: "integer" } },
        },
        status: { type: "object", properties: { n: { type: "integer" } } },
      },
    },
  },
});

/** Creates a definition whose objects a webhook converts. */
export const define = (
  plural: string,
  kind: string,
  name: string,
  fields: object = {},
): RequestStep =>
  post(DEFINITIONS, {
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [version("v1", false, "color"), version("v2", true, "colour")],
      conversion: {
        strategy: "Webhook",
        webhook: {
          clientConfig: { url: `{{hooks.url}}/converting/${name}`, caBundle: "{{hooks.ca}}" },
          conversionReviewVersions: ["v1"],
          ...fields,
        },
      },
    },
  }, { unseen: true });

const path = (version: string, plural: string): string =>
  `/apis/${GROUP}/${version}/namespaces/${NS}/${plural}`;

/** Waits until a version is served. */
const served = (plural: string): RequestStep[] =>
  ["v1", "v2"].map((version) =>
    get(path(version, plural), { unseen: true, whileStatus: [404, 429] })
  );

const renamed = (object: Loose, apiVersion: string): Loose => {
  const { color, colour, ...rest } = object.spec ?? {};
  const value = color ?? colour;
  const field = apiVersion.endsWith("/v1") ? "color" : "colour";
  return {
    ...object,
    apiVersion,
    spec: { ...rest, ...(value === undefined ? {} : { [field]: value }) },
  };
};

export const convert = (request: Loose): Loose[] =>
  request.objects.map((one: Loose) => renamed(one, request.desiredAPIVersion));

export const success = (convertedObjects: Loose): object => ({
  result: { status: "Success" },
  convertedObjects,
});

const mapped = (change: (object: Loose) => Loose): Script => (request) =>
  success(convert(request).map(change));

const review = (response: unknown, head: object = {}): Response =>
  Response.json({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response,
    ...head,
  });

/** Answers of conversion webhooks, by the kind that uses them. */
const ANSWERS: Readonly<Record<string, Script>> = {
  "name": mapped((one) => ({ ...one, metadata: { ...one.metadata, name: "other" } })),
  "namespace": mapped((one) => ({ ...one, metadata: { ...one.metadata, namespace: "other" } })),
  "uid": mapped((one) => ({ ...one, metadata: { ...one.metadata, uid: "other" } })),
  "labels": mapped((one) => ({ ...one, metadata: { ...one.metadata, labels: { a: "b" } } })),
  "labels-bad": mapped((one) => ({ ...one, metadata: { ...one.metadata, labels: { a: 1 } } })),
  "labels-key": mapped((one) => ({ ...one, metadata: { ...one.metadata, labels: { "a b": "" } } })),
  "labels-list": mapped((one) => ({ ...one, metadata: { ...one.metadata, labels: [] } })),
  "annotations": mapped((one) => ({
    ...one,
    metadata: { ...one.metadata, annotations: { a: "b" } },
  })),
  "finalizers": mapped((one) => ({
    ...one,
    metadata: { ...one.metadata, finalizers: ["a.b/c"], ownerReferences: [] },
  })),
  "revision": mapped((one) => ({ ...one, metadata: { ...one.metadata, resourceVersion: "1" } })),
  "bare": mapped(({ metadata: _, ...one }) => one),
  "named-only": mapped(({ metadata: { name }, ...one }) => ({ ...one, metadata: { name } })),
  "unlabelled": mapped(({ metadata: { labels: _, ...metadata }, ...one }) => ({
    ...one,
    metadata,
  })),
  "version": mapped((one) => ({ ...one, apiVersion: `${GROUP}/v3` })),
  "version-none": mapped(({ apiVersion: _, ...one }) => one),
  "kind": mapped((one) => ({ ...one, kind: "Other" })),
  "unknown": mapped((one) => ({ ...one, spec: { ...one.spec, more: 1 } })),
  "mistyped": mapped((one) => ({ ...one, spec: { colour: 1, color: 1 } })),
  "text": () => success(["text"]),
  "null": () => success([null]),
  "none": () => success([]),
  "absent": () => ({ result: { status: "Success" } }),
  "two": (request) => success([...convert(request), ...convert(request)]),
  "object": () => success({}),
  "failed": () => ({ result: { status: "Failure", message: "cannot convert" } }),
  "failed-bare": () => ({ result: { status: "Failure" } }),
  "failed-none": () => ({}),
  "failed-text": () => ({ result: "Failure" }),
  "uid-other": (request) => ({ ...success(convert(request)), uid: "other" }),
  "response-none": () => review(undefined),
  "head-none": (request) =>
    review({ uid: request.uid, ...success(convert(request)) }, {
      apiVersion: undefined,
      kind: undefined,
    }),
  "head-other": (request) =>
    review({ uid: request.uid, ...success(convert(request)) }, {
      apiVersion: "apiextensions.k8s.io/v1beta1",
    }),
  "status-500": () => new Response("oops", { status: 500 }),
  "status-404": () => new Response("none", { status: 404 }),
  "empty": () => new Response("", { headers: { "content-type": "application/json" } }),
  "words": () => new Response("hello"),
};

const names = Object.keys(ANSWERS);
const plural = (name: string): string => `${name.replaceAll("-", "")}things`;

const thing = (version: string, name: string, fields: object = {}): object => ({
  apiVersion: `${GROUP}/${version}`,
  kind: "Thing",
  metadata: { name },
  ...fields,
});

const V1 = path("v1", "things");
const V2 = path("v2", "things");

const CONVERTED: readonly RequestStep[] = [
  post(V1, thing("v1", "one", { spec: { color: "red" } })),
  post(V2, thing("v2", "two", { spec: { colour: "blue" } })),
  get(`${V2}/one`),
  get(`${V1}/two`),
  get(V1),
  get(V2),
  put(`${V1}/one`, thing("v1", "one", { spec: { color: "green" } })),
  merge(`${V1}/two`, { spec: { color: "white" } }),
  merge(`${V2}/one`, { metadata: { labels: { a: "b" } } }),
  jsonPatch(`${V1}/two`, [{ op: "replace", path: "/spec/color", value: "black" }]),
  merge(`${V1}/two/status`, { status: { n: 1 } }),
  merge(`${V1}/two/scale`, { spec: { replicas: 3 } }),
  get(`${V1}/two/scale`),
  apply(`${V1}/three`, "m", thing("v1", "three", { spec: { color: "red" } })),
  apply(`${V2}/three`, "n", thing("v2", "three", { spec: { colour: "blue" } })),
  post(`${V1}?dryRun=All`, thing("v1", "dry", { spec: { color: "red" } })),
  post(V1, {
    ...thing("v1", "see", { spec: { color: "red" } }),
    metadata: { name: "see", labels: { see: "on" } },
  }),
  post(V2, {
    ...thing("v2", "see2", { spec: { colour: "red" } }),
    metadata: { name: "see2", labels: { see: "on" } },
  }),
  post(V2, {
    ...thing("v2", "change", { spec: { colour: "red" } }),
    metadata: { name: "change", labels: { change: "on", see: "on" } },
  }),
  merge(`${V2}/see2`, { spec: { colour: "white" } }),
  del(`${V2}/see2`),
  del(`${V1}/one`),
  del(`${V1}/two?dryRun=All`),
];

/** The conversion of objects by webhooks. */
export const conversion: StepScenario = {
  name: "hooks-conversion",
  webhooks: hooks.scripts({
    "converting/things": (request) => success(convert(request)),
    "converting/betas": (request) => success(convert(request)),
    ...Object.fromEntries(names.map((name) => [`converting/${name}`, ANSWERS[name]!])),
    "validating/see": allow,
    "mutating/change": ({ object }) =>
      patch({ op: "add", path: "/spec", value: { ...object.spec, color: "patched" } }),
  }),
  steps: [
    ...hooks.begin,
    define("things", "Thing", "things"),
    ...names.map((name) => define(plural(name), `${plural(name)}Kind`, name)),
    hooks.install("validating", "see", {
      rules: [{
        operations: ["*"],
        apiGroups: [GROUP],
        apiVersions: ["v1"],
        resources: ["things"],
      }],
    }),
    hooks.install("mutating", "change", {
      rules: [{
        operations: ["*"],
        apiGroups: [GROUP],
        apiVersions: ["v1"],
        resources: ["things"],
      }],
    }),
    ...served("things"),
    ...names.flatMap((name) => served(plural(name))),
    ...hooks.ready,
    ...CONVERTED,
    ...names.flatMap((name) => [
      post(path("v1", plural(name)), {
        apiVersion: `${GROUP}/v1`,
        kind: `${plural(name)}Kind`,
        metadata: { name: "a", labels: { own: "1" } },
        spec: { color: "red" },
      }),
      post(path("v2", plural(name)), {
        apiVersion: `${GROUP}/v2`,
        kind: `${plural(name)}Kind`,
        metadata: { name: "b", labels: { own: "1" } },
        spec: { colour: "red" },
      }),
      get(`${path("v1", plural(name))}/b`),
    ]),
    // The webhook of a definition is gone: reads from etcd fail.
    merge(`${DEFINITIONS}/things.${GROUP}`, {
      spec: {
        conversion: {
          webhook: { clientConfig: { url: "{{hooks.url}}/converting/status-500" } },
        },
      },
    }, { unseen: true }),
    get(`${V1}/two`, { unseen: true, until: "oops" }),
    get(`${V1}/two`),
    get(`${V2}/two`),
    get(`${V1}/two/scale`),
    del(`${V1}/two`),
    post(V1, thing("v1", "late", { spec: { color: "red" } })),
    post(V2, thing("v2", "late2", { spec: { colour: "red" } })),
    merge(`${V1}/two`, { spec: { color: "red" } }),
    del(`${V2}/change`),
    ...hooks.end,
    ...[...names.map(plural), "things"].map((name) =>
      del(`${DEFINITIONS}/${name}.${GROUP}`, undefined, { unseen: true })
    ),
  ],
};
