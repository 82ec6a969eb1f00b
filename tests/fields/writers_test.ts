import { assertEquals } from "@std/assert";
import { type ElementPath, writersOf } from "../../src/fields/mod.ts";
import type { KubeObject, ManagedFieldsEntry } from "../../src/types/mod.ts";

function object(...managedFields: ManagedFieldsEntry[]): KubeObject {
  return { metadata: { name: "a", managedFields } };
}

const write = (manager: string, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: "Update",
  time: "2026-01-01T00:00:00Z",
  ...more,
});

Deno.test("writersOf() names managers with a new entry, or another time, operation or subresource", () => {
  const old = write("a");
  for (
    const [entry, writer] of [
      [write("b"), "b"],
      [write("a", { time: "2026-01-01T00:00:01Z" }), "a"],
      [write("a", { operation: "Apply" }), "a"],
      [write("a", { subresource: "status" }), "a (status)"],
      [write("a", { subresource: "" }), undefined],
      [{ operation: "Update" }, "unknown"],
    ] as const
  ) {
    assertEquals(writersOf(object(old), object(old, entry), []), writer);
  }
  assertEquals(writersOf(undefined, object(old), []), "a");
  assertEquals(writersOf(object(old), object(), []), undefined);
  assertEquals(writersOf(undefined, { metadata: { name: "a" } }, []), undefined);
});

Deno.test("writersOf() accepts invalid entries", () => {
  for (const odd of [9007199254740993n, { toString: 1 }, [Object.create(null)], null]) {
    const entry = { manager: odd, operation: odd, time: odd, subresource: odd } as never;
    assertEquals(writersOf(undefined, object(entry), []), "unknown");
    assertEquals(writersOf(object(entry), object(entry), [["f:spec"]]), undefined);
  }
});

Deno.test("writersOf() names the last writers if no entry is new and none has its fields, as in the cache of a manager", () => {
  const entries = [
    write("a"),
    write("b", { time: "2026-01-01T00:00:05Z" }),
    write("c", { time: "2026-01-01T00:00:05Z", subresource: "status" }),
  ];
  const same = object(...entries);
  assertEquals(writersOf(same, same, [["f:spec"]]), "b, c (status)");
});

Deno.test("writersOf() names three writers once each, and the number of the others", () => {
  const names = (...writers: string[]) =>
    writersOf(undefined, object(...writers.map((name) => write(name))), []);
  assertEquals(names("a", "b", "a", "c"), "a, b, c");
  assertEquals(names("a", "b", "c", "d"), "a, b, c and 1 more");
});

Deno.test("writersOf() names the owners of the changed fields if no entry is new", () => {
  const entries = [
    write("spec", { fieldsV1: { "f:spec": { "f:replicas": {} } } }),
    write("labels", { fieldsV1: { "f:metadata": { "f:labels": { ".": {}, "f:a": {} } } } }),
    write("status", { fieldsV1: { "f:status": {} } }),
    write("none"),
  ];
  const by = (...path: ElementPath) => writersOf(object(...entries), object(...entries), [path]);
  assertEquals(by("f:spec", "f:replicas"), "spec");
  // A parent, and a field below an empty set, has the same owner.
  assertEquals(by("f:spec"), "spec");
  assertEquals(by("f:spec", "f:replicas", "f:x"), "spec");
  assertEquals(by("f:status", "f:conditions", 'k:{"type":"Ready"}', "f:status"), "status");
  assertEquals(by("f:spec", "f:other"), undefined);
  assertEquals(by("f:metadata", "f:labels", "f:b"), undefined);
  assertEquals(by("f:metadata", "f:labels", "i:0", "f:b"), "labels");
  assertEquals(by("f:data"), undefined);
});
