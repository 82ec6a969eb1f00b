import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { jsonPatchOf } from "../../src/webhooks/mod.ts";
import { jsonPatch } from "../../src/testing/api_server/patch/json_patch.ts";
import { assertProperty } from "../support/seeded_runs.ts";

/** JSON with few different values and keys, so that the same ones are at several places. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, 0, 1, "", "a"),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.array(
      fc.tuple(fc.constantFrom("a", "b", "~", "/", "~1", "", "0", "-", "__proto__"), tie("value")),
      { maxLength: 5 },
    ).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

Deno.test("jsonPatchOf() returns a patch that turns one value into the other", () => {
  // The document of a patch is an object or an array.
  const document = json.map((value) => ({ value }));
  assertProperty(fc.property(document, document, (before, after) => {
    const patch = jsonPatchOf(before, after);
    const [from, operations] = [structuredClone(before), structuredClone(patch)];
    const patched = jsonPatch(from as never, operations as never);
    assertEquals(JSON.stringify(sorted(patched)), JSON.stringify(sorted(after)));
    assertEquals(
      patch.length === 0,
      JSON.stringify(sorted(before)) === JSON.stringify(sorted(after)),
    );
  }));
});

/** Returns JSON with the fields of its objects as sorted entries. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return {
    entries: Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, one]) => [key, sorted(one)]),
  };
}

Deno.test("jsonPatchOf() changes only the values that differ", () => {
  const cases: [unknown, unknown, unknown[]][] = [
    [{ a: 1 }, { a: 1 }, []],
    [{ "a/b": { "~": 1 } }, { "a/b": { "~": 2 } }, [
      { op: "replace", path: "/a~1b/~0", value: 2 },
    ]],
    [{ a: 1, b: 2 }, { b: 2, c: null }, [
      { op: "remove", path: "/a" },
      { op: "add", path: "/c", value: null },
    ]],
    [[1, 2], [0, 1, 2], [{ op: "add", path: "/0", value: 0 }]],
    [[1, 2, 3, 4], [1, 4], [{ op: "remove", path: "/2" }, { op: "remove", path: "/1" }]],
    [[{ a: 1, b: 1 }, 2], [{ a: 2, b: 1 }, 2], [{ op: "replace", path: "/0/a", value: 2 }]],
    [[1], [1, 2, 3], [{ op: "add", path: "/1", value: 2 }, { op: "add", path: "/2", value: 3 }]],
    [{ a: [1] }, { a: { 0: 1 } }, [{ op: "replace", path: "/a", value: { 0: 1 } }]],
    [1, {}, [{ op: "replace", path: "", value: {} }]],
    [
      JSON.parse('{"__proto__":{"x":1}}'),
      JSON.parse('{"__proto__":{"x":2},"constructor":3}'),
      [
        { op: "replace", path: "/__proto__/x", value: 2 },
        { op: "add", path: "/constructor", value: 3 },
      ],
    ],
  ];
  for (const [before, after, patch] of cases) assertEquals(jsonPatchOf(before, after), patch);
});

Deno.test("jsonPatchOf() takes no exponential time for nested arrays", () => {
  const nested = (leaf: number) => {
    let value: unknown = leaf;
    for (let depth = 0; depth < 200; depth++) value = [value];
    return value;
  };
  assertEquals(jsonPatchOf(nested(1), nested(2)).length, 1);
});
