import { assertEquals, assertThrows } from "@std/assert";
import {
  apiVersionOf,
  compareResourceVersions,
  defineResource,
  Deployments,
  fieldsOf,
  metadataOf,
  Pods,
  resourceName,
  Secrets,
} from "../../src/types/mod.ts";

Deno.test("apiVersionOf() and resourceName() omit the core group", () => {
  assertEquals([apiVersionOf(Pods), resourceName(Pods)], ["v1", "pods"]);
  assertEquals([apiVersionOf(Deployments), resourceName(Deployments)], [
    "apps/v1",
    "deployments.apps",
  ]);
});

Deno.test("defineResource() rejects parts that the API does not allow, and names the part", () => {
  const good = {
    group: "g.example",
    version: "v1",
    plural: "things",
    kind: "Thing",
    namespaced: true,
  };
  for (
    const [part, value] of Object.entries({ group: "a/b", version: "", plural: "..", kind: "a b" })
  ) {
    assertThrows(() => defineResource({ ...good, [part]: value }), TypeError, `"${part}"`);
  }
  assertThrows(
    () => defineResource({ ...good, namespaced: "yes" as unknown as boolean }),
    TypeError,
    `"namespaced"`,
  );
});

Deno.test("defineResource() keeps metadataOnly", () => {
  assertEquals(defineResource({ ...metadataOf(Pods) }), metadataOf(Pods));
  assertThrows(
    () => defineResource({ ...metadataOf(Pods), metadataOnly: "yes" as unknown as boolean }),
    TypeError,
    "metadataOnly must be true or false",
  );
});

Deno.test("defineResource() refuses unknown parts, and values that are not objects", () => {
  const good = { group: "g.example", version: "v1", kind: "Thing" };
  assertThrows(
    () => defineResource({ ...good, namespace: true } as never),
    TypeError,
    'defineResource() has no option "namespace": did you mean "namespaced"?',
  );
  assertThrows(() => defineResource(undefined as never), TypeError, "defineResource() takes an");
});

Deno.test("compareResourceVersions() compares plain decimal numbers of any length, and nothing else", () => {
  const sign = (a: string, b: string) => Math.sign(compareResourceVersions(a, b) ?? NaN);
  assertEquals(sign("9", "10"), -1);
  assertEquals(sign("10", "10"), 0);
  assertEquals(sign("9007199254740993", "9007199254740992"), 1);
  for (const bad of ["", "0", "01", "-1", "1.5", "abc", " 1"]) {
    assertEquals(compareResourceVersions(bad, "1"), undefined);
  }
});

Deno.test("fieldsOf() describes the fields by the names on their paths, in one order", () => {
  const { fields, ...rest } = fieldsOf(Secrets, "type", ["data", "tls.crt"], "data.tls\\.crt");
  assertEquals<unknown>(rest, { ...Secrets });
  assertEquals(fields, [["data", "tls.crt"], ["type"]]);
  assertEquals(fieldsOf(metadataOf(Secrets), "metadata.annotations.a").metadataOnly, true);
  assertEquals(defineResource(fieldsOf(Secrets, "type")).fields, [["type"]]);
});

Deno.test("fieldsOf() refuses what is not a path", () => {
  const untyped = fieldsOf as unknown as (...given: unknown[]) => unknown;
  for (const wrong of [undefined, 1, [], [1], {}]) {
    assertThrows(() => untyped(Secrets, wrong), TypeError, "Invalid field");
  }
  for (const wrong of ["", "data.", ["data", ""]]) {
    assertThrows(() => untyped(Secrets, wrong), SyntaxError, "expected a path");
  }
  const descriptor = { ...Secrets, fields: "type" as unknown as [] };
  assertThrows(() => defineResource(descriptor), TypeError, "fields must be a list of paths");
});
