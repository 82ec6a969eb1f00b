import { assert, assertEquals, assertMatch } from "@std/assert";
import { RecordingLogger } from "../../../support/recording_logger.ts";
import { Cluster } from "../cluster.ts";
import { HookedCluster, patch } from "./hooks.ts";

const MAPS = Cluster.path("configmaps");
const said = HookedCluster.said;

Deno.test("a mutating webhook changes the object, with the review of a real server", async () => {
  await using cluster = new HookedCluster();
  await cluster.hook(
    "mutating",
    "add",
    () => patch({ op: "add", path: "/data", value: { added: "yes" } }),
  );
  const created = await cluster.call("POST", `${MAPS}?fieldManager=me`, {
    metadata: { name: "a", labels: { app: "x" } },
  });
  assertEquals([created.status, created.json.data], [201, { added: "yes" }]);
  // The field manager of the request does not own what a webhook added.
  assertEquals(JSON.stringify(created.json.metadata.managedFields).includes("added"), false);
  const [{ url, request }] = cluster.calls as [typeof cluster.calls[number]];
  assertEquals(url, "https://hooks.default.svc/add?timeout=10s");
  const { uid, object, ...rest } = request;
  assertMatch(uid, /^[0-9a-f-]{36}$/);
  assertEquals(object.metadata.labels, { app: "x" });
  assertEquals(object.metadata.uid, undefined);
  assertEquals(object.metadata.namespace, "default");
  assertEquals(rest, {
    kind: { group: "", version: "v1", kind: "ConfigMap" },
    resource: { group: "", version: "v1", resource: "configmaps" },
    requestKind: { group: "", version: "v1", kind: "ConfigMap" },
    requestResource: { group: "", version: "v1", resource: "configmaps" },
    name: "a",
    namespace: "default",
    operation: "CREATE",
    userInfo: { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
    oldObject: null,
    dryRun: false,
    options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "me" },
  });
});

Deno.test("webhooks see who sends the request", async () => {
  await using cluster = new HookedCluster();
  await cluster.hook("validating", "see", () => ({}));
  const sender = async (headers: Record<string, string>) => {
    await cluster.call("POST", MAPS, { metadata: { generateName: "a" } }, {
      "impersonate-user": "bob",
      "impersonate-group": "system:masters",
      ...headers,
    });
    return cluster.calls.at(-1)!.request.userInfo;
  };
  const bob = { username: "bob", groups: ["system:masters", "system:authenticated"] };
  assertEquals(await sender({}), bob);
  assertEquals(await sender({ "impersonate-uid": "u1" }), { ...bob, uid: "u1" });
  assertEquals(await sender({ "impersonate-extra-a": "b" }), { ...bob, extra: { a: ["b"] } });
});

Deno.test("webhooks see creates, updates, patches, applies and deletes, with both objects", async () => {
  await using cluster = new HookedCluster();
  await cluster.hook("validating", "see", () => ({}));
  await cluster.configMap("a");
  await cluster.call("PUT", `${MAPS}/a`, { metadata: { name: "a" }, data: { k: "1" } });
  await cluster.merge(`${MAPS}/a`, { data: { k: "2" } });
  const apply = { "content-type": "application/apply-patch+yaml" };
  const applied = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a" },
    data: { l: "3" },
  };
  await cluster.call("PATCH", `${MAPS}/a?fieldManager=m`, applied, apply);
  await cluster.call(
    "PATCH",
    `${MAPS}/b?fieldManager=m`,
    { ...applied, metadata: { name: "b" } },
    apply,
  );
  await cluster.call("DELETE", `${MAPS}/a`, { propagationPolicy: "Background" });
  await cluster.call("DELETE", `${MAPS}?fieldSelector=metadata.name=b`);
  assertEquals(
    cluster.calls.map(({ request: { operation, name, object, oldObject, options } }) =>
      [operation, name, object?.data, oldObject?.data, options.kind].map((one) =>
        JSON.stringify(one) ?? "-"
      ).join(" ")
    ),
    [
      '"CREATE" "a" - - "CreateOptions"',
      '"UPDATE" "a" {"k":"1"} - "UpdateOptions"',
      '"UPDATE" "a" {"k":"2"} {"k":"1"} "UpdateOptions"',
      '"UPDATE" "a" {"k":"2","l":"3"} {"k":"2"} "UpdateOptions"',
      '"CREATE" "b" {"l":"3"} - "CreateOptions"',
      '"DELETE" "a" - {"k":"2","l":"3"} "DeleteOptions"',
      '"DELETE" - - {"l":"3"} "DeleteOptions"',
    ],
  );
  assertEquals(cluster.calls[0]!.request.object.metadata.uid.length, 36);
  assertEquals((await cluster.get(MAPS)).json.items, []);
});

