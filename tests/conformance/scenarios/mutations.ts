import { del, get, merge, post, put, SETTLE_MS, type StepScenario } from "../step.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const G = "admissionregistration.k8s.io";
const P = `/apis/${G}/v1/mutatingadmissionpolicies`;
const B = `/apis/${G}/v1/mutatingadmissionpolicybindings`;
const CM = "/api/v1/namespaces/default/configmaps";
const PODS = "/api/v1/namespaces/default/pods";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

/** A mutation by an apply configuration. */
const apply = (expression: string) => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});

/** A mutation by a JSON patch. */
const patch = (expression: string) => ({ patchType: "JSONPatch", jsonPatch: { expression } });

const rule = (more: Loose = {}) => ({
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE"],
  resources: ["configmaps"],
  ...more,
});

/** A policy for the objects with the label `by`. */
function policyOf(name: string, spec: Loose): Loose {
  const { rules = [rule()], ...more } = spec;
  return {
    apiVersion: `${G}/v1`,
    kind: "MutatingAdmissionPolicy",
    metadata: { name },
    spec: {
      matchConstraints: { objectSelector: { matchLabels: { by: name } }, resourceRules: rules },
      reinvocationPolicy: "Never",
      ...more,
    },
  };
}

function bindingOf(name: string, more: Loose = {}): Loose {
  return {
    apiVersion: `${G}/v1`,
    kind: "MutatingAdmissionPolicyBinding",
    metadata: { name: `${name}-b` },
    spec: { policyName: name, ...more },
  };
}

const cm = (by: string, name: string, data: Record<string, string> = { a: "1" }) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { by } },
  data,
});

const label = (value: string) =>
  apply(`Object{metadata: Object.metadata{labels: {"set": ${value}}}}`);

