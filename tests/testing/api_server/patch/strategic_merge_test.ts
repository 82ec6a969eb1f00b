import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { mergePatch } from "../../../../src/testing/api_server/patch/merge_patch.ts";
import { strategicMergePatch } from "../../../../src/testing/api_server/patch/strategic_merge.ts";
import { StrategicPatchError } from "../../../../src/testing/api_server/patch/strategic_patch_error.ts";
import { SCHEMAS } from "../../../../src/testing/api_server/schema/mod.ts";
import { CONFIG_MAP, kindOf, type Loose, POD } from "../support.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

function merge(target: Loose, change: Loose): Loose {
  return strategicMergePatch(target, change, POD.schema);
}

const pod = {
  metadata: { name: "p", finalizers: ["a.b/one", "a.b/two"], labels: { a: "1", b: "2" } },
  spec: {
    containers: [
      { name: "a", image: "a:1", env: [{ name: "X", value: "1" }, { name: "Y", value: "2" }] },
      { name: "b", image: "b:1", ports: [{ containerPort: 80, protocol: "TCP" }], args: ["x"] },
    ],
    tolerations: [{ key: "k" }],
    volumes: [{ name: "v", emptyDir: {} }],
  },
};

Deno.test("strategicMergePatch() merges lists by their keys, and adds new items at the front or end", () => {
  const { containers } = merge(pod, {
    spec: {
      containers: [{ name: "b", image: "b:2" }, { name: "c", image: "c:1" }],
    },
  }).spec;
  assertEquals(containers.map((one: Loose) => `${one.name} ${one.image}`).sort(), [
    "a a:1",
    "b b:2",
    "c c:1",
  ]);
  assertEquals(containers.find((one: Loose) => one.name === "b").args, ["x"]);
});

Deno.test("strategicMergePatch() merges lists inside of lists", () => {
  const change = { spec: { containers: [{ name: "a", env: [{ name: "Y", value: "9" }] }] } };
  const [first] = merge(pod, change).spec.containers;
  assertEquals(first.env, [{ name: "X", value: "1" }, { name: "Y", value: "9" }]);
});

Deno.test("strategicMergePatch() replaces atomic lists and adds to sets", () => {
  const result = merge(pod, {
    metadata: { finalizers: ["a.b/two", "a.b/three"] },
    spec: { tolerations: [{ key: "other" }], containers: [{ name: "b", args: ["y", "z"] }] },
  });
  assertEquals(result.metadata.finalizers, ["a.b/one", "a.b/two", "a.b/three"]);
  assertEquals(result.spec.tolerations, [{ key: "other" }]);
  assertEquals(result.spec.containers[1].args, ["y", "z"]);
});

Deno.test("strategicMergePatch() obeys $patch: delete, replace and merge", () => {
  const deleted = merge(pod, { spec: { containers: [{ name: "a", $patch: "delete" }] } });
  assertEquals(deleted.spec.containers.map((one: Loose) => one.name), ["b"]);
  const replaced = merge(pod, {
    spec: { containers: [{ name: "z", image: "z" }, { $patch: "replace" }] },
  });
  assertEquals(replaced.spec.containers, [{ name: "z", image: "z" }]);
  const map = merge(pod, { metadata: { labels: { $patch: "replace", c: "3" } } });
  assertEquals(map.metadata.labels, { c: "3" });
  const gone = merge(pod, { metadata: { labels: { $patch: "delete" } } });
  assertEquals(gone.metadata.labels, {});
  assertThrows(
    () => merge(pod, { metadata: { labels: { $patch: "nonsense" } } }),
    StrategicPatchError,
  );
});

Deno.test("strategicMergePatch() obeys $setElementOrder", () => {
  const result = merge(pod, {
    spec: {
      "$setElementOrder/containers": [{ name: "b" }, { name: "c" }, { name: "a" }],
      containers: [{ name: "c", image: "c:1" }],
    },
  });
  assertEquals(result.spec.containers.map((one: Loose) => one.name), ["b", "c", "a"]);
});

Deno.test("strategicMergePatch() lets items to delete be missing in $setElementOrder", () => {
  const change = (order: string[], ...containers: Loose[]) =>
    merge(pod, {
      spec: { "$setElementOrder/containers": order.map((name) => ({ name })), containers },
    }).spec.containers.map((one: Loose) => one.name);
  const deleted = { name: "a", $patch: "delete" };
  const [b, c] = ["b", "c"].map((name) => ({ name, image: name }));
  assertEquals(change(["c", "b"], deleted, c, b), ["c", "b"]);
  assertEquals(change(["b"], deleted), ["b"]);
  assertEquals(change([], c, b), ["c", "a", "b"]);
  assertThrows(() => change(["b"], c), StrategicPatchError, "doesn't match $setElementOrder list");
  assertThrows(() => change(["b", "c"], c, b), StrategicPatchError, "The order in patch list");
});

