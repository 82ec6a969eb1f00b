import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client, type EndedRequest, type WrittenObject } from "@kubeloop/controller/client";
import { ConfigMaps, isNotFound, Pods } from "@kubeloop/controller/types";
import { ApiServer, VirtualClock } from "@kubeloop/testing";

const namespace = "default";

Deno.test("Client.observed() reports each request and each written object", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  const ended: EndedRequest[] = [];
  const wrote: WrittenObject[] = [];
  const observed = client.observed({
    ended: (request) => void ended.push(request),
    wrote: (written) => void wrote.push(written),
  });
  await clock.run((async () => {
    await observed.create(ConfigMaps, { metadata: { name: "a", namespace } });
    await observed.patch(ConfigMaps, "a", { data: { x: "1" } }, { namespace, dryRun: true });
    await observed.list(ConfigMaps, { namespace });
    await observed.get(ConfigMaps, "none", { namespace }).catch(() => {});
    await observed.delete(ConfigMaps, "a", { namespace, dryRun: true });
    await observed.delete(ConfigMaps, "a", { namespace });
    await client.get(ConfigMaps, "a", { namespace }).catch(() => {});
  })());
  const path = "/api/v1/namespaces/default/configmaps";
  assertEquals(ended.map(({ method, path, status }) => `${method} ${path} ${status}`), [
    `POST ${path} 201`,
    `PATCH ${path}/a 200`,
    `GET ${path} 200`,
    `GET ${path}/none 404`,
    `DELETE ${path}/a 200`,
    `DELETE ${path}/a 200`,
  ]);
  assert(isNotFound(ended[3]?.error));
  assertEquals(
    wrote.map(({ method, resource, dryRun }) => [method, resource.plural, dryRun]),
    [
      ["POST", "configmaps", false],
      ["PATCH", "configmaps", true],
      ["DELETE", "configmaps", true],
      ["DELETE", "configmaps", false],
    ],
  );
});

Deno.test("Client.observed() ends its requests with the signal, and is closed without the client", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  const stop = new AbortController();
  const observed = client.observed({}, { signal: stop.signal });
  await observed.close();
  await clock.run(observed.list(Pods));
  const own = new AbortController();
  stop.abort(new Error("the lease is lost"));
  for (const signal of [undefined, own.signal]) {
    await assertRejects(() => observed.list(Pods, { signal }), Error, "the lease is lost");
    await assertRejects(
      () => observed.create(ConfigMaps, { metadata: { name: "a", namespace } }, { signal }),
      Error,
      "the lease is lost",
    );
    await assertRejects(() => observed.watch(Pods, { signal }), Error, "the lease is lost");
  }
  await clock.run(client.list(Pods));
});

Deno.test("Client.requiredPermissions tells what a sandbox has to permit", async () => {
  await using client = new Client({
    server: "https://10.0.0.1:6443/api",
    tokenFile: "/run/token",
    caFile: "/run/ca.crt",
    proxyUrl: "http://proxy",
  });
  const needs = {
    hosts: ["10.0.0.1:6443", "proxy:80"],
    readPaths: ["/run/token", "/run/ca.crt"],
    command: undefined,
  };
  assertEquals(client.requiredPermissions, needs);
  assertEquals(client.observed({}).requiredPermissions, needs);
  await using other = new Client({ fetch: () => Promise.reject(new Error("unused")) });
  assertEquals(other.requiredPermissions, { hosts: [], readPaths: [], command: undefined });
});

Deno.test("Client.observed() asks before each request and each retry, and sends none that is aborted then", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  let fetched = 0;
  const { fetch, ...rest } = server.clientOptions;
  await using client = new Client({
    ...rest,
    fetch: (request) => {
      fetched++;
      return fetch(request);
    },
  });
  server.faults.throttle(5, { times: 1 });
  const atMs: number[] = [];
  const lost = new AbortController();
  const observed = client.observed({ sends: () => void atMs.push(clock.now()) }, {
    signal: lost.signal,
  }).observed({
    sends() {
      if (atMs.length === 3) lost.abort(new Error("the lease is lost"));
    },
  });
  await clock.run(observed.list(Pods));
  await assertRejects(() => clock.run(observed.list(Pods)), Error, "the lease is lost");
  assertEquals(atMs, [0, 5_000, 5_000]);
  assertEquals(fetched, 2);
});

Deno.test("An observer can refuse requests one by one, and learns when each begins and ends", async () => {
  await using server = new ApiServer();
  await using client = new Client(server.clientOptions);
  const seen: string[] = [];
  const observed = client.observed({
    begins: ({ method, path }) => void seen.push(`begins ${method} ${path}`),
    sends: ({ method }) => method === "POST" ? new Error("not now") : undefined,
    ended: ({ error, status, auditId }) => {
      seen.push(`ended ${status} ${error} ${auditId !== undefined}`);
    },
  });
  const object = { metadata: { name: "a", namespace: "default" } };
  await assertRejects(() => observed.create(ConfigMaps, object), Error, "not now");
  assertEquals((await observed.list(ConfigMaps, { namespace: "default" })).items, []);
  assertEquals(seen, [
    "begins POST /api/v1/namespaces/default/configmaps",
    "ended undefined Error: not now false",
    "begins GET /api/v1/namespaces/default/configmaps",
    "ended 200 undefined true",
  ]);
});
