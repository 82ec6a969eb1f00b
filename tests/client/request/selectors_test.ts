import { assertEquals, assertThrows } from "@std/assert";
import { fieldSelector, labelSelector } from "../../../src/client/mod.ts";

Deno.test("labelSelector() sorts keys and values", () => {
  assertEquals(
    labelSelector(
      { tier: "web", app: "" },
      { key: "z", operator: "NotIn", values: ["b", "a"] },
      { key: "y", operator: "Exists" },
      { key: "x", operator: "DoesNotExist" },
    ),
    "app=,tier=web,!x,y,z notin (a,b)",
  );
  assertEquals(labelSelector({}), "");
});

Deno.test("labelSelector() refuses keys and values that could change the meaning of the selector", () => {
  assertThrows(() => labelSelector({ "a,b": "x" }), TypeError, '"a,b"');
  assertThrows(() => labelSelector({ a: "x,b=y" }), TypeError, '"x,b=y"');
  assertThrows(() => labelSelector({ a: 1 as never }), TypeError, "1");
});

Deno.test("labelSelector() refuses an In requirement without values", () => {
  assertThrows(() => labelSelector({}, { key: "k", operator: "In", values: [] }), TypeError, '"k"');
});

Deno.test("fieldSelector() escapes special characters", () => {
  assertEquals(fieldSelector({ "metadata.name": "a,b=c\\d" }), "metadata.name=a\\,b\\=c\\\\d");
  assertEquals(fieldSelector({ a: "1", b: "" }, { c: "2" }), "a=1,b=,c!=2");
  assertEquals(fieldSelector({}), "");
});

Deno.test("fieldSelector() refuses invalid fields and values that are not strings", () => {
  for (const field of ["", "a=b", "a,b", "a b", "a!"]) {
    assertThrows(() => fieldSelector({ [field]: "x" }), TypeError, "Invalid field");
  }
  assertThrows(() => fieldSelector({ a: undefined as never }), TypeError, "received undefined");
});
