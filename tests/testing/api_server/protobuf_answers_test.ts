/**
 * Answers in protobuf: that they have what the same answer in JSON has, and where a real server has none.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readFrames, readProtobuf } from "../../../src/testing/api_server/schema/mod.ts";
import { DEFINITION, SEEDED } from "../../support/fuzz_requests.ts";
import { readWrites } from "../../conformance/sets/writes.ts";
import { Cluster } from "./cluster.ts";
import type { Loose } from "./support.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const ACCEPT = `${PROTOBUF}, application/json`;
const MAPS = Cluster.path("configmaps");
const GADGETS = "/apis/fuzz.example.com/v1/namespaces/default/gadgets";
const PODS = Cluster.path("pods");

const metadataOf = (kind: string, version = "v1") =>
  `${PROTOBUF};as=${kind};g=meta.k8s.io;v=${version}`;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

async function ask(
  { clock, fetch }: Pick<Cluster, "clock" | "fetch">,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await clock.run(fetch(path, {
    method,
    headers: { accept: ACCEPT, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }));
  const bytes = await clock.run(response.bytes());
  return { status: response.status, headers: response.headers, bytes };
}

/** A cluster, with the requests of these tests. */
class Asked extends Cluster {
  /** Sends a request and reads the object of the answer, which must be in protobuf. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; object: Loose; headers: Headers; length: number }> {
    const answer = await ask(
      { clock: this.clock, fetch: (url, init) => this.fetch(url, init) },
      method,
      path,
      body,
      headers,
    );
    assertEquals(answer.headers.get("content-type"), PROTOBUF, path);
    const { status, bytes } = answer;
    return { status, object: readProtobuf(bytes), headers: answer.headers, length: bytes.length };
  }

  /** Opens a watch in protobuf, and reads its events until `act` has ended. */
  async frames(
    path: string,
    act: () => Promise<unknown> = () => Promise.resolve(),
    accept: string = `${PROTOBUF};stream=watch`,
  ): Promise<{ type: string; object: Loose }[]> {
    const url = `${path}${path.includes("?") ? "&" : "?"}watch=1`;
    const response = await this.clock.run(this.fetch(url, { headers: { accept } }));
    assertEquals(response.headers.get("content-type"), `${PROTOBUF};stream=watch`);
    const chunks: number[] = [];
    const reader = response.body!.getReader();
    const reading = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        chunks.push(...next.value);
      }
    })();
    await act();
    await this.clock.settle();
    await reader.cancel();
    await reading;
    return readFrames(Uint8Array.from(chunks));
  }

  /** Creates the definition of a custom resource, and one object of several resources. */
  async seed(): Promise<void> {
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    assertEquals((await this.call("POST", definitions, DEFINITION)).status, 201);
    for (const [path, body] of SEEDED) {
      assertEquals((await this.call("POST", path.replace("{ns}", "default"), body)).status, 201);
    }
  }
}

Deno.test("a created object is the same in protobuf and in JSON, alone and in a list", async () => {
  await using cluster = new Asked();
  await cluster.call("POST", "/api/v1/namespaces", { metadata: { name: "goldns" } });
  const paths = new Set<string>();
  for (const { path, base: body } of await readWrites("creates")) {
    const { status, json } = await cluster.call("POST", path, body);
    const name = json.metadata?.name;
    // Claims of a StatefulSet say their kind in JSON only.
    if (status !== 201 || name === undefined || path.endsWith("/statefulsets")) continue;
    const read = await cluster.get(`${path}/${name}`);
    if (read.status !== 200) continue;
    paths.add(path);
    const { object } = await cluster.ask("GET", `${path}/${name}`);
    assertEquals(object, read.json, path);
  }
  for (const path of paths) {
    const { json } = await cluster.get(path);
    assert(json.items.length > 0);
    // The second time, the messages are kept from the first time.
    for (let i = 0; i < 2; i++) assertEquals((await cluster.ask("GET", path)).object, json, path);
  }
  assert(paths.size > 15, `${paths.size}`);
});

