import { assert, assertEquals, assertThrows } from "@std/assert";
import { type JsonObject, plainJson, plainValue, sortKeys, typeOf } from "../../src/crd/json.ts";
import { toStructural } from "../../src/crd/structural.ts";

const CYCLE: Record<string, unknown> = {};
CYCLE["a"] = [0, CYCLE];
const THROWING = {
  get a(): never {
    throw new Error("no");
  },
};
const PROTO = JSON.parse('{"__proto__":{"a":1}}');

for (
  const { noun, copy, refused } of [
    {
      noun: "schema",
      copy: plainJson,
      refused: [
        [CYCLE, "s.a[1]: cannot express a recursive schema: an API server allows no cycle"],
        [PROTO, "s.__proto__: cannot express a field of this name"],
      ],
    },
    {
      noun: "value",
      copy: plainValue,
      refused: [[CYCLE, "s.a[1]: cannot read the value: it contains itself"]],
    },
  ]
) {
  Deno.test(`a copy of a ${noun} is plain JSON; other types are errors with their path`, () => {
    const shared = { type: "string" };
    const list = [1, 2n ** 60n, null, "x", true];
    const value = { a: list, b: { c: undefined, [Symbol()]: 1 }, d: shared, e: shared };
    assertEquals(copy(value, "s"), { a: list, b: {}, d: shared, e: shared });
    const prefix = `cannot read the ${noun}`;
    for (
      const [broken, problem] of [
        [{ a: [NaN] }, `s.a[0]: ${prefix}: NaN is not JSON`],
        [{ b: 0, a: Symbol() }, `s.a: ${prefix}: a symbol is not JSON`],
        [() => {}, `s: ${prefix}: a function is not JSON`],
        [[undefined], `s[0]: ${prefix}: undefined is not JSON`],
        [THROWING, `s.a: ${prefix}: no`],
        ...refused,
      ] as const
    ) assertThrows(() => copy(broken, "s"), TypeError, problem);
  });
}

/** Returns a value with `levels` levels. */
function nested(levels: number, name?: string): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) {
    value = name === undefined || i % 2 === 0 ? [value] : { [name]: value };
  }
  return value;
}

Deno.test("plainJson() accepts 200 levels and 500,000 values of a schema", () => {
  assertEquals(plainJson(nested(200), "s"), nested(200) as never);
  assertThrows(() => plainJson(nested(201), "s"), TypeError, "it is nested deeper than 200");
  // The list is a value too.
  const list = (length: number) => new Array<number>(length).fill(0);
  assertEquals((plainJson(list(499_999), "s") as unknown[]).length, 499_999);
  assertThrows(() => plainJson(list(500_000), "s"), TypeError, "it has more than 500000 values");
});

Deno.test("plainValue() accepts 10,000 levels and 2,000,000 values, and shortens long paths", () => {
  const name = "key".repeat(40);
  assert(Array.isArray(plainValue(nested(9_999, name), "s")));
  const { message } = assertThrows(() => plainValue(nested(10_001, name), "s"), TypeError);
  assert(message.endsWith("…: cannot read the value: it has more than 10000 levels"), message);
  assert(message.length < 300, message);
  // Each level contains the next one twice.
  let doubled: unknown = 1;
  for (let i = 0; i < 40; i++) doubled = [doubled, doubled];
  assertThrows(() => plainValue(doubled, "s"), TypeError, "it has more than 2000000 values");
  assertEquals(JSON.stringify(plainValue(PROTO, "s")), '{"__proto__":{"a":1}}');
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

Deno.test("toStructural() accepts a hundred levels below the root, and 20,000 parts", () => {
  const arrays = (levels: number) => {
    let schema: JsonObject = { type: "string" };
    for (let i = 0; i < levels; i++) schema = { type: "array", items: schema };
    return schema;
  };
  assertEquals(toStructural(arrays(100), "s"), arrays(100));
  assertThrows(
    () => toStructural(arrays(101), "s"),
    TypeError,
    "cannot convert the schema: it is nested deeper than 100 levels",
  );
  // The root is a part too.
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
