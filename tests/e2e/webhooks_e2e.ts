/**
 * Calls the same webhooks from a real server and from ours, and compares what the webhooks are asked and what the
 * clients are answered. The real server reaches them over TLS, ours as a function.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { comparable } from "../conformance/comparable.ts";
import type { StepResult } from "../conformance/play_steps.ts";
import { CertificateAuthority } from "../support/certificates.ts";
import { silentLogger } from "../../src/base/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { ADMIN_TOKEN } from "./cluster.ts";
import { RealServer } from "./real_server.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const MAPS = "/api/v1/namespaces/default/configmaps";
const V1 = "/apis/acme.io/v1/namespaces/default/widgets";
const V2 = "/apis/acme.io/v2/namespaces/default/widgets";
const HOOKS = "/apis/admissionregistration.k8s.io/v1";

function patch(...operations: unknown[]): object {
  return { patchType: "JSONPatch", patch: btoa(JSON.stringify(operations)) };
}

/** The part of the response, or the whole response, of each webhook. */
const DECISIONS: Readonly<Record<string, (request: Loose) => object>> = {
  add: () => patch({ op: "add", path: "/data", value: { added: "yes" } }),
  see: () => ({ warnings: ["seen"] }),
  deny: ({ name }) => ({
    allowed: false,
    status: { code: 403, reason: "Forbidden", message: `not ${name}` },
  }),
  bare: () => ({ allowed: false }),
  reason: () => ({
    allowed: false,
    status: { code: 200, reason: "Tuesday", details: { kind: "x" } },
  }),
  uid: () => ({ uid: "705ab4f5-6393-11e8-b7cc-42010a800002" }),
  untyped: () => ({ patch: btoa("[]") }),
  unpatched: () => ({ patchType: "JSONPatch" }),
  validatingpatch: () => patch({ op: "remove", path: "/data" }),
  outcast: () => patch({ op: "replace", path: "/metadata/namespace", value: "other" }),
  mistyped: () => patch({ op: "add", path: "/data", value: 7 }),
  invalid: () => patch({ op: "add", path: "/data", value: { "no key": "1" } }),
  status500: () => new Response("oops", { status: 500 }),
  status404: () => new Response("oops", { status: 404 }),
  ignored: () => new Response("oops", { status: 503 }),
  empty: () => new Response("", { headers: { "content-type": "application/json" } }),
  headless: ({ uid }) => Response.json({ response: { uid, allowed: true } }),
  absent: () => Response.json({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }),
};

const VALIDATING = new Set([
  "see",
  "deny",
  "bare",
  "reason",
  "uid",
  "validatingpatch",
  "status500",
]);

function convert(object: Loose, apiVersion: string): Loose {
  const { color, colour } = object.spec ?? {};
  const value = color ?? colour;
  if (value === "broken") {
    return { ...object, apiVersion, metadata: { ...object.metadata, name: "x" } };
  }
  const field = apiVersion === "acme.io/v1" ? "color" : "colour";
  return { ...object, apiVersion, spec: value === undefined ? {} : { [field]: value } };
}

/** Returns the webhooks, and the reviews that they have got. */
function webhooks(): { reviews: Loose[]; handler: (request: Request) => Promise<Response> } {
  const reviews: Loose[] = [];
  const handler = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const review = await request.json();
    const { apiVersion, kind } = review;
    if (kind === "ConversionReview") {
      const { uid, objects, desiredAPIVersion } = review.request;
      const convertedObjects = objects.map((one: Loose) => convert(one, desiredAPIVersion));
      const response = { uid, result: { status: "Success" }, convertedObjects };
      return Response.json({ apiVersion, kind, response });
    }
    reviews.push({ path: pathname + search, ...review });
    const decided = DECISIONS[pathname.slice(1)]!(review.request);
    if (decided instanceof Response) return decided.clone();
    const response = { uid: review.request.uid, allowed: true, ...decided };
    return Response.json({ apiVersion, kind, response });
  };
  return { reviews, handler };
}

function webhook(name: string, clientConfig: object): Loose {
  return {
    name: `${name}.example.com`,
    clientConfig,
    rules: [{
      operations: ["*"],
      apiGroups: ["", "acme.io", "apps"],
      apiVersions: ["v1"],
      resources: ["configmaps", "configmaps/*", "widgets", "deployments", "deployments/*"],
    }],
    objectSelector: { matchLabels: { [name]: "on" } },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    failurePolicy: name === "ignored" ? "Ignore" : "Fail",
  };
}