Deno.test("every list that a server has is the same in protobuf and in JSON", async () => {
  await using cluster = new Asked();
  await cluster.seed();
  const groups = (await cluster.get("/apis")).json.groups.flatMap((group: Loose) =>
    group.versions.map(({ groupVersion }: Loose) => `/apis/${groupVersion}`)
  );
  let lists = 0;
  for (const group of ["/api/v1", ...groups]) {
    for (const { name, verbs } of (await cluster.get(group)).json.resources) {
      if (!verbs.includes("list") || name.includes("/") || name === "gadgets") continue;
      const { json } = await cluster.get(`${group}/${name}`);
      assertEquals((await cluster.ask("GET", `${group}/${name}`)).object, json, name);
      lists++;
    }
  }
  assert(lists > 40, `${lists}`);
});

Deno.test("writes answer in protobuf: objects, Status and lists of what was deleted", async () => {
  await using cluster = new Asked();
  const created = await cluster.ask("POST", MAPS, { metadata: { name: "a" }, data: { k: "1" } });
  assertEquals([created.status, created.object.data], [201, { k: "1" }]);
  const merge = { "content-type": "application/merge-patch+json" };
  const patched = await cluster.ask("PATCH", `${MAPS}/a`, { data: { k: "2" } }, merge);
  assertEquals([patched.status, patched.object], [200, (await cluster.get(`${MAPS}/a`)).json]);
  const updated = await cluster.ask("PUT", `${MAPS}/a`, { metadata: { name: "a" } });
  assertEquals([updated.status, updated.object.data], [200, undefined]);
  const deleted = await cluster.ask("DELETE", `${MAPS}/a`);
  assertEquals([deleted.object.kind, deleted.object.status], ["Status", "Success"]);
  assertEquals(deleted.object.details.uid, created.object.metadata.uid);
  await cluster.configMap("b");
  const all = await cluster.ask("DELETE", MAPS);
  assertEquals([all.object.kind, all.object.items.length], ["ConfigMapList", 1]);
});

Deno.test("subresources and reviews answer in protobuf", async () => {
  await using cluster = new Asked();
  await cluster.seed();
  const scale = "/apis/apps/v1/namespaces/default/deployments/a/scale";
  assertEquals((await cluster.ask("GET", scale)).object, (await cluster.get(scale)).json);
  const accounts = `${Cluster.path("serviceaccounts")}`;
  await cluster.call("POST", accounts, { metadata: { name: "robot" } });
  const token = await cluster.ask("POST", `${accounts}/robot/token`, { spec: {} });
  assertEquals([token.status, token.object.kind], [201, "TokenRequest"]);
  assert(token.object.status.token.length > 0);
  const review = await cluster.ask(
    "POST",
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    { spec: { resourceAttributes: { verb: "get", resource: "pods" } } },
  );
  assertEquals([review.status, review.object.status.allowed], [201, true]);
  const evicted = await cluster.ask("POST", `${PODS}/a/eviction`, { metadata: { name: "a" } });
  assertEquals([evicted.status, evicted.object.kind, evicted.object.status], [
    201,
    "Status",
    "Success",
  ]);
});

Deno.test("failures are a Status in protobuf", async () => {
  await using cluster = new Asked({ tokens: { t: { name: "u", groups: [] } } } as Loose);
  const path = `${MAPS}/none`;
  for (const token of ["t", "other"]) {
    const authorization = `Bearer ${token}`;
    const { json, status } = await cluster.call("GET", path, undefined, { authorization });
    const found = await cluster.ask("GET", path, undefined, { authorization });
    assertEquals([found.status, found.object], [status, json]);
  }
  await using open = new Asked();
  const missing = await open.ask("GET", path);
  assertEquals([missing.status, missing.object], [404, (await open.get(path)).json]);
  const unknown = await open.ask("GET", "/api/v1/nothings");
  assertEquals([unknown.status, unknown.object.details], [404, {}]);
  const invalid = await open.ask("POST", PODS, { metadata: { name: "x" }, spec: {} });
  assertEquals([invalid.status, invalid.object.details.causes.length], [422, 1]);
});

