import { assertEquals, assertStrictEquals } from "@std/assert";
import { Client, type ListCallOptions } from "../../src/client/mod.ts";
import { type BatchedWatch, ConfigMaps, Namespaces, Pods } from "../../src/types/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { ScriptedFetch } from "./_scripted_fetch.ts";

const named = (name: string) => ({ metadata: { name } });

/**
 * Returns a client of a server with `total` Pods, which lists items without kind and apiVersion, as a real server does.
 */
function setUp(total: number) {
  const urls: URL[] = [];
  const fetch = ({ url }: Request) => {
    urls.push(new URL(url));
    const query = new URL(url).searchParams;
    const start = Number(query.get("continue") ?? 0);
    const end = Math.min(total, start + Number(query.get("limit") ?? total));
    const next = end < total ? { continue: `${end}`, remainingItemCount: total - end } : {};
    return Promise.resolve(Response.json({
      kind: "PodList",
      apiVersion: "v1",
      metadata: { resourceVersion: "7", ...next },
      items: Array.from({ length: end - start }, (_, i) => named(`o${start + i}`)),
    }));
  };
  return { urls, client: new Client({ fetch }) };
}

/**
 * Returns the number of items that `list` returns for these options, the continue token, and the queries of its
 * requests.
 */
async function listed(options: ListCallOptions) {
  const { urls, client } = setUp(1200);
  const { items, metadata } = await client.list(Pods, options);
  return [items.length, metadata.continue, ...urls.map(({ search }) => search)];
}

Deno.test("Client.list() reads all objects in pages of 500, and has no continue token", async () => {
  const queries = ["?limit=500", "?limit=500&continue=500", "?limit=500&continue=1000"];
  assertEquals(await listed({}), [1200, undefined, ...queries]);
  const nothing = { limit: undefined, continue: undefined, pageSize: undefined };
  assertEquals(await listed(nothing), [1200, undefined, ...queries]);
  assertEquals(await listed({ continue: "" }), [1200, undefined, ...queries]);
});

Deno.test("Client.list() reads all objects in pages of pageSize", async () => {
  assertEquals(await listed({ pageSize: 1000 }), [
    1200,
    undefined,
    "?limit=1000",
    "?limit=1000&continue=1000",
  ]);
  assertEquals(await listed({ pageSize: 0 }), [1200, undefined, ""]);
});

Deno.test("Client.list() with limit or continue makes one request and returns one page", async () => {
  assertEquals(await listed({ limit: 10 }), [10, "10", "?limit=10"]);
  assertEquals(await listed({ limit: 10, continue: "10" }), [10, "20", "?limit=10&continue=10"]);
  assertEquals(await listed({ continue: "1000" }), [200, undefined, "?continue=1000"]);
  assertEquals(await listed({ limit: 0 }), [1200, undefined, ""]);
});

Deno.test("Client.list() reads all pages with continue tokens", async () => {
  const { client } = setUp(25);
  const sizes: number[] = [];
  let token: string | undefined;
  do {
    const { items, metadata } = await client.list(Pods, { limit: 10, continue: token });
    sizes.push(items.length);
    token = metadata.continue;
  } while (token);
  assertEquals(sizes, [10, 10, 5]);
});

Deno.test("Client.eachListItem() reads pages of pageSize", async () => {
  const { urls, client } = setUp(5);
  let count = 0;
  await client.eachListItem(Pods, () => void count++, { pageSize: 2 });
  assertEquals([count, urls.length], [5, 3]);
});

const POD = { kind: "Pod", apiVersion: "v1" };

Deno.test("Client sets the kind and apiVersion of listed objects, as watched objects have them", async () => {
  const { client } = setUp(3);
  const all = await client.list(Pods, { pageSize: 2 });
  const page = await client.list(Pods, { limit: 1 });
  const each: unknown[] = [];
  await client.eachListItem(Pods, (pod) => void each.push(pod));
  const { items } = await client.listerWatcher(Pods).list({}, {});
  for (const pod of [...all.items, ...page.items, ...each, ...items]) {
    const { kind, apiVersion } = pod as typeof POD;
    assertEquals({ kind, apiVersion }, POD);
    assertEquals(Object.keys(pod as object), ["kind", "apiVersion", "metadata"]);
  }
  assertEquals([all.items.length, each.length, items.length], [3, 3, 3]);
});

Deno.test("Client.deleteCollection() sets the kind of the deleted objects", async () => {
  const list = { kind: "PodList", apiVersion: "v1", metadata: {}, items: [named("a")] };
  const client = new Client({ fetch: new ScriptedFetch(Response.json(list)).fetch });
  const { items } = await client.deleteCollection(Pods, { namespace: "n" });
  assertEquals<unknown>(items, [{ ...POD, ...named("a") }]);
});

Deno.test("Client returns equal objects from a list and a watch", async () => {
  await using server = new ApiServer();
  await using client = new Client({ fetch: server.fetch });
  const call = { namespace: "default" };
  await client.create(ConfigMaps, { ...named("a"), data: { color: "red" } }, call);
  const { items: [listed] } = await client.list(ConfigMaps, call);
  const watch = await client.watch(ConfigMaps, call) as BatchedWatch;
  for await (const { object } of watch) {
    assertEquals(JSON.stringify(object), JSON.stringify(listed));
    break;
  }
});

Deno.test("Client returns a page from a reader unchanged", async () => {
  const list = { kind: "PodList", apiVersion: "v1", metadata: {}, items: [named("read")] };
  const client = new Client({ fetch: new ScriptedFetch(Response.json(list)).fetch });
  const reader = { readList: () => list, readEvent: () => undefined };
  assertStrictEquals(await client.listerWatcher(Pods).readBy?.(reader).list({}, {}), list);
});

Deno.test("Client.deleteCollection() in all namespaces deletes in each namespace with matching objects", async () => {
  await using server = new ApiServer();
  const requests: string[] = [];
  await using client = new Client({
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      return server.fetch(request);
    },
  });
  for (const name of ["x", "y", "z"]) await client.create(Namespaces, named(name));
  for (
    const [namespace, name, app] of ["x a web", "x b db", "y c web", "z d db"].map((one) =>
      one.split(" ")
    )
  ) {
    await client.create(ConfigMaps, { metadata: { name, namespace, labels: { app } } } as never);
  }
  requests.length = 0;
  const { kind, items } = await client.deleteCollection(ConfigMaps, {
    allNamespaces: true,
    labelSelector: "app=web",
  });
  assertEquals([kind, items.map(({ metadata }) => metadata.name)], ["ConfigMapList", ["a", "c"]]);
  assertEquals(requests, [
    "GET /api/v1/configmaps?labelSelector=app%3Dweb&limit=500",
    "DELETE /api/v1/namespaces/x/configmaps?labelSelector=app%3Dweb",
    "DELETE /api/v1/namespaces/y/configmaps?labelSelector=app%3Dweb",
  ]);
  const left = await client.list(ConfigMaps, { labelSelector: "app" });
  assertEquals(left.items.map(({ metadata }) => metadata.name), ["b", "d"]);
  const none = await client.deleteCollection(ConfigMaps, {
    allNamespaces: true,
    labelSelector: "app=web",
  });
  assertEquals([none.kind, none.apiVersion, none.items], ["ConfigMapList", "v1", []]);
});
