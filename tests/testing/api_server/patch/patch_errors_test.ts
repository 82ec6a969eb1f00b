/**
 * Patches that cannot be applied, and the answers of a real server to them.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { Cluster } from "../cluster.ts";
import { crdOfAnything } from "../support.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const MERGE = "application/merge-patch+json";

async function withMap(): Promise<Cluster> {
  const cluster = new Cluster();
  const body = { metadata: { name: "a", labels: { l: "1" } }, data: { k: "1" } };
  await cluster.call("POST", MAPS, body);
  return cluster;
}

Deno.test("the media type of a patch is case-sensitive", async () => {
  await using cluster = await withMap();
  const unknown =
    "the body of the request was in an unknown format - accepted media types include: " +
    "application/json-patch+json, application/merge-patch+json, " +
    "application/strategic-merge-patch+json, application/apply-patch+yaml";
  const cases: readonly (readonly [string, number, string?])[] = [
    [`${MERGE};charset=utf-8`, 200],
    [MERGE.toUpperCase(), 415, "415: Unsupported Media Type"],
    ["application/json", 415, "415: Unsupported Media Type"],
    [`${MERGE},application/json`, 415, unknown],
  ];
  for (const [type, status, message] of cases) {
    const answer = await cluster.call("PATCH", `${MAPS}/a`, {}, { "content-type": type });
    assertEquals([answer.status, answer.json.message], [status, message], type);
  }
});

Deno.test("an operation without a path gets a 422", async () => {
  await using cluster = await withMap();
  for (const operation of [{ op: "add" }, { op: "add", path: null }, { op: "test", value: {} }]) {
    const headers = { "content-type": "application/json-patch+json" };
    const { status } = await cluster.call("PATCH", `${MAPS}/a`, [operation], headers);
    assertEquals(status, 422, JSON.stringify(operation));
  }
});

Deno.test("a JSON patch sorts the objects that it opens, as the error shows", async () => {
  await using cluster = await withMap();
  const headers = { "content-type": "application/json-patch+json" };
  const change = [{ op: "replace", path: "/metadata/labels", value: { z: 5, a: 1 } }];
  const { json } = await cluster.call("PATCH", `${MAPS}/a`, change, headers);
  const [document] = /\{.*\}/.exec(json.message)!;
  const { metadata } = JSON.parse(JSON.parse(`"${document}"`));
  assertEquals(Object.keys(metadata), Object.keys(metadata).toSorted());
  assertEquals(Object.keys(metadata.labels), ["z", "a"]);
});

Deno.test("a built-in object that a patch leaves without a version has no name", async () => {
  await using cluster = await withMap();
  const headers = { "content-type": MERGE };
  const answer = await cluster.call("PATCH", `${MAPS}/a`, { apiVersion: null }, headers);
  assertEquals([answer.status, answer.json.message], [
    400,
    "the name of the object (a based on URL) was undeterminable: name must be provided",
  ]);
  assertEquals(
    answer.headers.get("warning"),
    '299 - "unknown field \\"data\\"", 299 - "unknown field \\"metadata\\""',
  );
});

Deno.test("a custom object needs the kind and the version that a patch takes away", async () => {
  await using cluster = new Cluster();
  const crd = crdOfAnything();
  await cluster.call(
    "POST",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    crd,
  );
  const { group, names: { kind, plural } } = crd.spec;
  const things = `/apis/${group}/v1/namespaces/default/${plural}`;
  await cluster.call("POST", things, {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: "a" },
  });
  const change = async (patch: unknown) => {
    const { status, json } = await cluster.call("PATCH", `${things}/a`, patch, {
      "content-type": MERGE,
    });
    return [status, json.message];
  };
  assertEquals(await change({ apiVersion: null }), [
    500,
    "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
  ]);
  assertEquals(await change({ apiVersion: "x/v1" }), [
    422,
    `${kind}.x "a" is invalid: apiVersion: Invalid value: "x/v1": must be ${group}/v1`,
  ]);
  const [status, message] = await change({ kind: null });
  assertEquals(status, 422);
  assertStringIncludes(message, "Object 'Kind' is missing in '{\"apiVersion\":");
});

Deno.test("a strategic merge reports values of wrong types as the real server converts them", async () => {
  await using cluster = new Cluster();
  const pods = "/api/v1/namespaces/default/pods";
  const spec = { containers: [{ name: "a", image: "i" }] };
  await cluster.call("POST", pods, { metadata: { name: "a" }, spec });
  const cases: readonly (readonly [unknown, string])[] = [
    [{ restartPolicy: 5 }, "cannot convert int64 to v1.RestartPolicy"],
    [{ restartPolicy: 1.5 }, "unrecognized type: string"],
    [{ terminationGracePeriodSeconds: 1.5 }, "cannot convert float64 to int64"],
    [{ hostNetwork: 5 }, "unrecognized type: bool"],
    [{ nodeSelector: 1.5 }, "cannot restore map from float64"],
    [{ tolerations: {} }, "cannot restore slice from map"],
    [{ securityContext: [] }, "cannot restore struct from: slice"],
    [{ overhead: "x" }, "cannot restore map from string"],
  ];
  for (const [change, reason] of cases) {
    const { json } = await cluster.call("PATCH", `${pods}/a`, { spec: change }, {
      "content-type": "application/strategic-merge-patch+json",
    });
    assertEquals([json.code, json.message.split('": ').at(-1)], [422, reason]);
  }
});

Deno.test("the result of a patch is decoded as an object of the kind", async () => {
  await using cluster = await withMap();
  const patched = await cluster.merge(`${MAPS}/a`, { data: { k: null, l: "2" } });
  assertEquals(patched.json.data, { l: "2" });
  const warned = await cluster.merge(`${MAPS}/a`, { bogus: 1 });
  assertEquals(warned.headers.get("warning"), '299 - "unknown field \\"bogus\\""');
  const strict = await cluster.merge(`${MAPS}/a?fieldValidation=Strict`, { bogus: 1 });
  assertEquals(strict.status, 422);
});
