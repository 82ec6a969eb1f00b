import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  jsonPatch,
  JsonPatchError,
  type JsonPatchOperation,
} from "../../../../src/testing/api_server/patch/mod.ts";
import { mergePatch } from "../../../../src/testing/api_server/patch/merge_patch.ts";
import type { Json } from "../../../../src/testing/values/mod.ts";
import type { Loose } from "../support.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

/** JSON values with few keys, so that patches hit existing fields of documents. */
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1, "x"),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__", "constructor"), tie("json"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

/**
 * A literal implementation of RFC 7386, with Maps, which have no prototype problems. As in the real server, objects in
 * new lists lose their nulls.
 */
function mergeModel(target: unknown, change: unknown): unknown {
  if (Array.isArray(change) && !(target instanceof Map)) {
    return change.map((item) => mergeModel(null, item));
  }
  if (!(change instanceof Map)) return change;
  const result = new Map(target instanceof Map ? target : []);
  for (const [key, value] of change) {
    if (value === null) result.delete(key);
    else result.set(key, mergeModel(result.get(key), value));
  }
  return result;
}

function toMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toMaps);
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.keys(value).map((key) => [key, toMaps((value as Loose)[key])]));
}

Deno.test("mergePatch() follows RFC 7386, but for nulls in lists", () => {
  assertProperty(
    fc.property(json, json, (target, change) => {
      const before = JSON.stringify(target);
      assertEquals(toMaps(mergePatch(target, change)), mergeModel(toMaps(target), toMaps(change)));
      assertEquals(JSON.stringify(target), before);
    }),
    500,
  );
});

Deno.test("mergePatch() does not touch prototypes", () => {
  const change = JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  );
  const result = mergePatch({}, change) as Loose;
  assertEquals(({} as Loose).polluted, undefined);
  assertEquals(Object.getPrototypeOf(result), Object.prototype);
  assert(Object.hasOwn(result, "__proto__"));
});

/** Returns all paths of a document, as JSON pointers. */
function pointers(value: Json, at = ""): string[] {
  const escape = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
  if (Array.isArray(value)) {
    return [at, ...value.flatMap((one, index) => pointers(one, `${at}/${index}`))];
  }
  if (typeof value !== "object" || value === null) return [at];
  return [
    at,
    ...Object.keys(value).flatMap((key) => pointers(value[key]!, `${at}/${escape(key)}`)),
  ];
}

function lookUp(value: Json, pointer: string): Json {
  let here: Loose = value;
  for (const key of pointer.split("/").slice(1)) {
    here = here[key.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return here;
}

const inner = json.filter((value) => pointers(value).length > 1);

Deno.test("jsonPatch() replaces, tests, copies and removes any value of a document", () => {
  assertProperty(
    fc.property(inner, fc.nat(), json, (document, pick, value) => {
      const paths = pointers(document).slice(1);
      const path = paths[pick % paths.length]!;
      const before = JSON.stringify(document);
      const present = lookUp(document, path);
      const replaced = jsonPatch(document, [{ op: "replace", path, value }]);
      assertEquals(lookUp(replaced, path), value);
      assertEquals(jsonPatch(document, [{ op: "test", path, value: present }]), document);
      const wrapped = jsonPatch({ d: document }, [{ op: "copy", from: `/d${path}`, path: "/new" }]);
      assertEquals((wrapped as Loose).new, present);
      const removed = jsonPatch(document, [{ op: "remove", path }]);
      assertEquals(jsonPatch(removed, [{ op: "add", path, value: present }]), document);
      assertEquals(JSON.stringify(document), before);
    }),
    500,
  );
});

Deno.test("jsonPatch() supports the six operations", () => {
  const run = (document: Json, ...operations: JsonPatchOperation[]) =>
    jsonPatch(document, operations);
  assertEquals(run({ a: [1, 3] }, { op: "add", path: "/a/1", value: 2 }), { a: [1, 2, 3] });
  assertEquals(run({ a: [1] }, { op: "add", path: "/a/-", value: 2 }), { a: [1, 2] });
  assertEquals(run({ a: 1 }, { op: "move", from: "/a", path: "/b" }), { b: 1 });
  assertEquals(run({ "x/y": 1, "m~n": 2 }, { op: "remove", path: "/x~1y" }), { "m~n": 2 });
  assertEquals(run({ "m~n": 2 }, { op: "remove", path: "/m~0n" }), {});
});

Deno.test("jsonPatch() rejects operations that do not apply, and changes nothing", () => {
  const document = { a: [1], b: { c: 1 } };
  const before = JSON.stringify(document);
  for (
    const operation of [
      { op: "test", path: "/a/0", value: 2 },
      { op: "remove", path: "/zz" },
      { op: "remove", path: "/a/7" },
      { op: "add", path: "/a/9", value: 1 },
      { op: "add", path: "/q/r", value: 1 },
      { op: "move", from: "/zz", path: "/y" },
      { op: "copy", from: "/zz/q", path: "/y" },
      { op: "test", path: "/constructor", value: {} },
      { op: "nonsense", path: "/a" },
    ]
  ) {
    assertThrows(
      () =>
        jsonPatch(document, [{ op: "remove", path: "/b/c" }, operation] as JsonPatchOperation[]),
      JsonPatchError,
      undefined,
      JSON.stringify(operation),
    );
  }
  assertEquals(JSON.stringify(document), before);
});

Deno.test("jsonPatch() does not touch prototypes", () => {
  for (const path of ["/__proto__/polluted", "/constructor/prototype/polluted"]) {
    assertThrows(() => jsonPatch({}, [{ op: "add", path, value: 1 }]), JsonPatchError);
  }
  const result = jsonPatch({}, [{ op: "add", path: "/__proto__", value: { polluted: 1 } }]);
  assertEquals((result as Loose).polluted, undefined);
  assertEquals(({} as Loose).polluted, undefined);
});