/** Policies that are in force: their name, their desired state, and that of their binding. */
const inForce: readonly (readonly [string, Loose, Loose?])[] = [
  ["labels", { mutations: [label("'x'")] }],
  ["names", { mutations: [label("object.metadata.name + '-' + request.operation")] }],
  ["data", { mutations: [apply('Object{data: {"b": "2", "a": "changed"}}')] }],
  ["two", {
    mutations: [
      apply('Object{data: {"b": "2"}}'),
      patch(
        '[JSONPatch{op: "copy", from: "/data/b", path: "/data/c"}, JSONPatch{op: "remove", path: "/data/a"}]',
      ),
    ],
  }],
  ["sees", {
    mutations: [
      apply('Object{data: {"b": "2"}}'),
      apply('Object{data: {"size": string(size(object.data))}}'),
    ],
  }],
  ["variables", {
    variables: [{ name: "n", expression: "object.metadata.name" }, {
      name: "m",
      expression: "variables.n + '!'",
    }],
    mutations: [label("variables.n"), apply('Object{data: {"m": variables.m}}')],
  }],
  ["conditions", {
    matchConditions: [{ name: "size", expression: "size(object.data) > 1" }],
    mutations: [label("'x'")],
  }],
  ["bad-condition", {
    matchConditions: [{ name: "size", expression: "object.data.zzz == 'a'" }],
    mutations: [label("'x'")],
  }],
  ["ignored-condition", {
    failurePolicy: "Ignore",
    matchConditions: [{ name: "size", expression: "object.data.zzz == 'a'" }],
    mutations: [label("'x'")],
  }],
  ["fails", { mutations: [label("object.metadata.annotations['zz']")] }],
  ["fails-second", { mutations: [label("'x'"), label("object.data.zzz"), label("'y'")] }],
  ["ignores", { failurePolicy: "Ignore", mutations: [label("object.data.zzz"), label("'y'")] }],
  ["wrong-name", { mutations: [apply("Object{metadata: Object.spec{labels: {'a': 'b'}}}")] }],
  ["wrong-list", {
    mutations: [apply("Object{metadata: Object.metadata{finalizers: [Object.metadata.other{}]}}")],
  }],
  ["unknown-field", { mutations: [apply("Object{nothing: 3}")] }],
  ["wrong-type", { mutations: [apply("Object{data: {'a': 3}}")] }],
  ["two-errors", { mutations: [apply("Object{data: {'a': 3}}")] }],
  ["null-value", { mutations: [apply("Object{metadata: Object.metadata{generateName: null}}")] }],
  ["atomic", {
    mutations: [
      apply(
        "Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{uid: 'a', name: 'n', kind: 'K', apiVersion: 'v1'}]}}",
      ),
    ],
  }],
  ["optional", { mutations: [apply("Object{?immutable: optional.none(), data: {'b': 'x'}}")] }],
  ["not-optional", { mutations: [apply("Object{?immutable: dyn(true)}")] }],
  ["binary", { mutations: [apply("Object{binaryData: {'b': 'YQ=='}}")] }],
  ["name-changed", { mutations: [apply("Object{metadata: Object.metadata{name: 'other'}}")] }],
  ["kind-changed", { mutations: [apply("Object{kind: 'Secret', apiVersion: 'v2'}")] }],
  ["escape", {
    mutations: [
      patch(
        '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"example.com/a.b": "1"}}, JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey("example.com/c.d"), value: "2"}]',
      ),
    ],
  }],
  ["values", {
    mutations: [
      patch(
        '[JSONPatch{op: "add", path: "/metadata/ownerReferences", value: [{"uid": "a", "name": "n", "kind": "K", "apiVersion": "v1"}]}, JSONPatch{op: "add", path: "/immutable", value: false}]',
      ),
    ],
  }],
  ["object-values", {
    mutations: [
      patch(
        '[JSONPatch{op: "replace", path: "/data", value: Object.data{x: "1", y: object.data.a}}]',
      ),
    ],
  }],
  ["wrong-value-name", {
    mutations: [
      patch('[JSONPatch{op: "replace", path: "/data", value: Object.data{x: Object.wrong{}}}]'),
    ],
  }],
  ["copied", {
    mutations: [patch('[JSONPatch{op: "add", path: "/metadata/annotations", value: object.data}]')],
  }],
  ["strange-values", {
    mutations: [
      patch(
        '[JSONPatch{op: "add", path: "/data/t", value: string(timestamp("2024-01-01T00:00:00Z"))}, JSONPatch{op: "add", path: "/data/d", value: duration("90s")}, JSONPatch{op: "add", path: "/data/x", value: timestamp("2024-01-01T00:00:00Z")}, JSONPatch{op: "add", path: "/data/y", value: b"abc"}]',
      ),
    ],
  }],
  ["no-json", {
    mutations: [patch('[JSONPatch{op: "add", path: "/data/t", value: quantity("1Gi")}]')],
  }],
  ["numbers", { mutations: [patch('[JSONPatch{op: "add", path: "/data/t", value: 3}]')] }],
  ["null-json", { mutations: [patch('[JSONPatch{op: "add", path: "/data/t", value: null}]')] }],
  ["no-value", { mutations: [patch('[JSONPatch{op: "add", path: "/data/t"}]')] }],
  ["test-passes", {
    mutations: [
      patch(
        '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "replace", path: "/data/a", value: "2"}]',
      ),
    ],
  }],
  ["test-fails", {
    mutations: [
      patch(
        '[JSONPatch{op: "add", path: "/data/z", value: "1"}, JSONPatch{op: "test", path: "/data/a", value: "7"}, JSONPatch{op: "replace", path: "/data/a", value: "2"}]',
      ),
      label("'after'"),
    ],
  }],
  ["missing-path", { mutations: [patch('[JSONPatch{op: "add", path: "/zz/a", value: "1"}]')] }],
  ["missing-remove", { mutations: [patch('[JSONPatch{op: "remove", path: "/data/zz"}]')] }],
  ["missing-replace", {
    mutations: [patch('[JSONPatch{op: "replace", path: "/data/zz/a", value: "1"}]')],
  }],
  ["missing-move", {
    mutations: [patch('[JSONPatch{op: "move", from: "/data/zz", path: "/data/b"}]')],
  }],
  ["missing-copy", {
    mutations: [patch('[JSONPatch{op: "copy", from: "/zz/zz", path: "/data/b"}]')],
  }],
  ["bad-op", { mutations: [patch('[JSONPatch{op: "nothing", path: "/data/b"}]')] }],
  ["empty-op", { mutations: [patch("[JSONPatch{}]")] }],
  ["bad-index", {
    mutations: [
      patch(
        '[JSONPatch{op: "add", path: "/metadata/finalizers", value: ["a/b"]}, JSONPatch{op: "add", path: "/metadata/finalizers/7", value: "a/c"}]',
      ),
    ],
  }],
  ["no-index", {
    mutations: [
      patch(
        '[JSONPatch{op: "add", path: "/metadata/finalizers", value: ["a/b"]}, JSONPatch{op: "add", path: "/metadata/finalizers/x", value: "a/c"}]',
      ),
    ],
  }],
  ["unknown-json", { mutations: [patch('[JSONPatch{op: "add", path: "/nothing", value: "1"}]')] }],
  ["unknown-jsons", {
    mutations: [
      patch(
        '[JSONPatch{op: "add", path: "/nothing", value: "1"}, JSONPatch{op: "add", path: "/metadata/more", value: "1"}]',
      ),
    ],
  }],
  ["whole", { mutations: [patch('[JSONPatch{op: "replace", path: "", value: {"a": "b"}}]')] }],
  ["chosen", {
    mutations: [
      patch('object.data.a == "1" ? [JSONPatch{op: "add", path: "/data/one", value: "1"}] : []'),
    ],
  }],
  ["all", {
    mutations: [
      patch('object.data.map(k, JSONPatch{op: "replace", path: "/data/" + k, value: "x"})'),
    ],
  }],
  ["costly", {
    mutations: [
      label(
        "[1,2,3,4,5,6,7,8,9,10].map(a, [1,2,3,4,5,6,7,8,9,10].map(b, [1,2,3,4,5,6,7,8,9,10].map(c, [1,2,3,4,5,6,7,8,9,10].map(d, [1,2,3,4,5,6,7,8,9,10].map(e, [1,2,3,4,5,6,7,8,9,10].map(f, a)))))).size() > 3 ? 'a' : 'b'",
      ),
    ],
  }],
  ["params", {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    mutations: [apply("Object{data: {'p': params.data.value, 'q': params.metadata.name}}")],
  }, { paramRef: { name: "p-one", namespace: "default", parameterNotFoundAction: "Deny" } }],
  ["many-params", {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    mutations: [apply("Object{data: {'p-' + params.metadata.name: params.data.value}}")],
  }, {
    paramRef: { selector: { matchLabels: { is: "param" } }, parameterNotFoundAction: "Deny" },
  }],
  ["no-params", {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    mutations: [apply("Object{data: {'p': params.data.value}}")],
  }, { paramRef: { name: "none", parameterNotFoundAction: "Deny" } }],
  ["allowed-params", {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    mutations: [apply("Object{data: {'p': params.data.value}}")],
  }, { paramRef: { name: "none", parameterNotFoundAction: "Allow" } }],
  ["unknown-params", {
    paramKind: { apiVersion: "none.example.com/v1", kind: "Nothing" },
    mutations: [label("'x'")],
  }, { paramRef: { name: "none", parameterNotFoundAction: "Deny" } }],
  ["ignored-params", {
    failurePolicy: "Ignore",
    paramKind: { apiVersion: "none.example.com/v1", kind: "Nothing" },
    mutations: [label("'x'")],
  }, { paramRef: { name: "none", parameterNotFoundAction: "Deny" } }],
  ["unreferred", {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    mutations: [label("params == null ? 'none' : 'some'")],
  }],
  ["matched-by-binding", { mutations: [label("'x'")] }, {
    matchResources: { objectSelector: { matchLabels: { more: "yes" } } },
  }],
  ["first", {
    reinvocationPolicy: "IfNeeded",
    mutations: [label("has(object.data.late) ? 'seen' : 'unseen'")],
  }],
  ["authorized", {
    mutations: [
      label(
        "authorizer.group('').resource('pods').namespace('default').check('create').allowed() ? 'yes' : 'no'",
      ),
    ],
  }],
  ["namespaced", {
    mutations: [
      label("namespaceObject.metadata.name + string(request.dryRun) + request.userInfo.username"),
    ],
  }],
  ["old", { mutations: [label("oldObject == null ? 'new' : oldObject.data.a")] }],
  ["pods", {
    rules: [rule({ resources: ["pods"] })],
    mutations: [
      apply(
        'Object{spec: Object.spec{containers: [Object.spec.containers{name: "b", image: "i"}, Object.spec.containers{name: "a", env: [Object.spec.containers.env{name: "E", value: "1"}]}]}}',
      ),
    ],
  }],
  ["tolerations", {
    rules: [rule({ resources: ["pods"] })],
    mutations: [
      apply(
        'Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: "a"}]}}',
      ),
    ],
  }],
  ["sidecars", {
    rules: [rule({ resources: ["pods"] })],
    mutations: [
      patch(
        '[JSONPatch{op: "add", path: "/spec/initContainers", value: []}, JSONPatch{op: "add", path: "/spec/initContainers/-", value: Object.spec.initContainers{name: "mesh", image: "mesh:1", restartPolicy: "Always"}}]',
      ),
    ],
  }],
  ["replicas", {
    rules: [rule({ apiGroups: ["apps"], resources: ["deployments", "deployments/scale"] })],
    mutations: [
      apply(
        "Object{spec: Object.spec{replicas: object.spec.replicas % 2 == 0 ? object.spec.replicas + 1 : object.spec.replicas}}",
      ),
    ],
  }],
  ["fractions", {
    rules: [rule({ apiGroups: ["apps"], resources: ["deployments"] })],
    mutations: [apply("Object{spec: Object.spec{replicas: 1.5}}")],
  }],
  ["text-replicas", {
    rules: [rule({ apiGroups: ["apps"], resources: ["deployments"] })],
    mutations: [apply("Object{spec: Object.spec{replicas: '3'}}")],
  }],
  ["int-or-text", {
    rules: [rule({ apiGroups: ["apps"], resources: ["deployments"] })],
    mutations: [
      apply(
        "Object{spec: Object.spec{strategy: Object.spec.strategy{type: 'RollingUpdate', rollingUpdate: Object.spec.strategy.rollingUpdate{maxSurge: '30%', maxUnavailable: 2}}, minReadySeconds: 3}}",
      ),
    ],
  }],
];

