/** Tests that no number changes on the ways of an object through the client and the caches. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { pathIndexFunc, SharedInformer } from "../../src/cache/mod.ts";
import { silentLogger } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import {
  type BatchedWatch,
  deepCopy,
  defineResource,
  type KubeObject,
  type Resource,
} from "../../src/types/mod.ts";
import { DEEP, deepJson, exactJson, exactly, leafOf } from "../support/hard_json.ts";
import { assertProperty } from "../support/seeded_runs.ts";
import { packer, unpacked } from "../cache/packed/_packed.ts";

interface Big extends KubeObject {
  spec?: unknown;
}

const Bigs: Resource<Big> = defineResource<Big>({
  group: "acme.io",
  version: "v1",
  plural: "bigs",
  kind: "Big",
  namespaced: true,
});

const call = { namespace: "default" };

function objectText(spec: string): string {
  return `{"apiVersion":"acme.io/v1","kind":"Big","metadata":{"name":"a","namespace":"default",` +
    `"uid":"1","resourceVersion":"5"},"spec":${spec}}`;
}

/** A server with one object, given as text, that answers in chunks and keeps the bodies of writes. */
class TextServer {
  readonly #object: string;
  readonly #chunkBytes: number;
  readonly bodies: string[] = [];
  readonly client: Client;

  constructor(object: string, chunkBytes = 1 << 20) {
    this.#object = object;
    this.#chunkBytes = chunkBytes;
    this.client = new Client({
      fetch: async (request) => {
        if (request.method !== "GET") this.bodies.push(await request.text());
        return new Response(this.#chunks(this.#answer(new URL(request.url))));
      },
    });
  }

  #answer({ pathname, searchParams }: URL): string {
    if (!pathname.endsWith("/bigs")) return this.#object;
    const line = (type: string) => `{"type":"${type}","object":${this.#object}}\n`;
    if (searchParams.has("watch")) return line("ADDED") + line("MODIFIED");
    const head = '"kind":"BigList","apiVersion":"acme.io/v1","metadata":{"resourceVersion":"5"}';
    return `{${head},"items":[${this.#object}]}`;
  }

  #chunks(text: string): ReadableStream<Uint8Array> {
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    return new ReadableStream({
      pull: (controller) => {
        controller.enqueue(bytes.slice(at, at += this.#chunkBytes));
        if (at >= bytes.length) controller.close();
      },
    });
  }
}

/** Returns the objects that the client reads, by the way. */
async function readAll({ client }: TextServer): Promise<Record<string, Big[]>> {
  const watched: Big[] = [];
  for await (const { object } of await client.watch(Bigs, call)) watched.push(object);
  const batched = async (watch: unknown) => {
    const all: Big[] = [];
    const batches = (watch as BatchedWatch<Big>).batches();
    for (let batch; !(batch = await batches.next()).done;) {
      all.push(...batch.value.map(({ object }) => unpacked(object)));
    }
    return all;
  };
  const source = client.listerWatcher(Bigs, call);
  const listed = await source.readBy!<Big>(packer<Big>()).list({}, {});
  const lines = await source.watch({ resourceVersion: "5" }, {});
  const packed = await source.readBy!<Big>(packer<Big>()).watch({ resourceVersion: "5" }, {});
  const each: Big[] = [];
  await client.eachListItem(Bigs, (object) => void each.push(object), call);
  return {
    get: [await client.get(Bigs, "a", call)],
    list: (await client.list(Bigs, call)).items,
    each,
    watch: watched,
    batches: await batched(lines),
    "packed list": listed.items.map(unpacked),
    "packed watch": await batched(packed),
  };
}

Deno.test("The client reads the same numbers on all ways, however the answer is split, and writes them back", () => {
  return assertProperty(
    fc.asyncProperty(exactJson, fc.integer({ min: 1, max: 60 }), async (spec, chunkBytes) => {
      // A key with a backslash would teach V8 to read others wrong.
      if (/\\\\|\\u005c/i.test(spec)) return;
      const server = new TextServer(objectText(spec), chunkBytes);
      const expected = exactly(spec);
      for (const [way, objects] of Object.entries(await readAll(server))) {
        assert(objects.length > 0, way);
        for (const object of objects) assertEquals(object.spec, expected, way);
      }
      const object = await server.client.get(Bigs, "a", call);
      await server.client.update(Bigs, deepCopy(object));
      await server.client.patch(Bigs, "a", { spec: object.spec }, call);
      await server.client.apply(Bigs, { metadata: object.metadata, spec: object.spec }, {
        fieldManager: "test",
      });
      const operation = { op: "replace", path: "/spec", value: object.spec } as const;
      await server.client.patch(Bigs, "a", [operation], { ...call, type: "json" });
      const specs = server.bodies.map((body) => {
        const written = exactly(body) as { spec?: unknown } | [{ value: unknown }];
        return Array.isArray(written) ? written[0].value : written.spec;
      });
      assertEquals(specs, [expected, expected, expected, expected]);
    }),
    60,
  );
});

for (const keepParsed of [false, true]) {
  Deno.test(`An informer ${keepParsed ? "of objects" : "of bytes"} hands out exact integers, and indexes them`, async () => {
    const server = new TextServer(
      objectText('{"n":9007199254740993,"list":[9223372036854775807]}'),
    );
    const clock = new VirtualClock();
    const informer = new SharedInformer(server.client.listerWatcher(Bigs, call), {
      clock,
      keepParsed,
      logger: silentLogger,
      name: "bigs",
    });
    informer.addIndexers({ n: pathIndexFunc("spec.n"), list: pathIndexFunc("spec.list") });
    const stop = new AbortController();
    const running = informer.run({ signal: stop.signal });
    await clock.run(informer.whenSynced());
    const object = informer.indexer.getByKey("default/a")!;
    assertEquals(object.spec, { n: 9007199254740993n, list: [9223372036854775807n] });
    assertEquals(informer.indexer.indexKeys("n", "9007199254740993"), ["default/a"]);
    assertEquals(informer.indexer.indexKeys("n", "9007199254740992"), []);
    assertEquals(informer.indexer.indexKeys("list", "9223372036854775807"), ["default/a"]);
    stop.abort();
    await clock.run(running);
  });
}

Deno.test("The client refuses to write a number that JSON does not have, and names its path", async () => {
  const { client, bodies } = new TextServer(objectText("{}"));
  const metadata = { name: "a", namespace: "default", resourceVersion: "5" };
  const spec = { list: [1, NaN] };
  const message = "Cannot write spec.list[1] as JSON: JSON has no NaN";
  await assertRejects(() => client.update(Bigs, { metadata, spec }), TypeError, message);
  await assertRejects(
    () => client.create(Bigs, { metadata: { name: "a", namespace: "default" }, spec }),
    TypeError,
    message,
  );
  await assertRejects(() => client.patch(Bigs, "a", { spec }, call), TypeError, message);
  await assertRejects(
    () =>
      client.apply(Bigs, { metadata: { name: "a", namespace: "default" }, spec }, {
        fieldManager: "x",
      }),
    TypeError,
    message,
  );
  assertEquals(bodies, []);
});

Deno.test("The client reads and writes an object of 3,000 levels", async () => {
  const server = new TextServer(objectText(deepJson("9007199254740993")));
  for (const [way, objects] of Object.entries(await readAll(server))) {
    assertEquals(leafOf(objects[0]!.spec), { leaf: 9007199254740993n, depth: DEEP }, way);
  }
  await server.client.update(Bigs, deepCopy(await server.client.get(Bigs, "a", call)));
  assert(server.bodies[0]!.includes(deepJson("9007199254740993")));
});
