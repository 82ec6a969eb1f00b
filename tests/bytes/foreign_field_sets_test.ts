import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { assertProperty } from "../support/seeded_runs.ts";
import { ByteRange, copyTo, foreignFieldSets, scanObject, sizeOf } from "../../src/bytes/mod.ts";

const encoder = new TextEncoder();

/** Returns an object without the field sets that are not kept, as a cache stores it. */
function stored(text: string, ours: readonly string[]): string {
  const bytes = encoder.encode(text);
  const object = scanObject(bytes, 0, bytes.length);
  if (object === undefined) throw new Error(`not an object: ${text}`);
  const range = new ByteRange(bytes, object.start, object.end);
  const { managedStart, managedEnd } = object;
  range.omitted = foreignFieldSets(bytes, managedStart, managedEnd, (name) => ours.includes(name));
  const target = new Uint8Array(sizeOf(range) + 7);
  assertEquals(copyTo(target, 7, range), target.length);
  return new TextDecoder().decode(target.subarray(7));
}

function objectWith(managedFields: unknown): string {
  return JSON.stringify({
    kind: "Pod",
    metadata: { name: "a", managedFields, labels: { fieldsV1: "x" } },
    spec: { managedFields: [{ fieldsV1: 1 }] },
  });
}

Deno.test("foreignFieldSets() finds fieldsV1 and fieldsType of all entries, wherever they stand", () => {
  const sets = { fieldsType: "FieldsV1", fieldsV1: { "f:spec": { "f:a": {} } } };
  const entry = { manager: "kubelet", operation: "Update", time: "2026-01-02T03:04:05Z" };
  for (
    const entries of [
      [{ ...entry, ...sets }],
      [{ ...sets, ...entry }],
      [{ ...sets }],
      [{ manager: "a", ...sets, operation: "Apply" }, { fieldsV1: {} }, entry],
      [{ fieldsV1: {}, manager: "a", fieldsType: "FieldsV1", subresource: "status" }],
      [{ a: 1, fieldsV1: null, b: 2, fieldsType: 1, c: 3 }],
      [{}],
      [],
    ]
  ) {
    const left = entries.map((one: Record<string, unknown>) => {
      const { fieldsV1: _, fieldsType: __, ...rest } = one;
      return rest;
    });
    assertEquals(stored(objectWith(entries), []), objectWith(left));
  }
});

Deno.test("foreignFieldSets() leaves an object as it is that one of the kept managers has written", () => {
  const entries = [
    { manager: "kubelet", fieldsV1: { "f:status": {} } },
    { fieldsV1: {}, manager: "widgets-controller" },
  ];
  const text = objectWith(entries);
  assertEquals(stored(text, ["widgets-controller"]), text);
});

Deno.test("foreignFieldSets() accepts whitespace, escapes and values of any type", () => {
  assertEquals(
    JSON.parse(
      stored(
        `{"metadata":{"managedFields":[ { "fields\\u0056\\u0031" : { } , "manager" : "a" } , { "manager":7, "fieldsType" : "x" } ]}}`,
        ["other"],
      ),
    ),
    { metadata: { managedFields: [{ manager: "a" }, { manager: 7 }] } },
  );
  for (const odd of [null, {}, "x", 7, [7], [[]], ["fieldsV1"], [{ fieldsV1: 1 }, null]]) {
    assertEquals(stored(objectWith(odd), []), objectWith(odd));
  }
});

Deno.test("foreignFieldSets() removes the same members as an edit of the parsed object", () => {
  const entry = fc.dictionary(
    fc.constantFrom("manager", "fieldsV1", "fieldsType", "time", "subresource", "x"),
    fc.oneof(fc.constantFrom("ours", "a", "b"), fc.jsonValue({ maxDepth: 2 })),
  );
  assertProperty(fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
    const isOurs = entries.some(({ manager }) => manager === "ours");
    const left = isOurs ? entries : entries.map((one) => {
      const { fieldsV1: _, fieldsType: __, ...rest } = one;
      return rest;
    });
    const text = objectWith(entries);
    assertEquals(JSON.parse(stored(text, ["ours"])), JSON.parse(objectWith(left)));
  }));
});