Deno.test("a denied request fails with the webhook's status and changes nothing", async () => {
  await using cluster = new HookedCluster();
  let response: unknown = {};
  await cluster.hook("validating", "deny", () => response);
  const outcomes: [unknown, number, string, string | undefined][] = [
    [{ status: { code: 403, message: "no", reason: "Forbidden" } }, 403, ": no", "Forbidden"],
    [{ status: { code: 200, message: "no" } }, 400, ": no", undefined],
    [{ status: { reason: "NotToday" } }, 400, ": NotToday", "NotToday"],
    [{ status: { code: 422, message: "bad", status: "Success" } }, 422, ": bad", undefined],
    [{}, 400, " without explanation", undefined],
    [{ status: { code: 399, message: "no" } }, 400, ": no", undefined],
    [{ status: { code: 400, message: "no" } }, 400, ": no", undefined],
    [{ status: { code: 599, message: "no" } }, 599, ": no", undefined],
    [{ status: { code: 600, message: "no" } }, 400, ": no", undefined],
  ];
  for (const [denial, code, text, reason] of outcomes) {
    response = { allowed: false, warnings: ["careful"], ...denial as object };
    const { status, json, headers } = await cluster.configMap("a");
    assertEquals([status, json.code, json.status, json.reason], [code, code, "Failure", reason]);
    assertEquals(json.message, `admission webhook "deny.example.com" denied the request${text}`);
    assertEquals(headers.get("warning"), '299 - "careful"');
  }
  const details = { kind: "thing", causes: [{ field: "data", message: "bad" }] };
  response = { allowed: false, status: { message: "no", details } };
  assertEquals((await cluster.configMap("a")).json.details, details);
  response = { allowed: false, status: { message: "no", details: null } };
  assertEquals("details" in (await cluster.configMap("a")).json, false);
  assertEquals((await cluster.get(`${MAPS}/a`)).status, 404);
  response = {};
  await cluster.configMap("a");
  response = { allowed: false };
  assertEquals((await cluster.call("DELETE", `${MAPS}/a`)).status, 400);
  assertEquals((await cluster.call("DELETE", MAPS)).status, 400);
  assertEquals((await cluster.merge(`${MAPS}/a`, { data: { k: "1" } })).status, 400);
  assertEquals((await cluster.get(`${MAPS}/a`)).json.data, undefined);
});

const BAD = 'failed calling webhook "bad.example.com": ';