const pod = (by: string, name: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { by } },
  spec: { containers: [{ name: "a", image: "x" }], automountServiceAccountToken: false },
});

const deployment = (by: string, name: string, replicas: number) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, labels: { by } },
  spec: {
    replicas,
    selector: { matchLabels: { a: "b" } },
    template: {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    },
  },
});

const NOT_MAPS = new Set([
  "pods",
  "tolerations",
  "sidecars",
  "replicas",
  "fractions",
  "text-replicas",
  "int-or-text",
]);

/** Policies that are refused. */
const refused: readonly Loose[] = [
  { mutations: [] },
  { mutations: undefined, reinvocationPolicy: undefined },
  { mutations: [{}] },
  { mutations: [{ patchType: "Other" }], reinvocationPolicy: "Sometimes", failurePolicy: "No" },
  { mutations: [{ patchType: "JSONPatch" }] },
  { mutations: [{ patchType: "ApplyConfiguration" }] },
  { mutations: [{ patchType: "JSONPatch", applyConfiguration: { expression: "Object{}" } }] },
  { mutations: [{ ...apply("Object{}"), jsonPatch: { expression: "[]" } }] },
  { mutations: [apply("")] },
  { mutations: [apply("  ")] },
  { mutations: [patch("")] },
  { mutations: [apply("1"), apply("{'a': 'b'}"), apply("object"), apply("Object.spec{}")] },
  {
    mutations: [
      patch("1"),
      patch("[]"),
      patch("[1]"),
      patch("JSONPatch{}"),
      patch("[Object{}]"),
      patch("object.a"),
    ],
  },
  {
    mutations: [
      apply("Foo{}"),
      apply("Object{a: Foo{b: 1}}"),
      apply("Objects{}"),
    ],
  },
  {
    mutations: [
      apply("Object{a: b}"),
      apply("Object{a: 1,, b: 2}"),
      apply("Object{a}"),
      apply("Object{'a': 1}"),
    ],
  },
  {
    mutations: [
      apply("Object{a: 1, a: 2}"),
      apply("Object.{}"),
    ],
  },
  {
    mutations: [
      apply("Object{?a: 1}"),
      apply("Object{?a: optional.of(1)}.spec"),
      apply("Object{ }{ }"),
    ],
  },
  {
    mutations: [
      patch("[JSONPatch{op: 1}]"),
      patch("[JSONPatch{operation: 'add'}]"),
      patch("[JSONPatch{path: ['a'], from: {}}]"),
    ],
  },
  {
    mutations: [
      patch("[JSONPatch{op: 'add'}, Object{}]"),
      patch("[JSONPatch{op: object.a, value: object}]"),
    ],
  },
  {
    mutations: [
      apply("Object{metadata: Object.metadata{labels: {'a': 'b', 'c': object.metadata.name}}}"),
    ],
  },
  {
    mutations: [
      apply("Object{a: jsonpatch.escapeKey(1)}"),
      apply("Object{a: jsonPatch.escapeKey('a')}"),
    ],
  },
  {
    variables: [{ name: "a", expression: "Object{}" }, {
      name: "b",
      expression: "jsonpatch.escapeKey('a')",
    }],
    mutations: [apply("Object{}")],
  },
  {
    matchConditions: [{ name: "a", expression: "Object{} == Object{}" }],
    mutations: [apply("Object{}")],
  },
  { mutations: [apply("Object{a: params}")] },
  { mutations: [apply("Object{a: variables.x}")] },
  {
    mutations: [
      apply(
        "Object{a: type(Object{}) == Object, b: type(Object.spec{}) == Object.spec, c: Object{} == Object{}}.a",
      ),
    ],
  },
  { rules: [rule({ operations: ["DELETE"] })], mutations: [apply("Object{}")] },
  { rules: [rule({ operations: ["CREATE", "DELETE", "READ"] })], mutations: [apply("Object{}")] },
  { rules: [], mutations: [apply("Object{}")] },
  { matchConstraints: undefined, mutations: [apply("Object{}")] },
  { paramKind: { apiVersion: "a/b/c", kind: "" }, mutations: [apply("Object{}")] },
];

