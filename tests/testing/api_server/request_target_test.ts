/**
 * Paths and parameters of requests, and the answers of a real server to them.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";
import { crdOfAnything } from "./support.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

Deno.test("paths are split and decoded as by the real server", async () => {
  await using cluster = new Cluster();
  const cases: readonly (readonly [string, number, string?])[] = [
    ["/api//", 200],
    ["/api/v1//", 200],
    ["/openapi/v2/", 404],
    ["/openapi/v3/", 404],
    ["/openapi/v3/api/v1/", 404],
    [`${MAPS}/%zz`, 400],
    [`${MAPS}/%ff`, 404, 'configmaps "\ufffd" not found'],
    [
      `${MAPS}?timeout=x`,
      400,
      'invalid timeout specified in the request URL - time: invalid duration "x"',
    ],
    [
      `${MAPS}?timeout=5`,
      400,
      'invalid timeout specified in the request URL - time: missing unit in duration "5"',
    ],
    [
      `${MAPS}?timeout=1h5x`,
      400,
      'invalid timeout specified in the request URL - time: unknown unit "x" in duration "1h5x"',
    ],
    [`${MAPS}?timeout=1h1.5s`, 200],
    [`${MAPS}?timeout=-1us`, 200],
    [`${MAPS}??limit=x`, 200],
    [
      `${MAPS}/a?export=1`,
      400,
      "the export parameter, deprecated since v1.14, is no longer supported",
    ],
    [`${MAPS}/a?export=false`, 404, 'configmaps "a" not found'],
  ];
  for (const [path, expected, message] of cases) {
    const { status, json } = await cluster.get(path);
    assertEquals([status, json?.message], [expected, message], path);
  }
  assertEquals((await cluster.get("/apis//apps")).text, "404 page not found\n");
});

Deno.test("a method that a path does not serve is refused", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", MAPS, { metadata: { name: "a" } });
  const watched = "/api/v1/watch/namespaces/default/configmaps";
  for (
    const target of [
      "POST /api/v1/configmaps",
      `POST ${MAPS}/a`,
      `POST ${watched}`,
      `PUT ${MAPS}`,
      `PUT ${watched}/a`,
      `PATCH ${MAPS}`,
      `PATCH ${watched}/a`,
      "DELETE /api/v1/configmaps",
      "DELETE /api/v1/namespaces",
      `DELETE ${watched}`,
      `DELETE ${watched}/a`,
      `OPTIONS ${MAPS}`,
    ]
  ) {
    const [method, path] = target.split(" ") as [string, string];
    const { status } = await cluster.call(method, path, { metadata: { name: "a" } });
    assertEquals(status, 405, target);
  }
  assertEquals((await cluster.get(`${MAPS}/a`)).status, 200);
});

Deno.test("what follows a subresource of a custom resource is ignored", async () => {
  await using cluster = new Cluster();
  const crd = crdOfAnything({ subresources: { status: {} } });
  await cluster.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  const { group, names: { kind, plural } } = crd.spec;
  const path = `/apis/${group}/v1/namespaces/default/${plural}`;
  const body = { apiVersion: `${group}/v1`, kind, metadata: { name: "a" } };
  assertEquals((await cluster.call("POST", path, body)).status, 201);
  assertEquals((await cluster.get(`${path}/a/status/more`)).json.kind, kind);
});

Deno.test("options of a deletion in the query are read as by the real server", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", MAPS, { metadata: { name: "a" } });
  const remove = (query: string) => cluster.call("DELETE", `${MAPS}/a?dryRun=All&${query}`);
  assertEquals((await remove("propagationPolicy=")).status, 422);
  // Every value but "0" and "false" is true, and the orphan finalizer keeps the object.
  assertEquals((await remove("orphanDependents=x")).json.kind, "ConfigMap");
  assertEquals((await remove("orphanDependents=false")).json.kind, "Status");
});

Deno.test("an apply wants a fieldManager, and only an apply may be forced", async () => {
  await using cluster = new Cluster();
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  const message = async (method: string, query: string, type: string) => {
    const headers = { "content-type": `application/${type}` };
    const path = method === "POST" ? MAPS : `${MAPS}/a`;
    return (await cluster.call(method, path + query, body, headers)).json.message;
  };
  const apply = "apply-patch+yaml";
  const refused = 'PatchOptions.meta.k8s.io "" is invalid:';
  assertEquals(
    await message("PATCH", "", apply),
    `${refused} fieldManager: Required value: is required for apply patch`,
  );
  assertEquals(await message("PATCH", "?fieldManager=m&force=true", apply), undefined);
  assertEquals(
    await message("PATCH", "?force=false", "merge-patch+json"),
    `${refused} force: Forbidden: may not be specified for non-apply patch`,
  );
  assertEquals(await message("PATCH", "", "merge-patch+json"), undefined);
  // Nothing else has this option.
  assertEquals(await message("PUT", "?force=true", "json"), undefined);
});

Deno.test("an apply is forced by every value of force but 0 and false", async () => {
  await using cluster = new Cluster();
  const apply = async (manager: string, k: string, query = "") => {
    const path = `${MAPS}/a?fieldManager=${manager}${query}`;
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k } };
    const headers = { "content-type": "application/apply-patch+yaml" };
    return (await cluster.call("PATCH", path, body, headers)).status;
  };
  assertEquals(await apply("m", "0"), 201);
  for (const value of ["0", "false", "False"]) {
    assertEquals(await apply("n", "1", `&force=${value}`), 409, value);
  }
  assertEquals(await apply("n", "1"), 409);
  for (const [n, value] of ["true", "1", "", "x"].entries()) {
    assertEquals(await apply(`n${n}`, `${n + 1}`, `&force=${value}`), 200, value);
  }
});

Deno.test("a fieldManager has at most 128 bytes", async () => {
  await using cluster = new Cluster();
  const status = async (manager: string) =>
    (await cluster.call("POST", `${MAPS}?dryRun=All&fieldManager=${encodeURIComponent(manager)}`, {
      metadata: { name: "a" },
    })).status;
  assertEquals([await status("\u00e4".repeat(64)), await status("\u00e4".repeat(64) + "a")], [
    201,
    422,
  ]);
});

Deno.test("a name that cannot be printed is quoted as by Go", async () => {
  await using cluster = new Cluster();
  const cases: readonly (readonly [string, string])[] = [
    ["a%00b", '"a\\x00b": invalid character U+0000 (at position 1)'],
    ["%7F", '"\\x7f": invalid character U+007F (at position 0)'],
    ["%E2%80%8B", '"\\u200b": invalid character U+200B (at position 0)'],
  ];
  for (const [manager, shown] of cases) {
    const path = `${MAPS}?fieldManager=${manager}`;
    const { json } = await cluster.call("POST", path, { metadata: { name: "a" } });
    assertEquals(
      json.message,
      `CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: ${shown}`,
    );
  }
});