function version(name: string, storage: boolean, field: string): Loose {
  const properties = { spec: { type: "object", properties: { [field]: { type: "string" } } } };
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: "object", properties } },
  };
}

type Step = readonly [method: string, path: string, body?: unknown, type?: string];

/** The requests that install the webhooks. */
function setup(urlOf: (name: string) => object): Step[] {
  const steps: Step[] = Object.keys(DECISIONS).map((name) => [
    "POST",
    `${HOOKS}/${VALIDATING.has(name) ? "validating" : "mutating"}webhookconfigurations`,
    { metadata: { name }, webhooks: [webhook(name, urlOf(name))] },
  ]);
  const conversion = {
    strategy: "Webhook",
    webhook: { clientConfig: urlOf("convert"), conversionReviewVersions: ["v1"] },
  };
  const names = { plural: "widgets", kind: "Widget" };
  const versions = [version("v1", false, "color"), version("v2", true, "colour")];
  steps.push(["POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "widgets.acme.io" },
    spec: { group: "acme.io", scope: "Namespaced", names, versions, conversion },
  }]);
  return steps;
}

const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";

function map(name: string, ...hooks: string[]): Loose {
  return { metadata: { name, labels: Object.fromEntries(hooks.map((hook) => [hook, "on"])) } };
}

function widget(name: string, spec: object, labels: object = {}, apiVersion = "acme.io/v1"): Loose {
  return { apiVersion, kind: "Widget", metadata: { name, labels }, spec };
}

const LABELS = { app: "x" };
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const DEPLOYMENT = {
  metadata: { name: "d", labels: { see: "on" } },
  spec: {
    replicas: 0,
    selector: { matchLabels: LABELS },
    template: { metadata: { labels: LABELS }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
};

/** Configurations that are refused: what is put into one webhook. */
const INVALID: readonly Record<string, unknown>[] = [
  { name: "short.name" },
  { name: "Upper.example.com" },
  { name: "" },
  { sideEffects: null },
  { sideEffects: "Some" },
  { admissionReviewVersions: [] },
  { admissionReviewVersions: ["v2"] },
  { admissionReviewVersions: ["v1", "v1", "V"] },
  { failurePolicy: "Maybe", matchPolicy: "Perhaps" },
  { timeoutSeconds: 0 },
  { timeoutSeconds: 31 },
  { reinvocationPolicy: "Always" },
  { clientConfig: {} },
  { clientConfig: { url: "https://a.example", service: { namespace: "a", name: "b" } } },
  { clientConfig: { url: "http://a.example" } },
  { clientConfig: { url: "a.example" } },
  { clientConfig: { url: "https://me:you@a.example/?x=1#y" } },
  { clientConfig: { service: { namespace: "", name: "", path: "x", port: 0 } } },
  { clientConfig: { service: { namespace: "a", name: "b", path: "//" } } },
  { clientConfig: { service: { namespace: "a", name: "b", path: "/a//B/" } } },
  { clientConfig: { service: { namespace: "a", name: "b", port: 70000 } } },
  { namespaceSelector: { matchExpressions: [{ key: "a b", operator: "Is" }] } },
  { objectSelector: { matchLabels: { a: "b c" } } },
  { rules: [{}] },
  {
    rules: [{
      operations: ["READ"],
      apiGroups: ["*", "a"],
      apiVersions: ["", "*"],
      resources: ["", "*/*"],
    }],
  },
  {
    rules: [{
      operations: ["*", "CREATE"],
      apiGroups: [""],
      apiVersions: ["v1"],
      resources: ["pods/*", "pods/log", "*/x", "a/x"],
      scope: "Here",
    }],
  },
  {
    rules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["*", "pods"] }],
  },
];

const VALID = {
  name: "v.example.com",
  clientConfig: { service: { namespace: "a", name: "b" } },
  rules: [{ operations: ["*"], apiGroups: ["none"], apiVersions: ["v1"], resources: ["none"] }],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};

