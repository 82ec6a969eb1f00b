import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { assertProperty } from "../../support/seeded_runs.ts";
import { ObjectGenerator, SchemaChecks, shrink } from "../../../src/testing/samples/mod.ts";
import { textsOfPattern } from "../../../src/testing/samples/pattern_text.ts";
import { patternOf } from "../../../src/structural/mod.ts";
import { SeededRandom } from "../../../src/testing/mod.ts";
import { wholeSchema } from "./_schemas.ts";

const TYPE = { apiVersion: "acme.io/v1", kind: "Widget" };

function generator(schema: object, seed = 1, other?: object): ObjectGenerator {
  const random = new SeededRandom(seed);
  return new ObjectGenerator(schema as never, {
    type: TYPE,
    namespaced: true,
    random,
    ...(other === undefined ? {} : { other: other as never }),
  });
}

/** Returns the schema of an object with one field. */
function withField(field: object): object {
  return {
    type: "object",
    properties: { spec: { type: "object", properties: { field }, required: ["field"] } },
    required: ["spec"],
  };
}

/** Returns the values that a field gets. */
function valuesOf(field: object, other?: object): readonly unknown[] {
  const objects = generator(withField(field), 1, other && withField(other));
  return Array.from(
    { length: 300 },
    () => (objects.next() as { spec?: { field?: unknown } })?.spec?.field,
  );
}

Deno.test("ObjectGenerator makes valid objects of a random schema", () => {
  let found = 0;
  assertProperty(fc.property(wholeSchema, fc.nat(1000), (schema, seed) => {
    const objects = generator(schema, seed);
    const checks = new SchemaChecks(schema as never);
    for (let i = 0; i < 10; i++) {
      const object = objects.next();
      if (object === undefined) return;
      found++;
      assertEquals(checks.errorsOf(object), [], JSON.stringify(object));
      assertEquals(object["kind"], "Widget");
    }
  }));
  assert(found > 0);
});

Deno.test("ObjectGenerator makes the same objects of the same seed, and others of another one", () => {
  const field = { type: "array", items: { type: "integer", minimum: 0 } };
  const made = (seed: number) => {
    const objects = generator(withField(field), seed);
    return JSON.stringify(Array.from({ length: 50 }, () => objects.next()));
  };
  assertEquals(made(1), made(1));
  assert(made(1) !== made(2));
});

Deno.test("ObjectGenerator leaves defaults out, uses null, maps, sets, unions and unknown fields", () => {
  const optional = {
    type: "object",
    properties: { a: { type: "integer", default: 3 }, b: { type: "string", nullable: true } },
  };
  const made = valuesOf(optional) as Record<string, unknown>[];
  assert(made.some((value) => !("a" in value)) && made.some((value) => "a" in value));
  assert(made.some((value) => value["b"] === null));

  const map = valuesOf({ type: "object", additionalProperties: { type: "integer" } }) as object[];
  assert(map.some((value) => Object.keys(value).length === 0));
  assert(map.some((value) => Object.keys(value).length > 1));

  const union = valuesOf({ "x-kubernetes-int-or-string": true });
  assert(union.some((value) => typeof value === "string"));
  assert(union.some((value) => typeof value === "number"));

  const set = valuesOf({
    type: "array",
    items: { type: "string", enum: ["a", "b", "c"] },
    minItems: 3,
    "x-kubernetes-list-type": "set",
  });
  assert(set.every((value) => Array.isArray(value) && value.length === 3));

  const open = valuesOf({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
  }) as object[];
  assert(open.some((value) => Object.keys(value).length > 0));
});

Deno.test("ObjectGenerator obeys rules that exclude most objects", () => {
  const made = valuesOf({
    type: "object",
    properties: {
      low: { type: "integer" },
      high: { type: "integer" },
      mode: { type: "string", enum: ["a", "b", "c", "d"] },
      note: { type: "string" },
    },
    required: ["low", "high"],
    "x-kubernetes-validations": [
      { rule: "self.low < self.high && self.high < self.low + 10" },
      { rule: "has(self.mode) && self.mode == 'd' ? has(self.note) : true" },
    ],
  }) as { low: number; high: number }[];
  assert(made.every((value) => value.low < value.high && value.high < value.low + 10));
});