Deno.test("a bad answer fails the request, or is ignored, as the failure policy says", async () => {
  const uid = "705ab4f5-6393-11e8-b7cc-42010a800002";
  const review = (response: unknown, head: object = {}) =>
    Response.json({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response,
      ...head,
    });
  const answers: [(request: { uid: string }) => unknown, string | RegExp][] = [
    [
      () => new Response("oops", { status: 500 }),
      'failed to call webhook: an error on the server ("oops") has prevented the request from succeeding',
    ],
    [
      () => new Response("x", { status: 404 }),
      "failed to call webhook: the server could not find the requested resource",
    ],
    [
      () => new Response("", { headers: { "content-type": "application/json" } }),
      "failed to call webhook: 0-length response with status code: 200 and content type: application/json",
    ],
    [
      () => new Response("<html>"),
      /^failed to call webhook: couldn't get version\/kind; json parse error: json: cannot unmarshal string into Go value/,
    ],
    [() => review(undefined), "received invalid webhook response: webhook response was absent"],
    [
      () => review({ uid, allowed: true }),
      /^received invalid webhook response: expected response.uid="[0-9a-f-]{36}", got "705ab4f5-/,
    ],
    [
      ({ uid }) => review({ uid, allowed: true }, { kind: undefined, apiVersion: undefined }),
      "received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=",
    ],
    [
      ({ uid }) => review({ uid, allowed: "yes" }),
      "failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool",
    ],
    [
      ({ uid }) => review({ uid, allowed: true, patch: btoa("[]") }),
      "received invalid webhook response: webhook returned response.patch but not response.patchType",
    ],
    [
      ({ uid }) => review({ uid, allowed: true, patchType: "JSONPatch" }),
      "received invalid webhook response: webhook returned response.patchType but not response.patch",
    ],
    [() => patch("x"), /^received undecodable patch in webhook response: /],
    [
      () => {
        throw new TypeError("connection reset");
      },
      'failed to call webhook: Post "https://hooks.default.svc:443/bad?timeout=10s": connection reset',
    ],
    [() => "no Response", /^failed to call webhook: /],
  ];
  for (const failurePolicy of ["Fail", "Ignore"]) {
    await using cluster = new HookedCluster();
    let answer = answers[0]![0];
    await cluster.hook("mutating", "bad", (request) => answer(request), { failurePolicy });
    for (const [index, [next, expected]] of answers.entries()) {
      answer = next;
      if (index === answers.length - 1) continue;
      const reply = await cluster.configMap(`m${index}`);
      if (failurePolicy === "Ignore") {
        assertEquals(reply.status, 201);
        continue;
      }
      const { message, reason, details } = reply.json;
      assertEquals([reply.status, reason], [500, "InternalError"]);
      const shown = message.replace(`Internal error occurred: ${BAD}`, "");
      if (typeof expected === "string") assertEquals(shown, expected);
      else assertMatch(shown, expected);
      assertEquals(details.causes, [{ message: `${BAD}${shown}` }]);
    }
  }
});

Deno.test("a validating webhook may not return a patch; a patch of a delete is an error", async () => {
  await using cluster = new HookedCluster();
  await cluster.hook("validating", "v", () => patch({ op: "add", path: "/data", value: {} }), {
    rules: [{
      operations: ["CREATE"],
      apiGroups: [""],
      apiVersions: ["v1"],
      resources: ["configmaps"],
    }],
  });
  assertMatch(
    (await cluster.configMap("a")).json.message,
    /received invalid webhook response: validating webhook may not return response.patch$/,
  );
  await cluster.call(
    "DELETE",
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/v",
  );
  await cluster.configMap("a");
  await cluster.hook("mutating", "m", () => patch({ op: "remove", path: "/data" }));
  assertEquals(said(await cluster.call("DELETE", `${MAPS}/a`)), [
    500,
    'Internal error occurred: admission webhook "m.example.com" attempted to modify the object, which is not supported for this operation',
  ]);
});

Deno.test("a patch that cannot be applied fails the request whatever the failure policy", async () => {
  await using cluster = new HookedCluster();
  let operation: unknown = { op: "remove", path: "/nothing/here" };
  await cluster.hook("mutating", "m", () => patch(operation), { failurePolicy: "Ignore" });
  assertEquals((await cluster.configMap("a")).status, 500);
  operation = { op: "add", path: "/data", value: 7 };
  const wrong = await cluster.configMap("a");
  assertEquals(wrong.status, 500);
  assertMatch(wrong.json.message, /^Internal error occurred: json: cannot unmarshal number into/);
  operation = { op: "replace", path: "/metadata/namespace", value: "other" };
  assertEquals((await cluster.configMap("a")).status, 400);
  operation = { op: "add", path: "/data", value: { "not a key": "1" } };
  assertEquals((await cluster.configMap("a")).status, 422);
});

