import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Cluster } from "./cluster.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const MAPS = Cluster.path("configmaps");

// deno-lint-ignore no-explicit-any
const names = (list: any): string[] => list.items.map((item: any) => item.metadata.name);

Deno.test("list is ordered by namespace and name", async () => {
  await using cluster = new Cluster();
  for (const name of ["b", "a", "c"]) await cluster.configMap(name);
  await cluster.call("POST", "/api/v1/namespaces", { metadata: { name: "a" } });
  await cluster.call("POST", "/api/v1/namespaces/a/configmaps", { metadata: { name: "z" } });
  const list = await cluster.get("/api/v1/configmaps");
  const own = names(list.json).filter((name) => name.length === 1);
  assertEquals(own, ["z", "a", "b", "c"]);
});

Deno.test("list checks the parts of a request in the order of the real server", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const html = "text/html", yaml = "application/yaml";
  const bogus = "application/json;as=Bogus;v=v1;g=meta.k8s.io";
  const rows: [query: string, accept: string, code: number, message?: string][] = [
    ["limit=x&labelSelector=%3D", html, 406],
    ["limit=x&labelSelector=%3D", bogus, 400, "strconv.ParseInt"],
    ["labelSelector=%3D&resourceVersionMatch=Exact", bogus, 400, "found '='"],
    ["fieldSelector=q&resourceVersionMatch=Exact", bogus, 400, "invalid selector"],
    ["fieldSelector=q%3D1&resourceVersionMatch=Exact", bogus, 422],
    ["fieldSelector=q%3D1", bogus, 406],
    ["fieldSelector=q%3D1", yaml, 400, "not a known field selector"],
    ["fieldSelector=%3D", yaml, 200, "name: a"],
    ["watch=1&sendInitialEvents=true", yaml, 422],
    ["watch=1&resourceVersion=x", yaml, 500],
    ["watch=1&fieldSelector=q%3D1", yaml, 400],
    ["watch=1", yaml, 406, "stream=watch"],
    ["watch=1", bogus, 406, "application/yaml"],
  ];
  for (const [query, accept, code, text = ""] of rows) {
    const reply = await cluster.call("GET", `${MAPS}?${query}`, undefined, { accept });
    assertEquals([query, accept, reply.status], [query, accept, code]);
    assert(reply.text.includes(text), reply.text);
  }
});

Deno.test("a paged list shows one resource version, despite writes between the pages", async () => {
  await using cluster = new Cluster();
  for (const name of ["a", "b", "c", "d", "e"]) await cluster.configMap(name);
  const first = await cluster.get(`${MAPS}?limit=2`);
  assertEquals(first.json.metadata.remainingItemCount, 3);
  await cluster.call("DELETE", `${MAPS}/c`);
  await cluster.configMap("bb");
  await cluster.merge(`${MAPS}/d`, { data: { k: "new" } });
  const second = await cluster.get(`${MAPS}?limit=2&continue=${first.json.metadata.continue}`);
  assertEquals(names(second.json), ["c", "d"]);
  assertEquals(second.json.items[1].data, undefined);
  assertEquals(second.json.metadata.resourceVersion, first.json.metadata.resourceVersion);
  const third = await cluster.get(`${MAPS}?limit=2&continue=${second.json.metadata.continue}`);
  assertEquals(names(third.json), ["e"]);
  assertEquals(third.json.metadata, { resourceVersion: first.json.metadata.resourceVersion });
});

Deno.test("list continues at a newer resource version with the token of a 410", async () => {
  await using cluster = new Cluster();
  for (const name of ["a", "b", "c"]) await cluster.configMap(name);
  const first = await cluster.get(`${MAPS}?limit=1`);
  await cluster.configMap("bb");
  cluster.server.compact();
  const gone = await cluster.get(`${MAPS}?limit=1&continue=${first.json.metadata.continue}`);
  assertEquals([gone.status, gone.json.reason], [410, "Expired"]);
  const rest = await cluster.get(`${MAPS}?continue=${gone.json.metadata.continue}`);
  assertEquals(names(rest.json), ["b", "bb", "c"]);
});

