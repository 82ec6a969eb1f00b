import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client, type Fetch } from "../../src/client/mod.ts";
import {
  ConfigMaps,
  defineResource,
  Deployments,
  type KubeObject,
  Namespaces,
  Pods,
  StatusError,
} from "../../src/types/mod.ts";
import { ScriptedFetch, statusAnswer } from "./_scripted_fetch.ts";

const denoJson = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));

const Websites = defineResource({
  group: "example.com",
  version: "v1",
  plural: "websites",
  kind: "Website",
  namespaced: true,
});

const object = (name: string): KubeObject => ({ metadata: { name, namespace: "n" } });
const inN = { namespace: "n" };

interface Scale extends KubeObject {
  spec: { replicas: number };
}

/** Returns the request that a call sends: method, path with query, content type and body. */
async function sentBy(call: (client: Client) => Promise<unknown>, answer: unknown = {}) {
  const script = new ScriptedFetch(Response.json(answer));
  await call(new Client({ fetch: script.fetch }));
  const { request } = script;
  const url = new URL(request.url);
  const body = await request.text();
  return [
    `${request.method} ${url.pathname}${url.search}`,
    request.headers.get("content-type"),
    body === "" ? undefined : JSON.parse(body),
  ];
}

const list = { metadata: { resourceVersion: "1" }, items: [] };
const json = "application/json";
const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "n" } };
const dryRun = { dryRun: true, fieldManager: "m", fieldValidation: "Strict" } as const;