Deno.test("a webhook that cannot be reached fails as on a real server", async () => {
  const logger = new RecordingLogger();
  await using cluster = new HookedCluster({ webhooks: undefined, logger });
  await cluster.hook("validating", "bad", () => ({}));
  const call = `Internal error occurred: ${BAD}failed to call webhook: Post`;
  assertEquals(said(await cluster.configMap("a")), [
    500,
    `${call} "https://hooks.default.svc:443/bad?timeout=10s": service "hooks" not found`,
  ]);
  const service = await cluster.call("POST", Cluster.path("services"), {
    metadata: { name: "hooks" },
    spec: { ports: [{ port: 443 }] },
  });
  const { clusterIP } = service.json.spec;
  assertEquals(
    (await cluster.configMap("a")).json.message,
    `${call} "https://hooks.default.svc:443/bad?timeout=10s": dial tcp ${clusterIP}:443: connect: connection refused`,
  );
  const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/bad";
  const { json } = await cluster.get(path);
  const urls: [string, string][] = [
    ["https://127.0.0.1:9443/x", "dial tcp 127.0.0.1:9443: connect: connection refused"],
    ["https://localhost/y", "dial tcp localhost:443: connect: connection refused"],
    ["https://hooks.example.com/", "dial tcp: lookup hooks.example.com: no such host"],
  ];
  let { resourceVersion } = json.metadata;
  for (const [url, reason] of urls) {
    json.webhooks[0].clientConfig = { url: url.replace(/\/$/, "") };
    json.metadata.resourceVersion = resourceVersion;
    const put = await cluster.call("PUT", path, json);
    assertEquals(put.status, 200);
    ({ resourceVersion } = put.json.metadata);
    assertEquals(
      (await cluster.configMap("a")).json.message,
      `${call} "${url}?timeout=10s": ${reason}`,
    );
  }
  const called = ["https://hooks.default.svc:443/bad", ...urls.map(([url]) => url)];
  assertEquals(
    logger.of("warn"),
    called.map((url) =>
      `The API server cannot call the webhook ${url}: it was created without the "webhooks" option`
    ),
    "once for each",
  );
});

Deno.test("a request with a timeout of its own ends with it, whatever the failure policy says", async () => {
  for (const failurePolicy of ["Fail", "Ignore"]) {
    await using cluster = new HookedCluster();
    const never = Promise.withResolvers<unknown>();
    await cluster.hook("mutating", "bad", () => never.promise, { failurePolicy });
    const start = cluster.clock.now();
    const pending = cluster.fetch(`${MAPS}?timeout=1.5s`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata: { name: "a" } }),
    });
    const response = await cluster.clock.run(pending);
    assertEquals(cluster.clock.now() - start, 1500);
    assertEquals(cluster.calls[0]!.url, "https://hooks.default.svc/bad?timeout=2s");
    const { message, reason } = await response.json();
    assertEquals([response.status, reason, message], [
      504,
      "Timeout",
      "Timeout: request did not complete within requested timeout - context deadline exceeded",
    ]);
    never.resolve({});
  }
});

Deno.test("a webhook that is too slow fails after its timeout, in virtual time", async () => {
  await using cluster = new HookedCluster();
  const never = Promise.withResolvers<unknown>();
  await cluster.hook("validating", "bad", () => never.promise, { timeoutSeconds: 3 });
  const start = cluster.clock.now();
  const pending = cluster.fetch(MAPS, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "a" } }),
  });
  const response = await cluster.clock.run(pending);
  assertEquals(cluster.clock.now() - start, 3000);
  assertMatch(
    (await response.json()).message,
    /Post "https:\/\/hooks.default.svc:443\/bad\?timeout=3s": context deadline exceeded$/,
  );
  never.resolve({});
});

