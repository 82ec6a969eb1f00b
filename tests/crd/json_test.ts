import { assertEquals, assertThrows } from "@std/assert";
import { type JsonObject, plainJson, sortKeys, typeOf } from "../../src/crd/json.ts";
import { toStructural } from "../../src/crd/structural.ts";

Deno.test("plainJson() of a schema copies JSON, and refuses everything else with its place", () => {
  const shared = { type: "string" };
  const value = {
    a: [1, null, "x", true],
    b: { c: undefined, [Symbol()]: 1 },
    d: shared,
    e: shared,
  };
  assertEquals(plainJson(value, "s"), {
    a: [1, null, "x", true],
    b: {},
    d: { type: "string" },
    e: { type: "string" },
  });
  assertEquals(plainJson({ enum: [9007199254740993n] }, "s"), { enum: [9007199254740993n] });
  const cycle: Record<string, unknown> = {};
  cycle["a"] = [cycle];
  const throwing = {
    get a(): never {
      throw new Error("no");
    },
  };
  for (
    const [broken, problem] of [
      [{ a: [NaN] }, "s.a[0]: cannot read the schema: NaN is not JSON"],
      [() => {}, "s: cannot read the schema: a function is not JSON"],
      [cycle, "s.a[0]: cannot express a recursive schema: an API server allows no cycle"],
      [throwing, "s.a: cannot read the schema: no"],
      [JSON.parse('{"__proto__":1}'), "s.__proto__: cannot express a field of this name"],
    ] as const
  ) assertThrows(() => plainJson(broken, "s"), TypeError, problem);
});

Deno.test("plainJson() of a schema takes 200 levels and 500,000 values", () => {
  const nested = (levels: number) => {
    let value: unknown = 1;
    for (let i = 0; i < levels; i++) value = [value];
    return value;
  };
  assertEquals(plainJson(nested(200), "s"), nested(200) as never);
  assertThrows(() => plainJson(nested(201), "s"), TypeError, "it is nested deeper than 200");
  // The list counts, too.
  const list = (length: number) => new Array<number>(length).fill(0);
  assertEquals((plainJson(list(499_999), "s") as unknown[]).length, 499_999);
  assertThrows(() => plainJson(list(500_000), "s"), TypeError, "it has more than 500000 values");
});

Deno.test("sortKeys() and typeOf() see values as a server does", () => {
  assertEquals(
    JSON.stringify(sortKeys({ b: [{ d: 1, c: null }], a: "x" })),
    '{"a":"x","b":[{"c":null,"d":1}]}',
  );
  for (
    const [value, type] of [
      [null, "null"],
      [[], "array"],
      [{}, "object"],
      ["", "string"],
      [false, "boolean"],
      [0, "integer"],
      [1.5, "number"],
      [-(2 ** 63) + 1024, "integer"],
      [2 ** 63, "number"],
      [-(2 ** 64), "number"],
    ] as const
  ) assertEquals(typeOf(value as never), type);
});

Deno.test("toStructural() takes a hundred levels below the root, and 20,000 parts", () => {
  const nested = (levels: number) => {
    let schema: JsonObject = { type: "string" };
    for (let i = 0; i < levels; i++) schema = { type: "array", items: schema };
    return schema;
  };
  assertEquals(toStructural(nested(100), "s"), nested(100));
  assertThrows(
    () => toStructural(nested(101), "s"),
    TypeError,
    "cannot convert the schema: it is nested deeper than 100 levels",
  );
  // The root counts, too.
  const wide = (parts: number): JsonObject => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: parts }, (_, i) => [`f${i}`, { type: "string" }]),
    ),
  });
  assertEquals(Object.keys(toStructural(wide(19_999), "s")["properties"]!).length, 19_999);
  assertThrows(
    () => toStructural(wide(20_000), "s"),
    TypeError,
    "cannot convert the schema: it is larger than 20000 parts when its $refs are resolved",
  );
});
