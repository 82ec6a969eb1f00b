/**
 * Requests with numbers, tokens and options that make no sense, and the answers of a real server to them.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const HUGE = "99999999999999999999";

function token(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

Deno.test("a continue token that no list has given is refused, and never a failure of the server", async () => {
  await using cluster = new Cluster();
  const { json: { metadata } } = await cluster.get(MAPS);
  const rv = Number(metadata.resourceVersion);
  const v = "meta.k8s.io/v1";
  const cases: readonly (readonly [unknown, string])[] = [
    [[], "json: cannot unmarshal array into Go value of type storage.continueToken"],
    [
      { v, rv: "x", start: "a" },
      "json: cannot unmarshal string into Go struct field continueToken.rv of type int64",
    ],
    [
      { v, rv, start: 5 },
      "json: cannot unmarshal number into Go struct field continueToken.start of type string",
    ],
    [{ v, rv, start: "../x" }, "../x"],
    [{ v, rv, start: "a//b" }, "a//b"],
    [{ v, rv, start: "" }, "encoded start key empty (version meta.k8s.io/v1)"],
    [{ v, rv: 0, start: "a" }, "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"],
    [{ v: "x", rv, start: "a" }, "server does not recognize this encoded version x"],
  ];
  for (const [value, why] of cases) {
    const { status, json } = await cluster.get(`${MAPS}?limit=1&continue=${token(value)}`);
    const message = `invalid continue token: continue key is not valid: ${why}`;
    assertEquals([status, json.message], [400, message], JSON.stringify(value));
  }
});

Deno.test("a continue token of a version that is not reached yet gets a 504", async () => {
  await using cluster = new Cluster();
  const start = { v: "meta.k8s.io/v1", rv: 1_000_000, start: "a" };
  const { status, json } = await cluster.get(`${MAPS}?limit=1&continue=${token(start)}`);
  assertEquals([status, json.details.causes[0].reason], [504, "ResourceVersionTooLarge"]);
});

Deno.test("a list that is not older than the server's version comes at once, a later one after three seconds", async () => {
  await using cluster = new Cluster();
  await cluster.get(MAPS);
  const now = Number(cluster.server.resourceVersion);
  for (const [version, status, ms] of [[now - 1, 200, 0], [now, 200, 0], [now + 1, 504, 3000]]) {
    const before = cluster.clock.now();
    const reply = await cluster.get(`${MAPS}?resourceVersion=${version}`);
    assertEquals([reply.status, cluster.clock.now() - before], [status, ms], `version ${version}`);
  }
});

Deno.test("a resource version of more than 64 bits is out of range", async () => {
  await using cluster = new Cluster();
  const why =
    `resourceVersion: Invalid value: "${HUGE}": strconv.ParseUint: parsing "${HUGE}": value out of range`;
  const list = await cluster.get(`${MAPS}?resourceVersion=${HUGE}`);
  assertEquals([list.status, list.json.message], [400, `invalid resource version: ${why}`]);
  for (
    const path of [`${MAPS}/x?resourceVersion=${HUGE}`, `${MAPS}?watch=1&resourceVersion=${HUGE}`]
  ) {
    const { status, json } = await cluster.get(path);
    assertEquals([status, json.message], [500, why], path);
  }
});

Deno.test("a watch whose time is negative ends at once", async () => {
  await using cluster = new Cluster();
  const { status, text } = await cluster.get(
    `${MAPS}?watch=1&timeoutSeconds=-1&resourceVersion=0`,
  );
  assertEquals([status, text, cluster.clock.now()], [200, "", 0]);
});

Deno.test("options of a deletion with wrong types are refused", async () => {
  await using cluster = new Cluster();
  const cases: readonly (readonly [unknown, string])[] = [
    [
      { gracePeriodSeconds: "x" },
      "string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
    ],
    [
      { preconditions: [] },
      "array into Go struct field DeleteOptions.preconditions of type v1.Preconditions",
    ],
    [{ dryRun: "All" }, "string into Go struct field DeleteOptions.dryRun of type []string"],
    [
      { orphanDependents: "x" },
      "string into Go struct field DeleteOptions.orphanDependents of type bool",
    ],
  ];
  for (const [options, why] of cases) {
    const { status, json } = await cluster.call("DELETE", `${MAPS}/x`, options);
    assertEquals([status, json.message], [400, `json: cannot unmarshal ${why}`]);
  }
});