Deno.test("close() ends the requests that wait for a webhook", async () => {
  const cluster = new HookedCluster();
  const never = Promise.withResolvers<unknown>();
  await cluster.hook("validating", "v", () => never.promise, { failurePolicy: "Ignore" });
  const pending = cluster.fetch(MAPS, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "a" } }),
  });
  await cluster.clock.settle();
  await cluster.server.close();
  assertEquals((await cluster.clock.run(pending)).status, 504);
  never.resolve({});
});

Deno.test("an aborted request writes nothing, although its webhook allows it", async () => {
  await using cluster = new HookedCluster();
  const gate = Promise.withResolvers<unknown>();
  await cluster.hook("validating", "v", () => gate.promise);
  const abort = new AbortController();
  const pending = cluster.fetch(MAPS, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "a" } }),
    signal: abort.signal,
  }).catch((error) => error);
  await cluster.clock.settle();
  abort.abort(new Error("gone"));
  gate.resolve({});
  assertEquals((await cluster.clock.run(pending)).message, "gone");
  await cluster.clock.settle();
  assertEquals((await cluster.get(`${MAPS}/a`)).status, 404);
});

Deno.test("mutating webhooks run by configuration and order, and again if reinvocation is needed", async () => {
  await using cluster = new HookedCluster();
  const append = (letter: string) => (request: { object: { data?: { log?: string } } }) => {
    const log = (request.object.data?.log ?? "") + letter;
    return patch({ op: "add", path: "/data", value: { log } });
  };
  await cluster.hook("mutating", "c", append("c"));
  await cluster.hook("mutating", "b", append("b"), { reinvocationPolicy: "IfNeeded" });
  await cluster.hook("mutating", "a", append("a"));
  await cluster.hook(
    "validating",
    "check",
    ({ object }) => ({ allowed: object.data.log === "abcb" }),
  );
  assertEquals((await cluster.configMap("x")).json.data, { log: "abcb" });
});

Deno.test("dry runs reach webhooks without side effects only", async () => {
  await using cluster = new HookedCluster();
  await cluster.hook("validating", "v", () => ({}), { sideEffects: "NoneOnDryRun" });
  const dry = await cluster.call("POST", `${MAPS}?dryRun=All`, { metadata: { name: "a" } });
  assertEquals([dry.status, cluster.calls.length], [201, 1]);
  assertEquals(cluster.calls[0]!.request.dryRun, true);
  assertEquals(cluster.calls[0]!.request.options.dryRun, ["All"]);
});

Deno.test("a webhook with side effects is not called for a dry run", async () => {
  await using cluster = new HookedCluster();
  await cluster.hook("validating", "some", () => ({}), { sideEffects: "NoneOnDryRun" });
  assertEquals((await cluster.configMap("a")).status, 201);
  assertEquals(cluster.calls.length, 1);
});

