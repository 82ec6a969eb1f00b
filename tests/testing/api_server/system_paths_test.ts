/**
 * Paths about the server itself, and the answers of a real server to them.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Cluster } from "./cluster.ts";

Deno.test("health checks leave out what the client excludes, and name what they do not know", async () => {
  await using cluster = new Cluster();
  const { text } = await cluster.get("/readyz?verbose&exclude=etcd&exclude=x&exclude=nope");
  const lines = text.split("\n");
  assertEquals(lines.slice(2, 5), [
    "[+]etcd excluded: ok",
    "[+]etcd-readiness ok",
    "[+]informer-sync ok",
  ]);
  assertEquals(lines.slice(-4), [
    "[+]shutdown ok",
    'warn: some health checks cannot be excluded: no matches for "nope","x"',
    "readyz check passed",
    "",
  ]);
  assertEquals((await cluster.get("/livez?verbose")).text.includes("warn"), false);
  assertEquals((await cluster.get("/livez?verbose&exclude=x")).text.includes('"x"\n'), true);
  assertEquals((await cluster.get("/livez?exclude=nope")).text, "ok");
  assertEquals((await cluster.get("/livez/poststarthook/rbac/bootstrap-roles")).text, "ok");
  assertEquals((await cluster.get("/livez/etcd-readiness")).status, 404);
});

Deno.test("/metrics counts requests and objects, and a DELETE resets the counters", async () => {
  await using cluster = new Cluster();
  const maps = Cluster.path("configmaps");
  for (const name of ["a", "b"]) await cluster.call("POST", maps, { metadata: { name } });
  await cluster.get(`${maps}/c`);
  const { headers, text } = await cluster.get("/metrics");
  assertEquals(
    headers.get("content-type"),
    "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
  );
  const labels = 'component="apiserver",dry_run="",group="",resource="configmaps",' +
    'scope="resource",subresource=""';
  assertStringIncludes(
    text,
    "# TYPE apiserver_request_total counter\n" +
      `apiserver_request_total{code="201",${labels},verb="POST",version="v1"} 2\n` +
      `apiserver_request_total{code="404",${labels},verb="GET",version="v1"} 1\n`,
  );
  assertStringIncludes(text, "# HELP apiserver_request_total Answered requests.\n");
  assertStringIncludes(
    text,
    "# HELP apiserver_storage_objects Stored objects.\n# TYPE apiserver_storage_objects gauge\n",
  );
  assertStringIncludes(text, 'apiserver_storage_objects{resource="configmaps"} 4\n');
  assertStringIncludes(
    text,
    "# HELP kubernetes_build_info The release that this server says it is.\n" +
      "# TYPE kubernetes_build_info gauge\n" +
      'kubernetes_build_info{git_version="v1.37',
  );
  assertEquals(headers.get("x-content-type-options"), null);
  assertEquals((await cluster.call("DELETE", "/metrics")).text, "metrics reset\n");
  assert(!(await cluster.get("/metrics")).text.includes('resource="configmaps",scope'));
});

Deno.test("/metrics counts what a real server counts, so that no client can add series without end", async () => {
  const tokens = { admin: { user: "admin", groups: ["system:masters"] } };
  await using cluster = new Cluster({ tokens });
  const series = async () => {
    const { text } = await cluster.call("GET", "/metrics", undefined, ADMIN);
    return text.split("\n").filter((line) => line.startsWith("apiserver_request_total{"));
  };
  const ADMIN = { authorization: "Bearer admin" };
  const maps = Cluster.path("configmaps");
  for (let i = 0; i < 50; i++) {
    await cluster.get(`/path${i}`);
    await cluster.get(`/apis/group${i}.example.com/v1/things`);
    for (const path of [`/path${i}`, `/api/v1/things${i}`, `/apis/group${i}/v1/things`]) {
      await cluster.call("GET", path, undefined, ADMIN);
    }
    await cluster.call("GET", `${maps}/a/sub${i}`, undefined, ADMIN);
    await cluster.call(`METHOD${i}`, maps, undefined, ADMIN);
    await cluster.call(`METHOD${i}`, "/healthz", undefined, ADMIN);
    await cluster.call("POST", `${maps}?dryRun=${i}`, { metadata: { name: "a" } }, ADMIN);
    await cluster.call("GET", `${Cluster.path("services", `s${i}`)}/proxy/${i}`, undefined, ADMIN);
    await cluster.call("GET", `/openapi/v3/apis/group${i}/v1`, undefined, ADMIN);
  }
  const of = (code: number, labels: string) =>
    `apiserver_request_total{code="${code}",${labels}} 50`;
  const system = (subresource: string, verb: string) =>
    `component="",dry_run="",group="",resource="",scope="",subresource="${subresource}",verb="${verb}",version=""`;
  const resource = (name: string, subresource: string, dryRun: string, verb: string) =>
    `component="apiserver",dry_run="${dryRun}",group="",resource="${name}",scope="resource",` +
    `subresource="${subresource}",verb="${verb}",version="v1"`;
  assertEquals(await series(), [
    of(200, system("/healthz", "other")),
    of(404, system("openapi/v3/", "GET")),
    of(422, resource("configmaps", "", "invalid", "POST")),
    of(503, resource("services", "proxy", "", "CONNECT")),
  ]);
});

Deno.test("the key of service account tokens is published", async () => {
  await using cluster = new Cluster();
  const { json } = await cluster.get("/.well-known/openid-configuration");
  assertEquals([json.issuer, json.jwks_uri], [
    "https://kubernetes.default.svc",
    "https://cluster/openid/v1/jwks",
  ]);
  const keys = await cluster.get("/openid/v1/jwks");
  assertEquals(keys.headers.get("content-type"), "application/jwk-set+json");
  const [{ kid, x, ...rest }] = JSON.parse(keys.text).keys;
  assertEquals(rest, { use: "sig", kty: "OKP", crv: "Ed25519", alg: "EdDSA" });
  assertEquals([kid.length, x.length], [43, 43]);
  assertEquals((await cluster.call("POST", "/openid/v1/jwks")).status, 405);
  const accept = await cluster.call("GET", "/openid/v1/jwks", undefined, { accept: "text/html" });
  assertEquals(
    [accept.status, accept.json.message],
    [406, "406: Not Acceptable\n\nAvailable representations: application/jwk-set+json"],
  );
});

Deno.test("the index names the paths that are served", async () => {
  await using cluster = new Cluster();
  const { paths } = (await cluster.get("/index.html")).json;
  const own = paths.filter((path: string) => !/^\/(apis?\/|healthz|livez|readyz)/.test(path));
  assertEquals(own, [
    "/.well-known/openid-configuration",
    "/api",
    "/apis",
    "/flagz",
    "/metrics",
    "/metrics/slis",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/",
    "/openid/v1/jwks",
    "/statusz",
    "/version",
  ]);
  for (const path of own) {
    if (path === "/openapi/v3/") continue;
    const accept = path.endsWith("z") ? "text/plain" : "*/*";
    const { status } = await cluster.call("GET", path, undefined, { accept });
    assertEquals(status, 200, path);
  }
});
