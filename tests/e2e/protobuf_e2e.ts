/**
 * Compares protobuf of a real server with ours: byte by byte with what our encoder makes of the real server's JSON, and
 * with the answers of our server to the same requests.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { Client, SharedInformer } from "@kubeloop/controller";
import { InProcessServer } from "../conformance/in_process_server.ts";
import type { ServerUnderTest } from "../conformance/server_under_test.ts";
import {
  answerSchema,
  encodeProtobuf,
  readFrames,
  readProtobuf,
  SCHEMAS,
} from "../../src/testing/api_server/schema/mod.ts";
import { DEFINITION } from "../support/fuzz_requests.ts";
import { RealServer } from "./real_server.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const JSON_TYPE = "application/json";
const NAMESPACE = "protobuf";
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;

const GADGETS = `/apis/fuzz.example.com/v1/namespaces/${NAMESPACE}/gadgets`;

const template = {
  metadata: { labels: { app: "a" } },
  spec: {
    containers: [{
      name: "c",
      image: "i:1",
      env: [{ name: "E", value: "ä<&>" }],
      ports: [{ containerPort: 80 }],
      resources: { requests: { cpu: "0.5", memory: "1Gi" } },
      livenessProbe: { httpGet: { port: "web" } },
    }],
    volumes: [{ name: "v", emptyDir: {} }],
  },
};

const OBJECTS: readonly (readonly [string, object])[] = [
  [PODS, { metadata: { name: "a", labels: { b: "2", a: "1" } }, spec: template.spec }],
  [PODS, { metadata: { name: "b", finalizers: ["example.com/x"] }, spec: template.spec }],
  [DEPLOYMENTS, {
    metadata: { name: "a" },
    spec: { selector: { matchLabels: { app: "a" } }, template },
  }],
  [LEASES, {
    metadata: { name: "a", annotations: { note: "x".repeat(200) } },
    spec: { holderIdentity: "h", renewTime: "2026-01-02T03:04:05.000006Z" },
  }],
];

class Asker {
  readonly #server: ServerUnderTest;

  constructor(server: ServerUnderTest) {
    this.#server = server;
  }

  async ask(
    path: string,
    accept: string,
    body?: object,
  ): Promise<{ status: number; type: string | null; bytes: Uint8Array }> {
    const request = new Request(`${this.#server.origin}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept,
        authorization: "Bearer demo-admin-token",
        "content-type": JSON_TYPE,
        "user-agent": "kubeloop",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, headers, bytes } = await this.#server.run(
      this.#server.fetch(request).then(async (response) => ({
        status: response.status,
        headers: response.headers,
        bytes: await response.bytes(),
      })),
    );
    return { status, type: headers.get("content-type"), bytes };
  }

  async json(path: string): Promise<Loose> {
    return JSON.parse(new TextDecoder().decode((await this.ask(path, JSON_TYPE)).bytes));
  }

  async create(): Promise<void> {
    await this.ask("/api/v1/namespaces", JSON_TYPE, { metadata: { name: NAMESPACE } });
    for (const [path, object] of OBJECTS) {
      const { status, bytes } = await this.ask(path, JSON_TYPE, object);
      assertEquals(status, 201, new TextDecoder().decode(bytes));
    }
    await this.ask(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      JSON_TYPE,
      DEFINITION,
    );
    const gadget = { apiVersion: "fuzz.example.com/v1", kind: "Gadget", metadata: { name: "a" } };
    // A real server takes a moment until it serves the custom resource.
    for (let tries = 0; tries < 100; tries++) {
      if ((await this.ask(GADGETS, JSON_TYPE, gadget)).status === 201) return;
      await this.#server.pass(100);
    }
    throw new Error("The custom resource is not served");
  }
}

/** Makes what must differ between two servers equal. */
function settled(value: Loose): Loose {
  const text = JSON.stringify(value, (key, field) => {
    if (key === "uid") return "uid";
    if (key === "resourceVersion") return "1";
    return field;
  });
  return JSON.parse(text.replace(/"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"2026-01-01T00:00:00Z"'));
}

function encoded(object: Loose): Uint8Array {
  return encodeProtobuf(object, answerSchema(SCHEMAS, object.apiVersion, object.kind));
}

Deno.test("our protobuf is that of a real kube-apiserver, byte by byte", async (t) => {
  await using real = await RealServer.create({});
  await using ours = new InProcessServer({});
  const [asker, own] = [new Asker(real), new Asker(ours)];
  await asker.create();
  await own.create();

  await t.step("the lists of all kinds", async () => {
    const { groups } = await asker.json("/apis");
    const versions = groups.flatMap((group: Loose) =>
      group.versions.map((one: Loose) => `/apis/${one.groupVersion}`)
    );
    let objects = 0;
    for (const path of ["/api/v1", ...versions]) {
      for (const { name, verbs } of (await asker.json(path)).resources) {
        if (name.includes("/") || !verbs.includes("list")) continue;
        const list = await asker.json(`${path}/${name}`);
        const [version = "", group = ""] = list.apiVersion.split("/").reverse();
        const isKnown = SCHEMAS.kind(group, version, list.kind) !== undefined;
        // These are found out anew for each request.
        if (!isKnown || name === "componentstatuses") continue;
        const exact = `?resourceVersion=${list.metadata.resourceVersion}` +
          "&resourceVersionMatch=Exact";
        const found = await asker.ask(`${path}/${name}${exact}`, PROTOBUF);
        assertEquals([found.status, found.type], [200, PROTOBUF], name);
        assertEquals(encoded(list), found.bytes, name);
        assertEquals(readProtobuf(found.bytes, SCHEMAS), list, name);
        objects += list.items.length;
      }
    }
    assert(objects > 150, `${objects} objects`);
  });

  await t.step("objects of all kinds in the cache of an informer", async () => {
    const { groups } = await asker.json("/apis");
    const versions = groups.flatMap((group: Loose) =>
      group.versions.map((one: Loose) => `/apis/${one.groupVersion}`)
    );
    const client = new Client({
      server: real.origin,
      token: "demo-admin-token",
      fetch: (request) => real.fetch(request),
    });
    let objects = 0;
    for (const path of ["/api/v1", ...versions]) {
      const { resources, groupVersion } = await asker.json(path);
      const [version = "", group = ""] = groupVersion.split("/").reverse();
      for (const { name, kind, namespaced, verbs } of resources) {
        if (name.includes("/") || name === "componentstatuses") continue;
        if (!verbs.includes("list") || !verbs.includes("watch")) continue;
        const resource = { group, version, plural: name, kind, namespaced };
        const informer = new SharedInformer(client.listerWatcher(resource), { resource });
        const stop = new AbortController();
        const running = informer.run({ signal: stop.signal });
        await informer.whenSynced();
        const cached = new Map(informer.indexer.list().map((one) => [one.metadata.uid, one]));
        stop.abort();
        await running;
        const { items, ...list } = await asker.json(`${path}/${name}`);
        for (const item of items) {
          const found = cached.get(item.metadata.uid);
          // The server renews Leases meanwhile.
          if (found?.metadata.resourceVersion !== item.metadata.resourceVersion) continue;
          const expected = { kind, apiVersion: list.apiVersion, ...item };
          assertEquals(found as Loose, expected, `${path}/${name}`);
          objects++;
        }
      }
    }
    await client.close();
    assert(objects > 150, `${objects} objects`);
  });

  await t.step("lists and watches of the same objects", async () => {
    for (const path of [PODS, DEPLOYMENTS, LEASES]) {
      const read = async (one: Asker) =>
        encoded(settled(readProtobuf((await one.ask(path, PROTOBUF)).bytes, SCHEMAS)));
      assertEquals(await read(own), await read(asker), path);
      const watch = `${path}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true` +
        "&resourceVersionMatch=NotOlderThan&timeoutSeconds=1";
      const events = async (one: Asker) => {
        const { type, bytes } = await one.ask(watch, PROTOBUF);
        assertEquals(type, `${PROTOBUF};stream=watch`);
        return readFrames(bytes, SCHEMAS).slice(0, path === PODS ? 3 : 2)
          .map(({ type, object }) => [type, encoded(settled(object))]);
      };
      assertEquals(await events(own), await events(asker), path);
    }
  });

  await t.step("metadata and failures", async () => {
    const partial = `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
    const list = `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
    for (
      const [path, accept] of [
        [`${PODS}/a`, PROTOBUF],
        [`${PODS}/a`, partial],
        [`${PODS}/a`, `${partial},${PROTOBUF}`],
        [PODS, list],
        [PODS, partial],
        [PODS, `${PROTOBUF};q=0.5,application/json`],
        [PODS, `${partial.replace("PartialObjectMetadata", "Table")},${PROTOBUF}`],
        [PODS, partial.replace("PartialObjectMetadata", "Table")],
        [PODS, `*/*, ${PROTOBUF};q=0.5`],
        [PODS, `application/yaml;q=0.9, ${PROTOBUF}`],
        [PODS, `${PROTOBUF};stream=x, application/json`],
        [PODS, `${PROTOBUF};stream=watch`],
        [`${PODS}/none`, PROTOBUF],
        [`${PODS}?limit=x`, PROTOBUF],
        ["/api/v1/nothings", PROTOBUF],
        [`${DEPLOYMENTS}/a/scale`, PROTOBUF],
        [`${PODS}?watch=1&resourceVersion=x`, PROTOBUF],
        [`${GADGETS}/a`, PROTOBUF],
        [GADGETS, `${PROTOBUF},application/json`],
        [`${GADGETS}?watch=1`, PROTOBUF],
        [`${GADGETS}/a`, partial],
        [GADGETS, list],
        [`${GADGETS}/a/status`, PROTOBUF],
        [`/apis/fuzz.example.com/v1/nothings`, PROTOBUF],
        [`/apis/fuzz.example.com/v9/gadgets`, PROTOBUF],
      ] as const
    ) {
      const read = async (one: Asker) => {
        const { bytes, status, type } = await one.ask(path, accept);
        const isProtobuf = type === PROTOBUF;
        const text = () => new TextDecoder().decode(bytes);
        const body = isProtobuf ? settled(readProtobuf(bytes, SCHEMAS)) : status === 200 || text();
        return { status, type, body };
      };
      assertEquals(await read(own), await read(asker), `${path} ${accept}`);
    }
  });
});
