import { assert, assertEquals } from "@std/assert";
import { Client } from "../../../src/client/mod.ts";
import { SharedInformer } from "../../../src/cache/mod.ts";
import { metadataOf, Pods } from "../../../src/types/mod.ts";
import { ApiServer, VirtualClock } from "@kubeloop/testing";

const namespace = "default";
const spec = { containers: [{ name: "c", image: "i" }] };

/** A server, a client, and the encodings of the lists and watches that it has answered. */
async function world() {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock });
  const encodings: string[] = [];
  const client = new Client({
    ...server.clientOptions,
    clock,
    fetch: async (request) => {
      const response = await server.fetch(request);
      if (request.method === "GET" && !request.url.includes("/pods/")) {
        encodings.push(
          response.headers.get("content-type")?.includes("protobuf") ? "protobuf" : "json",
        );
      }
      return response;
    },
  });
  await clock.run(client.create(Pods, { metadata: { name: "a", namespace }, spec }));
  return {
    clock,
    server,
    client,
    encodings,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

Deno.test("An informer in protobuf keeps parsed objects from the moment on that something wants them, over JSON from the next watch on", async () => {
  await using cluster = await world();
  const { client, clock, server, encodings } = cluster;
  const informer = new SharedInformer(client.listerWatcher(Pods), { resource: Pods, clock });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await clock.run(informer.whenSynced());
  assert((informer.snapshot().objectBytes ?? 0) > 0);
  const first = informer.indexer.getByKey("default/a");

  const seen: string[] = [];
  informer.addEventHandler({
    onAdd: (pod) => void seen.push(`added ${pod.metadata.name} ${pod.spec?.containers[0]?.image}`),
    onUpdate: (old, pod) =>
      void seen.push(`${old.metadata.labels?.["x"]} → ${pod.metadata.labels?.["x"]}`),
    onDelete: (pod) => void seen.push(`deleted ${"key" in pod ? pod.key : pod.metadata.name}`),
  });
  await clock.advance(100);
  assertEquals(informer.snapshot().objectBytes, undefined);
  assertEquals(informer.indexer.getByKey("default/a"), first);
  const label = (x: string) =>
    clock.run(client.patch(Pods, "a", { metadata: { labels: { x } } }, { namespace }));
  await label("1");
  await clock.advance(100);
  server.closeWatches();
  await clock.advance(5_000);
  await label("2");
  await clock.run(client.delete(Pods, "a", { namespace, gracePeriodSeconds: 0 }));
  await clock.advance(5_000);
  assertEquals([...new Set(seen)], ["added a i", "undefined → 1", "1 → 2", "2 → 2", "deleted a"]);
  assertEquals(encodings, ["protobuf", "json"]);
  stop.abort();
  await clock.run(running);
});

Deno.test("An informer of metadata is answered in protobuf, and caches the same as in JSON", async () => {
  await using cluster = await world();
  const { client, clock, encodings } = cluster;
  const resource = metadataOf(Pods);
  const informer = new SharedInformer(client.listerWatcher(resource), { resource, clock });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await clock.run(informer.whenSynced());
  const { items: [inJson] } = await clock.run(client.list(resource));
  assertEquals(informer.indexer.list(), [inJson!]);
  assertEquals(encodings, ["protobuf", "json"]);
  stop.abort();
  await clock.run(running);
});

Deno.test("An informer reads JSON if the server or a proxy answers it to a request for protobuf", async () => {
  await using cluster = await world();
  const { client, clock, server } = cluster;
  let requests = 0;
  const plain = new Client({
    ...server.clientOptions,
    clock,
    fetch: (request) => {
      requests++;
      assert(request.headers.get("accept")?.includes("protobuf"));
      request.headers.set("accept", "application/json");
      return server.fetch(request);
    },
  });
  const informer = new SharedInformer(plain.listerWatcher(Pods), { resource: Pods, clock });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await clock.run(informer.whenSynced());
  const { items: [pod] } = await clock.run(client.list(Pods));
  assertEquals(informer.indexer.list(), [pod!]);
  assertEquals(requests, 1, "no further request");
  stop.abort();
  await clock.run(running);
  await plain.close();
});