Deno.test("strategicMergePatch() obeys $deleteFromPrimitiveList and $retainKeys", () => {
  const result = merge(pod, {
    metadata: { "$deleteFromPrimitiveList/finalizers": ["a.b/one"] },
    spec: { volumes: [{ name: "v", hostPath: { path: "/" }, $retainKeys: ["name", "hostPath"] }] },
  });
  assertEquals(result.metadata.finalizers, ["a.b/two"]);
  assertEquals(result.spec.volumes, [{ name: "v", hostPath: { path: "/" } }]);
});

Deno.test("strategicMergePatch() merges the ports of a service by port", () => {
  const service = kindOf("", "Service", "services");
  const target = { spec: { ports: [{ port: 80, name: "a" }, { port: 81, name: "b" }] } };
  const change = { spec: { ports: [{ port: 81, name: "c" }] } };
  assertEquals(strategicMergePatch(target, change, service.schema), {
    spec: { ports: [{ port: 80, name: "a" }, { port: 81, name: "c" }] },
  });
});

Deno.test("strategicMergePatch() is a merge patch where there are no lists", () => {
  const value = fc.constantFrom("1", "2", null);
  const map = fc.dictionary(fc.constantFrom("a", "b", "constructor", "__proto__"), value, {
    noNullPrototype: true,
  });
  const object = fc.record({ data: map, metadata: fc.record({ labels: map }) });
  assertProperty(fc.property(object, object, (target, change) => {
    const plain = mergePatch(target, change) as Loose;
    assertEquals(strategicMergePatch(target, change, CONFIG_MAP.schema) as Loose, plain);
    assertEquals(({} as Loose).a, undefined);
  }));
});

Deno.test("strategicMergePatch() reports invalid directives as a real server does", () => {
  const cases: readonly [Loose, number, string][] = [
    [{ $retainKeys: "name" }, 400, "invalid patch format of retainKeys"],
    [{ $retainKeys: ["name"], labels: {} }, 400, "invalid patch format of retainKeys"],
    [
      { "$setElementOrder/finalizers": "x" },
      500,
      "expected a []interface {}, but received a string",
    ],
    [
      { "$setElementOrder/finalizers": null },
      500,
      "expected a []interface {}, but received a %!s(<nil>)",
    ],
    [
      { "$setElementOrder/finalizers": ["a.b/two"], finalizers: ["a.b/new"] },
      500,
      "The order in patch list:\n[a.b/new]\n doesn't match $setElementOrder list:\n[a.b/two]\n",
    ],
    [
      { "$setElementOrder/nothing": ["x"] },
      500,
      'unable to find api field in struct ObjectMeta for the json field "nothing"',
    ],
    [
      { "$setElementOrder/ownerReferences": ["x"], ownerReferences: [{ uid: "1" }] },
      500,
      "expected a map[string]interface {}, but received a string",
    ],
    [
      { "$deleteFromPrimitiveList/finalizers": [5] },
      500,
      "list element types are not identical: [[a.b/one a.b/two] [5]]",
    ],
    [{ $deleteFromPrimitiveList: [] }, 400, "invalid patch format of primitive list"],
    [
      { finalizers: [5] },
      500,
      "list element types are not identical: [[a.b/one a.b/two] [5]]",
    ],
    [{ labels: { $patch: 5 } }, 500, "unknown patch type: %!s(int64=5) in map: map[$patch:5]"],
    [
      { labels: { $patch: null } },
      500,
      "unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]",
    ],
  ];
  for (const [metadata, code, message] of cases) {
    const error = assertThrows(() => merge(pod, { metadata }), StrategicPatchError);
    assertEquals([error.code, error.message], [code, message]);
  }
});

Deno.test("strategicMergePatch() removes a list whose items to delete are null", () => {
  const { metadata } = merge(pod, { metadata: { "$deleteFromPrimitiveList/finalizers": null } });
  assertEquals("finalizers" in metadata, false);
});

Deno.test("strategicMergePatch() leaves directives in an object that the patch adds", () => {
  const { spec } = merge(pod, {
    spec: { volumes: [{ name: "new", $retainKeys: ["name"], emptyDir: {} }] },
  });
  assertEquals(spec.volumes.find((one: Loose) => one.name === "new").$retainKeys, ["name"]);
});

Deno.test("strategicMergePatch() replaces an object whose strategy says so", () => {
  const budget = { spec: { selector: { matchLabels: { a: "1" } } } };
  const change = { spec: { selector: { matchLabels: { b: "2" } } } };
  assertEquals(
    strategicMergePatch(budget, change, SCHEMAS.struct("policy.PodDisruptionBudget")),
    change,
  );
});
