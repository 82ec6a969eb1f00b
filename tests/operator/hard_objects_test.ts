import { assert, assertEquals } from "@std/assert";
import { parseJson } from "../../src/base/mod.ts";
import {
  AppliedMemory,
  extractOwned,
  isApplied,
  mergePatch,
  writersOf,
} from "../../src/fields/mod.ts";
import { changed, changedFields, debugReconciles, describeDiff } from "../../src/operator/mod.ts";
import type { KubeObject, ManagedFieldsEntry, Stored } from "../../src/types/mod.ts";
import { DEEP, deepJson, leafOf } from "../support/hard_json.ts";
import { Things } from "./apply/_world.ts";

/** The parts of an operator that inspect objects handle large integers, deep objects and thousands of managers. */

type Any = Stored<KubeObject & { spec?: unknown }>;

const applier = { fieldManager: "own", apiVersion: "example.com/v1", subresource: "" } as const;

/** Returns an object with this JSON as its spec, and this one as the fields of `own`. */
function objectOf(spec: string, fields = '{"f:spec":{"f:n":{}}}'): Any {
  const entry =
    `{"manager":"own","operation":"Apply","apiVersion":"example.com/v1","fieldsV1":${fields}}`;
  return parseJson(
    `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","namespace":"default","uid":"u",` +
      `"resourceVersion":"1","managedFields":[${entry}]},"spec":${spec}}`,
  ) as Any;
}

/** Returns a desired object with this spec. */
function desiredOf(spec: unknown): Record<string, unknown> {
  return { metadata: { name: "a", namespace: "default" }, spec };
}

Deno.test("changed() distinguishes integers that a number would round to the same value", () => {
  const [one, other] = ["9007199254740992", "9007199254740993"].map((n) => objectOf(`{"n":${n}}`));
  const update = (object: Any, old: Any) => ({ type: "updated", object, old }) as const;
  assert(changed("spec.n")(update(one!, other!)));
  assert(!changed("spec.n")(update(one!, structuredClone(one!))));
  assertEquals(changedFields(one!, other!), ["spec.n"]);
  assertEquals(
    describeDiff(one!, other!),
    "- spec.n: 9007199254740992\n+ spec.n: 9007199254740993",
  );
});

Deno.test("changed(), changedFields() and describeDiff() compare objects of 3,000 levels", () => {
  const [one, other] = ["1", "2"].map((leaf) => objectOf(deepJson(leaf)));
  const same = objectOf(deepJson("1"));
  assert(changed("spec")({ type: "updated", object: other!, old: one! }));
  assert(!changed("spec")({ type: "updated", object: same, old: one! }));
  assert(changedFields(one!, other!)[0]!.startsWith("spec.a[0].a[0]"));
  assertEquals(describeDiff(one!, same), "");
  const [before, after, ...more] = describeDiff(one!, other!).split("\n");
  assert(before!.startsWith("- spec.a[0].a[0]") && after!.startsWith("+ spec.a[0].a[0]"));
  assertEquals(more, []);
  assert(describeDiff(undefined, one!).includes("+ spec.a[0].a[0]"));
});

Deno.test("isApplied() compares large integers, also in sets and in keys of items", () => {
  const scalar = objectOf('{"n":9007199254740993}');
  assert(isApplied(desiredOf({ n: 9007199254740993n }), scalar, applier));
  assert(!isApplied(desiredOf({ n: 9007199254740992 }), scalar, applier));
  assert(isApplied(desiredOf({ n: 5n }), objectOf('{"n":5}'), applier));
  const set = objectOf(
    '{"n":[1,9007199254740993]}',
    '{"f:spec":{"f:n":{"v:1":{},"v:9007199254740993":{}}}}',
  );
  assert(isApplied(desiredOf({ n: [1n, 9007199254740993n] }), set, applier));
  assert(!isApplied(desiredOf({ n: [1, 9007199254740992] }), set, applier));
  const item = String.raw`k:{\"id\":9007199254740993}`;
  const items = objectOf(
    '{"n":[{"id":9007199254740993,"x":1}]}',
    `{"f:spec":{"f:n":{"${item}":{".":{},"f:id":{},"f:x":{}}}}}`,
  );
  assert(isApplied(desiredOf({ n: [{ id: 9007199254740993n, x: 1 }] }), items, applier));
  assert(!isApplied(desiredOf({ n: [{ id: 9007199254740992, x: 1 }] }), items, applier));
});

Deno.test("AppliedMemory remembers objects with large integers and of 3,000 levels", () => {
  const memory = new AppliedMemory();
  const object = objectOf(
    `{"n":9007199254740993,"deep":${deepJson("1")}}`,
    `{"f:spec":{"f:n":{"f:other":{}},"f:deep":${deepJson("{}").replaceAll('"a"', '"f:a"')}}}`,
  );
  const desired = desiredOf({ n: 9007199254740993n });
  memory.note(desired, undefined, object, applier, Things);
  assert(memory.isApplied(desired, object, applier));
  assert(!memory.isApplied(desiredOf({ n: 9007199254740994n }), object, applier));
});

Deno.test("extractOwned() returns the owned part of an object of 3,000 levels", () => {
  let fields: unknown = {};
  for (let i = 0; i < DEEP; i++) fields = { "f:a": fields };
  let value: unknown = 9007199254740993n;
  for (let i = 0; i < DEEP; i++) value = { a: value };
  const owned = extractOwned(fields as Record<string, unknown>, value);
  assertEquals(leafOf(owned), { leaf: 9007199254740993n, depth: DEEP });
});

Deno.test("mergePatch() has the large integers that change, and ends on objects of 3,000 levels", () => {
  assertEquals(mergePatch({ n: 9007199254740992n, m: 5 }, { n: 9007199254740993n, m: 5n }), {
    n: 9007199254740993n,
  });
  const nested = (leaf: number) => {
    let value: unknown = leaf;
    for (let i = 0; i < DEEP; i++) value = { a: value };
    return value as Record<string, unknown>;
  };
  assertEquals(mergePatch(nested(1), nested(1)), {});
  assertEquals(leafOf(mergePatch(nested(1), nested(2))), { leaf: 2, depth: DEEP });
});

Deno.test("debugReconciles() writes the large integers of a story", async () => {
  const story = { controller: "c", key: "k", causes: [{ patch: { n: 9007199254740993n } }] };
  const book = { list: () => [story], snapshot: () => ({ dropped: 0 }) };
  const answer = debugReconciles(book as never);
  const text = await answer(new Request("http://localhost/?format=json")).text();
  assert(text.includes('"patch":{"n":9007199254740993}'), text);
});

Deno.test("writersOf() reads each of 8,000 managers a few times", () => {
  let reads = 0;
  const entries = (more: readonly ManagedFieldsEntry[] = []): KubeObject => ({
    metadata: {
      name: "a",
      managedFields: [
        ...Array.from({ length: 8_000 }, (_, i) => ({
          get manager() {
            reads++;
            return `m${i}`;
          },
          operation: "Update" as const,
          time: "2026-01-01T00:00:00Z",
        })),
        ...more,
      ],
    },
  });
  const after = entries([{ manager: "new", operation: "Update" }]);
  assertEquals(writersOf(entries(), after, [["f:spec"]]), "new");
  assert(reads <= 4 * 8_000, `${reads} reads`);
});
