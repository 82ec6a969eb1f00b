import { assert, assertEquals } from "@std/assert";
import { describeDiff } from "../../src/operator/mod.ts";
import type { KubeObject } from "../../src/types/mod.ts";

const object = (fields: Record<string, unknown>): KubeObject => ({
  metadata: { name: "a" },
  ...fields,
});

Deno.test("describeDiff() has one line for each field that changes, and none if nothing does", () => {
  const before = object({ spec: { replicas: 2, paused: true, same: [1] } });
  const after = object({ spec: { replicas: 3, same: [1], image: "x" } });
  assertEquals(describeDiff(before, before), "");
  assertEquals(describeDiff(before, after).split("\n"), [
    '+ spec.image: "x"',
    "- spec.paused: true",
    "- spec.replicas: 2",
    "+ spec.replicas: 3",
  ]);
});

Deno.test("describeDiff() names list items by name or type, and quotes keys with dots", () => {
  const of = (image: string, label: string) =>
    object({
      spec: { containers: [{ name: "web", image }, { name: "side" }] },
      status: { conditions: [{ type: "Ready", status: label }] },
      labels: { "app.io/x": label },
    });
  assertEquals(describeDiff(of("a", "1"), of("b", "2")).split("\n"), [
    '- labels["app.io/x"]: "1"',
    '+ labels["app.io/x"]: "2"',
    '- spec.containers[name=web].image: "a"',
    '+ spec.containers[name=web].image: "b"',
    '- status.conditions[type=Ready].status: "1"',
    '+ status.conditions[type=Ready].status: "2"',
  ]);
});

Deno.test("describeDiff() shows items without names by index, and another order of items as a whole", () => {
  const of = (args: string[], names: string[]) =>
    object({ spec: { args, containers: names.map((name) => ({ name })) } });
  assertEquals(describeDiff(of(["a", "b"], ["x", "y"]), of(["b"], ["y", "x"])).split("\n"), [
    '- spec.args[0]: "a"',
    '- spec.containers: [{"name":"x"},{"name":"y"}]',
    '+ spec.containers: [{"name":"y"},{"name":"x"}]',
  ]);
});

Deno.test("describeDiff() shows creation, deletion, and values that become empty or change their type", () => {
  assertEquals(describeDiff(undefined, object({})), '+ metadata.name: "a"');
  assertEquals(describeDiff(object({}), undefined), '- metadata.name: "a"');
  assertEquals(
    describeDiff(object({ a: { b: 1 }, c: [1], d: 1 }), object({ a: {}, c: { x: 1 }, d: {} }))
      .split("\n"),
    ["- a.b: 1", "+ a: {}", "- c[0]: 1", "+ c.x: 1", "- d: 1", "+ d: {}"],
  );
});

Deno.test("describeDiff() omits the metadata that the server sets", () => {
  const of = (resourceVersion: string): KubeObject => ({
    metadata: {
      name: "a",
      resourceVersion,
      generation: Number(resourceVersion),
      creationTimestamp: `2026-01-0${resourceVersion}T00:00:00Z`,
      managedFields: [{ manager: resourceVersion }],
      selfLink: resourceVersion,
      uid: resourceVersion,
    } as KubeObject["metadata"],
  });
  assertEquals(describeDiff(of("1"), of("2")), "");
});

Deno.test("describeDiff() hides the data of Secrets", () => {
  const secret = (password: string): KubeObject => ({
    kind: "Secret",
    metadata: {
      name: "a",
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": password },
    },
    ...{ data: { password }, stringData: { nested: { password } }, type: "Opaque" },
  });
  for (
    const text of [
      describeDiff(secret("hunter1"), secret("hunter2")),
      describeDiff(undefined, secret("hunter3")),
      describeDiff(secret("hunter4"), undefined),
      describeDiff(undefined, { ...secret("x"), ...{ data: "hunter5" } }),
    ]
  ) {
    assert(!text.includes("hunter") && /data(\.password)?: \(hidden\)/.test(text), text);
  }
});

Deno.test("describeDiff() shows the other fields of Secrets, and the data of other kinds", () => {
  const of = (kind: string, text: string): KubeObject => ({
    kind,
    metadata: { name: "a", labels: { text }, annotations: { text } },
    ...{ data: { text }, type: text },
  });
  const secret = describeDiff(of("Secret", "old"), of("Secret", "new"));
  const map = describeDiff(of("ConfigMap", "old"), of("ConfigMap", "new"));
  assertEquals(secret.split("\n").filter((line) => line.includes("(hidden)")).length, 2);
  assert(secret.includes("new") && secret.includes("metadata.labels"), secret);
  assert(map.includes("data.text") && !map.includes("(hidden)"), map);
});

Deno.test("describeDiff() shows up to 200 lines, and 200 characters of a value", () => {
  const some = (count: number) =>
    describeDiff(
      object({}),
      object(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))),
    ).split("\n");
  assertEquals([some(200).length, some(201).length, some(201).at(-1)], [
    200,
    201,
    "  … and 1 more",
  ]);
  // The quotes count too.
  const text = (length: number) => describeDiff(object({}), object({ a: "x".repeat(length) }));
  assertEquals(text(198), `+ a: "${"x".repeat(198)}"`);
  assertEquals(text(199), `+ a: "${"x".repeat(199)}… (201 characters)`);
});
