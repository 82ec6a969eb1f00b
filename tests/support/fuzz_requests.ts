/**
 * Random requests to an API server: most are almost valid, some are nonsense. The same seed gives the same requests, so
 * that two servers can be compared.
 *
 * @module
 */

import fc from "fast-check";

/** One request; `{ns}` in the path is a placeholder for a namespace. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The objects in the namespace before the requests: collection paths and bodies. */
export const SEEDED: readonly (readonly [string, object])[] = [
  ["/api/v1/namespaces/{ns}/configmaps", {
    metadata: { name: "a", labels: { app: "x" } },
    data: { k: "1" },
  }],
  ["/api/v1/namespaces/{ns}/configmaps", {
    metadata: { name: "held", finalizers: ["example.com/hold"] },
  }],
  ["/api/v1/namespaces/{ns}/pods", {
    metadata: { name: "a", labels: { app: "x" } },
    spec: { containers: [{ name: "c", image: "i" }] },
  }],
  ["/apis/apps/v1/namespaces/{ns}/deployments", {
    metadata: { name: "a" },
    spec: {
      selector: { matchLabels: { app: "x" } },
      template: {
        metadata: { labels: { app: "x" } },
        spec: { containers: [{ name: "c", image: "i" }] },
      },
    },
  }],
  ["/apis/fuzz.example.com/v1/namespaces/{ns}/gadgets", {
    apiVersion: "fuzz.example.com/v1",
    kind: "Gadget",
    metadata: { name: "a" },
    spec: { size: 1 },
  }],
];

/** The CustomResourceDefinition of the custom resource among {@linkcode SEEDED}. */
export const DEFINITION: object = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gadgets.fuzz.example.com" },
  spec: {
    group: "fuzz.example.com",
    scope: "Namespaced",
    names: { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" },
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
              properties: {
                size: { type: "integer", minimum: 0 },
                free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
              },
            },
            status: { type: "object", properties: { done: { type: "boolean" } } },
          },
        },
      },
      subresources: { status: {} },
    }],
  },
};

const pick = fc.constantFrom;

/** The collections, with the beginning of the JSON of their objects. */
const COLLECTIONS: readonly (readonly [string, string])[] = [
  ["/api/v1/namespaces/{ns}/configmaps", '"apiVersion":"v1","kind":"ConfigMap",'],
  ["/api/v1/namespaces/{ns}/configmaps", '"apiVersion":"v1","kind":"ConfigMap",'],
  ["/api/v1/namespaces/{ns}/pods", '"apiVersion":"v1","kind":"Pod",'],
  ["/api/v1/namespaces/{ns}/secrets", '"apiVersion":"v1","kind":"Secret",'],
  ["/api/v1/namespaces/{ns}/services", '"apiVersion":"v1","kind":"Service",'],
  ["/apis/apps/v1/namespaces/{ns}/deployments", '"apiVersion":"apps/v1","kind":"Deployment",'],
  [
    "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
    '"apiVersion":"coordination.k8s.io/v1","kind":"Lease",',
  ],
  [
    "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
    '"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role",',
  ],
  [
    "/apis/fuzz.example.com/v1/namespaces/{ns}/gadgets",
    '"apiVersion":"fuzz.example.com/v1","kind":"Gadget",',
  ],
];

/** Path segments: names of existing objects, of missing objects, and invalid names. */
const segment = pick(
  "a",
  "a",
  "a",
  "held",
  "missing",
  "a%2Fb",
  "a%2fb",
  "%2e%2e",
  "..",
  ".",
  "",
  "__proto__",
  "constructor",
  "toString",
  "UPPER",
  "a%20b",
  "%25",
  "%E2%82%AC",
  "a%00",
  "-",
  "a".repeat(254),
);

const subresource = pick("status", "scale", "finalize", "binding", "eviction", "nosuch", "");

const oddPath = pick(
  "/",
  "/api",
  "/api/",
  "/apis",
  "/apis/",
  "/api/v1",
  "/api/v1/",
  "/api/v2",
  "/api/v1/nosuch",
  "/api/v1/namespaces",
  "/api/v1/namespaces/{ns}",
  "/api/v1/namespaces/{ns}/",
  "/api/v1/namespaces//configmaps",
  "/api/v1/namespaces/{ns}/nosuch",
  "/api/v1/namespaces/{ns}/__proto__",
  "/api/v1/namespaces/{ns}/constructor/a",
  "/api/v1/namespaces/missing/configmaps",
  "/api/v1/configmaps",
  "/api/v1/configmaps/a",
  "/api/v1/nodes/missing",
  "/api/v1/watch/namespaces/{ns}/configmaps",
  "/apis/nosuch/v1/things",
  "/apis/__proto__/v1/things",
  "/apis/apps",
  "/apis/apps/v1",
  "/apis/apps/v2/namespaces/{ns}/deployments",
  "/apis/apps/__proto__/namespaces/{ns}/deployments",
  "/apis/fuzz.example.com/v1",
  "/apis/fuzz.example.com/v2/namespaces/{ns}/gadgets",
  "/healthz",
  "/healthz/nosuch",
  "/version",
  "/nosuch",
);

