import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { ApiServer } from "../../../src/testing/api_server/mod.ts";
import { Cluster } from "./cluster.ts";

Deno.test("/openapi/v3 has the paths and the parameters that kubectl looks up", async () => {
  await using cluster = new Cluster();
  const index = (await cluster.get("/openapi/v3")).json.paths;
  const { paths } = (await cluster.get("/openapi/v3/apis/apps/v1")).json;
  assertEquals(index["apis/apps/v1"].serverRelativeURL.split("?")[0], "/openapi/v3/apis/apps/v1");
  assert("api/v1" in index);
  const item = paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
  assertEquals(item.patch["x-kubernetes-group-version-kind"], {
    group: "apps",
    kind: "Deployment",
    version: "v1",
  });
  const names = item.patch.parameters.map((one: { name: string }) => one.name);
  assert(names.includes("fieldValidation") && names.includes("dryRun"), names.join());
  const part = (name: string) =>
    paths[`/apis/apps/v1/namespaces/{namespace}/deployments/{name}/${name}`].put
      .responses["200"].content["application/json"].schema.$ref.split("/").at(-1);
  assertEquals([part("status"), part("scale")], [
    "io.k8s.api.apps.v1.Deployment",
    "io.k8s.api.autoscaling.v1.Scale",
  ]);
  assertEquals(item.get.operationId, "readAppsV1NamespacedDeployment");
  assertEquals(
    paths["/apis/apps/v1/deployments"].get.operationId,
    "listAppsV1DeploymentForAllNamespaces",
  );
  assertEquals((await cluster.get("/openapi/v3/apis/nosuch/v1")).status, 404);
});

Deno.test("the schemas are answered whatever the method, as by a real server", async () => {
  await using cluster = new Cluster();
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const { status, json } = await cluster.call(method, "/openapi/v3");
    assertEquals([status, typeof json.paths], [200, "object"], method);
  }
});

Deno.test("/openapi/v2 has the same kinds, with references that stand alone", async () => {
  await using cluster = new Cluster();
  const { definitions, paths } = (await cluster.get("/openapi/v2")).json;
  const { template, strategy } = definitions["io.k8s.api.apps.v1.DeploymentSpec"].properties;
  assertEquals(template, { $ref: "#/definitions/io.k8s.api.core.v1.PodTemplateSpec" });
  assertEquals(strategy, {
    $ref: "#/definitions/io.k8s.api.apps.v1.DeploymentStrategy",
    "x-kubernetes-patch-strategy": "retainKeys",
  });
  const { put } = paths["/api/v1/namespaces/{namespace}/pods/{name}"];
  assert(put.parameters.some((one: { in: string }) => one.in === "body"));
});

Deno.test("OpenAPI: every reference leads to a definition, in every version", async () => {
  for (const kubernetes of ["1.35", "1.36", "1.37"] as const) {
    await using server = new ApiServer({ kubernetes });
    const get = async (path: string) => await (await server.fetch(`http://cluster${path}`)).text();
    const documents = [await get("/openapi/v2")];
    for (const path of Object.keys(JSON.parse(await get("/openapi/v3")).paths)) {
      documents.push(await get(`/openapi/v3/${path}`));
    }
    for (const text of documents) {
      const { definitions, components } = JSON.parse(text);
      const known = definitions ?? components?.schemas ?? {};
      for (const [, name] of text.matchAll(/"#\/(?:definitions|components\/schemas)\/([^"]+)"/g)) {
        assert(name! in known, name);
      }
    }
  }
});