Deno.test("a watch sends frames with the events that a watch in JSON has", async () => {
  await using cluster = new Asked();
  await using lines = await cluster.watch(MAPS);
  await cluster.configMap("before");
  const path = `${MAPS}?sendInitialEvents=true&allowWatchBookmarks=true` +
    "&resourceVersionMatch=NotOlderThan";
  const act = async () => {
    await cluster.configMap("a");
    await cluster.merge(`${MAPS}/a`, { data: { k: "ä" } });
    await cluster.call("DELETE", `${MAPS}/a`);
  };
  const [initial, bookmark, ...live] = await cluster.frames(path, act);
  assertEquals([initial, ...live], lines.lines);
  assertEquals(live.map(({ type }) => type), ["ADDED", "MODIFIED", "DELETED"]);
  assertEquals(bookmark!.type, "BOOKMARK");
  assertEquals(bookmark!.object.metadata.annotations, { "k8s.io/initial-events-end": "true" });
  assertEquals(bookmark!.object.metadata.resourceVersion, initial!.object.metadata.resourceVersion);
});

Deno.test("an object that leaves a selector is DELETED in its last state, also in protobuf", async () => {
  await using cluster = new Asked();
  await using lines = await cluster.watch(`${MAPS}?labelSelector=on`);
  const frames = await cluster.frames(`${MAPS}?labelSelector=on`, async () => {
    await cluster.configMap("a", { labels: { on: "1" } });
    await cluster.merge(`${MAPS}/a`, { metadata: { labels: { on: null } } });
  });
  assertEquals(frames, lines.lines);
  assertEquals(frames.map(({ type }) => type), ["ADDED", "DELETED"]);
});

Deno.test("a watch from an old version sends one frame with an ERROR", async () => {
  await using cluster = new Asked();
  for (const name of ["a", "b"]) await cluster.configMap(name);
  cluster.server.compact();
  const [error, ...more] = await cluster.frames(`${MAPS}?resourceVersion=1`);
  assertEquals([error!.type, error!.object.code, error!.object.reason, more], [
    "ERROR",
    410,
    "Expired",
    [],
  ]);
});

Deno.test("metadata of all resources is in protobuf: alone, in a list, in a watch", async () => {
  await using cluster = new Asked();
  await cluster.seed();
  for (const path of [PODS, GADGETS]) {
    for (const version of ["v1", "v1beta1"]) {
      const json = async (url: string, kind: string) => {
        const accept = metadataOf(kind, version).replace(PROTOBUF, "application/json");
        return (await cluster.call("GET", url, undefined, { accept })).json;
      };
      const one = { accept: metadataOf("PartialObjectMetadata", version) };
      assertEquals(
        (await cluster.ask("GET", `${path}/a`, undefined, one)).object,
        await json(`${path}/a`, "PartialObjectMetadata"),
      );
      const list = { accept: metadataOf("PartialObjectMetadataList", version) };
      const { object } = await cluster.ask("GET", path, undefined, list);
      const expected = await json(path, "PartialObjectMetadataList");
      // In protobuf, only the envelope has a kind.
      const items = expected.items.map(({ metadata }: Loose) => ({ metadata }));
      assertEquals(object, { ...expected, items });
    }
    const change = () => cluster.merge(`${path}/a`, { metadata: { labels: { b: "c" } } });
    const accept = metadataOf("PartialObjectMetadata");
    const event = (await cluster.frames(path, change, accept)).at(-1);
    assertEquals([event!.type, event!.object.kind, event!.object.metadata.labels.b], [
      "MODIFIED",
      "PartialObjectMetadata",
      "c",
    ]);
    cluster.server.compact();
    const expired = await cluster.frames(`${path}?resourceVersion=1`, undefined, accept);
    assertEquals(expired.map(({ type }) => type), ["ERROR"]);
  }
});