Deno.test("webhooks see the given options of a deletion", async () => {
  await using cluster = new HookedCluster();
  const rules = [{
    apiGroups: [""],
    apiVersions: ["v1"],
    operations: ["DELETE"],
    resources: ["configmaps"],
  }];
  await cluster.hook("validating", "deletes", () => ({}), { rules });
  const head = { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1" };
  for (const name of ["a", "b"]) await cluster.configMap(name);
  await cluster.call("DELETE", `${MAPS}/a`);
  const { uid } = (await cluster.get(`${MAPS}/b`)).json.metadata;
  const options = {
    gracePeriodSeconds: 0,
    preconditions: { uid },
    propagationPolicy: "Background",
  };
  await cluster.call("DELETE", `${MAPS}/b`, { ...options, dryRun: ["All"] });
  await cluster.call("DELETE", `${MAPS}/b`, { gracePeriodSeconds: 7 });
  assertEquals(cluster.calls.map(({ request }) => request.options), [
    head,
    { ...head, ...options, dryRun: ["All"] },
    { ...head, gracePeriodSeconds: 7 },
  ]);
});

Deno.test("a patch of a webhook is a list of operations with texts", async () => {
  const undecodable = 'failed calling webhook "wrong.example.com": received undecodable patch in ' +
    "webhook response: json: cannot unmarshal array into Go value of type jsonpatch.Operation";
  const cases: [operation: unknown, message: string][] = [
    [
      { op: "move", from: 5, path: "/data" },
      "move operation failed to decode from: json: cannot unmarshal number into Go value of type string",
    ],
    [
      { op: "remove", path: ["data"] },
      "remove operation failed to decode path: missing value",
    ],
    [{ op: null, path: "/data" }, "Unexpected kind: unknown"],
    [["op"], undecodable],
    [null, "Unexpected kind: unknown"],
  ];
  for (const [operation, message] of cases) {
    await using cluster = new HookedCluster();
    const patch = btoa(JSON.stringify([operation]));
    await cluster.hook("mutating", "wrong", () => ({ patchType: "JSONPatch", patch }));
    const { json, status } = await cluster.configMap("a");
    assertEquals([status, json.message], [500, `Internal error occurred: ${message}`]);
  }
});

Deno.test("webhooks select by scope, subresource, namespace and labels", async () => {
  await using cluster = new HookedCluster();
  const rule = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"] };
  const names = [
    ["all", { rules: [{ ...rule, resources: ["*/*"] }] }],
    ["plain", { rules: [{ ...rule, resources: ["*"] }] }],
    ["status", { rules: [{ ...rule, resources: ["pods/status"] }] }],
    ["cluster", { rules: [{ ...rule, resources: ["*"], scope: "Cluster" }] }],
    ["spaced", { rules: [{ ...rule, resources: ["*"], scope: "Namespaced" }] }],
    ["nslabel", {
      rules: [{ ...rule, resources: ["*"] }],
      namespaceSelector: { matchLabels: { team: "a" } },
    }],
    ["label", {
      rules: [{ ...rule, resources: ["*"] }],
      objectSelector: { matchExpressions: [{ key: "app", operator: "Exists" }] },
    }],
  ] as const;
  for (const [name, rest] of names) await cluster.hook("validating", name, () => ({}), rest);
  const called = async (act: () => Promise<unknown>) => {
    cluster.calls.length = 0;
    await act();
    return cluster.calls.map(({ url }) => new URL(url).pathname.slice(1)).join(" ");
  };
  assertEquals(await called(() => cluster.pod("p")), "all plain spaced");
  assertEquals(
    await called(() => cluster.merge(`${Cluster.path("pods", "p")}/status`, { status: {} })),
    "all status",
  );
  const space = { metadata: { name: "n", labels: { team: "a" } } };
  assertEquals(
    await called(() => cluster.call("POST", "/api/v1/namespaces", space)),
    "all cluster nslabel plain",
  );
  const inSpace = "/api/v1/namespaces/n/configmaps";
  const labeled = { metadata: { name: "m", labels: { app: "x" } } };
  assertEquals(
    await called(() => cluster.call("POST", inSpace, labeled)),
    "all label nslabel plain spaced",
  );
  // The old object counts too.
  assertEquals(
    await called(() => cluster.merge(`${inSpace}/m`, { metadata: { labels: null } })),
    "all label nslabel plain spaced",
  );
  assertEquals(
    await called(() => cluster.merge(`${inSpace}/m`, { data: { a: "1" } })),
    "all nslabel plain spaced",
  );
  const binding = { metadata: { name: "p" }, target: { kind: "Node", name: "n" } };
  assertEquals(
    await called(() => cluster.call("POST", `${Cluster.path("pods", "p")}/binding`, binding)),
    "all",
  );
  assertEquals(cluster.calls[0]!.request.kind.kind, "Binding");
  // Never for the configurations themselves.
  assertEquals(await called(() => cluster.hook("validating", "more", () => ({}))), "");
});

Deno.test("webhooks see and change the Scale in a write of the scale subresource", async () => {
  await using cluster = new HookedCluster();
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const rules = [{
    operations: ["UPDATE"],
    apiGroups: ["apps"],
    apiVersions: ["v1"],
    resources: ["deployments/scale"],
  }];
  await cluster.hook(
    "mutating",
    "limit",
    ({ object }) =>
      patch({ op: "replace", path: "/spec/replicas", value: Math.min(3, object.spec.replicas) }),
    {
      rules,
    },
  );
  await cluster.hook("validating", "check", ({ kind, object, oldObject }) => ({
    allowed: kind.kind === "Scale" && object.spec.replicas === 3 && oldObject.spec.replicas === 1,
  }), { rules });
  const labels = { app: "x" };
  await cluster.call("POST", path, {
    metadata: { name: "d" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
  const scaled = await cluster.merge(`${path}/d/scale`, { spec: { replicas: 9 } });
  assertEquals([scaled.status, scaled.json.spec.replicas], [200, 3]);
  assertEquals((await cluster.get(`${path}/d`)).json.spec.replicas, 3);
  assertEquals(cluster.calls.map(({ url }) => new URL(url).pathname), ["/limit", "/check"]);
});

Deno.test("a webhook for one version gets the requests for the others, converted", async () => {
  await using cluster = new HookedCluster();
  const rules = [{
    operations: ["CREATE"],
    apiGroups: ["events.k8s.io"],
    apiVersions: ["v1"],
    resources: ["events"],
  }];
  await cluster.hook(
    "mutating",
    "same",
    ({ object }) => patch({ op: "replace", path: "/note", value: `${object.note}!` }),
    { rules },
  );
  await cluster.hook("mutating", "exact", () => ({ allowed: false }), {
    rules,
    matchPolicy: "Exact",
  });
  const created = await cluster.call("POST", Cluster.path("events"), {
    metadata: { name: "e" },
    involvedObject: { namespace: "default" },
    message: "hello",
  });
  assertEquals([created.status, created.json.message], [201, "hello!"]);
  const { resource, kind, requestResource, object } = cluster.calls[0]!.request;
  assertEquals([resource.group, kind.group, requestResource.group], [
    "events.k8s.io",
    "events.k8s.io",
    "",
  ]);
  assertEquals(object.apiVersion, "events.k8s.io/v1");
});

Deno.test("webhooks see custom resources, with the type first", async () => {
  await using cluster = new HookedCluster();
  await cluster.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "shops.example.dev" },
    spec: {
      group: "example.dev",
      scope: "Namespaced",
      names: { plural: "shops", kind: "Shop" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", properties: { size: { type: "integer" } } },
        },
      }],
    },
  });
  const rules = [{
    operations: ["*"],
    apiGroups: ["example.dev"],
    apiVersions: ["v1"],
    resources: ["shops"],
  }];
  await cluster.hook("validating", "sees", () => ({}), { rules });
  const shops = "/apis/example.dev/v1/namespaces/default/shops";
  await cluster.call("POST", shops, {
    size: 3,
    metadata: { name: "a" },
    kind: "Shop",
    apiVersion: "example.dev/v1",
  });
  await cluster.call("DELETE", `${shops}/a`);
  const seen = cluster.calls.map(({ request: { object, oldObject } }) =>
    [object, oldObject].map((one) => one && [Object.keys(one), one.metadata.name, one.size])
  );
  const shop = [["apiVersion", "kind", "metadata", "size"], "a", 3];
  assertEquals(seen, [[shop, null], [null, shop]]);
});

