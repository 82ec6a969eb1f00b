import { apply, del, get, merge, post, put, SETTLE_MS, type StepScenario } from "../step.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const G = "admissionregistration.k8s.io";
const P = `/apis/${G}/v1/mutatingadmissionpolicies`;
const B = `/apis/${G}/v1/mutatingadmissionpolicybindings`;
const V = `/apis/${G}/v1/validatingadmissionpolicies`;
const VB = `/apis/${G}/v1/validatingadmissionpolicybindings`;
const CM = "/api/v1/namespaces/default/configmaps";
const WIDGETS = "/apis/rounds.example.com/v1/namespaces/default/widgets";
const OLD_WIDGETS = "/apis/rounds.example.com/v1beta1/namespaces/default/widgets";

const applied = (expression: string) => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});
const patched = (expression: string) => ({ patchType: "JSONPatch", jsonPatch: { expression } });

function policyOf(name: string, resource: string, mutations: Loose[], more: Loose = {}): Loose {
  const [plural, group = ""] = resource.split(/\.(.*)/);
  const { versions = ["v1"], operations = ["CREATE", "UPDATE"], match = {}, ...spec } = more;
  return {
    apiVersion: `${G}/v1`,
    kind: "MutatingAdmissionPolicy",
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [{
          apiGroups: [group],
          apiVersions: versions,
          operations,
          resources: [plural],
        }],
        ...match,
      },
      reinvocationPolicy: "Never",
      mutations,
      ...spec,
    },
  };
}

const bindingOf = (policyName: string, suffix = "b", more: Loose = {}): Loose => ({
  apiVersion: `${G}/v1`,
  kind: "MutatingAdmissionPolicyBinding",
  metadata: { name: `${policyName}-${suffix}` },
  spec: { policyName, ...more },
});

const by = (name: string) => ({ match: { objectSelector: { matchLabels: { by: name } } } });

const cm = (name: string, owner: string, data: Record<string, string> = { a: "1" }) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { by: owner } },
  data,
});

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  subresources: {
    status: {},
    scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
  },
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            size: { type: "integer" },
            mode: { type: "string", default: "plain" },
            parts: {
              type: "array",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["name"],
              items: {
                type: "object",
                required: ["name"],
                properties: { name: { type: "string" }, value: { type: "string" } },
              },
            },
            tags: { type: "array", items: { type: "string" } },
            whole: {
              type: "object",
              "x-kubernetes-map-type": "atomic",
              properties: { a: { type: "string" }, b: { type: "string" } },
            },
            any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        },
        status: { type: "object", properties: { size: { type: "integer" } } },
      },
    },
  },
});

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.rounds.example.com" },
  spec: {
    group: "rounds.example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [version("v1", true), version("v1beta1", false)],
  },
};

const widget = (
  name: string,
  owner: string,
  spec: Loose = {},
  apiVersion = "rounds.example.com/v1",
) => ({
  apiVersion,
  kind: "Widget",
  metadata: { name, labels: { by: owner } },
  spec,
});

const W = "widgets.rounds.example.com";

const policies: Loose[] = [
  policyOf("custom", W, [
    applied(
      'Object{spec: Object.spec{parts: [Object.spec.parts{name: "b", value: "2"}], size: 3}}',
    ),
  ], by("custom")),
  policyOf("custom-json", W, [
    patched(
      '[JSONPatch{op: "add", path: "/spec/any", value: {"x": dyn(1), "y": dyn([true])}}, JSONPatch{op: "add", path: "/spec/unknown", value: "x"}]',
    ),
  ], by("custom-json")),
  policyOf("custom-atomic", W, [
    applied('Object{spec: Object.spec{whole: Object.spec.whole{a: "x"}}}'),
  ], by("custom-atomic")),
  policyOf(
    "custom-tags",
    W,
    [applied('Object{spec: Object.spec{tags: ["a"]}}')],
    by("custom-tags"),
  ),
  policyOf("custom-any", W, [
    applied('Object{spec: Object.spec{any: Object.spec.any{q: 1, r: Object.spec.any.r{s: "t"}}}}'),
  ], by("custom-any")),
  policyOf(
    "custom-unknown",
    W,
    [applied("Object{spec: Object.spec{unknown: 1}}")],
    by("custom-unknown"),
  ),
  policyOf("custom-type", W, [applied('Object{spec: Object.spec{size: "x"}}')], by("custom-type")),
  policyOf("custom-json-type", W, [
    patched('[JSONPatch{op: "add", path: "/spec/size", value: "x"}]'),
  ], by("custom-json-type")),
  policyOf("custom-old", W, [
    applied(
      'Object{metadata: Object.metadata{labels: {"version": request.kind.version + request.requestKind.version}}}',
    ),
  ], { versions: ["v1beta1"], ...by("custom-old") }),
  policyOf("custom-exact", W, [applied('Object{metadata: Object.metadata{labels: {"x": "y"}}}')], {
    versions: ["v1beta1"],
    match: { ...by("custom-exact").match, matchPolicy: "Exact" },
  }),
  policyOf("statuses", "widgets/status.rounds.example.com", [
    applied("Object{status: Object.status{size: 7}, spec: Object.spec{size: 8}}"),
  ], { operations: ["UPDATE"], ...by("statuses") }),
  policyOf("scales", "widgets/scale.rounds.example.com", [
    applied("Object{spec: Object.spec{replicas: 9}}"),
  ], { operations: ["UPDATE"] }),
  policyOf("r-a", "configmaps", [
    applied('Object{data: {"a-saw": has(object.data.b) ? "b" : "none"}}'),
  ], { reinvocationPolicy: "IfNeeded", ...by("rounds") }),
  policyOf("r-b", "configmaps", [
    applied('Object{data: {"b": "1"}}'),
  ], by("rounds")),
  policyOf(
    "counts",
    "configmaps",
    [applied('Object{data: {"n": string(int(object.data.n) + 1)}}')],
    { reinvocationPolicy: "IfNeeded", ...by("counts") },
  ),
  policyOf("bound-twice", "configmaps", [
    applied('Object{data: {"n": string(int(object.data.n) + 1)}}'),
  ], by("bound-twice")),
  policyOf("checked", "configmaps", [applied('Object{data: {"good": "yes"}}')], by("checked")),
  policyOf("deletes", "configmaps", [applied('Object{data: {"b": "x"}}')], {
    operations: ["*"],
    ...by("deletes"),
  }),
  policyOf("names", "namespaces", [
    applied(
      'Object{metadata: Object.metadata{labels: {"name": object.metadata.name, "in": has(namespaceObject.metadata) ? "yes" : "no"}}}',
    ),
  ], by("names")),
  policyOf("tokens", "serviceaccounts/token", [
    applied("Object{spec: Object.spec{expirationSeconds: 700}}"),
  ], { operations: ["CREATE"] }),
  policyOf("evictions", "pods/eviction", [
    applied('Object{metadata: Object.metadata{labels: {"a": "b"}}}'),
  ], { operations: ["CREATE"] }),
];

