import { assert, assertEquals, assertThrows } from "@std/assert";
import { deepCopy } from "@kubeloop/controller/types";
import { jsonEqual } from "../../src/base/mod.ts";

Deno.test("deepCopy() copies as many levels as an API server takes, and shares nothing", () => {
  const inner: Record<string, unknown> = { text: "x", __proto__: null };
  let value: unknown = inner;
  for (let i = 0; i < 9_990; i++) value = i % 2 === 0 ? [value] : { a: value, b: null };
  const copy = deepCopy({ spec: value, named: JSON.parse('{"__proto__":{"a":1}}') });
  assertEquals(JSON.stringify(copy.named), '{"__proto__":{"a":1}}');
  assert(jsonEqual(copy.spec, value));
  inner["text"] = "y";
  assert(!jsonEqual(copy.spec, value));
  assertThrows(() => deepCopy({ a: () => {} }), DOMException);
});

Deno.test("deepCopy() copies dates, bigints and undefined fields, and keeps shared values shared", () => {
  const date = new Date(5);
  const shared = { big: 9007199254740993n, date, none: undefined };
  const copy = deepCopy([shared, shared]);
  assertEquals(copy, [shared, shared]);
  assert(copy[0] !== shared && copy[0] === copy[1] && copy[0]?.date !== date);
});
