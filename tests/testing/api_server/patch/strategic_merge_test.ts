import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { mergePatch } from "../../../../src/testing/api_server/patch/merge_patch.ts";
import {
  strategicMergePatch,
  StrategicPatchError,
} from "../../../../src/testing/api_server/patch/strategic_merge.ts";
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