Deno.test("OpenAPI publishes a custom resource, and answers 304 until its definition changes", async () => {
  await using cluster = new Cluster();
  const crd = (description: string) => ({
    metadata: { name: "things.a.example" },
    spec: {
      group: "a.example",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            description,
            properties: {
              spec: { type: "object", nullable: true, properties: { a: { type: "string" } } },
            },
          },
        },
      }],
    },
  });
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await cluster.call("POST", path, crd("a thing"));
  const document = () => cluster.get("/openapi/v3/apis/a.example/v1");
  const first = await document();
  const { schemas } = first.json.components;
  const thing = schemas["example.a.v1.Thing"];
  assertEquals(thing.description, "a thing");
  assertEquals(Object.keys(thing.properties), ["apiVersion", "kind", "metadata", "spec"]);
  assertEquals(thing["x-kubernetes-group-version-kind"], [{
    group: "a.example",
    kind: "Thing",
    version: "v1",
  }]);
  assert("example.a.v1.ThingList" in schemas);
  const v2 = (await cluster.get("/openapi/v2")).json.definitions["example.a.v1.Thing"];
  assertEquals(v2.properties.spec, {});
  const etag = first.headers.get("etag")!;
  const index = (await cluster.get("/openapi/v3")).json.paths["apis/a.example/v1"];
  assertEquals(index.serverRelativeURL.split("=")[1], JSON.parse(etag));
  const again = () =>
    cluster.call("GET", "/openapi/v3/apis/a.example/v1", undefined, { "if-none-match": etag });
  assertEquals((await again()).status, 304);
  const { json } = await cluster.get(`${path}/things.a.example`);
  const next = { ...json, spec: crd("another thing").spec };
  assertEquals((await cluster.call("PUT", `${path}/things.a.example`, next)).status, 200);
  const changed = await again();
  assertEquals(changed.status, 200);
  assertNotEquals(changed.headers.get("etag"), etag);
});