/** Returns paths in the collection that usually support the method. */
function pathIn(base: string, method: string): fc.Arbitrary<string> {
  const whole = method === "POST" ? 12 : method === "GET" ? 5 : 1;
  return fc.oneof(
    { weight: whole, arbitrary: fc.constant(base) },
    { weight: 8, arbitrary: segment.map((name) => `${base}/${name}`) },
    {
      weight: 2,
      arbitrary: fc.tuple(segment, subresource).map((parts) => [base, ...parts].join("/")),
    },
    { weight: 2, arbitrary: oddPath },
  );
}

const parameters: readonly (readonly [string, readonly string[]])[] = [
  ["limit", ["1", "0", "-1", "abc", "99999999999999999999", "1.5", ""]],
  ["continue", ["garbage", "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ", "", "e30"]],
  ["resourceVersion", ["0", "1", "abc", "-1", "", "1.5"]],
  ["resourceVersionMatch", ["Exact", "NotOlderThan", "Bogus", ""]],
  ["labelSelector", [
    "app=x",
    "app!=x",
    "app in (x,y)",
    "app in (",
    "!app",
    "app==",
    ",,",
    "__proto__=x",
    "constructor",
    "a/b/c=d",
    "%",
    "app=x y",
    "-",
    "app>1",
    "app notin (x)",
  ]],
  ["fieldSelector", [
    "metadata.name=a",
    "metadata.name!=a",
    "spec.bogus=1",
    "nothing",
    "=",
    "__proto__=a",
    "metadata.namespace=b,metadata.name=a",
    "status.phase=Pending",
  ]],
  ["watch", ["1", "true", "false", "0", "", "yes"]],
  ["timeoutSeconds", ["1", "0", "abc", "-1"]],
  ["sendInitialEvents", ["true", "false", "maybe"]],
  ["allowWatchBookmarks", ["true", "maybe"]],
  ["dryRun", ["All", "Bogus", ""]],
  ["fieldManager", ["me", "x".repeat(129), "\n", ""]],
  ["fieldValidation", ["Strict", "Warn", "Ignore", "Bogus", ""]],
  ["force", ["true", "false", "maybe"]],
  ["pretty", ["true", "0"]],
  ["gracePeriodSeconds", ["0", "1", "-1", "abc"]],
  ["propagationPolicy", ["Orphan", "Background", "Foreground", "Bogus"]],
  ["orphanDependents", ["true", "maybe"]],
  ["__proto__", ["x"]],
  ["nosuch", ["x"]],
];

const query = fc.array(
  fc.oneof(
    ...parameters.map(([name, values]) =>
      pick(...values).map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    ),
  ),
  { maxLength: 2 },
).map((parts) => parts.join("&"));

const key = fc.oneof(
  pick(
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "name",
    "namespace",
    "labels",
    "finalizers",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "managedFields",
    "ownerReferences",
    "data",
    "spec",
    "status",
    "replicas",
    "containers",
    "kind",
    "apiVersion",
    "bogus",
    "",
    "a/b",
    "0",
  ),
  fc.string({ maxLength: 5 }),
);

const leaf = fc.oneof(
  pick(
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    1e30,
    "",
    "a",
    "x y",
    "__proto__",
    "1",
    "2026-01-01T00:00:00Z",
    "b".repeat(300),
  ),
  fc.string({ maxLength: 8 }),
);

/** JSON text, with keys such as `__proto__` that an object literal would lose. */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf.map((value) => JSON.stringify(value)),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((entries) =>
      `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`
    ),
  ),
})).value;