Deno.test("a webhook may use the server itself; a write that lost the race runs again", async () => {
  let rounds = 0;
  const cluster: HookedCluster = new HookedCluster();
  await using _ = cluster;
  await cluster.hook("validating", "v", async ({ operation }) => {
    if (operation !== "UPDATE" || ++rounds > 1) return {};
    // Another write of the same object, which does not go through the webhook again.
    const body = JSON.stringify({ metadata: { labels: { seen: "1" } } });
    const headers = { "content-type": "application/merge-patch+json" };
    rounds = 1;
    const inner = cluster.fetch(`${MAPS}/a`, { method: "PATCH", headers, body });
    assertEquals((await inner).status, 200);
    return {};
  });
  await cluster.configMap("a");
  const patched = await cluster.merge(`${MAPS}/a`, { data: { k: "1" } });
  assertEquals([patched.status, patched.json.metadata.labels], [200, { seen: "1" }]);
  assertEquals(patched.json.data, { k: "1" });
  // The update, the one inside of it, and the update again.
  assertEquals(rounds, 3);
  const stale = { ...patched.json, data: { k: "2" } };
  rounds = 0;
  const put = await cluster.call("PUT", `${MAPS}/a`, stale);
  // Nothing is left to change inside: the label is there already.
  assertEquals(put.status, 200);
});

