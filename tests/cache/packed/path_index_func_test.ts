import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { type IndexFunc, pathIndexFunc } from "../../../src/cache/mod.ts";
import { indexFuncOfItems } from "../../../src/cache/packed/mod.ts";
import type { KubeObject } from "../../../src/types/mod.ts";
import { assertProperty, scaled } from "../../support/seeded_runs.ts";
import { packed, unpacked } from "./_packed.ts";

const object = (rest: Record<string, unknown>): KubeObject => ({
  metadata: { name: "a" },
  ...rest,
});

/** Returns the result of the function for the object, which must be the same for the object as bytes. */
function answerOf(f: IndexFunc<KubeObject>, obj: KubeObject): readonly string[] {
  const answer = f(obj);
  const bytes = packed(obj);
  const ofItems = indexFuncOfItems(f, unpacked);
  assertEquals(ofItems(bytes), answer);
  bytes.unpack();
  assertEquals(ofItems(bytes), answer);
  return answer;
}

Deno.test("pathIndexFunc() returns strings, numbers and booleans, alone or in an array, and no other values", () => {
  const valuesOf = (v: unknown) => answerOf(pathIndexFunc("v"), object({ v }));
  assertEquals(valuesOf("x"), ["x"]);
  assertEquals(valuesOf(""), [""]);
  assertEquals(valuesOf(1.5), ["1.5"]);
  assertEquals(valuesOf(false), ["false"]);
  assertEquals(valuesOf(null), []);
  assertEquals(valuesOf({ x: "y" }), []);
  assertEquals(valuesOf(["x", 1, true, null, ["y"], { z: 1 }, "x"]), ["x", "1", "true", "x"]);
  assertEquals(answerOf(pathIndexFunc("v.w"), object({})), []);
});

Deno.test("pathIndexFunc() follows a path through own members and array elements only", () => {
  const obj = object({
    spec: { list: [{ name: "x" }, "text"], "a.b": "dotted", "": "empty", "c\\": "slashed" },
    status: JSON.parse('{"__proto__": "own", "length": 3}'),
  });
  const cases: [string | string[], string[]][] = [
    ["metadata.name", ["a"]],
    ["spec.list.0.name", ["x"]],
    ["spec.list.1", ["text"]],
    ["spec.list.1.0", []],
    ["spec.list.1.length", []],
    ["spec.list.length", []],
    ["spec.list.00", []],
    ["spec.list.-1", []],
    ["spec.list.2", []],
    ["spec.list", ["text"]],
    ["spec.a\\.b", ["dotted"]],
    ["spec.a.b", []],
    [["spec", "a.b"], ["dotted"]],
    [["spec", ""], ["empty"]],
    [["spec", "c\\"], ["slashed"]],
    ["status.__proto__", ["own"]],
    ["status.length", ["3"]],
    ["spec.__proto__", []],
    ["spec.constructor.name", []],
    ["toString.name", []],
  ];
  for (const [path, expected] of cases) {
    assertEquals(answerOf(pathIndexFunc(path), obj), expected, String(path));
  }
});

Deno.test("pathIndexFunc() rejects a path with an empty part", () => {
  for (const path of ["", ".", "a.", ".a", "a..b"]) {
    const message = `Cannot read the path ${JSON.stringify(path)}`;
    assertThrows(() => pathIndexFunc(path), SyntaxError, message);
  }
  assertEquals(pathIndexFunc("a\\.b.c").path, ["a.b", "c"]);
});

Deno.test("pathIndexFunc() returns the same for an object and for its bytes", () => {
  const name = fc.constantFrom(
    "a",
    "b",
    "0",
    "1",
    "length",
    "__proto__",
    "a.b",
    "",
    "ä",
    "toString",
  );
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map((entries) =>
        Object.fromEntries(entries)
      ),
    ),
  }));
  let found = 0;
  assertProperty(
    fc.property(value, fc.array(name, { maxLength: 4 }), (v, names) => {
      const obj = object({ v });
      const path = ["v", ...names];
      const values = answerOf(pathIndexFunc(path), obj);
      if (values.length > 0) found++;
      if (!path.includes("")) {
        const text = path.map((name) => name.replaceAll(".", "\\.")).join(".");
        assertEquals(answerOf(pathIndexFunc(text), obj), values);
      }
    }),
    1_500,
  );
  assert(found > scaled(100), `${found} paths have values`);
});

Deno.test("pathIndexFunc() finds the type that the list of an object has given it", () => {
  const listed = packed(object({ spec: {} }), { kind: "Pod", apiVersion: "v1" });
  const own = packed(object({ kind: "Own", apiVersion: "a/v2" }), {
    kind: "Pod",
    apiVersion: "v1",
  });
  const typeOf = (of: typeof listed) =>
    ["kind", "apiVersion", "name", "spec.kind"].map((path) =>
      indexFuncOfItems(pathIndexFunc(path), unpacked)(of).join()
    );
  for (let parsed = 0; parsed < 2; parsed++) {
    assertEquals(typeOf(listed), ["Pod", "v1", "", ""]);
    assertEquals(typeOf(own), ["Own", "a/v2", "", ""]);
    listed.unpack();
    own.unpack();
  }
});
