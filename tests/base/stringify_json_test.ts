import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { jsonEqual, parseJson, stringifyJson, type StringifyOptions } from "../../src/base/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

/** Values of JSON, and what `JSON.stringify` makes of others. */
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, undefined, true, -0, 1e300, 0.1, 1e15, Symbol.iterator, () => 1),
    fc.integer(),
    fc.string({ unit: "binary" }),
    fc.date({ noInvalidDate: true }),
    fc.constantFrom(Object(1), Object("a"), Object(true), new Map([[1, 2]])),
    fc.array(tie("value")),
    fc.dictionary(fc.string({ unit: "binary" }), tie("value")),
  ),
}));

/** A value that JSON.stringify cannot write, beside a value that it can. */
const withBig = (value: unknown) => ({ value, big: 9007199254740993n });

Deno.test("stringifyJson() writes what JSON.stringify writes, with and without a bigint beside it", () => {
  assertProperty(
    fc.property(values.value, fc.integer({ min: 0, max: 3 }), (value, indent) => {
      assertEquals(stringifyJson({ value }, { indent }), JSON.stringify({ value }, null, indent));
      const expected = JSON.stringify({ value, big: 5 }, null, indent);
      const written = stringifyJson(withBig(value), { indent });
      assertEquals(written.replace("9007199254740993", "5"), expected);
    }),
    1000,
  );
});

Deno.test("stringifyJson() sorts the fields at every depth", () => {
  const value = { b: [{ z: 1n, a: 2 }], a: { d: 1, c: null } };
  assertEquals(
    stringifyJson(value, { sorted: true }),
    '{"a":{"c":null,"d":1},"b":[{"a":2,"z":1}]}',
  );
});

for (
  const [what, value, message] of [
    ["NaN", { spec: { replicas: NaN } }, "Cannot write spec.replicas as JSON: JSON has no NaN"],
    [
      "Infinity",
      { a: [1, { "x/y": -Infinity }] },
      'Cannot write a[1]["x/y"] as JSON: JSON has no -Infinity',
    ],
    ["NaN beside a bigint", { a: 1n, b: NaN }, "Cannot write b as JSON"],
    ["NaN in an object for a number", [Object(NaN)], "Cannot write [0] as JSON"],
    ["an invalid date", { at: new Date(NaN) }, "Cannot write at as JSON: it is no valid date"],
    ["nothing but NaN", NaN, "Cannot write this value as JSON"],
    ["undefined", undefined, "Cannot write JSON: it has no undefined"],
  ] as const
) {
  Deno.test(`stringifyJson() refuses ${what}`, () => {
    assertThrows(() => stringifyJson(value), TypeError, message);
  });
}

Deno.test("stringifyJson() writes all digits of a whole number", () => {
  assertEquals(
    stringifyJson([2 ** 60, -(2 ** 63), 1e20, 1e21]),
    "[1152921504606846976,-9223372036854775808,100000000000000000000,1e+21]",
  );
});

Deno.test("stringifyJson() keeps a null that is one", () => {
  assertEquals(
    stringifyJson({ a: null, b: [undefined], c: "null" }),
    '{"a":null,"b":[null],"c":"null"}',
  );
});

Deno.test("stringifyJson() writes the digits of a bigint, whatever its toJSON() does", () => {
  const prototype = BigInt.prototype as { toJSON?: () => string };
  prototype.toJSON = () => "text";
  try {
    assertEquals(stringifyJson({ a: 5n, b: Object(6n) }), '{"a":5,"b":6}');
  } finally {
    delete prototype.toJSON;
  }
});

Deno.test("stringifyJson() writes the literals of JSON.rawJSON unchanged", () => {
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
  assertEquals(stringifyJson([rawJSON("1.0"), 5n]), "[1.0,5]");
});

Deno.test("stringifyJson() refuses a value that contains itself", () => {
  const value: Record<string, unknown> = { big: 1n, list: [{}] };
  (value["list"] as unknown[])[0] = value;
  assertThrows(
    () => stringifyJson(value),
    TypeError,
    "Cannot write list[0] as JSON: it contains itself",
  );
});

Deno.test("stringifyJson() throws what toJSON() throws", () => {
  const failing = {
    toJSON: () => {
      throw new SyntaxError("mine");
    },
  };
  assertThrows(() => stringifyJson({ failing }), SyntaxError, "mine");
});

/** Returns an object of `depth` levels. */
function nested(depth: number, end: unknown = 1): unknown {
  let value = end;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? { a: value } : [value];
  return value;
}

Deno.test("stringifyJson() and jsonEqual() reach as deep as an API server reads", () => {
  const text = stringifyJson(nested(10_000));
  assert(stringifyJson(parseJson(text)) === text);
  assert(stringifyJson(nested(9_999, 7n)) === stringifyJson(nested(9_999, 7)));
  assert(jsonEqual(parseJson(text), nested(10_000)));
  assert(!jsonEqual(parseJson(text), nested(10_000, 2)));
});

Deno.test("stringifyJson() refuses a value that is too deep to be read, if it has to write it itself", () => {
  const message = "nested more than 10000 levels";
  assertThrows(() => stringifyJson(nested(10_001, 1n)), RangeError, message);
});

Deno.test("jsonEqual() compares numbers and bigints by their values", () => {
  const pairs: readonly (readonly [unknown, unknown, boolean])[] = [
    [5n, 5, true],
    [5, 5n, true],
    [9007199254740993n, 9007199254740992, false],
    [9007199254740992n, 9007199254740992, true],
    [9223372036854776000n, 2 ** 63, true],
    [9223372036854775807n, 2 ** 63, false],
    [5n, "5", false],
    [0n, false, false],
    [NaN, NaN, false],
    [{ a: [1n, { b: 2 }] }, { a: [1, { b: 2n }] }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: undefined }, { b: 1 }, false],
    [[1, 2], [1], false],
    [[], {}, false],
    [null, {}, false],
    [{ a: [{}] }, { a: [{}] }, true],
    [[[1], [2]], [[1], [3]], false],
  ];
  pairs.forEach(([a, b, expected], i) => assertEquals(jsonEqual(a, b), expected, `pair ${i}`));
});

Deno.test("jsonEqual() takes values that contain themselves for different", () => {
  const looped = () => {
    const value: unknown[] = [];
    value.push(value);
    return value;
  };
  const one = looped();
  assert(jsonEqual(one, one));
  assert(!jsonEqual(one, looped()));
});

Deno.test("stringifyJson() names an option that is unknown, or cannot be used", () => {
  const write = (options: unknown) => () => stringifyJson({}, options as StringifyOptions);
  assertThrows(write({ indend: 2 }), TypeError, 'did you mean "indent"?');
  assertThrows(write({ indent: "  " }), RangeError, "indent");
  assertThrows(write({ indent: 11 }), RangeError, "indent must be at most 10: received 11");
  assertThrows(write({ sorted: 1 }), TypeError, "sorted must be true or false");
  assertThrows(write(2), TypeError, "stringifyJson() takes an object with options");
});
