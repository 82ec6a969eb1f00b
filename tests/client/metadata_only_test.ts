import { assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../src/base/mod.ts";
import { SharedInformerFactory } from "../../src/cache/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { ApiServer, VirtualClock } from "../../src/testing/mod.ts";
import { fieldsOf, type KubeObject, metadataOf, Pods, Secrets } from "../../src/types/mod.ts";
import { pod } from "../support/world.ts";
import { ScriptedFetch } from "./_scripted_fetch.ts";

const OBJECT = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const LIST = OBJECT.replace("Metadata;", "MetadataList;");
const call = { namespace: "default" };

/** Returns the `Accept` headers of `requests`. */
async function accepted(...requests: ((client: Client) => Promise<unknown>)[]) {
  const answers = requests.map(() => Response.json({ metadata: {}, items: [] }));
  const scripted = new ScriptedFetch(...answers);
  await using client = new Client({ fetch: scripted.fetch });
  for (const request of requests) await request(client);
  return scripted.requests.map(({ headers }) => headers.get("accept"));
}

Deno.test("metadataOf() makes lists, watches and reads of an object request metadata", async () => {
  const metadata = metadataOf(Pods);
  const headers = await accepted(
    (client) => client.list(metadata),
    (client) => client.listerWatcher(metadata).list({}, {}),
    async (client) => await (await client.watch(metadata)).close(),
    (client) => client.get(metadata, "a", call),
    (client) => client.patch(metadata, "a", {}, call),
  );
  assertEquals(headers, [LIST, LIST, OBJECT, OBJECT, OBJECT]);
});

Deno.test("metadataOf() does not affect subresources or the original resource", async () => {
  const status = { ...call, subresource: "status" };
  const headers = await accepted(
    (client) => client.get(metadataOf(Pods), "a", status),
    (client) => client.patch(metadataOf(Pods), "a", {}, status),
    (client) => client.get(Pods, "a", call),
  );
  assertEquals(headers, ["application/json", "application/json", "application/json"]);
});

Deno.test("Client does not write an object that has only metadata, since that would empty the stored object", async () => {
  await using client = new Client({ fetch: new ScriptedFetch().fetch });
  const part = { metadata: { name: "a", namespace: "default" } };
  for (const method of ["create", "update"] as const) {
    await assertRejects(
      async () => await client[method](metadataOf(Pods), part, call),
      TypeError,
      "Cannot write a Pod that has only metadata: patch it, or use the full resource",
    );
  }
  // A subresource has a kind of its own.
  const script = new ScriptedFetch(Response.json({ kind: "Status" }));
  await using other = new Client({ fetch: script.fetch });
  const binding = { apiVersion: "v1", kind: "Binding", ...part, target: { name: "node-1" } };
  await other.create<KubeObject>(metadataOf(Pods), binding, { ...call, subresource: "binding" });
  assertEquals(await script.request.json(), binding);
});

Deno.test("SharedInformerFactory.informer() of metadata lists and watches metadata", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  await clock.run(client.create(Pods, pod("listed", { metadata: { labels: { app: "web" } } })));

  const informers = new SharedInformerFactory(client, { clock, logger: silentLogger });
  const whole = informers.informer(Pods);
  const partial = informers.informer(metadataOf(Pods));
  assertEquals([whole.name, partial.name], ["pods", "pods (metadata)"]);
  const updated: unknown[] = [];
  partial.addEventHandler({ onUpdate: (_, { metadata }) => void updated.push(metadata.labels) });
  informers.start();
  await clock.run(informers.waitForCacheSync({ timeoutMs: 5_000 }));
  await clock.run(client.create(Pods, pod("watched")));
  await clock.run(
    client.patch(metadataOf(Pods), "listed", { metadata: { labels: { b: "2" } } }, call),
  );
  await clock.advance(100);

  assertEquals(whole.lister().get("default/listed").spec?.containers.length, 1);
  for (const object of partial.lister().list()) {
    assertEquals(Object.keys(object).sort(), ["apiVersion", "kind", "metadata"]);
    assertEquals(object.kind, "PartialObjectMetadata");
    assertEquals(object.metadata.managedFields?.length, 1);
  }
  assertEquals(partial.indexer.listKeys().sort(), ["default/listed", "default/watched"]);
  assertEquals(updated, [{ app: "web", b: "2" }]);
  await clock.run(informers[Symbol.asyncDispose]());
});

Deno.test("Client does not write an object that has only some fields, since that would remove the others", async () => {
  await using client = new Client({ fetch: new ScriptedFetch().fetch });
  const fields = fieldsOf(Secrets, "data.key");
  const part = { metadata: { name: "a", namespace: "default" }, data: { key: "" } };
  const refused =
    "Cannot write a Secret that has only some fields: patch it, or use the full resource";
  const writes = [
    () => client.create(fields, part, call),
    () => client.update(fields, part, call),
    () => client.update(fields, part, { ...call, subresource: "status" }),
    () => client.apply(fields, part, { ...call, fieldManager: "painter" }),
  ];
  for (const write of writes) await assertRejects(async () => await write(), TypeError, refused);
});

Deno.test("SharedInformerFactory.informer() of fields shares a cache with the same fields in another order", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  const metadata = { name: "a", namespace: "default", annotations: { note: "x" } };
  const data = { "tls.crt": "AA==", "tls.key": "AQ==" };
  await clock.run(client.create(Secrets, { metadata, data }));

  await using informers = new SharedInformerFactory(client, { clock, logger: silentLogger });
  const some = informers.informer(fieldsOf(Secrets, "type", "data.tls\\.crt"));
  assertEquals(informers.informer(fieldsOf(Secrets, ["data", "tls.crt"], "type")) as unknown, some);
  const other = informers.informer(fieldsOf(Secrets, "type"));
  const whole = informers.informer(Secrets);
  assertEquals([some.name, other.name, whole.name], [
    "secrets (fields data.tls.crt type)",
    "secrets (fields type)",
    "secrets",
  ]);
  informers.start();
  await clock.run(informers.waitForCacheSync({ timeoutMs: 5_000 }));
  const { metadata: kept, ...rest } = some.lister().get("default/a");
  assertEquals(Object.keys(kept).sort(), ["name", "namespace", "resourceVersion", "uid"]);
  assertEquals(rest as unknown, {
    kind: "Secret",
    apiVersion: "v1",
    type: "Opaque",
    data: { "tls.crt": "AA==" },
  });
  assertEquals(other.lister().get("default/a").type, "Opaque");
  assertEquals(whole.lister().get("default/a").data, data);
});