Deno.test("ObjectGenerator tries the limits of the other schema", () => {
  const has = (field: object, other: object, isHit: (value: never) => boolean) =>
    assert(valuesOf(field, other).some((value) => isHit(value as never)), JSON.stringify(other));
  const text = { type: "string" };
  has({ type: "integer" }, { type: "integer", maximum: 71_234 }, (it: number) => it === 71_235);
  has(text, { ...text, maxLength: 63 }, (it: string) => it.length === 64);
  has(text, { ...text, pattern: "^v[0-9]{3}$" }, (it: string) => /^v[0-9]{3}$/.test(it));
  has(
    text,
    { ...text, "x-kubernetes-validations": [{ rule: "self != 'forbidden'" }] },
    (it: string) => it === "forbidden",
  );
  const list = { type: "array", items: text };
  has(list, { ...list, maxItems: 16 }, (it: string[]) => it.length === 17);
});

Deno.test("ObjectGenerator returns undefined for a schema without a valid object", () => {
  const never = { type: "object", "x-kubernetes-validations": [{ rule: "false" }] };
  assertEquals(generator(withField(never)).next(), undefined);
  assertEquals(
    generator(withField({ type: "string", pattern: "^a$", minLength: 2 })).next(),
    undefined,
  );
});

Deno.test("ObjectGenerator ends for schemas that require huge objects", () => {
  let list: object = { type: "string" };
  for (let i = 0; i < 5; i++) list = { type: "array", items: list, minItems: 1000 };
  assertEquals(generator(withField(list)).next(), undefined);
  const properties = Object.fromEntries(
    Array.from({ length: 3000 }, (_, i) => [`f${i}`, { type: "string", enum: ["a", "b"] }]),
  );
  const wide = { type: "object", properties, required: Object.keys(properties) };
  assert(generator(withField(wide)).next() !== undefined);
  assertEquals(generator(withField({ type: "string", minLength: 1e9 })).next(), undefined);
  assertEquals(generator(withField({ type: "object", minProperties: 1e9 })).next(), undefined);
});

Deno.test("ObjectGenerator uses all options of an enumeration", () => {
  const options = Array.from({ length: 300 }, (_, i) => `option-${i}`);
  const objects = generator(withField({ type: "string", enum: options }));
  const used = new Set(Array.from({ length: 5000 }, () =>
    JSON.stringify(objects.next())
      .match(/option-\d+/)?.[0]));
  assert(used.size > 290);
});

Deno.test("textsOfPattern() returns texts that match", () => {
  const patterns = [
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
    "^([A-Za-z]+|[0-9]{2,3})-(?:x|y)?\\d+$",
    "^(?P<unit>Ki|Mi|Gi)$",
    "^(?i:abc)[^a-z]\\w\\s\\S$",
    "^[[:alpha:]]+[\\d.-]{3}$",
    "^(\\+|-)?[0-9]+(\\.[0-9]+)?([eE](\\+|-)?[0-9]+)?$",
    "a|b|",
  ];
  const random = new SeededRandom(1);
  for (const pattern of patterns) {
    const write = textsOfPattern(pattern)!;
    for (let i = 0; i < 50; i++) {
      const text = write(random)!;
      assert(patternOf(pattern).matches(text), `${pattern} and ${JSON.stringify(text)}`);
    }
  }
});

Deno.test("textsOfPattern() never throws, hangs or makes a long text", () => {
  const random = new SeededRandom(1);
  for (
    const pattern of [
      "(".repeat(5000),
      "(".repeat(5000) + ")".repeat(5000),
      "((a{1000}){1000}){1000}",
      "((a*)*)*",
      "(){1000}",
      "[",
      "[]",
      "[z-a]",
      "a{2",
      "\\",
      "\\p{L}",
      "(?=a)",
      "[^\\x00-\\x{10FFFF}]",
    ]
  ) {
    const text = textsOfPattern(pattern)?.(random);
    assert(text === undefined || text.length <= 300, pattern);
  }
  assertProperty(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab()[]{}*+?|\\^-.12,:") }), (pattern) => {
      const text = textsOfPattern(pattern)?.(random);
      assert(text === undefined || text.length <= 300);
    }),
  );
});

Deno.test("shrink() finds the smallest object", () => {
  const object = {
    ...TYPE,
    metadata: { name: "a", namespace: "default", labels: { a: "b" } },
    spec: { list: [{ a: "xyz" }, { n: 900, b: true }, { n: 71_235 }], map: { k: "v" }, f: 1.5 },
  };
  const smallest = shrink(object, ({ spec }) => {
    const { list = [] } = (spec ?? {}) as Partial<typeof object.spec>;
    return Array.isArray(list) && list.some((item) => Number(item.n) > 1000);
  });
  assertEquals(smallest, {
    ...TYPE,
    metadata: { name: "a", namespace: "default" },
    spec: { list: [{ n: 1001 }] },
  });
});
