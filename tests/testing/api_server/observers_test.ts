import { Client, ConfigMaps, Pods } from "@kubeloop/controller";
import { ApiServer, type ServerRequest, type ServerWrite, VirtualClock } from "@kubeloop/testing";
import { silentLogger } from "@kubeloop/controller/base";
import { assert, assertEquals } from "@std/assert";
import { RecordingLogger } from "../../support/recording_logger.ts";

const API = "http://cluster/api/v1/namespaces/default/configmaps";

Deno.test("ApiServer.onRequest() calls the listener with each answered request and its author, who is that of the write", async () => {
  await using server = new ApiServer({ logger: silentLogger });
  const requests: ServerRequest[] = [];
  const writes: ServerWrite[] = [];
  const remove = server.onRequest((request) => void requests.push(request));
  server.onWrite((write) => void writes.push(write));
  const headers = { "content-type": "application/json", "user-agent": "tool/1" };
  const body = JSON.stringify({ metadata: { name: "a" } });
  await server.fetch(`${API}?fieldManager=me`, { method: "POST", headers, body });
  await server.fetch(`${API}/b`, { headers });
  await server.fetch("http://cluster/version");
  assertEquals(
    requests.map(({ code, message, name, namespace, resource, verb }) => [
      verb,
      resource,
      namespace,
      name,
      code,
      message,
    ]),
    [
      ["create", "configmaps", "default", "", 201, undefined],
      ["get", "configmaps", "default", "b", 404, 'configmaps "b" not found'],
      ["get", "", "", "", 200, undefined],
    ],
  );
  const [{ author }] = requests as [ServerRequest];
  assertEquals(author, { userAgent: "tool/1", user: "kubernetes-admin", fieldManager: "me" });
  assert(writes[0]?.author === author);
  assertEquals(writes[0]?.client, "tool/1");
  remove();
  await server.fetch(API);
  assertEquals(requests.length, 3);
});

Deno.test("ApiServer.onRequest() listeners that throw change no answer, and are logged", async () => {
  const logger = new RecordingLogger();
  await using server = new ApiServer({ logger });
  server.onRequest(() => {
    throw new Error("broken listener");
  });
  const response = await server.fetch(API);
  assertEquals(response.status, 200);
  await response.body?.cancel();
  assert(logger.lines.join().includes("broken listener"), logger.lines.join());
});

Deno.test("ApiServer.watches() has each open watch with its sender and progress", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock, logger: silentLogger });
  await using client = new Client({ ...server.clientOptions, userAgent: "viewer/1" });
  const stop = new AbortController();
  const call = { namespace: "default", signal: stop.signal };
  const events = await clock.run(client.watch(ConfigMaps, call));
  await clock.run(client.create(ConfigMaps, { metadata: { name: "a", namespace: "default" } }));
  await clock.run(client.create(Pods, {
    metadata: { name: "p", namespace: "default" },
    spec: { containers: [{ name: "c", image: "i" }] },
  }));
  assertEquals(
    server.watches().map(({ author, namespace, progress, resource }) => [
      resource,
      namespace,
      author.userAgent,
      progress.sent,
      progress.backlog,
    ]),
    [["configmaps", "default", "viewer/1", 1, 0]],
  );
  const stores = server.stores().filter(({ resource }) => resource === "configmaps");
  assertEquals(stores.map(({ size }) => size), [server.count(ConfigMaps)]);
  assertEquals(stores[0]?.get("default/a")?.text.includes('"name":"a"'), true);
  const reading = (async () => {
    for await (const _ of events);
  })().catch(() => {});
  stop.abort();
  await clock.run(reading);
  assertEquals(server.watches(), []);
});