/** The requests for configurations. */
const CONFIGURATIONS: readonly Step[] = [
  ["POST", `${HOOKS}/mutatingwebhookconfigurations`, {
    metadata: { name: "x-valid" },
    webhooks: [VALID],
  }],
  ["POST", `${HOOKS}/validatingwebhookconfigurations`, {
    metadata: { name: "x-valid" },
    webhooks: [VALID],
  }],
  ["PATCH", `${HOOKS}/validatingwebhookconfigurations/x-valid`, {
    metadata: { labels: { a: "b" } },
  }, MERGE],
  ["PATCH", `${HOOKS}/validatingwebhookconfigurations/x-valid`, {
    webhooks: [{ name: "v.example.com", timeoutSeconds: 3 }],
  }, "application/strategic-merge-patch+json"],
  ["POST", `${HOOKS}/validatingwebhookconfigurations`, {
    metadata: { name: "x-twice" },
    webhooks: [VALID, VALID],
  }],
  ["PUT", `${HOOKS}/validatingwebhookconfigurations/x-valid`, {
    metadata: { name: "x-valid" },
    webhooks: [VALID],
  }],
  ["PUT", `${HOOKS}/validatingwebhookconfigurations/none`, {
    metadata: { name: "none" },
    webhooks: [VALID],
  }],
  ["PATCH", `${HOOKS}/mutatingwebhookconfigurations/x-applied?fieldManager=m`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "x-applied" },
    webhooks: [VALID],
  }, APPLY],
  ...INVALID.map((invalid): Step => [
    "POST",
    `${HOOKS}/mutatingwebhookconfigurations`,
    { metadata: { name: "x-invalid" }, webhooks: [{ ...VALID, ...invalid }] },
  ]),
  ["DELETE", `${HOOKS}/mutatingwebhookconfigurations/x-valid`],
];

/** The requests whose answers are compared. */
const STEPS: readonly Step[] = [
  ["POST", DEPLOYMENTS, DEPLOYMENT],
  ["PATCH", `${DEPLOYMENTS}/d/scale`, { spec: { replicas: 2 } }, MERGE],
  ["PATCH", `${DEPLOYMENTS}/d/status`, { status: { replicas: 2 } }, MERGE],
  ["POST", MAPS, map("c1", "see")],
  ["POST", MAPS, map("c2", "see")],
  ["DELETE", `${MAPS}?labelSelector=see`],
  ["POST", `${MAPS}?fieldManager=me`, map("a", "add", "see")],
  ["PUT", `${MAPS}/a`, { ...map("a", "see"), data: { k: "1" } }],
  ["PATCH", `${MAPS}/a`, { data: { k: "2" } }, MERGE],
  ["PATCH", `${MAPS}/a?fieldManager=m`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    ...map("a", "see"),
    data: { l: "3" },
  }, APPLY],
  ["PATCH", `${MAPS}/b?fieldManager=m`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    ...map("b", "see", "add"),
  }, APPLY],
  ["POST", MAPS, { metadata: { generateName: "gen-", labels: { add: "on" } } }],
  ["POST", `${MAPS}?dryRun=All&fieldValidation=Strict`, map("dry", "see")],
  ["DELETE", `${MAPS}/a?gracePeriodSeconds=5`],
  ["DELETE", `${MAPS}/b`, { propagationPolicy: "Background" }],
  ...Object.keys(DECISIONS).filter((name) => !["add", "see"].includes(name))
    .map((name): Step => ["POST", MAPS, map(`m-${name}`, name)]),
  ["PATCH", `${MAPS}/m-ignored`, { metadata: { labels: { deny: "on" } } }, MERGE],
  ["POST", MAPS, map("kept")],
  ["POST", V1, widget("w1", { color: "red" }, { see: "on" })],
  ["POST", V2, widget("w2", { colour: "blue" }, { see: "on" }, "acme.io/v2")],
  ["GET", `${V2}/w1`],
  ["GET", `${V1}/w2`],
  ["GET", V1],
  ["PATCH", `${V1}/w2`, { spec: { color: "green" } }, MERGE],
  ["PATCH", `${V1}/w3?fieldManager=m`, widget("w3", { color: "red" }), APPLY],
  ["POST", V1, widget("w4", { color: "broken" })],
  ["POST", V2, widget("w5", { colour: "red" }, { deny: "on" }, "acme.io/v2")],
  ["DELETE", `${V1}/w1`],
];

interface Side {
  readonly reviews: Loose[];
  readonly origin: string;
  send(request: Request): Promise<Response>;
}

async function play(side: Side, steps: readonly Step[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const [method, path, body, type] of steps) {
    const response = await ask(side, method, path, body, type);
    const warning = response.headers.get("warning") ?? "";
    const name = (body as Loose)?.metadata?.name ?? "";
    const text = (await response.text()).trim();
    results.push({
      step: `${method} ${path} ${name}`,
      status: response.status,
      headers: {},
      body: [text, warning],
    } as unknown as StepResult);
    if (response.ok && method !== "GET" && method !== "DELETE") await seen(side, path, text);
  }
  return results;
}