Deno.test("a PUT with a resource version that is lost to the webhook's own write is a conflict", async () => {
  let count = 0;
  const cluster: HookedCluster = new HookedCluster();
  await using _ = cluster;
  await cluster.hook("validating", "v", async ({ operation }) => {
    if (operation !== "UPDATE" || ++count > 1) return {};
    const body = JSON.stringify({ data: { inner: "1" } });
    const headers = { "content-type": "application/merge-patch+json" };
    await cluster.fetch(`${MAPS}/a`, { method: "PATCH", headers, body });
    return {};
  });
  const { json } = await cluster.configMap("a");
  const put = await cluster.call("PUT", `${MAPS}/a`, { ...json, data: { k: "1" } });
  assertEquals([put.status, put.json.reason], [409, "Conflict"]);
});

Deno.test("two services that wait for webhooks get different addresses", async () => {
  await using cluster = new HookedCluster();
  const rule = { operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["services"] };
  await cluster.hook("validating", "v", () => ({}), { rules: [rule] });
  const create = (name: string) =>
    cluster.fetch(Cluster.path("services"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata: { name }, spec: { ports: [{ port: 80 }] } }),
    }).then((response) => response.json());
  const both = await cluster.clock.run(Promise.all([create("a"), create("b")]));
  const [a, b] = both.map(({ spec }) => spec.clusterIP);
  assert(a !== b && a !== undefined);
});

Deno.test("requests with webhooks get the same answers for the same seed", async () => {
  const run = async (spent: number) => {
    await using cluster = new HookedCluster();
    await cluster.hook("mutating", "m", async ({ object }) => {
      for (let i = 0; i < spent; i++) await undefined;
      return patch({ op: "add", path: "/data", value: { for: object.metadata.name } });
    });
    const create = (name: string) =>
      cluster.fetch(MAPS, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ metadata: { name } }),
      }).then((response) => response.text());
    const texts = await cluster.clock.run(Promise.all(["a", "b", "c", "d"].map(create)));
    return [...texts, ...cluster.calls.map(({ request }) => request.uid)].join("\n");
  };
  assertEquals(await run(0), await run(30));
});

Deno.test("a mutating webhook sees an object without a namespace where there is none", async () => {
  await using cluster = new HookedCluster();
  const rules = [{
    operations: ["CREATE"],
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["nodes"],
  }];
  await cluster.hook("mutating", "see", () => ({}), { rules });
  await cluster.call("POST", "/api/v1/nodes", { metadata: { name: "n" } });
  const [{ request }] = cluster.calls as [typeof cluster.calls[number]];
  assertEquals(["namespace" in request, "namespace" in request.object.metadata], [false, false]);
});
