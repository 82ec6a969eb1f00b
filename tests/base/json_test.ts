import { assert } from "@std/assert";
import { jsonEqual } from "../../src/base/mod.ts";

Deno.test("jsonEqual() compares JSON values, and ignores the order of fields", () => {
  const equal: readonly (readonly [unknown, unknown])[] = [
    [null, null],
    [{ a: 1, b: [1, "x"] }, { b: [1, "x"], a: 1 }],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ];
  const different: readonly (readonly [unknown, unknown])[] = [
    [1, "1"],
    [null, {}],
    [{}, []],
    [[], {}],
    [[1, 2], [2, 1]],
    [[1], [1, 1]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: undefined }],
    [{ toString: 1 }, {}],
    [{}, { toString: 1 }],
    [{ a: { b: 1 }, c: 1 }, { a: { b: 2 }, c: 1 }],
  ];
  for (const [a, b] of equal) assert(jsonEqual(a, b), JSON.stringify([a, b]));
  for (const [a, b] of different) assert(!jsonEqual(a, b), JSON.stringify([a, b]));
});

Deno.test("jsonEqual() compares as many levels as an API server takes, and ends if values contain themselves", () => {
  const nested = (levels: number, inner: unknown) => {
    let value = inner;
    for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
    return value;
  };
  assert(jsonEqual(nested(10_000, 1), nested(10_000, 1)));
  assert(jsonEqual(nested(10_000, 5n), nested(10_000, 5)));
  assert(!jsonEqual(nested(10_000, 1), nested(10_000, 2)));
  const endless = (): unknown => {
    const value: Record<string, unknown> = {};
    value["a"] = value;
    value["b"] = [value, value];
    return value;
  };
  assert(!jsonEqual(endless(), endless()));
});