const CALLS: [string, (client: Client) => Promise<unknown>, unknown[], unknown?][] = [
  [
    "list() across namespaces",
    (c) => c.list(Pods),
    ["GET /api/v1/pods?limit=500", null, undefined],
    list,
  ],
  [
    "list() of one page, with every option",
    (c) =>
      c.list(Websites, {
        namespace: "n",
        labelSelector: "a=b",
        fieldSelector: "x=y",
        resourceVersion: "0",
        resourceVersionMatch: "NotOlderThan",
        limit: 5,
        continue: "t",
        timeoutSeconds: 9,
      }),
    [
      "GET /apis/example.com/v1/namespaces/n/websites?labelSelector=a%3Db&fieldSelector=x%3Dy&resourceVersion=0" +
      "&resourceVersionMatch=NotOlderThan&limit=5&continue=t&timeoutSeconds=9",
      null,
      undefined,
    ],
    list,
  ],
  ["list() without limit 0", (c) => c.list(Pods, { limit: 0 }), [
    "GET /api/v1/pods",
    null,
    undefined,
  ], list],
  ["get()", (c) => c.get(Pods, "p", inN), ["GET /api/v1/namespaces/n/pods/p", null, undefined]],
  [
    "get() of a cluster-scoped object",
    (c) => c.get(Namespaces, "n", { resourceVersion: "0" }),
    ["GET /api/v1/namespaces/n?resourceVersion=0", null, undefined],
  ],
  [
    "get() of a subresource",
    (c) => c.get<Scale>(Deployments, "d", { namespace: "n", subresource: "scale" }),
    ["GET /apis/apps/v1/namespaces/n/deployments/d/scale", null, undefined],
  ],
  [
    "get() of a name with a colon",
    (c) => c.get(Namespaces, "system:node"),
    ["GET /api/v1/namespaces/system%3Anode", null, undefined],
  ],
  [
    "create()",
    (c) => c.create(Pods, object("p"), dryRun),
    [
      "POST /api/v1/namespaces/n/pods?dryRun=All&fieldManager=m&fieldValidation=Strict",
      json,
      pod,
    ],
  ],
  [
    "create() of an eviction",
    (c) =>
      c.create(Pods, { apiVersion: "policy/v1", kind: "Eviction", ...object("p") }, {
        subresource: "eviction",
      }),
    ["POST /api/v1/namespaces/n/pods/p/eviction", json, {
      ...pod,
      apiVersion: "policy/v1",
      kind: "Eviction",
    }],
  ],
  [
    "update()",
    (c) => c.update(Websites, object("w")),
    ["PUT /apis/example.com/v1/namespaces/n/websites/w", json, {
      apiVersion: "example.com/v1",
      kind: "Website",
      metadata: { name: "w", namespace: "n" },
    }],
  ],
  [
    "updateStatus()",
    (c) => c.updateStatus(Pods, object("p") as never),
    ["PUT /api/v1/namespaces/n/pods/p/status", json, pod],
  ],
  [
    "patch(), a merge patch by default",
    (c) => c.patch(Pods, "p", { spec: null }, inN),
    ["PATCH /api/v1/namespaces/n/pods/p", "application/merge-patch+json", { spec: null }],
  ],
  [
    "patch() with operations",
    (c) => c.patch(Pods, "p", [{ op: "remove", path: "/a" }], { ...inN, type: "json" }),
    ["PATCH /api/v1/namespaces/n/pods/p", "application/json-patch+json", [{
      op: "remove",
      path: "/a",
    }]],
  ],
  [
    "patch(), strategic",
    (c) => c.patch(Pods, "p", {}, { ...inN, type: "strategic" }),
    ["PATCH /api/v1/namespaces/n/pods/p", "application/strategic-merge-patch+json", {}],
  ],
  [
    "patchStatus()",
    (c) => c.patchStatus(Pods, "p", { status: {} }, inN),
    ["PATCH /api/v1/namespaces/n/pods/p/status", "application/merge-patch+json", { status: {} }],
  ],
  [
    "apply()",
    (c) => c.apply(Pods, object("p") as never, { fieldManager: "m", force: true }),
    [
      "PATCH /api/v1/namespaces/n/pods/p?fieldManager=m&force=true",
      "application/apply-patch+yaml",
      pod,
    ],
  ],
  ["delete()", (c) => c.delete(Pods, "p", inN), [
    "DELETE /api/v1/namespaces/n/pods/p",
    null,
    undefined,
  ]],
  [
    "delete() with every option",
    (c) =>
      c.delete(Pods, "p", {
        ...inN,
        propagationPolicy: "Foreground",
        gracePeriodSeconds: 0,
        preconditions: { uid: "u", resourceVersion: "3" },
        dryRun: true,
      }),
    ["DELETE /api/v1/namespaces/n/pods/p", json, {
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: "Foreground",
      gracePeriodSeconds: 0,
      preconditions: { uid: "u", resourceVersion: "3" },
      dryRun: ["All"],
    }],
  ],
  [
    "delete() of the object with a UID",
    (c) => c.delete(Pods, "p", { ...inN, preconditions: { uid: "u" } }),
    ["DELETE /api/v1/namespaces/n/pods/p", json, {
      kind: "DeleteOptions",
      apiVersion: "v1",
      preconditions: { uid: "u" },
    }],
  ],
  [
    "deleteCollection()",
    (c) => c.deleteCollection(ConfigMaps, { ...inN, labelSelector: "a=b", gracePeriodSeconds: 1 }),
    ["DELETE /api/v1/namespaces/n/configmaps?labelSelector=a%3Db", json, {
      kind: "DeleteOptions",
      apiVersion: "v1",
      gracePeriodSeconds: 1,
    }],
    list,
  ],
  [
    "watch()",
    (c) =>
      c.watch(Pods, {
        namespace: "n",
        resourceVersion: "7",
        allowWatchBookmarks: true,
        sendInitialEvents: true,
        resourceVersionMatch: "NotOlderThan",
        timeoutSeconds: 300,
      }).then((watch) => watch.close()),
    [
      "GET /api/v1/namespaces/n/pods?resourceVersion=7&resourceVersionMatch=NotOlderThan&timeoutSeconds=300" +
      "&allowWatchBookmarks=true&sendInitialEvents=true&watch=true",
      null,
      undefined,
    ],
  ],
  [
    "getRaw()",
    (c) => c.getRaw("/version", { query: { verbose: "1" } }),
    ["GET /version?verbose=1", null, undefined],
  ],
  [
    "listerWatcher().list()",
    (c) => c.listerWatcher(Pods, { namespace: "n", labelSelector: "a" }).list({ limit: 2 }, {}),
    ["GET /api/v1/namespaces/n/pods?labelSelector=a&limit=2", null, undefined],
    list,
  ],
  [
    "listerWatcher().watch()",
    async (c) => {
      const events = await c.listerWatcher(Pods, { fieldSelector: "a=b" })
        .watch({ resourceVersion: "7", limit: 5 }, {});
      await events[Symbol.asyncIterator]().return?.();
    },
    ["GET /api/v1/pods?fieldSelector=a%3Db&resourceVersion=7&watch=true", null, undefined],
  ],
];

for (const [name, call, expected, answer] of CALLS) {
  Deno.test(`Client.${name} sends the right request`, async () => {
    assertEquals(await sentBy(call, answer), expected);
  });
}

Deno.test("Client requires the kind of an object for a subresource with its own kind", async () => {
  const script = new ScriptedFetch();
  const client = new Client({ fetch: script.fetch });
  await assertRejects(
    () => client.update<KubeObject>(Deployments, object("d"), { subresource: "scale" }),
    TypeError,
    "has its own kind",
  );
  assertEquals(script.requests.length, 0);
});

Deno.test("Client.create() sends a review, which has no name", async () => {
  const reviews = defineResource({
    group: "authentication.k8s.io",
    version: "v1",
    plural: "selfsubjectreviews",
    kind: "SelfSubjectReview",
    namespaced: false,
  });
  const [sent] = await sentBy((client) => client.create(reviews, { metadata: {} }));
  assertEquals(sent, "POST /apis/authentication.k8s.io/v1/selfsubjectreviews");
});

Deno.test("Client sends Accept, User-Agent with the package's version, and the token", async () => {
  const script = new ScriptedFetch(Response.json({}));
  await new Client({ fetch: script.fetch, token: "s3cr3t" }).get(Namespaces, "n");
  const { headers } = script.request;
  assertEquals(headers.get("accept"), "application/json");
  assertEquals(headers.get("user-agent"), `kubeloop/${denoJson.version}`);
  assertEquals(headers.get("authorization"), "Bearer s3cr3t");
  assertEquals(script.request.redirect, "manual");
});

