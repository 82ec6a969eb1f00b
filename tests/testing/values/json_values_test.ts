import { assertEquals, assertThrows } from "@std/assert";
import {
  cloneJson,
  compareQuantities,
  encodeJson,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  isTooDeep,
  type Json,
  jsonEqual,
  jsonKey,
  type JsonObject,
  MAX_JSON_DEPTH,
  QUANTITY_ERROR,
  quantityError,
  roundUpToMilli,
  setOwn,
  sortKeys,
  withPath,
} from "../../../src/testing/values/mod.ts";

Deno.test("getPath() and its kin read own properties only, with a default for each type", () => {
  const value: Json = { a: { b: "text", c: [1], d: null, e: {} } };
  assertEquals(getPath(value, "a", "b"), "text");
  assertEquals(getPath(value, "a", "b", "c"), undefined);
  assertEquals(getPath(value, "toString"), undefined);
  assertEquals(getPath(value, "a", "c", "0"), undefined);
  assertEquals([getString(value, "a", "b"), getString(value, "a", "c")], ["text", ""]);
  assertEquals([getArray(value, "a", "c"), getArray(value, "a", "e")], [[1], []]);
  assertEquals([getObject(value, "a", "e"), getObject(value, "a", "c")], [{}, {}]);
  assertEquals(getOwn({}, "constructor"), undefined);
  assertEquals([{}, [], null, 1].map(isObject), [true, false, false, false]);
});

Deno.test("withPath() sets and removes without touching what it was given", () => {
  const value: JsonObject = { a: { b: 1, c: 2 } };
  assertEquals(withPath(value, ["a", "b"], 3), { a: { b: 3, c: 2 } });
  assertEquals(withPath(value, ["a", "b"], undefined), { a: { c: 2 } });
  assertEquals(withPath(value, ["x", "y"], undefined), value);
  assertEquals(withPath(value, ["x", "y"], null), { a: { b: 1, c: 2 }, x: { y: null } });
  assertEquals(withPath(value, ["a", "b", "z"], 1), { a: { b: { z: 1 }, c: 2 } });
  assertEquals(value, { a: { b: 1, c: 2 } });
  assertThrows(() => withPath(value, [], 1), RangeError, "Cannot set a value at an empty path");
});

Deno.test("jsonEqual() and jsonKey() agree about which values are equal", () => {
  const values: (Json | undefined)[] = [
    undefined,
    null,
    1,
    "1",
    [],
    [1],
    [1, 2],
    [2, 1],
    {},
    { a: 1 },
    { b: 1 },
    { a: 1, b: 2 },
    { a: [] },
    { a: {} },
  ];
  for (const [i, a] of values.entries()) {
    for (const [j, b] of values.entries()) {
      assertEquals(jsonEqual(a, b), i === j, `${jsonKey(a)} ${jsonKey(b)}`);
      assertEquals(jsonKey(a) === jsonKey(b), i === j);
    }
  }
  assertEquals(jsonEqual({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }), true);
  assertEquals(jsonKey({ b: [undefined as unknown as Json], a: "x" }), '{"a":"x","b":[undefined]}');
});

Deno.test("setOwn(), cloneJson() and sortKeys() keep a key named __proto__", () => {
  const object: JsonObject = { b: { c: [1] } };
  setOwn(object, "__proto__", { polluted: true });
  const copy = cloneJson(object);
  assertEquals(Object.keys(copy), ["b", "__proto__"]);
  (copy["b"] as JsonObject)["c"] = 2;
  assertEquals(JSON.stringify(object), '{"b":{"c":[1]},"__proto__":{"polluted":true}}');
  assertEquals(Object.keys(sortKeys(object)), ["__proto__", "b"]);
  const sorted = { a: 1, b: 2 };
  assertEquals(sortKeys(sorted) === sorted, true);
});

Deno.test("isTooDeep() counts the levels of objects and lists", () => {
  let value: Json = 1;
  for (let depth = 0; depth <= MAX_JSON_DEPTH; depth++) value = depth % 2 ? { a: value } : [value];
  assertEquals(isTooDeep(value), false);
  assertEquals(isTooDeep([value]), true);
  assertEquals([isTooDeep(null), isTooDeep("text")], [false, false]);
});

Deno.test("encodeJson() escapes for HTML, indents and sorts what JavaScript reorders", () => {
  const value = { b: "<&>\u2028\u2029", a: [], c: {}, d: [1, { e: null }] };
  assertEquals(
    encodeJson(value),
    '{"b":"\\u003c\\u0026\\u003e\\u2028\\u2029","a":[],"c":{},"d":[1,{"e":null}]}',
  );
  assertEquals(encodeJson({ a: "<" }, undefined, { escapeHtml: false }), '{"a":"<"}');
  assertEquals(
    encodeJson({ a: [1, {}], b: [] }, undefined, { indent: true }),
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}',
  );
  assertEquals(encodeJson({ z: 1, 10: 2, 9: 3, a: undefined }), '{"10":2,"9":3,"z":1}');
  assertEquals(encodeJson(undefined), "null");
});

Deno.test("quantityError() distinguishes a wrong suffix from an invalid number", () => {
  const suffix = "unable to parse quantity's suffix";
  for (
    const [value, error] of [
      ["1x", QUANTITY_ERROR],
      ["", QUANTITY_ERROR],
      [1, QUANTITY_ERROR],
      ["1.2.3", QUANTITY_ERROR],
      ["1 Gi", QUANTITY_ERROR],
      ["1KiB", QUANTITY_ERROR],
      ["1iK", suffix],
      ["1GG", suffix],
      ["1e", suffix],
      ["1-", suffix],
    ] as const
  ) assertEquals(quantityError(value), error, String(value));
});

Deno.test("compareQuantities() and roundUpToMilli() work with exact numbers", () => {
  for (
    const [a, b, expected] of [
      ["1", "1000m", 0],
      ["1", "2", -1],
      ["2", "1", 1],
      ["1Ki", "1k", 1],
      ["-1", "1", -1],
      ["1", "x", undefined],
    ] as const
  ) assertEquals(compareQuantities(a, b), expected, `${a} ${b}`);
  for (
    const [text, rounded] of [
      ["1", "1"],
      ["1n", "1m"],
      ["1000u", "1m"],
      ["1001u", "2m"],
      ["0", "0"],
      ["-1001u", "-1m"],
      ["x", "x"],
    ] as const
  ) assertEquals(roundUpToMilli(text), rounded, text);
});
