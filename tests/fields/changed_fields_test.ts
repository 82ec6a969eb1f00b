import { assertEquals } from "@std/assert";
import { changedFields } from "../../src/operator/mod.ts";

/** Returns an object parsed from JSON. */
function object(fields: Record<string, unknown>, metadata: Record<string, unknown> = {}) {
  return JSON.parse(JSON.stringify({ ...fields, metadata: { name: "web", ...metadata } }));
}

Deno.test("changedFields() names fields, items of lists by name or type, and quotes keys with dots", () => {
  const before = object({
    spec: { containers: [{ name: "a", image: "1" }, { name: "b", image: "1" }], args: ["x", "y"] },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  }, { labels: { "acme.io/x": "1", plain: "1" } });
  const after = object({
    spec: { containers: [{ name: "b", image: "2" }, { name: "c", image: "1" }], args: ["x", "z"] },
    status: { conditions: [{ type: "Ready", status: "False" }] },
  }, { labels: { "acme.io/x": "2", plain: "2" } });
  assertEquals(changedFields(before, after), [
    "spec.containers[name=a]",
    "spec.containers[name=b].image",
    "spec.containers[name=c]",
    "spec.args[1]",
    "status.conditions[type=Ready].status",
    'metadata.labels["acme.io/x"]',
    "metadata.labels.plain",
  ]);
});

Deno.test("changedFields() names added and removed fields, and lists that change as a whole", () => {
  const changed = (before: Record<string, unknown>, after: Record<string, unknown>) =>
    changedFields(object(before), object(after));
  assertEquals(changed({}, { status: { a: 1 } }), ["status"]);
  assertEquals(changed({ spec: { a: null } }, { spec: {} }), ["spec.a"]);
  assertEquals(changed({ a: ["x"] }, { a: ["x", "y"] }), ["a"]);
  assertEquals(changed({ a: [{ name: "x" }] }, { a: [] }), ["a[name=x]"]);
  assertEquals(
    changed({ a: [{ name: "x" }, { name: "y" }] }, { a: [{ name: "y" }, { name: "x" }] }),
    ["a"],
  );
  assertEquals(changed({ a: [{ name: "x" }, { name: "x" }] }, { a: [{ name: "x" }] }), ["a"]);
  assertEquals(changed({ a: { b: 1 } }, { a: [1] }), ["a"]);
  assertEquals(changed({ a: 1 }, { a: "1" }), ["a"]);
  assertEquals(changed({ a: { constructor: 1 } }, { a: { toString: 1 } }), [
    "a.constructor",
    "a.toString",
  ]);
});

Deno.test("changedFields() omits the metadata that every write changes, unless nothing else has changed", () => {
  const at = (resourceVersion: string, more: Record<string, unknown> = {}) =>
    object({}, { resourceVersion, generation: Number(resourceVersion), ...more });
  assertEquals(changedFields(at("1"), at("1")), []);
  assertEquals(changedFields(at("1"), at("2")), [
    "metadata.generation",
    "metadata.resourceVersion",
  ]);
  assertEquals(changedFields(at("1"), at("2", { labels: { a: "b" } })), ["metadata.labels"]);
  assertEquals(
    changedFields(at("1"), at("1", { managedFields: [{ manager: "kubectl" }] })),
    ["metadata.managedFields"],
  );
});

Deno.test("changedFields() never shows values", () => {
  const secret = (value: string) =>
    object({
      data: { password: value, list: [value], deep: { [value.slice(0, 0) + "k"]: value } },
    });
  const shown = changedFields(secret("hunter2"), secret("hunter3"));
  assertEquals(shown, ["data.password", "data.list[0]", "data.deep.k"]);
});

Deno.test("changedFields() shows up to eight fields, eight steps and eighty characters of a step", () => {
  const fields = (count: number, value: number) =>
    object({ spec: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, value])) });
  const shown = Array.from({ length: 8 }, (_, i) => `spec.f${i}`);
  assertEquals(changedFields(fields(8, 1), fields(8, 2)), shown);
  assertEquals(changedFields(fields(9, 1), fields(9, 2)), [...shown, "…"]);
  const deep = (steps: number, value: number) => {
    let inside: unknown = value;
    for (let i = 0; i < steps; i++) inside = { a: inside };
    return object({ spec: inside });
  };
  const seven = `spec${".a".repeat(7)}`;
  assertEquals(changedFields(deep(7, 1), deep(7, 2)), [seven]);
  for (const steps of [8, 3_000]) {
    assertEquals(changedFields(deep(steps, 1), deep(steps, 2)), [`${seven}…`]);
  }
  const key = (length: number) => changedFields(object({}), object({ ["x".repeat(length)]: 1 }));
  assertEquals(key(80), ["x".repeat(80)]);
  assertEquals(key(81), [`${"x".repeat(80)}…`]);
});

Deno.test("changedFields() compares up to 50,000 values", () => {
  const last = (length: number) => {
    const items = (value: number) =>
      object({ a: Array.from({ length }, (_, i) => [i === length - 1 ? value : 0]) });
    return changedFields(items(1), items(2));
  };
  // The objects and fields around the list count, too.
  assertEquals(last(49_994), ["a[49993][0]"]);
  assertEquals(last(49_995), ["a[49994][0]", "…"]);
});
