/**
 * Media types that requests send and accept, and the answers of a real server to them.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const TABLE = "as=Table;v=v1;g=meta.k8s.io";

Deno.test("the Accept header is read as by the real server", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", MAPS, { metadata: { name: "a" } });
  const cases: readonly (readonly [string, string, number | string])[] = [
    ["", MAPS, "application/json"],
    ["application/json;q=0.5,application/yaml", MAPS, "application/yaml"],
    ["application/json;q=x,application/yaml", MAPS, "application/yaml"],
    ["application/json;q=,application/yaml;q=0.9", MAPS, "application/json"],
    ["application/json;q=0.1,*/*;q=0.9", MAPS, "application/json"],
    ["application/json;foo=bar", MAPS, "application/json"],
    ["application/json;stream=x", MAPS, 406],
    ["application/json;sv=1", MAPS, 406],
    ["application/json;g=meta.k8s.io", MAPS, 406],
    [`application/json;${TABLE.replace("as", "AS")}`, MAPS, 406],
    [`application/json;${TABLE.replace("v1", "v2")},application/json`, MAPS, "application/json"],
    [`${PROTOBUF}, application/json`, MAPS, PROTOBUF],
    [`application/json, ${PROTOBUF}`, MAPS, "application/json"],
    [`application/json;q=0.9, ${PROTOBUF}`, MAPS, PROTOBUF],
    [`${PROTOBUF};q=0.9, application/yaml`, MAPS, "application/yaml"],
    [`*/*, ${PROTOBUF};q=0.5`, MAPS, PROTOBUF],
    [`${PROTOBUF};stream=x, application/json`, MAPS, "application/json"],
    [`${PROTOBUF};stream=watch`, MAPS, PROTOBUF],
    [`${PROTOBUF};${TABLE}, application/json`, MAPS, "application/json"],
    [`${PROTOBUF};${TABLE.replace("Table", "PartialObjectMetadataList")}`, MAPS, PROTOBUF],
    [PROTOBUF, "/api/v1", 406],
    [`${PROTOBUF}, application/yaml`, "/api/v1", "application/yaml"],
    [PROTOBUF, "/version", 406],
    ["*", MAPS, 406],
    ["*", "/apis", "application/json"],
    ["json", MAPS, 406],
    ["application/yaml", "/version", 406],
    ["application/json", "/openapi/v3", "text/plain; charset=utf-8"],
  ];
  for (const [accept, path, expected] of cases) {
    const { status, headers } = await cluster.call("GET", path, undefined, { accept });
    const found = status === 200 ? headers.get("content-type") : status;
    assertEquals(found, expected, `${accept} ${path}`);
  }
});

Deno.test("a 406 names the accepted types: for a list also the types of a watch", async () => {
  await using cluster = new Cluster();
  const types = async (path: string, accept = "text/html") => {
    const { status, json } = await cluster.call("GET", path, undefined, { accept });
    assertEquals(status, 406, path);
    return json.message.split("representations: ")[1].split(", ").map((one: string) =>
      one.replace("application/", "")
    ).join(" ");
  };
  const object = "json yaml vnd.kubernetes.protobuf";
  const stream = `${object} json;stream=watch vnd.kubernetes.protobuf;stream=watch`;
  assertEquals(await types(`${MAPS}/a`), object);
  assertEquals(await types(`${MAPS}/a/status`.replace("configmaps", "pods")), object);
  assertEquals(await types(MAPS), stream);
  assertEquals(await types(`${MAPS}?watch=1`), stream);
  // Invalid list options come before a type that the router knows, but the answer cannot have.
  const list = async (query: string) =>
    (await cluster.call("GET", MAPS + query, undefined, { accept: "application/json;sv=1" }))
      .status;
  assertEquals([await list("?limit=x"), await list("")], [400, 406]);
});

Deno.test("the Content-Type header of an object is parsed as by the real server", async () => {
  await using cluster = new Cluster();
  const cases: readonly (readonly [string, number])[] = [
    ["", 201],
    ["application/yaml", 201],
    ["APPLICATION/JSON; charset=utf-8", 201],
    ['application/json;charset="utf-8";', 201],
    ["application/json ; foo=bar", 201],
    ["application/json;;", 415],
    ["application/json; x", 415],
    ["application/json; a=1; A=2", 415],
    ["application/json,application/yaml", 415],
    [";", 415],
    ["application/", 415],
    ["text/yaml", 415],
  ];
  for (const [type, expected] of cases) {
    const body = { metadata: { generateName: "a-" } };
    const { status } = await cluster.call("POST", MAPS, body, { "content-type": type });
    assertEquals(status, expected, type);
  }
});

Deno.test("the router takes one of several media types, case-sensitively", async () => {
  await using cluster = new Cluster();
  const cases: readonly (readonly [string, string, number])[] = [
    ["application/json,application/yaml", "/api", 200],
    ["application/yaml", "/api", 200],
    ["application/yaml", "/version", 415],
    ["APPLICATION/JSON", "/api", 415],
    [";", "/version", 415],
  ];
  for (const [type, path, expected] of cases) {
    const { status } = await cluster.call("GET", path, undefined, { "content-type": type });
    assertEquals(status, expected, `${type} ${path}`);
  }
});

Deno.test("a deletion may have a body of options, but of no other media type", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", MAPS, { metadata: { name: "a" } });
  const remove = async (body: string, type: string) => {
    const path = `${MAPS}/a?dryRun=All`;
    return (await cluster.call("DELETE", path, body, { "content-type": type })).status;
  };
  assertEquals(await remove('{"dryRun":["All"]}', "application/json"), 200);
  assertEquals(await remove("dryRun: [All]", "application/yaml"), 200);
  assertEquals(await remove("{}", "text/plain"), 415);
  assertEquals(await remove("", "text/plain"), 200);
});

Deno.test("an eviction has a body of a media type that the server reads", async () => {
  await using cluster = new Cluster();
  const path = "/api/v1/namespaces/default/pods/a/eviction";
  const { status } = await cluster.call("POST", path, "{}", { "content-type": "text/plain" });
  assertEquals(status, 415);
});

Deno.test("the Table of an object that a dry run creates has no resource version", async () => {
  await using cluster = new Cluster();
  const headers = { accept: `application/json;${TABLE}` };
  const path = `${MAPS}?dryRun=All`;
  const { json } = await cluster.call("POST", path, { metadata: { name: "a" } }, headers);
  assertEquals([json.kind, json.metadata], ["Table", {}]);
});