/** Policies that change objects again after a later change, and objects of custom resources and subresources. */
export const mutation_rounds: StepScenario = {
  name: "mutation_rounds",
  setting: {},
  steps: [
    post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition),
    get(WIDGETS, { whileStatus: [404, 429], settleMs: SETTLE_MS }),
    ...policies.flatMap((one) => [post(P, one), post(B, bindingOf(one.metadata.name))]),
    post(B, bindingOf("bound-twice", "c")),
    post(V, {
      apiVersion: `${G}/v1`,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "checks" },
      spec: {
        matchConstraints: {
          objectSelector: { matchLabels: { by: "checked" } },
          resourceRules: [{
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: ["*"],
            resources: ["configmaps"],
          }],
        },
        validations: [{ expression: "has(object.data.good)", message: "must be good" }],
      },
    }),
    post(VB, {
      apiVersion: `${G}/v1`,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "checks" },
      spec: { policyName: "checks", validationActions: ["Deny"] },
    }),
    post(CM, cm("marker", "nobody"), { settleMs: 8000 }),
    ...[
      "custom",
      "custom-json",
      "custom-atomic",
      "custom-tags",
      "custom-any",
      "custom-unknown",
      "custom-type",
      "custom-json-type",
      "custom-old",
      "custom-exact",
    ].flatMap((name) => [
      post(
        WIDGETS,
        widget(name, name, {
          size: 1,
          parts: [{ name: "a", value: "1" }, { name: "b", value: "1" }],
          whole: { b: "1" },
        }),
      ),
      post(
        `${OLD_WIDGETS}?dryRun=All`,
        widget(`${name}-2`, name, {}, "rounds.example.com/v1beta1"),
      ),
      get(`${OLD_WIDGETS}/${name}`),
    ]),
    post(WIDGETS, widget("s", "statuses", { size: 1 })),
    merge(`${WIDGETS}/s/status`, { status: { size: 2 }, spec: { size: 5 } }),
    merge(`${WIDGETS}/s/scale`, { spec: { replicas: 3 } }),
    get(`${WIDGETS}/s`),
    post(CM, cm("rounds", "rounds")),
    merge(`${CM}/rounds`, { data: { c: "1" } }),
    post(CM, cm("counts", "counts", { n: "1" })),
    merge(`${CM}/counts`, { data: { n: "5" } }),
    put(`${CM}/counts`, cm("counts", "counts", { n: "7" })),
    put(`${CM}/counts`, cm("counts", "counts", { n: "8" })),
    post(CM, cm("bound-twice", "bound-twice", { n: "1" })),
    post(CM, cm("checked", "checked")),
    merge(`${CM}/checked`, { data: { good: null } }),
    post(CM, cm("deletes", "deletes")),
    del(`${CM}/deletes`),
    apply(`${CM}/ap`, "one", { ...cm("ap", "checked") }),
    apply(`${CM}/ap`, "one", { ...cm("ap", "checked", { b: "2" }) }),
    apply(`${CM}/ap`, "two", { ...cm("ap", "checked", { good: "no" }) }),
    apply(`${CM}/ap`, "two", { ...cm("ap", "checked", { good: "no" }) }, { force: true }),
    post("/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "named", labels: { by: "names" } },
    }),
    post("/api/v1/namespaces/default/serviceaccounts", {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "tok" },
    }),
    post("/api/v1/namespaces/default/serviceaccounts/tok/token", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {},
    }),
    post("/api/v1/namespaces/default/pods", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "ev" },
      spec: { containers: [{ name: "a", image: "x" }], automountServiceAccountToken: false },
    }),
    post("/api/v1/namespaces/default/pods/ev/eviction", {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "ev" },
    }),
    del(P),
    del(B),
    del(V),
    del(VB),
  ],
};