Deno.test("aggregated discovery answers 304 until a resource is added", async () => {
  await using cluster = new Cluster();
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const first = await cluster.call("GET", "/apis", undefined, { accept });
  const etag = first.headers.get("etag")!;
  assertEquals(first.headers.get("cache-control"), "public");
  const again = await cluster.call("GET", "/apis", undefined, { accept, "if-none-match": etag });
  assertEquals([again.status, again.text], [304, ""]);
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

/** The fields of a protobuf message that are texts or messages, by their numbers. */
function fieldsOf(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1;; factor *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    if ((tag & 7) === 0) varint();
    else {
      const length = (tag & 7) === 1 ? 8 : varint();
      const found = fields.get(tag >> 3) ?? [];
      fields.set(tag >> 3, [...found, bytes.subarray(at, at += length)]);
    }
  }
  return fields;
}

/** Returns the schemas of a message of definitions or properties, by their names. */
function namedSchemas(message: Uint8Array): Map<string, Map<number, Uint8Array[]>> {
  return new Map((fieldsOf(message).get(1) ?? []).map((entry) => {
    const fields = fieldsOf(entry);
    return [new TextDecoder().decode(fields.get(1)![0]!), fieldsOf(fields.get(2)![0]!)];
  }));
}

Deno.test("/openapi/v2 has the definitions in protobuf, in which kubectl reads them", async () => {
  await using server = new ApiServer();
  const ask = (accept: string) =>
    server.fetch("http://cluster/openapi/v2", { headers: { accept } });
  const type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
  const response = await ask(type.replace(".v2.v1", ".v2@v1"));
  assertEquals([response.status, response.headers.get("content-type")], [200, type]);
  const document = fieldsOf(new Uint8Array(await response.arrayBuffer()));
  const texts = (values: Uint8Array[] = []) => values.map((one) => new TextDecoder().decode(one));
  assertEquals(texts(document.get(1)), ["2.0"]);

  const definitions = namedSchemas(document.get(9)![0]!);
  const json = await (await ask("application/json")).json();
  assertEquals([...definitions.keys()], Object.keys(json.definitions));
  const map = definitions.get("io.k8s.api.core.v1.ConfigMap")!;
  const properties = namedSchemas(map.get(25)![0]!);
  const shown = json.definitions["io.k8s.api.core.v1.ConfigMap"];
  assertEquals([...properties.keys()], Object.keys(shown.properties));
  assertEquals(texts(fieldsOf(properties.get("immutable")!.get(22)![0]!).get(1)), ["boolean"]);
  const [extension] = map.get(31)!.map(fieldsOf);
  assertEquals(texts(extension!.get(1)), ["x-kubernetes-group-version-kind"]);
  assertEquals(
    JSON.parse(texts(fieldsOf(extension!.get(2)![0]!).get(2))[0]!),
    shown["x-kubernetes-group-version-kind"],
  );
  assertEquals((await ask("application/xml")).status, 406);
});

Deno.test("/openapi/v2 has the operations of a resource, with their parameters and answers", async () => {
  await using cluster = new Cluster();
  const { paths } = (await cluster.get("/openapi/v2")).json;
  // deno-lint-ignore no-explicit-any
  type Loose = any;
  const ids = (path: string) =>
    Object.entries<Loose>(paths[path]).filter(([method]) => method !== "parameters")
      .map(([method, { operationId }]) => `${method} ${operationId}`).sort();
  const collection = "/api/v1/namespaces/{namespace}/configmaps";
  assertEquals(ids(collection), [
    "delete deleteCollectionCoreV1NamespacedConfigMap",
    "get listCoreV1NamespacedConfigMap",
    "post createCoreV1NamespacedConfigMap",
  ]);
  assertEquals(ids(`${collection}/{name}`), [
    "delete deleteCoreV1NamespacedConfigMap",
    "get readCoreV1NamespacedConfigMap",
    "patch patchCoreV1NamespacedConfigMap",
    "put replaceCoreV1NamespacedConfigMap",
  ]);
  assertEquals(ids("/api/v1/configmaps"), ["get listCoreV1ConfigMapForAllNamespaces"]);
  assertEquals(ids("/api/v1/namespaces/{name}/status"), [
    "get readCoreV1NamespaceStatus",
    "patch patchCoreV1NamespaceStatus",
    "put replaceCoreV1NamespaceStatus",
  ]);
  assertEquals(paths["/api/v1/namespaces/{namespace}/pods/{name}/exec"], undefined);
  const names = ({ parameters }: Loose) => parameters.map(({ name }: Loose) => name);
  const item = paths[`${collection}/{name}`];
  assertEquals([names(paths[collection]), names(item)], [
    ["namespace", "pretty"],
    ["name", "namespace", "pretty"],
  ]);
  const { delete: removeAll, get: list, post: create } = paths[collection];
  assertEquals(names(create), ["dryRun", "fieldManager", "fieldValidation", "body"]);
  assertEquals(names(item.patch), ["dryRun", "fieldManager", "fieldValidation", "force", "body"]);
  assert(names(removeAll).includes("labelSelector") && !names(removeAll).includes("watch"));
  assertEquals(
    [create, item.put, item.delete].map(({ responses }) => Object.keys(responses)),
    [["200", "201", "202", "401"], ["200", "401"], ["200", "202", "401"]],
  );
  const actions = [list, create, removeAll, item.get, item.put, item.patch, item.delete];
  assertEquals(actions.map((one) => one["x-kubernetes-action"]), [
    "list",
    "post",
    "deletecollection",
    "get",
    "put",
    "patch",
    "delete",
  ]);
});

Deno.test("/openapi/v3 has the options of a list and of a deletion that a minor version has", async () => {
  const collection = "/api/v1/namespaces/{namespace}/configmaps";
  const listed = async (kubernetes: "1.35" | "1.37", method: "get" | "delete") => {
    await using cluster = new Cluster({ kubernetes });
    const { paths } = (await cluster.get("/openapi/v3/api/v1")).json;
    return paths[collection][method].parameters.map((one: { name: string }) => one.name);
  };
  const shared = ["continue", "fieldSelector", "labelSelector", "limit", "resourceVersion"];
  const later = ["resourceVersionMatch", "sendInitialEvents", "shardSelector", "timeoutSeconds"];
  const all = ["allowWatchBookmarks", ...shared, ...later, "watch"];
  assertEquals(await listed("1.37", "get"), all);
  assertEquals(await listed("1.35", "get"), all.filter((name) => name !== "shardSelector"));
  const deletion = ["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"];
  deletion.push("ignoreStoreReadErrorWithClusterBreakingPotential");
  assertEquals(await listed("1.37", "delete"), [...shared, ...later, ...deletion].sort());
});