Deno.test("faults answer in protobuf, as the server would", async () => {
  await using cluster = new Asked();
  for (const name of ["a", "b"]) await cluster.configMap(name);
  const { faults } = cluster.server;
  faults.fail(503, { times: 1 });
  assertEquals((await cluster.ask("GET", MAPS)).object.code, 503);
  faults.throttle(7, { times: 1 });
  const throttled = await cluster.ask("GET", MAPS);
  assertEquals([throttled.headers.get("retry-after"), throttled.object.code], ["7", 429]);
  faults.expire({ times: 1 });
  const expired = await cluster.frames(MAPS);
  assertEquals(expired.map(({ type, object }) => [type, object.code]), [["ERROR", 410]]);
  faults.expire({ times: 1 });
  await using json = await cluster.watch(MAPS);
  assertEquals([json.lines[0]!.type, json.ended], ["ERROR", "closed"]);
  faults.truncate({ times: 1, afterLines: 1, afterBytes: 0 });
  const cut = await cluster.frames(MAPS);
  assertEquals(cut.map(({ object }) => object.metadata.name), ["a"]);
});

Deno.test("custom resources and Tables are not in protobuf", async () => {
  await using cluster = new Asked();
  await cluster.seed();
  const only = "only the following media types are accepted: application/json, " +
    "application/yaml, application/vnd.kubernetes.protobuf";
  for (const path of [GADGETS, `${GADGETS}/a`, `${GADGETS}?watch=1`]) {
    const { object, status } = await cluster.ask("GET", path, undefined, { accept: PROTOBUF });
    assertEquals([status, object.reason, object.message], [406, "NotAcceptable", only]);
  }
  const both = await cluster.call("GET", GADGETS, undefined, { accept: ACCEPT });
  assertEquals(both.json.kind, "GadgetList");
  await using watch = await cluster.watch(GADGETS);
  assertEquals(watch.response.headers.get("content-type"), "application/json");
  const table = metadataOf("Table");
  const refused = await cluster.call("GET", PODS, undefined, { accept: table });
  assertEquals([refused.status, refused.json.message], [406, only]);
  assertEquals(refused.headers.get("content-type"), "application/json");
  const accept = `${table}, ${table.replace(PROTOBUF, "application/json")}`;
  assertEquals((await cluster.call("GET", PODS, undefined, { accept })).json.kind, "Table");
});

Deno.test("discovery has no protobuf in this server, and says so", async () => {
  await using cluster = new Asked();
  const accepted = await cluster.call("GET", "/api/v1", undefined, { accept: ACCEPT });
  assertEquals([accepted.status, accepted.json.kind], [200, "APIResourceList"]);
  const { status, object } = await cluster.ask("GET", "/apis", undefined, { accept: PROTOBUF });
  assertEquals(status, 406);
  assert(object.message.includes("does not speak protobuf in discovery"), object.message);
});

Deno.test("an answer in protobuf has a length if it is short, and warnings", async () => {
  await using cluster = new Asked();
  await cluster.configMap("a");
  const short = await cluster.ask("GET", `${MAPS}/a`);
  assertEquals(short.headers.get("content-length"), String(short.length));
  await cluster.call("POST", MAPS, { metadata: { name: "b" }, data: { k: "x".repeat(3000) } });
  const long = await cluster.ask("GET", `${MAPS}/b`);
  assertEquals([long.headers.get("content-length"), long.length > 3000], [null, true]);
  const warned = await cluster.ask("GET", "/api/v1/componentstatuses");
  assert(warned.headers.get("warning")!.includes("deprecated"));
});
