import { assertEquals } from "@std/assert";
import { V2, V3 } from "../../../../src/testing/api_server/discovery/openapi/dialect.ts";
import { pathsOf } from "../../../../src/testing/api_server/discovery/openapi/operations.ts";
import type { ResourceInfo } from "../../../../src/testing/api_server/kinds/mod.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

function paths(definition: object, dialect = V2): Loose {
  const all = { group: "", version: "v1", plural: "things", kind: "Thing", ...definition };
  const { group } = all;
  const resource = { group, definition: all } as unknown as ResourceInfo;
  const names = { object: "object", list: "list", ofSubresource: () => "part" };
  return pathsOf(resource, names, dialect);
}

/** Returns `method path: id` of each operation. */
function ids(found: Loose): string[] {
  return Object.entries<Loose>(found).flatMap(([path, operations]) =>
    Object.entries<Loose>(operations).filter(([key]) => key !== "parameters")
      .map(([method, { operationId }]) => `${method} ${path}: ${operationId}`)
  ).sort();
}

Deno.test("pathsOf() names the operations by their scope", () => {
  assertEquals(ids(paths({ namespaced: false })), [
    "delete /api/v1/things/{name}: deleteCoreV1Thing",
    "delete /api/v1/things: deleteCollectionCoreV1Thing",
    "get /api/v1/things/{name}: readCoreV1Thing",
    "get /api/v1/things: listCoreV1Thing",
    "patch /api/v1/things/{name}: patchCoreV1Thing",
    "post /api/v1/things: createCoreV1Thing",
    "put /api/v1/things/{name}: replaceCoreV1Thing",
  ]);
  const collection = "/apis/demo.k8s.io/v1/namespaces/{namespace}/things";
  assertEquals(ids(paths({ namespaced: true, group: "demo.k8s.io", verbs: ["list", "get"] })), [
    "get /apis/demo.k8s.io/v1/namespaces/{namespace}/things/{name}: readDemoV1NamespacedThing",
    `get ${collection}: listDemoV1NamespacedThing`,
    "get /apis/demo.k8s.io/v1/things: listDemoV1ThingForAllNamespaces",
  ]);
});

Deno.test("pathsOf() has no path without operations, and none for connections", () => {
  const subresources = [
    { name: "status", verbs: ["get", "update", "patch"] },
    { name: "exec", verbs: ["get", "create"], connects: true },
    { name: "other", verbs: ["watch"] },
  ];
  assertEquals(ids(paths({ namespaced: false, verbs: ["create"], subresources })), [
    "get /api/v1/things/{name}/status: readCoreV1ThingStatus",
    "patch /api/v1/things/{name}/status: patchCoreV1ThingStatus",
    "post /api/v1/things: createCoreV1Thing",
    "put /api/v1/things/{name}/status: replaceCoreV1ThingStatus",
  ]);
  assertEquals(Object.keys(paths({ namespaced: false, verbs: ["create"], subresources })), [
    "/api/v1/things",
    "/api/v1/things/{name}/status",
  ]);
});

Deno.test("pathsOf() tells the parameters, the body and the answers of each operation", () => {
  const found = paths({ namespaced: true, group: "demo.example.com" });
  const collection = "/apis/demo.example.com/v1/namespaces/{namespace}/things";
  const item = found[`${collection}/{name}`];
  const names = (of: Loose) => of.parameters.map((one: Loose) => one.name);
  assertEquals([names(found[collection]), names(item)], [
    ["namespace", "pretty"],
    ["name", "namespace", "pretty"],
  ]);
  const { delete: removeAll, get: list, post: create } = found[collection];
  assertEquals(names(create), ["dryRun", "fieldManager", "fieldValidation", "body"]);
  assertEquals(names(item.patch), ["dryRun", "fieldManager", "fieldValidation", "force", "body"]);
  assertEquals(names(removeAll).includes("watch"), false);
  assertEquals(names(removeAll).includes("resourceVersionMatch"), false);
  assertEquals(names(removeAll).includes("labelSelector"), true);
  assertEquals([Object.keys(create.responses), Object.keys(item.delete.responses)], [
    ["200", "201", "202", "401"],
    ["200", "202", "401"],
  ]);
  assertEquals(Object.keys(item.put.responses), ["200", "401"]);
  const schema = (of: Loose) => of.responses["200"].schema.$ref;
  assertEquals([list, create, item.delete].map(schema), [
    "#/definitions/list",
    "#/definitions/object",
    "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Status",
  ]);
  const body = (of: Loose) => of.parameters.find((one: Loose) => one.name === "body");
  assertEquals([body(create).required, body(item.delete).required, body(item.get)], [
    true,
    undefined,
    undefined,
  ]);
  assertEquals([create.tags, create["x-kubernetes-action"]], [["demo_v1"], "post"]);
  const { get, put, patch, delete: remove } = item;
  assertEquals(
    [list, removeAll, get, put, patch, remove].map((one) => one["x-kubernetes-action"]),
    ["list", "deletecollection", "get", "put", "patch", "delete"],
  );
  const rich = paths({ namespaced: false }, V3)["/api/v1/things"];
  assertEquals([rich.post.requestBody.required, rich.delete.requestBody.required], [
    true,
    undefined,
  ]);
  assertEquals([rich.get.requestBody, names(rich.post).includes("body")], [undefined, false]);
  assertEquals(rich.post.tags, ["core_v1"]);
});
