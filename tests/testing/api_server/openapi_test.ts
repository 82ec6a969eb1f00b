import { assert, assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";

Deno.test("/openapi/v3 lists the served group versions, and the parameters of PATCH", async () => {
  await using cluster = new Cluster();
  const index = (await cluster.get("/openapi/v3")).json.paths;
  assertEquals(index["apis/apps/v1"], { serverRelativeURL: "/openapi/v3/apis/apps/v1" });
  assertEquals(index["api/v1"], { serverRelativeURL: "/openapi/v3/api/v1" });
  const { paths } = (await cluster.get("/openapi/v3/apis/apps/v1")).json;
  const { patch } = paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
  assertEquals(patch["x-kubernetes-group-version-kind"], {
    group: "apps",
    kind: "Deployment",
    version: "v1",
  });
  const names = patch.parameters.map((one: { name: string }) => one.name);
  assert(names.includes("fieldValidation") && names.includes("dryRun"), names.join());
  assertEquals((await cluster.get("/openapi/v3/apis/nosuch/v1")).status, 404);
  assertEquals((await cluster.get("/openapi/v2")).status, 501);
});

Deno.test("selfsubjectrulesreviews return the rules of the caller", async () => {
  await using cluster = new Cluster({ tokens: { t: { user: "ann" } } });
  const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  const headers = { authorization: "Bearer t" };
  const ask = (spec: object) => cluster.call("POST", path, { spec }, headers);
  const { status, spec } = (await ask({ namespace: "default" })).json;
  assertEquals(spec, {});
  assertEquals(status.incomplete, false);
  assert(
    status.resourceRules.some((rule: { resources: string[] }) =>
      rule.resources.includes("selfsubjectaccessreviews")
    ),
  );
  assert(
    status.nonResourceRules.some((rule: { nonResourceURLs: string[] }) =>
      rule.nonResourceURLs.includes("/version")
    ),
  );
  assertEquals((await ask({})).status, 400);
});

Deno.test("404 is checked before the method, and the method before the media types", async () => {
  await using cluster = new Cluster();
  const status = async (method: string, path: string, headers: Record<string, string> = {}) =>
    (await cluster.call(method, path, undefined, headers)).status;
  const html = { accept: "text/html" };
  assertEquals(await status("PUT", Cluster.path("configmaps"), html), 405);
  assertEquals(
    await status("PATCH", Cluster.path("configmaps", "a"), { ...html, "content-type": "x/y" }),
    415,
  );
  assertEquals(await status("GET", Cluster.path("configmaps"), html), 406);
  assertEquals(await status("DELETE", "/nosuch"), 404);
  assertEquals(await status("PUT", "/apis/apps"), 200);
  assertEquals(await status("PUT", "/apis/apps/v1"), 405);
  assertEquals(await status("GET", "/apis/apps/v1", html), 406);
  assertEquals(await status("GET", "/"), 200);
  assertEquals(await status("GET", Cluster.path("configmaps", "%25")), 400);
});
