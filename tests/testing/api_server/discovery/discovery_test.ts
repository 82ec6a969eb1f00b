import { assertEquals } from "@std/assert";
import { Cluster } from "../cluster.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const AGGREGATED = "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io";

Deno.test("aggregated discovery has the headers and the fields of a real server", async () => {
  await using cluster = new Cluster();
  const ask = (accept: string, path = "/api", headers: Record<string, string> = {}) =>
    cluster.call("GET", path, undefined, { accept, ...headers });
  const { json, headers } = await ask(AGGREGATED);
  assertEquals(
    ["content-type", "cache-control", "vary"].map((name) => headers.get(name)),
    ["application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", "public", "Accept"],
  );
  const etag = headers.get("etag")!;
  assertEquals(/^"[0-9A-F]{128}"$/.test(etag), true, etag);
  const known = await ask(AGGREGATED, "/api", { "if-none-match": etag });
  assertEquals([known.status, known.text, known.headers.get("content-type")], [304, "", null]);
  assertEquals((await ask(AGGREGATED, "/api", { "if-none-match": '"x"' })).status, 200);
  const [{ metadata, versions: [{ version, freshness, resources }] }] = json.items;
  assertEquals([metadata, version, freshness], [{}, "v1", "Current"]);
  const byName = (name: string) => resources.find((one: Loose) => one.resource === name);
  assertEquals(byName("configmaps"), {
    resource: "configmaps",
    responseKind: { group: "", version: "", kind: "ConfigMap" },
    scope: "Namespaced",
    singularResource: "configmap",
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    shortNames: ["cm"],
  });
  assertEquals(byName("nodes").scope, "Cluster");
  assertEquals(byName("nodes").subresources, [
    {
      subresource: "proxy",
      responseKind: { group: "", version: "", kind: "NodeProxyOptions" },
      verbs: ["create", "delete", "get", "patch", "update"],
    },
    {
      subresource: "status",
      responseKind: { group: "", version: "", kind: "Node" },
      verbs: ["get", "patch", "update"],
    },
  ]);
  const groups = (await ask(AGGREGATED, "/apis")).json.items;
  assertEquals(groups.find((one: Loose) => one.metadata.name === "apps").versions.length, 1);
  for (
    const accept of [
      "application/json",
      `application/json, ${AGGREGATED};q=0.5`,
      AGGREGATED.replace("v2", "v3") + ",application/json",
    ]
  ) assertEquals((await ask(accept, "/apis")).json.kind, "APIGroupList", accept);
  assertEquals(
    (await ask(`${AGGREGATED},application/json`, "/apis")).json.kind,
    "APIGroupDiscoveryList",
  );
});

Deno.test("discovery takes a GET with a served media type", async () => {
  await using cluster = new Cluster();
  const ask = async (method: string, path: string, headers: Record<string, string>) => {
    const { status, json } = await cluster.call(method, path, undefined, headers);
    return [status, json?.message];
  };
  const unacceptable = "406: Not Acceptable\n\nAvailable representations: " +
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  const accepted = "only the following media types are accepted: " +
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  assertEquals(await ask("GET", "/apis", { accept: "text/html" }), [406, accepted]);
  assertEquals((await ask("GET", "/apis", { "content-type": "text/plain" }))[0], 200);
  for (const path of ["/api/v1", "/apis/apps/v1"]) {
    assertEquals(await ask("GET", path, { accept: "text/html" }), [406, unacceptable], path);
    assertEquals(await ask("POST", path, {}), [
      405,
      "the server does not allow this method on the requested resource",
    ]);
    assertEquals((await ask("GET", path, { "content-type": "text/plain" }))[0], 415, path);
  }
});

Deno.test("the root lists the paths of the core group and of all others, once each", async () => {
  await using cluster = new Cluster();
  const { paths } = (await cluster.get("/")).json as { paths: string[] };
  assertEquals([...new Set(paths)].sort(), paths);
  const some = ["/api", "/api/v1", "/apis/apps", "/apis/apps/v1", "/version", "/healthz/ping"];
  assertEquals(some.filter((path) => paths.includes(path)), some);
  assertEquals(paths.filter((path) => path.startsWith("/apis//")), []);
});

Deno.test("the documents of OpenAPI know their clients' copies", async () => {
  await using cluster = new Cluster();
  const path = "/openapi/v3/apis/node.k8s.io/v1";
  const { headers } = await cluster.get(path);
  const etag = headers.get("etag")!;
  assertEquals([headers.get("vary"), headers.get("expires")], ["Accept", null]);
  const known = await cluster.call("GET", path, undefined, { "if-none-match": etag });
  assertEquals([known.status, known.text], [304, ""]);
  const moved = await cluster.get(`${path}?hash=x`);
  const current = `${path}?hash=${etag.replaceAll('"', "")}`;
  assertEquals([moved.status, moved.headers.get("location")], [301, current]);
  const hashed = await cluster.get(current);
  assertEquals(
    [hashed.headers.get("cache-control"), hashed.headers.get("expires")],
    [
      "public, immutable",
      new Date(cluster.clock.wallNow() + 365 * 86_400_000).toUTCString()
        .replace("GMT", "UTC"),
    ],
  );
  const refused = await cluster.call("GET", path, undefined, { accept: "text/html" });
  assertEquals([refused.status, refused.text], [406, ""]);
});
