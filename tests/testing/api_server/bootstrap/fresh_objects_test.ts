import { assertEquals } from "@std/assert";
import { Cluster } from "../cluster.ts";

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

Deno.test("the objects of a new server do not depend on which are asked for first", async () => {
  const roles = "/apis/rbac.authorization.k8s.io/v1/roles";
  const paths = ["/api/v1/namespaces", roles, "/api/v1/services"];
  const read = async (order: readonly string[]) => {
    await using cluster = new Cluster();
    const found: Record<string, string> = {};
    for (const path of order) found[path] = (await cluster.get(path)).text;
    return found;
  };
  assertEquals(await read(paths), await read(paths.toReversed()));
});

Deno.test("every object of a new server has a revision of its own, and a watch from the first one sends them", async () => {
  await using cluster = new Cluster();
  const newest = Number(cluster.server.resourceVersion);
  const { objects } = cluster.server.state();
  const revisions = objects.map(({ text }) => Number(JSON.parse(text).metadata.resourceVersion));
  assertEquals(
    revisions.sort((a, b) => a - b),
    Array.from({ length: newest - 1 }, (_, index) => index + 2),
  );
  await using watch = await cluster.watch("/api/v1/namespaces?resourceVersion=1");
  assertEquals(watch.events.length, 4);
});

Deno.test("a compaction also drops objects that were never read", async () => {
  await using cluster = new Cluster();
  cluster.server.compact();
  const { status } = await cluster.get(`${ROLES}?resourceVersion=3&resourceVersionMatch=Exact`);
  assertEquals(status, 410);
});

Deno.test("a state has all objects, and a server that continues from it the same", async () => {
  await using cluster = new Cluster();
  const state = cluster.server.state();
  await using again = new Cluster({ state });
  assertEquals(again.server.state(), state);
});
