import { assert, assertEquals, assertThrows } from "@std/assert";
import { defineResource } from "@kubeloop/controller/types";
import { validate } from "@kubeloop/controller/operator";
import { plainValue } from "../../src/crd/plain_value.ts";

Deno.test("plainValue() copies JSON, and refuses everything else with its place", () => {
  const shared = { x: 1 };
  const value = {
    a: [1, 2n ** 60n, null, "x", true],
    b: { c: undefined, [Symbol()]: 1 },
    d: shared,
    e: shared,
  };
  const copied = plainValue(value, "s");
  assertEquals(copied, { a: [1, 2n ** 60n, null, "x", true], b: {}, d: { x: 1 }, e: { x: 1 } });
  const named = plainValue(JSON.parse('{"__proto__":{"a":1}}'), "s");
  assertEquals(JSON.stringify(named), '{"__proto__":{"a":1}}');
  const cycle: Record<string, unknown> = {};
  cycle["a"] = [0, cycle];
  const throwing = {
    get a(): never {
      throw new Error("no");
    },
  };
  for (
    const [broken, problem] of [
      [{ a: [NaN] }, "s.a[0]: cannot read the value: NaN is not JSON"],
      [{ b: 0, a: Symbol() }, "s.a: cannot read the value: a symbol is not JSON"],
      [() => {}, "s: cannot read the value: a function is not JSON"],
      [[undefined], "s[0]: cannot read the value: undefined is not JSON"],
      [cycle, "s.a[1]: cannot read the value: it contains itself"],
      [throwing, "s.a: cannot read the value: no"],
    ] as const
  ) assertThrows(() => plainValue(broken, "s"), TypeError, problem);
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { ["key".repeat(40)]: value };
  return value;
}

Deno.test("plainValue() takes 10,000 levels and 2,000,000 values, and says little of deep places", () => {
  assert(Array.isArray(plainValue(nested(9_999), "s")));
  const { message } = assertThrows(() => plainValue(nested(10_001), "s"), TypeError);
  assert(message.endsWith("…: cannot read the value: it has more than 10000 levels"), message);
  assert(message.length < 300, message);
  // Each level has the next one twice.
  let doubled: unknown = 1;
  for (let i = 0; i < 40; i++) doubled = [doubled, doubled];
  assertThrows(() => plainValue(doubled, "s"), TypeError, "it has more than 2000000 values");
});

Deno.test("validate() decides on deep objects as an API server does", async () => {
  const Widgets = defineResource({
    group: "acme.io",
    version: "v1",
    plural: "widgets",
    kind: "Widget",
    namespaced: true,
    spec: {
      type: "object",
      properties: {
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        text: { type: "string" },
      },
    },
  });
  const metadata = { name: "a" };
  const free = { deep: nested(9_000) };
  assertEquals(await validate(Widgets, { metadata, spec: { free } } as never), []);
  const found = await validate(Widgets, { metadata, spec: { text: free } } as never);
  assertEquals(found.map(({ field, reason }) => [field, reason]), [
    ["spec.text", "FieldValueTypeInvalid"],
  ]);
});