/** An almost valid object: the right structure, with arbitrary values. */
const nearObject = (head: string) =>
  fc.tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(head) },
      {
        weight: 1,
        arbitrary: pick(
          '"apiVersion":"v1","kind":"ConfigMap",',
          '"apiVersion":"apps/v1","kind":"Deployment",',
          '"apiVersion":"v1",',
          '"apiVersion":"a/b/c","kind":"ConfigMap",',
          '"kind":"__proto__","apiVersion":"v1",',
          '"kind":1,',
          "",
        ),
      },
    ),
    pick(
      '"name":"a"',
      '"name":"new"',
      '"generateName":"g-"',
      '"name":"a","namespace":"other"',
      '"name":"__proto__"',
      '"name":1',
      '"name":"B A D"',
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant("") },
      fc.tuple(key, jsonText).map(([name, value]) => `,${JSON.stringify(name)}:${value}`),
      pick(
        ',"labels":{"__proto__":"x"}',
        ',"labels":{"constructor":"x","ok":"y"}',
        ',"labels":{"bad key":"x"}',
        ',"labels":{"a":1}',
        ',"annotations":{"__proto__":"x"}',
        ',"resourceVersion":"1"',
        ',"resourceVersion":"abc"',
        ',"uid":"x"',
        ',"ownerReferences":[{}]',
        ',"finalizers":["bad"]',
        ',"managedFields":[]',
        ',"managedFields":[{"manager":"m"}]',
      ),
    ),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant("") },
      fc.tuple(key, jsonText).map(([name, value]) => `,${JSON.stringify(name)}:${value}`),
      pick(
        ',"data":{"k":"2"}',
        ',"data":{"__proto__":"x"}',
        ',"data":{"k":1}',
        ',"spec":{"containers":[{"name":"c","image":"i"}]}',
        ',"spec":{"size":2,"free":{"__proto__":{"polluted":1}}}',
        ',"spec":{"size":"two"}',
        ',"spec":{"__proto__":{"polluted":1}}',
        ',"__proto__":{"polluted":1}',
        ',"constructor":{"prototype":{"polluted":1}}',
      ),
    ),
  ).map(([head, name, meta, rest]) => `{${head}"metadata":{${name}${meta}}${rest}}`);

const jsonPatch = fc.array(
  fc.record({
    op: pick("add", "remove", "replace", "move", "copy", "test", "bogus"),
    path: pick(
      "/data/k",
      "/data",
      "/metadata/labels",
      "/metadata/labels/app",
      "/metadata/labels/__proto__",
      "/__proto__/polluted",
      "/constructor/prototype/polluted",
      "/metadata/name",
      "",
      "no-slash",
      "/spec/containers/-",
      "/spec/containers/9",
      "/a~2b",
    ),
    from: pick("/data/k", "/nosuch", "/__proto__"),
    value: pick<unknown>("x", 1, null, { polluted: 1 }, ["x"]),
  }),
  { maxLength: 2 },
).map((operations) => JSON.stringify(operations));

const body = (head: string) =>
  fc.oneof(
    { weight: 14, arbitrary: nearObject(head) },
    { weight: 2, arbitrary: jsonText },
    { weight: 3, arbitrary: jsonPatch },
    {
      weight: 3,
      arbitrary: pick(
        "",
        "null",
        "[]",
        "{",
        '{"a":1,}',
        "{'a':1}",
        '{"metadata":null}',
        '{"metadata":[]}',
        '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}',
        '{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"x"}}',
        "a: [1",
        "__proto__: {polluted: 1}\nmetadata: {name: a}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {y: z}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: &a {name: a}\ndata: *a\n",
        "\u0000",
        "\ufeff{}",
        '{"metadata":{"name":"a"}} trailing',
        '{"metadata":{"name":"a"},"metadata":{"name":"b"}}',
        "[".repeat(2000) + "]".repeat(2000),
      ),
    },
  );

const PATCH_TYPES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

const contentType = (method: string) =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: method === "PATCH" ? pick(...PATCH_TYPES) : pick("application/json"),
    },
    {
      weight: 2,
      arbitrary: pick(
        "application/yaml",
        "application/json; charset=utf-8",
        "text/plain",
        "application/xml",
        "nonsense",
        ...PATCH_TYPES,
      ),
    },
  );

const accept = fc.oneof(
  { weight: 8, arbitrary: pick("application/json") },
  {
    weight: 2,
    arbitrary: pick(
      "*/*",
      "application/yaml",
      "text/html",
      "nonsense",
      "application/json;as=Table;v=v1;g=meta.k8s.io",
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
      "application/json;as=Bogus;v=v1;g=meta.k8s.io",
      "application/json;q=0.1, */*;q=0.5",
    ),
  },
);

const METHODS = [
  "GET",
  "GET",
  "POST",
  "POST",
  "PUT",
  "PUT",
  "PATCH",
  "PATCH",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
];

/** A random request. */
export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc.tuple(
  pick(...METHODS),
  pick(...COLLECTIONS),
).chain(([method, [base, head]]) =>
  fc.record({
    method: fc.constant(method),
    path: fc.tuple(pathIn(base, method), query).map(([where, how]) =>
      how === "" ? where : `${where}?${how}`
    ),
    headers: fc.tuple(contentType(method), accept).map(([type, wanted]) => ({
      "content-type": type,
      accept: wanted,
      "user-agent": "fuzz/1",
    })),
    body: method === "GET" || method === "HEAD" || method === "OPTIONS"
      ? fc.constant(undefined)
      : fc.oneof({ weight: 6, arbitrary: body(head) }, {
        weight: method === "DELETE" ? 12 : 1,
        arbitrary: fc.constant(undefined),
      }),
  })
);