function ask(
  { origin, send }: Side,
  method: string,
  path: string,
  body?: unknown,
  type = "application/json",
): Promise<Response> {
  return send(
    new Request(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        "content-type": type,
        "user-agent": "e2e",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

/**
 * Waits until the watch cache of the server has what a request to `path` has written. An update that starts from an older
 * state in that cache is tried again, and then calls its webhooks twice.
 */
async function seen(side: Side, path: string, answer: string): Promise<void> {
  const { name, resourceVersion } = JSON.parse(answer).metadata;
  const [resource = ""] = path.split("?");
  const item = resource.replace(/\/(?:scale|status)$/, "");
  const url = item.endsWith(`/${name}`) ? item : `${item}/${name}`;
  const response = await ask(side, "GET", `${url}?resourceVersion=${resourceVersion ?? ""}`);
  await response.body?.cancel();
}

/** Returns the reviews in a form that two servers share. */
function shown(reviews: readonly Loose[]): StepResult[] {
  const results = reviews.map(({ path, request, ...rest }, index) => ({
    step: `review ${index} ${path}`,
    status: 0,
    headers: {},
    body: [JSON.stringify({ ...rest, request })],
  }));
  return comparable(results as unknown as StepResult[], "no host");
}

/** Returns the steps whose results differ, with both results. */
function differences(
  found: readonly StepResult[],
  wanted: readonly StepResult[],
): [step: string, text: string][] {
  assertEquals(found.map(({ step }) => step), wanted.map(({ step }) => step));
  return found.flatMap(({ step, status, body }, index): [string, string][] => {
    const real = wanted[index]!;
    const ours = `${status} ${body.join(" ")}`;
    const theirs = `${real.status} ${real.body.join(" ")}`;
    return ours === theirs ? [] : [[step, `  real: ${theirs}\n  ours: ${ours}`]];
  });
}

// A cluster of KUBELOOP_E2E_KUBECONFIG does not reach webhooks on this machine.
const ignore = Deno.env.get("KUBELOOP_E2E_KUBECONFIG") !== undefined;

Deno.test("a real kube-apiserver and ours call webhooks the same", { ignore }, async () => {
  const authority = await CertificateAuthority.create();
  const { cert, key } = await authority.issue({ name: "CN=127.0.0.1", hosts: ["127.0.0.1"] });
  const over = webhooks();
  await using listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
    over.handler,
  );
  const port = (listener.addr as Deno.NetAddr).port;
  const urlOf = (name: string) => ({
    url: `https://127.0.0.1:${port}/${name}`,
    caBundle: btoa(authority.cert),
  });
  await using server = await RealServer.create({});
  const real: Side = {
    reviews: over.reviews,
    origin: server.origin,
    send: (request) => server.fetch(request),
  };
  const inside = webhooks();
  await using api = new ApiServer({
    logger: silentLogger,
    tokens: { [ADMIN_TOKEN]: { user: "e2e-admin", uid: "1", groups: ["system:masters"] } },
    webhooks: inside.handler,
  });
  const ours: Side = {
    reviews: inside.reviews,
    origin: "https://ours",
    send: (request) => api.fetch(request),
  };
  const outcomes: { answers: StepResult[]; asked: StepResult[] }[] = [];
  for (const side of [real, ours]) {
    const installed = await play(side, setup(urlOf));
    assertEquals(installed.filter(({ status }) => status !== 201), []);
    await ready(side);
    side.reviews.length = 0;
    const results = await play(side, [...STEPS, ...CONFIGURATIONS]);
    const answers = comparable(results, new URL(side.origin).host);
    outcomes.push({ answers, asked: shown(side.reviews) });
  }
  const [wanted, found] = outcomes as [typeof outcomes[number], typeof outcomes[number]];
  const different = [
    ...differences(found.answers, wanted.answers),
    ...differences(found.asked, wanted.asked),
  ];
  for (const [step, text] of different) console.log(`${step}\n${text}`);
  assertEquals(different.map(([step]) => step), []);
});

/** Waits until the server calls its webhooks, and serves the custom resource. */
async function ready(side: Side): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const probes: Step[] = Object.keys(DECISIONS).map((name) => [
      "POST",
      `${MAPS}?dryRun=All`,
      map("probe", name),
    ]);
    const before = side.reviews.length;
    await play(side, probes);
    const [widgets] = await play(side, [["GET", V1]]);
    if (side.reviews.length - before === probes.length && widgets!.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("The server does not call its webhooks");
}