/** Policies that change the objects of a request, and that an API server refuses. */
export const mutations: StepScenario = {
  name: "mutations",
  setting: {},
  steps: [
    get(`/apis/${G}/v1`),
    ...refused.map((spec, index) => post(P, policyOf(`refused-${index}`, spec))),
    post(P, policyOf("kept", { mutations: [apply("Object{}")] })),
    post(P, policyOf("reserved.static.k8s.io", { mutations: [apply("Object{}")] })),
    post(`${P}?fieldValidation=Strict`, {
      ...policyOf("strict", { mutations: [apply("Object{}")] }),
      status: {},
    }),
    get(P, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
    get(`${P}/kept`),
    get(`${P}?fieldSelector=spec.failurePolicy%3DFail`),
    merge(`${P}/kept`, { spec: { failurePolicy: "Ignore" } }),
    merge(`${P}/kept`, { metadata: { labels: { a: "b" } } }),
    merge(`${P}/kept`, { spec: { mutations: [apply("1")] } }),
    put(`${P}/kept`, policyOf("kept", { mutations: [apply("Object{}")] })),
    get(`${P}/kept/status`),
    post(B, bindingOf("kept", { policyName: "" })),
    post(B, bindingOf("kept", { policyName: "A_B", validationActions: ["Deny"] })),
    post(
      B,
      bindingOf("kept", { matchResources: { resourceRules: [rule({ operations: ["DELETE"] })] } }),
    ),
    post(B, bindingOf("kept", { paramRef: {} })),
    post(
      B,
      bindingOf("kept", {
        paramRef: { name: "a", selector: {}, parameterNotFoundAction: "Maybe" },
      }),
    ),
    post(
      B,
      bindingOf("kept", {
        paramRef: { name: "a", namespace: "n", parameterNotFoundAction: "Deny" },
      }),
    ),
    get(B, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
    merge(`${B}/kept-b`, { spec: { paramRef: null } }),
    del(`${B}/kept-b`),
    del(`${P}/kept`),
    del(`${P}/strict`),
    del(`${P}/reserved.static.k8s.io`),
    post(CM, {
      ...cm("", "p-one", { value: "one" }),
      metadata: { name: "p-one", labels: { is: "param" } },
    }),
    post(CM, {
      ...cm("", "p-two", { value: "two" }),
      metadata: { name: "p-two", labels: { is: "param" } },
    }),
    ...inForce.flatMap(([name, spec, binding]) => [
      ...(NOT_MAPS.has(name) ? [] : [post(CM, cm(name, `y-${name}`), { unseen: true })]),
      post(P, policyOf(name, spec)),
      post(B, bindingOf(name, binding)),
    ]),
    get(`${CM}/p-one`, { settleMs: SETTLE_MS }),
    ...inForce.filter(([name]) => !NOT_MAPS.has(name)).flatMap(([name]) => [
      post(`${CM}?dryRun=All`, cm(name, "x", { a: "1" })),
      post(`${CM}?dryRun=All`, {
        ...cm(name, "z", { a: "1", c: "2" }),
        metadata: { name: "z", labels: { by: name, more: "yes" } },
      }),
      merge(`${CM}/y-${name}?dryRun=All`, { data: { a: "2" } }),
    ]),
    post(CM, cm("labels", "created")),
    merge(`${CM}/created`, { metadata: { labels: { set: "mine" } } }),
    put(`${CM}/created`, cm("labels", "created", {})),
    del(`${CM}/created`),
    post(CM, cm("labels", "denied"), { as: "nobody" }),
    ...["pods", "tolerations", "sidecars"].flatMap((name) => [
      post(PODS, pod(name, `pod-${name}`)),
      merge(`${PODS}/pod-${name}`, { metadata: { annotations: { a: "b" } } }),
      del(`${PODS}/pod-${name}?gracePeriodSeconds=0`),
    ]),
    ...["replicas", "fractions", "text-replicas", "int-or-text"].flatMap((name) => [
      post(DEPLOYMENTS, deployment(name, `d-${name}`, 2)),
      post(`${DEPLOYMENTS}?dryRun=All`, deployment(name, `e-${name}`, 3)),
    ]),
    merge(`${DEPLOYMENTS}/d-replicas/scale`, { spec: { replicas: 4 } }),
    get(`${DEPLOYMENTS}/d-replicas`),
    del(P),
    del(B),
    del(CM),
    del(DEPLOYMENTS),
  ],
};
