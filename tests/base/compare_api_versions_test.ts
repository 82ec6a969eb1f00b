import { assertEquals } from "@std/assert";
import { compareApiVersions } from "../../src/base/mod.ts";

Deno.test("compareApiVersions() sorts GA before beta before alpha, newer before older", () => {
  const versions = [
    "foo",
    "v1alpha1",
    "v2",
    "v1beta2",
    "v10",
    "v1",
    "v1beta10",
    "bar",
    "v11alpha2",
  ];
  assertEquals(versions.sort(compareApiVersions), [
    "v10",
    "v2",
    "v1",
    "v1beta10",
    "v1beta2",
    "v11alpha2",
    "v1alpha1",
    "bar",
    "foo",
  ]);
});
