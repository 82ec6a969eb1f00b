import { assert, assertEquals, assertThrows } from "@std/assert";
import { plainJson } from "../../src/fields/mod.ts";

Deno.test("plainJson() copies a value as the server will read it", () => {
  const date = new Date(0);
  assertEquals(
    plainJson({
      text: "",
      number: 0,
      flag: false,
      none: null,
      missing: undefined,
      list: [1, null, { gone: null, kept: "x" }],
      date,
      own: { toJSON: () => ({ a: null, b: [true] }) },
      ["__proto__"]: 1,
    }),
    {
      text: "",
      number: 0,
      flag: false,
      list: [1, null, { kept: "x" }],
      date: date.toJSON(),
      own: { b: [true] },
      ["__proto__"]: 1,
    },
  );
  for (const value of [null, "a", true, 1.5, 9007199254740993n, [], {}]) {
    assertEquals(plainJson(value), value);
  }
  const original = { a: { b: [1] } };
  const copy = plainJson(original) as typeof original;
  copy.a.b.push(2);
  assertEquals(original, { a: { b: [1] } });
});

Deno.test("plainJson() rejects values that JSON would lose, and names their path", () => {
  for (
    const [value, problem] of [
      [NaN, "Cannot write this value: JSON has no NaN"],
      [{ a: [0, Infinity] }, "Cannot write a[1]: JSON has no Infinity"],
      [[() => {}], "Cannot write [0]: JSON has no function"],
      [undefined, "Cannot write this value: JSON has no undefined"],
      [{ a: new Date(NaN) }, "Cannot write a: it is no valid date"],
      [{ a: new Map() }, "Cannot write a: a Map is no JSON: give an object, an array or a string"],
      [{ a: new Set() }, "Cannot write a: a Set is no JSON: give an object, an array or a string"],
      [{ a: new Uint8Array() }, "Cannot write a: a Uint8Array is no JSON"],
    ] as const
  ) {
    assertThrows(() => plainJson(value), TypeError, problem);
  }
  assertThrows(() => plainJson(NaN, "spec.a"), TypeError, "Cannot write spec.a: JSON has no NaN");
});

Deno.test("plainJson() accepts 200 levels, and rejects values that contain themselves", () => {
  for (const wrap of [(inside: unknown) => [inside], (inside: unknown) => ({ a: inside })]) {
    const levels = (count: number) => {
      let value: unknown = "x";
      for (let i = 0; i < count; i++) value = wrap(value);
      return value;
    };
    assertEquals(plainJson(levels(201)), levels(201));
    assertThrows(
      () => plainJson(levels(202)),
      TypeError,
      "it contains itself, or has more than 200 levels",
    );
  }
  let deep: unknown = "x";
  for (let i = 0; i < 300; i++) deep = { ["key-".repeat(100)]: deep };
  const { message } = assertThrows(() => plainJson(deep), TypeError);
  assert(message.length < 400, message);
  const endless = { toJSON: (): unknown => endless };
  assertThrows(
    () => plainJson(endless),
    TypeError,
    "it contains itself, or has more than 200 levels",
  );
});
