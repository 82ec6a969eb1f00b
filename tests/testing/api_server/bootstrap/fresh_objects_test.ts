import { assert, assertEquals } from "@std/assert";
import { Cluster } from "../cluster.ts";
import { listObjects, readFreshObjects } from "./fresh_objects.ts";

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

/** The known differences, with their reasons. */
const DIFFERENT: ReadonlyMap<string, string> = new Map([
  [`${ROLES} /admin`, "the recorded cluster has no controller that gathers rules"],
  [`${ROLES} /edit`, "the recorded cluster has no controller that gathers rules"],
  [`${ROLES} /view`, "the recorded cluster has no controller that gathers rules"],
  [
    "/api/v1/configmaps kube-system/extension-apiserver-authentication",
    "this server has no certificate authority for clients",
  ],
]);

Deno.test("a new server has the objects of a real one", async () => {
  await using cluster = new Cluster();
  const found = await listObjects(async (path) => (await cluster.get(path)).json);
  const wanted = await readFreshObjects();
  const names = [...wanted.keys()];
  assertEquals([...found.keys()].sort(), names.sort());
  assert(names.length > 180);
  for (const name of names) {
    if (DIFFERENT.has(name)) assert(found.get(name) !== wanted.get(name), name);
    else assertEquals(found.get(name), wanted.get(name), name);
  }
});

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