Deno.test("list with a selector omits remainingItemCount, and its limit counts matching items", async () => {
  await using cluster = new Cluster();
  for (const name of ["a", "b", "c", "d"]) {
    await cluster.configMap(name, { labels: { odd: name === "a" || name === "c" ? "1" : "0" } });
  }
  const first = await cluster.get(`${MAPS}?limit=1&labelSelector=odd%3D1`);
  assertEquals([names(first.json), first.json.metadata.remainingItemCount], [["a"], undefined]);
  const token = first.json.metadata.continue;
  const second = await cluster.get(`${MAPS}?limit=1&labelSelector=odd%3D1&continue=${token}`);
  assertEquals(names(second.json), ["c"]);
});

Deno.test("list at resource version 0 ignores the limit; a future version waits three seconds", async () => {
  await using cluster = new Cluster();
  for (const name of ["a", "b", "c"]) await cluster.configMap(name);
  const cached = await cluster.get(`${MAPS}?limit=1&resourceVersion=0`);
  assertEquals([cached.json.items.length, cached.json.metadata.continue], [3, undefined]);

  const startMs = cluster.clock.now();
  const late = await cluster.get(`${MAPS}?resourceVersion=100000`);
  assertEquals([late.status, late.headers.get("retry-after")], [504, "1"]);
  assertEquals(cluster.clock.now() - startMs, 3000);
});

Deno.test("list at a future resource version answers as soon as that is reached", async () => {
  await using cluster = new Cluster();
  const next = Number(cluster.server.resourceVersion) + 1;
  const pending = cluster.fetch(`${MAPS}?resourceVersion=${next}`);
  await cluster.clock.advance(1000);
  await cluster.configMap("a");
  const list = await (await pending).json();
  assertEquals(names(list), ["a"]);
});

Deno.test("list with Exact shows the past, and answers 410 after a compaction", async () => {
  await using cluster = new Cluster();
  const first = await cluster.configMap("a");
  await cluster.configMap("b");
  const query = `resourceVersion=${first.json.metadata.resourceVersion}&resourceVersionMatch=Exact`;
  const past = await cluster.get(`${MAPS}?${query}`);
  assertEquals(names(past.json), ["a"]);
  cluster.server.compact();
  assertEquals((await cluster.get(`${MAPS}?${query}`)).status, 410);
});

Deno.test("list at any resource version shows the state after the writes up to it", async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.boolean()), { maxLength: 30 }),
      async (steps) => {
        await using cluster = new Cluster();
        const model = new Map<string, string>();
        const states: [revision: string, state: string][] = [];
        let value = 0;
        for (const [name, remove] of steps) {
          if (remove) {
            await cluster.call("DELETE", `${MAPS}/${name}`);
            model.delete(name);
          } else {
            const data = { v: String(++value) };
            if (model.has(name)) await cluster.merge(`${MAPS}/${name}`, { data });
            else await cluster.call("POST", MAPS, { metadata: { name }, data });
            model.set(name, data.v);
          }
          const state = JSON.stringify([...model].sort(([a], [b]) => (a < b ? -1 : 1)));
          states.push([cluster.server.resourceVersion, state]);
        }
        for (const [revision, state] of states) {
          const list = await cluster.get(
            `${MAPS}?resourceVersion=${revision}&resourceVersionMatch=Exact`,
          );
          // deno-lint-ignore no-explicit-any
          const shown = list.json.items.map((item: any) => [item.metadata.name, item.data.v]);
          assertEquals(JSON.stringify(shown), state);
        }
      },
    ),
    30,
  );
});

Deno.test("list that waits for a future resource version is answered when the server closes", async () => {
  const cluster = new Cluster();
  const pending = cluster.fetch(`${MAPS}?resourceVersion=999`);
  await cluster.clock.settle();
  await cluster.server.close();
  await cluster.clock.settle();
  assertEquals(cluster.clock.pendingTimers, 0);
  const { code } = await (await pending).json();
  assertEquals(code, 504);
});

Deno.test("list of a namespace in the past shows nothing of others", async () => {
  await using cluster = new Cluster();
  const other = MAPS.replace("/default/", "/kube-public/");
  await cluster.configMap("mine");
  const { json } = await cluster.call("POST", other, { metadata: { name: "other" } });
  await cluster.merge(`${other}/other`, { data: { a: "b" } });
  await cluster.call("DELETE", `${other}/other`);
  const query = `resourceVersion=${json.metadata.resourceVersion}&resourceVersionMatch=Exact`;
  assertEquals(names((await cluster.get(`${MAPS}?${query}`)).json), ["mine"]);
  assertEquals(names((await cluster.get(`${other}?${query}`)).json), ["other"]);
});
