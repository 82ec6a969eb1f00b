import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { Client } from "@kubeloop/controller/client";
import { applyAll, ApplyError, type ApplyResult, diffAll } from "@kubeloop/kubectl";
import {
  ConfigMaps,
  Deployments,
  isConflict,
  type KubeObject,
  Namespaces,
  Pods,
  Secrets,
} from "@kubeloop/controller/types";
import { namespace, World } from "../_world.ts";
import { configMap, definition } from "./_objects.ts";
import { slowTest } from "../../support/kinds_of_tests.ts";

function lines(results: readonly ApplyResult[]): string[] {
  return results.map(({ kind, name, status }) => `${kind} ${name} ${status}`);
}

async function failure(promise: Promise<unknown>): Promise<ApplyError> {
  const error = await assertRejects(() => promise);
  assert(ApplyError.is(error), String(error));
  return error;
}

const EVERYTHING = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: guard }
webhooks: []
---
apiVersion: acme.io/v1
kind: Widget
metadata: { name: big, namespace: shop }
spec: { size: 9 }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      serviceAccountName: web
      containers: [{ name: main, image: nginx }]
---
# Only a comment.
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ServiceAccount
  metadata: { name: web, namespace: shop }
- apiVersion: v1
  kind: Service
  metadata: { name: web, namespace: shop }
  spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader, namespace: shop }
rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]
---
${JSON.stringify(definition("widgets", "Widget"))}
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
`;

const ORDERED = [
  "Namespace shop",
  "CustomResourceDefinition widgets.acme.io",
  "ServiceAccount web",
  "ClusterRole reader",
  "Service web",
  "Deployment web",
  "Widget big",
  "ValidatingWebhookConfiguration guard",
];

Deno.test("applyAll() omits the metadata that only the server sets, and sends all other metadata", async () => {
  await using world = new World();
  const bodies: Promise<unknown>[] = [];
  world.answer = (line, request) => {
    if (line.startsWith("PATCH ")) bodies.push(request.clone().json());
    return undefined;
  };
  const object = configMap("a", {}, { app: "web" });
  const annotations = { note: "kept" };
  await world.run(applyAll(world.client, {
    ...object,
    metadata: {
      ...object.metadata,
      annotations,
      creationTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 5,
      deletionTimestamp: "2026-01-01T00:00:00Z",
      generation: 7,
      managedFields: [],
      resourceVersion: "9",
      selfLink: "/x",
      uid: "u",
    },
  }));
  const [body] = await Promise.all(bodies);
  assertEquals(body, { ...object, metadata: { ...object.metadata, annotations } });
});

Deno.test("applyAll() rejects objects above the size of a request, and shows at most 253 characters of a kind", async () => {
  await using world = new World();
  const limit = 3 * 1024 * 1024;
  await assertRejects(
    () => applyAll(world.client, configMap("a", { text: "x".repeat(limit) })),
    TypeError,
    `the ConfigMap is longer than the ${limit} bytes of a request`,
  );
  const kind = "K".repeat(300);
  await assertRejects(
    () => applyAll(world.client, { apiVersion: "v1", kind, metadata: {} }),
    TypeError,
    `the ${"K".repeat(253)}… (47 more characters) has no metadata.name`,
  );
  assertEquals(world.requests, []);
});

Deno.test("applyAll() applies all kinds in order, and reports them as unchanged the second time", async () => {
  await using world = new World();
  const first = await world.run(applyAll(world.client, EVERYTHING));
  assertEquals(lines(first), ORDERED.map((one) => `${one} created`));
  assertEquals(first.map((one) => one.namespace ?? "-").join(" "), "- - shop - shop shop shop -");
  const second = await world.run(applyAll(world.client, EVERYTHING));
  assertEquals(lines(second), ORDERED.map((one) => `${one} unchanged`));
  const changed = EVERYTHING.replace("size: 9", "size: 10");
  const third = await world.run(applyAll(world.client, changed));
  assertEquals(
    third.filter(({ status }) => status !== "unchanged").map(({ name, status }) => [
      name,
      status,
    ]),
    [["big", "configured"]],
  );
});

Deno.test("applyAll() accepts YAML, JSON, objects and iterables of them, and fills in the namespace", async () => {
  await using world = new World();
  async function* input(): AsyncGenerator<string | KubeObject> {
    yield await Promise.resolve(
      '{\n\t"apiVersion": "v1", "kind": "ConfigMap",\n\t"metadata": {"name": "a"}}',
    );
    yield { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } };
    yield "\uFEFFkind: ConfigMapList\napiVersion: v1\nitems: [{ metadata: { name: c } }]\r\n";
  }
  const results = await world.run(applyAll(world.client, input(), { namespace: "kube-public" }));
  assertEquals(lines(results), ["a", "b", "c"].map((name) => `ConfigMap ${name} created`));
  assertEquals(results.map((one) => one.namespace), Array(3).fill("kube-public"));
  const [result] = await world.run(applyAll(world.client, configMap("d")));
  assertEquals(result?.object?.metadata.name, "d");
  // The response of a server can be applied again.
  const read = await world.run(world.client.get(ConfigMaps, "d", { namespace }));
  assertEquals(lines(await world.run(applyAll(world.client, read))), ["ConfigMap d unchanged"]);
});

Deno.test("applyAll() tries all objects, and its error has all results and names each failure", async () => {
  await using world = new World();
  world.answer = (line) => {
    if (line === "PATCH /api/v1/namespaces/default/configmaps/b") {
      return Response.json({ kind: "Status", code: 500, message: "etcd is on fire" }, {
        status: 500,
      });
    }
    if (line === "PATCH /api/v1/namespaces/default/configmaps/c") return new Response("<html>");
    if (line === "PATCH /api/v1/namespaces/default/configmaps/d") return Response.json([]);
    return undefined;
  };
  const gadget = { apiVersion: "acme.io/v1", kind: "Gadget", metadata: { name: "g" } };
  const objects = [...["a", "b", "c", "d", "e"].map((name) => configMap(name)), gadget];
  const told: string[] = [];
  const error = await failure(world.run(applyAll(world.client, objects, {
    onProgress: ({ result, done, total }) => void told.push(`${result.name} ${done}/${total}`),
  })));
  assertEquals(lines(error.results), [
    "ConfigMap a created",
    "ConfigMap b failed",
    "ConfigMap c failed",
    "ConfigMap d failed",
    "ConfigMap e created",
    "Gadget g failed",
  ]);
  assertEquals(error.errors.length, 4);
  assertStringIncludes(
    error.message,
    "Cannot apply 4 of 6 objects: ConfigMap default/b: etcd is on fire",
  );
  assertStringIncludes(error.message, 'Gadget g: The server has no kind "Gadget" of "acme.io/v1"');
  assertEquals(told.length, 6);
  assertEquals(told.at(-1), "g 6/6");
});

Deno.test("applyAll() waits for the Retry-After of a server with too many requests", async () => {
  await using world = new World();
  let refusals = 3;
  world.answer = (line) =>
    line.startsWith("PATCH") && refusals-- > 0
      ? new Response("Too many requests", { status: 429, headers: { "retry-after": "7" } })
      : undefined;
  const [result] = await world.run(applyAll(world.client, configMap("a")));
  assertEquals([result?.status, world.clock.now()], ["created", 21_000]);
});

Deno.test("applyAll() repeats an apply after a conflict with another write, but not endlessly", async () => {
  await using world = new World();
  const conflict = { kind: "Status", code: 409, reason: "Conflict", message: "please apply again" };
  let conflicts = 3;
  world.answer = (line) =>
    line.startsWith("PATCH") && conflicts-- > 0
      ? Response.json(conflict, { status: 409 })
      : undefined;
  assertEquals((await world.run(applyAll(world.client, configMap("a"))))[0]?.status, "created");
  conflicts = Infinity;
  const error = await failure(world.run(applyAll(world.client, configMap("a", { b: "c" }))));
  assert(isConflict(error.results[0]?.error));
});

Deno.test("Two appliers at once: the second one fails because of the fields of the first, or takes them with force", async () => {
  await using world = new World();
  const { client } = world;
  const outcomes = await world.run(Promise.allSettled(
    ["ann", "bob"].map((fieldManager) =>
      applyAll(client, [configMap("a", { owner: fieldManager }), configMap(fieldManager)], {
        fieldManager,
      })
    ),
  ));
  const failed = outcomes.filter((one) => one.status === "rejected");
  assertEquals(failed.length, 1);
  const { reason } = failed[0] as PromiseRejectedResult;
  assert(ApplyError.is(reason));
  assertStringIncludes(reason.message, ".data.owner");
  const [conflicting, own] = reason.results;
  assertEquals([conflicting?.status, own?.status], ["failed", "created"]);
  const loser = outcomes[0]?.status === "rejected" ? "ann" : "bob";
  const options = { fieldManager: loser, force: true };
  const forced = await world.run(applyAll(client, configMap("a", { owner: loser }), options));
  assertEquals(lines(forced), ["ConfigMap a configured"]);
});

Deno.test("applyAll() rejects with the reason of an abort, after it has reported the applied objects", async () => {
  await using world = new World();
  const stop = new AbortController();
  const told: string[] = [];
  const objects = Array.from({ length: 50 }, (_, i) => configMap(`c${i}`));
  const running = applyAll(world.client, objects, {
    concurrency: 1,
    signal: stop.signal,
    onProgress({ result }) {
      told.push(`${result.name} ${result.status}`);
      if (told.length === 5) stop.abort(new Error("enough"));
    },
  });
  const error = await assertRejects(() => world.run(running), Error);
  assertEquals(error.message, "enough");
  assertEquals(told.slice(0, 5), [0, 1, 2, 3, 4].map((i) => `c${i} created`));
  const { items } = await world.run(world.client.list(ConfigMaps, { namespace }));
  assertEquals(items.filter(({ metadata }) => metadata.name.startsWith("c")).length, 5);
});

Deno.test("applyAll() marks the objects that were not applied within the time limit as failed", async () => {
  await using world = new World();
  world.answer = (line) =>
    line.endsWith("/c3")
      ? new Response("", { status: 429, headers: { "retry-after": "30" } })
      : undefined;
  const objects = Array.from({ length: 6 }, (_, i) => configMap(`c${i}`));
  const options = { concurrency: 1, timeoutMs: 1000 };
  const error = await failure(world.run(applyAll(world.client, objects, options)));
  assertEquals(error.results.map(({ status }) => status), [
    ...Array(3).fill("created"),
    ...Array(3).fill("failed"),
  ]);
  assertEquals(error.results.map((one) => one.error?.name).slice(3), Array(3).fill("TimeoutError"));
  assertEquals(world.clock.now(), 1000);
});

Deno.test("applyAll() ends with an abort and the time limit while its input does not end", async () => {
  await using world = new World();
  async function* endless(): AsyncGenerator<string> {
    yield "";
    await new Promise(() => {});
  }
  const late = applyAll(world.client, endless(), { timeoutMs: 1000 });
  await assertRejects(() => world.run(late), DOMException, "it took longer than 1000 ms");
  const signal = AbortSignal.abort(new Error("enough"));
  await assertRejects(() => applyAll(world.client, endless(), { signal }), Error, "enough");
  assertEquals(world.requests, []);
});

Deno.test("applyAll() ignores errors of onProgress", async () => {
  await using world = new World();
  const results = await world.run(applyAll(world.client, [configMap("a"), configMap("b")], {
    onProgress: () => {
      throw new Error("oops");
    },
  }));
  assertEquals(results.length, 2);
});

slowTest(
  "applyAll() applies 2,000 objects with a bounded number of concurrent requests",
  async () => {
    await using world = new World();
    const objects = Array.from({ length: 2000 }, (_, i) => configMap(`c${i}`, { i: String(i) }));
    const results = await world.run(applyAll(world.client, objects, { concurrency: 20 }));
    assertEquals(results.map(({ status }) => status), Array(2000).fill("created"));
    assertEquals(results[1999]?.name, "c1999");
    assertEquals(world.mostAtOnce, 20);
  },
);

Deno.test("applyAll() with dryRun changes nothing, and marks the objects that it cannot check", async () => {
  await using world = new World();
  await world.run(applyAll(world.client, configMap("a", { color: "red" })));
  const before = world.server.resourceVersion;
  const objects = [configMap("a", { color: "blue" }), configMap("b")];
  const results = await world.run(
    applyAll(world.client, [EVERYTHING, ...objects], { dryRun: true }),
  );
  assertEquals(lines(results), [
    ...ORDERED.slice(0, 3).map((one) => `${one} created`),
    "ConfigMap a configured",
    "ConfigMap b created",
    ...ORDERED.slice(3).map((one) => `${one} created`),
  ]);
  assertEquals(
    results.filter((one) => one.unchecked).map((one) => `${one.name}: ${one.unchecked}`),
    [
      "web: its Namespace shop does not exist yet",
      "web: its Namespace shop does not exist yet",
      "web: its Namespace shop does not exist yet",
      "big: its Namespace shop does not exist yet",
    ],
  );
  assertEquals(world.server.resourceVersion, before);
  await world.run(world.client.create(Namespaces, { metadata: { name: "shop" } }));
  const again = await world.run(applyAll(world.client, EVERYTHING, { dryRun: true }));
  assertEquals(again.flatMap(({ name, unchecked }) => unchecked ? [`${name}: ${unchecked}`] : []), [
    "big: its CustomResourceDefinition does not exist yet",
  ]);
  const lost = { ...configMap("x"), metadata: { name: "x", namespace: "nowhere" } };
  const error = await failure(world.run(applyAll(world.client, lost, { dryRun: true })));
  assertStringIncludes(error.message, 'namespaces "nowhere" not found');
});

Deno.test("applyAll() with wait waits until the objects are ready, and fails for objects that do not become ready", async () => {
  await using world = new World();
  const { client } = world;
  const [, , , , , deployment] = await world.run(applyAll(client, EVERYTHING));
  assertEquals(deployment?.kind, "Deployment");
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  };
  const waiting = applyAll(client, [EVERYTHING, pod], { wait: true, timeoutMs: 60_000 });
  const call = { namespace: "shop" };
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  const status = { observedGeneration: 1, ...counts };
  await world.run(client.patchStatus(Deployments, "web", { status }, call));
  await world.clock.advance(10_000);
  const error = await failure(world.run(waiting));
  assertStringIncludes(error.message, "Cannot apply 1 of 9 objects: Pod default/p: ");
  const result = error.results.find(({ kind }) => kind === "Pod");
  assertEquals([result?.status, result?.object?.metadata.name], ["failed", "p"]);
  const ready = { status: { conditions: [{ type: "Ready", status: "True" } as const] } };
  await world.run(client.patchStatus(Pods, "p", ready, { namespace }));
  const results = await world.run(applyAll(client, [EVERYTHING, pod], { wait: true }));
  assertEquals(results.map(({ status }) => status), Array(9).fill("unchanged"));
});

Deno.test("diffAll() shows the changes, without the data of Secrets", async () => {
  await using world = new World();
  const secret = (key: string, value: string) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: "s",
      namespace,
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": value },
    },
    data: { [key]: btoa(value), same: btoa("constant") },
  });
  await world.run(applyAll(world.client, [secret("token", "hunter2"), configMap("a", { x: "1" })]));
  const results = await world.run(
    diffAll(world.client, [secret("token", "hunter3"), configMap("a", { x: "1" }), configMap("n")]),
  );
  const [ofSecret, same, created] = results;
  assertEquals(ofSecret?.status, "configured");
  const text = JSON.stringify(results.map(({ text, changes }) => [text, changes]));
  for (const part of ["hunter", btoa("hunter2"), btoa("hunter3"), btoa("constant")]) {
    assert(!text.includes(part), part);
  }
  assertStringIncludes(ofSecret?.text ?? "", "   same: (hidden)\n-  token: '(hidden, before)'\n");
  assertEquals(ofSecret?.changes.map(({ path }) => path), [
    "data.token",
    'metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]',
  ]);
  assertEquals([same?.status, same?.text, same?.changes], ["unchanged", "", []]);
  assertEquals(created?.text.split("\n").slice(0, 3), [
    "--- /dev/null",
    "+++ ConfigMap default/n",
    "@@ -0,0 +1,5 @@",
  ]);
  const { items } = await world.run(world.client.list(Secrets, { namespace }));
  assertEquals(items[0]?.data?.["token"], btoa("hunter2"));
});

Deno.test("applyAll() rejects invalid input before any request", async () => {
  await using world = new World();
  const refused = async (input: unknown, message: string, error = TypeError) => {
    const promise = applyAll(world.client, input as string);
    assertStringIncludes((await assertRejects(() => promise, error)).message, message);
  };
  await refused(
    undefined,
    "Cannot read the object: expected an object of Kubernetes, received undefined",
  );
  await refused(7, "received 7");
  await refused([configMap("a"), null], "Cannot read object 2");
  await refused({ kind: "Pod" }, "apiVersion must be a text, received undefined");
  await refused(
    "just a text",
    "Cannot read document 1: expected an object of Kubernetes, received a string",
  );
  await refused("a: [", "Cannot read the manifests: no YAML at line 2, column 1", SyntaxError);
  await refused(
    ["a: 1\n{{- if .Values }}\nb: 2"],
    "(a Helm template must be rendered first)",
    SyntaxError,
  );
  await refused(
    "apiVersion: v1\nkind: Pod\nmetadata: { generateName: a- }",
    "can be created, not applied",
  );
  await refused("apiVersion: v1\nkind: List\nitems: [1]", "Cannot read document 1, item 1");
  // A list has both: items, and a kind that ends with List.
  for (
    const [kind, rest] of [
      ["Basket", { items: [1] }],
      ["AllowList", { items: 1 }],
      ["Pod", {}],
      ["Pod", { metadata: {} }],
      ["Pod", { metadata: { name: "" } }],
      ["Pod", { metadata: { name: 5 } }],
      ["Pod", { metadata: "a" }],
    ] as const
  ) {
    const nameless = applyAll(world.client, { apiVersion: "v1", kind, ...rest } as never);
    const { message } = await assertRejects(() => nameless, TypeError);
    assertEquals(message, `Cannot read the object: the ${kind} has no metadata.name`);
  }
  await refused(
    [configMap("a"), configMap("a", { x: "y" })],
    "ConfigMap default/a is defined twice: in object 1 and in object 2",
  );
  const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (let i = 1; i < 9; i++) {
    const [name, of] = ["abcdefghi"[i], "abcdefghi"[i - 1]];
    bomb.push(`${name}: &${name} [*${of},*${of},*${of},*${of},*${of},*${of},*${of},*${of},*${of}]`);
  }
  await refused(
    `apiVersion: v1\nkind: X\nmetadata: { name: b }\n${bomb.join("\n")}`,
    "is longer than",
  );
  const secret = "password: hunter2\n  bad: indent";
  const error = await assertRejects(() => applyAll(world.client, secret), SyntaxError);
  assert(!error.message.includes("hunter2"));
  assertEquals(world.requests, []);
  const same = [configMap("a"), configMap("a")];
  assertEquals((await world.run(applyAll(world.client, same))).length, 1);
  assertEquals(await world.run(applyAll(world.client, "")), []);
});

Deno.test("applyAll() names the invalid option", async () => {
  await using world = new World();
  for (
    const [options, message] of [
      [null, "applyAll() takes an object with options: received null"],
      [{ dryrun: true }, 'applyAll() has no option "dryrun": did you mean "dryRun"?'],
      [{ signal: {} }, "an AbortSignal"],
      [{ applySet: { name: "web", namspace: "a" } }, 'did you mean "namespace"?'],
      [{ dryRun: "yes" }, "dryRun must be true or false: received a string"],
      [{ force: 1 }, "force must be true or false: received 1"],
      [{ namespace: "" }, 'namespace must be a text that is not empty: received ""'],
      [{ fieldManager: {} }, "fieldManager must be a text that is not empty: received an object"],
      [{ concurrency: 0 }, "concurrency must be a whole number of at least 1: received 0"],
      [{ timeoutMs: 0 }, "timeoutMs must be"],
      [{ onProgress: 3 }, "onProgress must be a function"],
      [{ prune: true }, "prune needs an apply set"],
      [{ applySet: "web" }, "applySet must have a name"],
      [{ applySet: { name: "web", kind: "Pod" } }, 'applySet.kind must be "ConfigMap" or "Secret"'],
    ] as const
  ) {
    const promise = applyAll(world.client, configMap("a"), options as object);
    assertStringIncludes((await assertRejects(() => promise, Error)).message, message);
  }
  await assertRejects(() => applyAll({} as Client, configMap("a")), TypeError, "Expected a client");
  assertEquals(world.requests, []);
});
