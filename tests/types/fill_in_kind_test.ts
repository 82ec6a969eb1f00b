import { assertEquals, assertStrictEquals } from "@std/assert";
import { fillInKind } from "../../src/types/mod.ts";
import type { KubeList, KubeObject } from "../../src/types/mod.ts";

const named = (name: string): KubeObject => ({ metadata: { name } });
const list = (kind: string | undefined, items: readonly unknown[], apiVersion = "v1"): KubeList =>
  ({ kind, apiVersion, metadata: { resourceVersion: "7" }, items }) as KubeList;

Deno.test("fillInKind() puts kind and apiVersion first, as the objects of a watch have them", () => {
  const { items, ...head } = fillInKind(list("PodList", [named("a"), named("b")]));
  assertEquals(items.map((item) => JSON.stringify(item)), [
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}}',
  ]);
  assertEquals<unknown>(head, {
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion: "7" },
  });
});

Deno.test("fillInKind() leaves the list that it is given unchanged", () => {
  const items = [Object.freeze(named("a"))];
  const given = Object.freeze(list("PodList", Object.freeze(items)));
  fillInKind(given);
  assertEquals(given.items, [named("a")]);
});

Deno.test("fillInKind() keeps what items say of themselves", () => {
  const own = { kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "a" } };
  const versioned = { apiVersion: "v1beta1", metadata: { name: "b" } };
  const empty = { kind: "", apiVersion: undefined, metadata: { name: "c" } };
  const { items } = fillInKind(list("PodList", [own, versioned, empty]));
  assertStrictEquals(items[0], own);
  assertEquals<unknown>(items.slice(1), [
    { kind: "Pod", apiVersion: "v1beta1", metadata: { name: "b" } },
    { kind: "Pod", apiVersion: "v1", metadata: { name: "c" } },
  ]);
});

for (
  const [what, given] of Object.entries({
    "a list without a kind": list(undefined, [named("a")]),
    "a list of any kind": list("List", [named("a")]),
    "a kind that does not end in List": list("Table", [named("a")]),
    "a list without an apiVersion": list("PodList", [named("a")], ""),
    "an empty list": list("PodList", []),
    "items that all have a kind": list("PodList", [{ kind: "Pod", ...named("a") }]),
    "items that are no objects": list("PodList", [null, 5, "x", ["y"]]),
    "a list without items": { kind: "PodList", apiVersion: "v1", metadata: {} } as never,
  })
) {
  Deno.test(`fillInKind() leaves ${what} unchanged`, () => {
    const before = JSON.stringify(given);
    assertStrictEquals(fillInKind(given), given);
    assertEquals(JSON.stringify(given), before);
  });
}