Deno.test("Client keeps the path of the server's URL", async () => {
  const script = new ScriptedFetch(Response.json({}));
  await new Client({ fetch: script.fetch, server: "https://host/k8s/c1/" }).get(Namespaces, "n");
  assertEquals(script.request.url, "https://host/k8s/c1/api/v1/namespaces/n");
});

Deno.test("Client.eachListItem() calls fn with the objects of all pages", async () => {
  const page = (name: string, token: string) => () =>
    Response.json({ metadata: { continue: token }, items: [object(name)] });
  const script = new ScriptedFetch(page("a", "t"), page("b", ""));
  const names: unknown[] = [];
  await new Client({ fetch: script.fetch })
    .eachListItem(Pods, (item) => void names.push(item.metadata.name));
  assertEquals(names, ["a", "b"]);
});

for (
  const [what, options, message] of [
    ["options without server and fetch", {}, "needs a server"],
    ["a server without a scheme", { server: "10.0.0.1:6443" }, "Invalid server URL"],
    ["a server of another scheme", { server: "ftp://host" }, "Invalid server URL"],
    ["credentials in the URL", { server: "https://me:pa55@host" }, "holds a user or password"],
    ["a query in the URL", { server: "https://host/?a=b" }, "query"],
    ["a token over http", { server: "http://10.0.0.1", token: "t" }, "unencrypted"],
    ["a token with a line break", { server: "https://h", token: "s3cr3t\nx" }, "line break"],
    ["a CA that is not PEM", { server: "https://h", caData: "pa55" }, "Invalid caData"],
    [
      "a certificate without its key",
      { server: "https://h", certData: "-----BEGIN CERTIFICATE-----" },
      "without keyData",
    ],
    [
      "an encrypted key",
      { server: "https://h", keyData: "-----BEGIN ENCRYPTED PRIVATE KEY-----" },
      "encrypted",
    ],
  ] as const
) {
  Deno.test(`new Client() refuses ${what}`, () => {
    const error = assertThrows(() => new Client(options), TypeError, message);
    assert(!/pa55|s3cr3t/.test(error.message), error.message);
  });
}

Deno.test("new Client() accepts a token over http to a loopback address, or with allowInsecureToken", () => {
  for (const host of ["127.0.0.1:8001", "[::1]", "localhost:1"]) {
    new Client({ server: `http://${host}`, token: "t" });
  }
  new Client({ server: "http://10.0.0.1", token: "t", allowInsecureToken: true });
});

Deno.test("Client rejects with the signal's reason, also when the fetch ignores it", async () => {
  const stop = new AbortController();
  let cancelled = false;
  let answer!: (response: Response) => void;
  const late: Fetch = () => new Promise((resolve) => answer = resolve);
  const pending = new Client({ fetch: late }).get(Namespaces, "n", { signal: stop.signal });
  await Promise.resolve();
  await Promise.resolve();
  stop.abort(new RangeError("enough"));
  await assertRejects(() => pending, RangeError, "enough");
  answer(
    new Response(
      new ReadableStream({
        cancel: () => {
          cancelled = true;
        },
      }),
    ),
  );
  await new Promise((resolve) => setTimeout(resolve));
  assert(cancelled, "the late answer's body was left open");
});

Deno.test("Client's StatusError contains Status, code, method and URL", async () => {
  const { fetch } = new ScriptedFetch(statusAnswer(409, "AlreadyExists"));
  const error = await assertRejects(() => new Client({ fetch }).create(Pods, object("p") as never));
  assert(StatusError.is(error));
  assertEquals(
    [error.code, error.reason, error.method, error.url],
    [409, "AlreadyExists", "POST", "https://kubeloop.invalid/api/v1/namespaces/n/pods"],
  );
});

Deno.test("Client leaves no listener on a signal, however a call or a watch ends", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: unknown[]) => {
    listeners++;
    addEventListener.apply(signal, args as never);
  };
  signal.removeEventListener = (...args: unknown[]) => {
    listeners--;
    removeEventListener.apply(signal, args as never);
  };
  const line = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n';
  const { fetch } = new ScriptedFetch(
    Response.json({}),
    statusAnswer(500, "InternalError"),
    statusAnswer(403, "Forbidden"),
    new Response(line),
    new Response(line),
    new Response(line),
  );
  const client = new Client({ fetch });
  await client.get(Namespaces, "n", { signal });
  await client.get(Namespaces, "n", { signal }).catch(() => {});
  await client.watch(Pods, { signal }).catch(() => {});
  assertEquals(listeners, 0);
  for await (const _event of await client.watch(Pods, { signal }));
  for await (const _event of await client.watch(Pods, { signal })) break;
  const unread = await client.watch(Pods, { signal });
  assertEquals(listeners, 1);
  await unread.close();
  assertEquals(listeners, 0);
});
